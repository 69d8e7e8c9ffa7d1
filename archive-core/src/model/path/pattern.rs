//! [`Pattern`]: a path with wildcards.

use std::fmt;
use std::str::FromStr;

use super::{Path, Step, parse, write_step};
use crate::model::error::{Error, Result};

/// A path with wildcards, which matches many places: `units[*].hp`, `units[2..5]`, `stats.*`.
///
/// `*` and `[*]` are the same: any member, key or item. `[2..5]` matches the items 2, 3 and 4;
/// either end of a range may be left out. A member with the name `*` is quoted. Each [`Path`] is
/// also a pattern, which matches only that path.
///
/// ```
/// use archive::path::{Path, Pattern};
///
/// let pattern = Pattern::parse("units[2..].*")?;
/// assert!(pattern.matches(&Path::parse("units[3].hp")?));
/// assert!(!pattern.matches(&Path::parse("units[1].hp")?));
/// assert!(!pattern.matches(&Path::parse("units[3]")?));
/// assert_eq!(pattern.to_string(), "units[2..][*]");
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pattern {
    steps: Vec<PatternStep>,
}

/// One step of a [`Pattern`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PatternStep {
    /// One place.
    Step(Step),
    /// All members, keys or items: `*`.
    Any,
    /// The items from the first index up to the second one, which is excluded.
    Range(usize, usize),
}

impl PatternStep {
    /// Returns whether the pattern step matches a step of a path.
    #[must_use]
    pub fn matches(&self, step: &Step) -> bool {
        match (self, step) {
            (PatternStep::Step(one), step) => one == step,
            (PatternStep::Any, Step::Name(_) | Step::Index(_)) => true,
            (PatternStep::Range(from, to), Step::Index(index)) => (*from..*to).contains(index),
            (PatternStep::Any | PatternStep::Range(..), _) => false,
        }
    }
}

impl Pattern {
    /// Parses the text of a pattern: see [`Path::parse`].
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](crate::ErrorKind::Syntax), with the [position](Error::position) in the
    /// text.
    pub fn parse(text: &str) -> Result<Self> {
        parse::pattern(text).map(|steps| Pattern { steps })
    }

    /// Returns the steps.
    #[must_use]
    pub fn steps(&self) -> &[PatternStep] {
        &self.steps
    }

    /// Returns whether the pattern matches the whole path.
    #[must_use]
    pub fn matches(&self, path: &[Step]) -> bool {
        self.steps.len() == path.len() && self.leads_to(path)
    }

    /// Returns whether the pattern may match the path or a place inside its value. A walk can skip
    /// other values.
    ///
    /// ```
    /// use archive::path::{Path, Pattern};
    ///
    /// let pattern = Pattern::parse("units[*].hp")?;
    /// assert!(pattern.leads_to(&Path::parse("units[3]")?));
    /// assert!(!pattern.leads_to(&Path::parse("cities")?));
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn leads_to(&self, path: &[Step]) -> bool {
        self.steps.len() >= path.len()
            && self.steps.iter().zip(path).all(|(pattern, step)| pattern.matches(step))
    }

    /// Returns the pattern as a path, if it has no wildcards.
    #[must_use]
    pub fn as_path(&self) -> Option<Path> {
        let steps = self.steps.iter().map(|step| match step {
            PatternStep::Step(step) => Some(step.clone()),
            PatternStep::Any | PatternStep::Range(..) => None,
        });
        steps.collect::<Option<Path>>()
    }
}

impl From<Path> for Pattern {
    fn from(path: Path) -> Self {
        Pattern { steps: path.steps.into_iter().map(PatternStep::Step).collect() }
    }
}
impl FromStr for Pattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Pattern::parse(text)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                PatternStep::Step(step) => write_step(f, at == 0, step)?,
                PatternStep::Any => f.write_str("[*]")?,
                PatternStep::Range(from, usize::MAX) => write!(f, "[{from}..]")?,
                PatternStep::Range(from, to) => write!(f, "[{from}..{to}]")?,
            }
        }
        Ok(())
    }
}
