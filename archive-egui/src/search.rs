//! [`Search`]: the parts whose names or values contain a text.

use archive::path::{Path, Step};
use archive::reflect::{self, Leaf};
use archive::{Error, Options, Polymorphic, Value};

use crate::labels::Labels;

/// The number of parts that are found at most.
const MOST: usize = 200;
/// The number of steps of paths in which names are searched. A chain of shared objects may be longer.
const DEEPEST: usize = 64;

/// A search.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// What is typed.
    pub(crate) query: String,
    /// What the results belong to.
    of: String,
    pub(crate) found: Vec<Path>,
    /// Whether there may be more.
    pub(crate) is_cut: bool,
}

impl Search {
    /// Searches again, if the text is new. The whole value is visited, until enough is found.
    pub(crate) fn update(&mut self, value: &dyn Polymorphic, options: &Options<'_>) {
        let query = self.query.trim().to_lowercase();
        if query == self.of {
            return;
        }
        self.found.clear();
        self.is_cut = false;
        if !query.is_empty() {
            let mut finder = Finder {
                labels: Labels::containing(&query, value, options),
                query: &query,
                found: &mut self.found,
                last: Path::new(),
            };
            let visited = reflect::visit(value, &Path::new(), options, &mut |path, leaf| {
                finder.look(path, &leaf)
            });
            self.is_cut = visited.is_err();
        }
        self.of = query;
    }

    /// Searches again in the next frame, since the value has changed.
    pub(crate) fn forget(&mut self) {
        self.of.clear();
    }
}

struct Finder<'a> {
    query: &'a str,
    labels: Labels,
    found: &'a mut Vec<Path>,
    /// The path of the leaf before.
    last: Path,
}

impl Finder<'_> {
    fn look(&mut self, path: &Path, leaf: &Leaf<'_>) -> Result<(), Error> {
        let known = self.last.iter().zip(path.iter()).take_while(|(one, other)| one == other);
        let known = if path.len() <= DEEPEST { known.count() } else { path.len() - 1 };
        let named = (known..path.len()).find(|at| self.is_named(&path[*at]));
        if path.len() <= DEEPEST {
            self.last.clone_from(path);
        }
        match (named, leaf) {
            // The part that was found contains this one, and is named already.
            (Some(at), _) => self.add(path[..=at].iter().cloned().collect())?,
            (None, Leaf::Value(value)) if self.is_in(value) => self.add(path.clone())?,
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, path: Path) -> Result<(), Error> {
        self.found.push(path);
        if self.found.len() < MOST { Ok(()) } else { Err(Error::custom("enough is found")) }
    }

    fn is_named(&self, step: &Step) -> bool {
        match step {
            Step::Name(name) => contains(name, self.query) || self.labels.contain(name),
            _ => false,
        }
    }

    fn is_in(&self, value: &Value) -> bool {
        match value {
            Value::Str(text) => contains(text, self.query),
            Value::Number(_) | Value::Bool(_) => contains(&value.to_string(), self.query),
            _ => false,
        }
    }
}

/// Returns whether a text contains another one, which is in small letters.
pub(crate) fn contains(text: &str, query: &str) -> bool {
    if text.is_ascii() && query.is_ascii() {
        let (text, query) = (text.as_bytes(), query.as_bytes());
        return text.windows(query.len()).any(|part| part.eq_ignore_ascii_case(query));
    }
    text.to_lowercase().contains(query)
}
