//! [`SharedPath`]: a path that shares its beginning with others.

use std::fmt;
use std::sync::Arc;

use archive_core::path::{Path, Step};

/// A path that shares its beginning with others.
///
/// In a chain of shared objects, the path to each one leads through all before it. Together, such
/// paths take no more memory than their last steps, however long the chain is.
///
/// ```
/// use archive::path::Path;
/// use archive::{Options, reflect};
///
/// let rows = reflect::list(&vec![(1, 2)], &Path::new(), &Options::new())?;
/// assert_eq!(rows[1].path.to_string(), "[0][1]");
/// assert_eq!(rows[1].path.to_path(), Path::parse("[0][1]")?);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone)]
pub struct SharedPath(Arc<Trail>);

/// The steps from one shared object to the next.
struct Trail {
    before: Option<SharedPath>,
    steps: Box<[Step]>,
    /// The number of all steps.
    len: usize,
}

impl SharedPath {
    /// Creates a path that continues another one.
    pub(super) fn new(before: Option<&SharedPath>, steps: &[Step]) -> Self {
        let len = before.map_or(0, SharedPath::len) + steps.len();
        SharedPath(Arc::new(Trail { before: before.cloned(), steps: steps.into(), len }))
    }

    /// Returns the path, in time proportional to its length.
    #[must_use]
    pub fn to_path(&self) -> Path {
        let mut path = Path::new();
        self.add_to(&mut path);
        path
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// Returns whether this is the path of the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the last step.
    #[must_use]
    pub fn last(&self) -> Option<&Step> {
        self.parts().find_map(|trail| trail.steps.last())
    }

    /// Appends the steps that the path does not have yet. The path is a beginning of this one.
    fn add_to(&self, path: &mut Path) {
        let len = path.len();
        let is_missing = |trail: &&Trail| trail.len > len;
        let parts: Vec<&Trail> = self.parts().take_while(is_missing).collect();
        let steps = parts.iter().rev().flat_map(|trail| &trail.steps);
        steps.for_each(|step| path.push(step.clone()));
    }

    /// Returns whether this path begins with another one.
    fn begins_with(&self, other: &SharedPath) -> bool {
        let mut parts = self.parts().take_while(|trail| trail.len >= other.len());
        parts.any(|trail| std::ptr::eq(trail, &*other.0))
    }

    /// Returns the parts, the last one first.
    fn parts(&self) -> impl Iterator<Item = &Trail> {
        std::iter::successors(Some(&*self.0), |trail| Some(&*trail.before.as_ref()?.0))
    }
}

/// Does not recurse, however long the path is.
impl Drop for Trail {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut trail) = next.and_then(|path| Arc::into_inner(path.0)) {
            next = trail.before.take();
        }
    }
}

impl PartialEq for SharedPath {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.len() == other.len() && self.to_path() == other.to_path()
    }
}

impl Eq for SharedPath {}

impl From<&SharedPath> for Path {
    fn from(path: &SharedPath) -> Self {
        path.to_path()
    }
}

impl fmt::Display for SharedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_path().fmt(f)
    }
}

impl fmt::Debug for SharedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedPath({self})")
    }
}

/// A path that moves from one value to the next: in a chain of shared objects, by a few steps.
pub(super) struct Followed {
    beginning: SharedPath,
    path: Path,
}

impl Followed {
    pub(super) fn new(path: &Path) -> Self {
        Followed { beginning: SharedPath::new(None, path), path: path.clone() }
    }

    /// Moves to the value at these steps from the beginning.
    pub(super) fn follow(&mut self, beginning: &SharedPath, steps: &[Step]) -> &Path {
        let known = if beginning.begins_with(&self.beginning) { self.beginning.len() } else { 0 };
        while self.path.len() > known {
            self.path.pop();
        }
        beginning.add_to(&mut self.path);
        self.beginning = beginning.clone();
        steps.iter().for_each(|step| self.path.push(step.clone()));
        &self.path
    }
}
