//! [`Name`]: the name in a step.

use std::ops::Deref;

/// The name in a [`Step`](super::Step).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Box<str>);

impl Name {
    /// Creates a step's name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Name(name.into())
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
