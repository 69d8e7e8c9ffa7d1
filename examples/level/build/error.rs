//! Why a project makes no world.

use std::error::Error;
use std::fmt;

/// Why a project makes no world.
#[derive(Debug)]
pub struct BuildError {
    /// Where, outermost last.
    path: Vec<String>,
    /// What is wrong there.
    message: String,
}

impl BuildError {
    /// Something is wrong right here.
    pub fn new(message: String) -> Self {
        BuildError { path: Vec::new(), message }
    }

    /// It is in the thing of that name.
    pub fn inside(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in self.path.iter().rev() {
            write!(f, "{name}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl Error for BuildError {}
