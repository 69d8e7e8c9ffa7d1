//! Paths to values inside a value, as [errors](crate::Error::path) print them:
//! `world.units[3].orders[0].target`, `inventory["two words"]`, `$7.hp`.
//!
//! [`Path`] names one place, [`Pattern`] all places that it matches.

mod name;
mod parse;
mod pattern;

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

pub use name::Name;
pub use pattern::{Pattern, PatternStep};

use crate::model::error::{Error, Result, is_plain};

/// A path to a value inside a value, parsed once and used often. The path of an
/// [error](Error::path) is one.
///
/// A path is saved as its text. The empty path is the root.
///
/// ```
/// use archive::path::{Path, Step};
///
/// let path = Path::parse(r#"units[3].inventory["two words"]"#)?;
/// assert_eq!(path.len(), 4);
/// assert_eq!(path[1], Step::Index(3));
/// assert_eq!(path[3], Step::from("two words"));
/// assert_eq!(path.to_string(), r#"units[3].inventory["two words"]"#);
///
/// let error = Path::parse("units[x]").unwrap_err();
/// assert_eq!(error.message(), "in the path \"units[x]\": expected an index or a name in quotes");
/// assert_eq!(error.position(), Some(archive::error::Position::Offset(6)));
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path {
    steps: Vec<Step>,
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// To a member, to the value of a key, or into the payload of a variant: `hp`, `["two words"]`.
    Name(Name),
    /// To an item of a sequence: `[3]`.
    Index(usize),
    /// To the shared object with that id in the file: `$7`. Only the first step can be one.
    Object(u64),
}

impl From<&str> for Step {
    fn from(name: &str) -> Self {
        Step::Name(Name::new(name))
    }
}
impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Step::Index(index)
    }
}

impl Path {
    /// Creates the empty path, which is the root.
    #[must_use]
    pub fn new() -> Self {
        Path::default()
    }

    /// Parses the text of a path.
    ///
    /// A name with characters other than letters, digits, `_`, `-`, `:` and `$` is in brackets and
    /// quotes, with the escapes of a Rust literal. So is an empty name.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](crate::ErrorKind::Syntax), with the [position](Error::position) in the
    /// text.
    pub fn parse(text: &str) -> Result<Self> {
        parse::path(text)
    }

    /// Returns the steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Appends a step. A step to an [object](Step::Object) begins a new path, since it is the same
    /// object from anywhere.
    pub fn push(&mut self, step: impl Into<Step>) {
        let step = step.into();
        if let Step::Object(_) = step {
            self.steps.clear();
        }
        self.steps.push(step);
    }

    /// Removes the last step and returns it.
    pub fn pop(&mut self) -> Option<Step> {
        self.steps.pop()
    }

    /// Splits off the last step. Returns the path to the value that contains this path's value, and
    /// the step. The root has no last step.
    ///
    /// ```
    /// use archive::path::{Path, Step};
    ///
    /// let path = Path::parse("units[3].hp")?;
    /// let (unit, last) = path.split_last().unwrap();
    /// assert_eq!((unit.to_string().as_str(), last), ("units[3]", &Step::from("hp")));
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn split_last(&self) -> Option<(Path, &Step)> {
        let (last, before) = self.steps.split_last()?;
        Some((Path { steps: before.to_vec() }, last))
    }

    /// Returns this path, continued by `rest`.
    #[must_use]
    pub fn join(&self, rest: &[Step]) -> Path {
        Path::from([&self.steps, rest].concat())
    }
}

impl Deref for Path {
    type Target = [Step];

    fn deref(&self) -> &[Step] {
        &self.steps
    }
}

impl From<Vec<Step>> for Path {
    /// As if each step were [pushed](Path::push).
    fn from(mut steps: Vec<Step>) -> Self {
        if let Some(last) = steps.iter().rposition(|step| matches!(step, Step::Object(_))) {
            steps.drain(..last);
        }
        Path { steps }
    }
}
impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Path::from(Vec::from_iter(steps))
    }
}
impl FromStr for Path {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Path::parse(text)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().enumerate().try_for_each(|(at, step)| write_step(f, at == 0, step))
    }
}

/// Writes one step of a path.
fn write_step(f: &mut fmt::Formatter<'_>, is_first: bool, step: &Step) -> fmt::Result {
    match step {
        Step::Index(index) => write!(f, "[{index}]"),
        Step::Object(id) => write!(f, "${id}"),
        Step::Name(name) if !is_plain(name) => write!(f, "[{:?}]", name.as_str()),
        Step::Name(name) if is_first => f.write_str(name),
        Step::Name(name) => write!(f, ".{}", name.as_str()),
    }
}
