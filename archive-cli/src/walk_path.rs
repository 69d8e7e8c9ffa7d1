//! [`WalkPath`]: the position of a walk over a file, as the path of an error.

use archive::Error;
use archive::path::{Path, Step};

use crate::select::in_path;

/// The open objects, sequences and pointers of a walk.
#[derive(Default)]
pub struct WalkPath {
    /// The names of the current members of the open objects, concatenated.
    names: String,
    open: Vec<Open>,
}

/// A value that a walk has entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// A sequence, and the index of its current item, if there is one.
    Items(Option<u64>),
    /// An object, and where the name of its current member begins in `names`, if there is one.
    Members(Option<usize>),
    /// The object of a pointer. Paths do not show pointers. With an id, the path begins at that
    /// object.
    Pointee(Option<u64>),
}

impl WalkPath {
    /// Enters a value.
    pub fn enter(&mut self, open: Open) {
        self.open.push(open);
    }

    /// Leaves the innermost value.
    pub fn leave(&mut self) {
        if let Some(Open::Members(Some(start))) = self.open.pop() {
            self.names.truncate(start);
        }
    }

    /// Moves to the next item of the innermost sequence.
    #[inline]
    pub fn next_item(&mut self) {
        if let Some(Open::Items(index)) = self.open.last_mut() {
            *index = Some(index.map_or(0, |index| index + 1));
        }
    }

    /// Moves to a member of the innermost object.
    #[inline]
    pub fn member(&mut self, name: &str) {
        if let Some(Open::Members(at)) = self.open.last_mut() {
            if let Some(start) = *at {
                self.names.truncate(start);
            }
            *at = Some(self.names.len());
            self.names.push_str(name);
        }
    }

    /// Returns the number of values that are open.
    #[cfg(feature = "view")]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the innermost value that is open.
    pub fn innermost(&self) -> Option<Open> {
        self.open.last().copied()
    }

    /// Returns the name that begins at that byte of the names.
    pub fn name(&self, start: usize) -> &str {
        &self.names[start..]
    }

    /// Returns the path.
    pub fn path(&self) -> Path {
        let mut end = self.names.len();
        let mut steps = Vec::with_capacity(self.open.len());
        for open in self.open.iter().rev() {
            match *open {
                Open::Items(Some(index)) => steps.push(Step::Index(index as usize)),
                Open::Members(Some(start)) => {
                    steps.push(Step::from(&self.names[start..end]));
                    end = start;
                }
                Open::Pointee(Some(id)) => steps.push(Step::Object(id)),
                _ => {}
            }
        }
        steps.reverse();
        Path::from(steps)
    }

    /// Adds the path to an error.
    #[cold]
    pub fn explain(&self, error: Error) -> Error {
        in_path(&self.path(), error)
    }
}
