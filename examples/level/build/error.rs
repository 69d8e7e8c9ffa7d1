//! Why no world can be built from a project.

use std::error::Error;
use std::fmt;

/// Why no world can be built from a project.
#[derive(Debug)]
pub struct BuildError {
    /// The path, outermost last.
    path: Vec<String>,
    /// The message.
    message: String,
}

impl BuildError {
    /// An error at this place.
    pub fn new(message: String) -> Self {
        BuildError { path: Vec::new(), message }
    }

    /// The error is inside the part of that name.
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
