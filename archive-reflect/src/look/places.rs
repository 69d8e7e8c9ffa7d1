//! [`Places`]: the paths of the shared objects of a value.

use std::collections::HashMap;

use archive_core::path::Path;

use super::part::Part;
use super::shared_path::SharedPath;

/// The places of shared objects by their ids, and the position of a walk.
pub(super) struct Places {
    /// The path to the outermost value, or to the object that was resumed.
    beginning: SharedPath,
    objects: HashMap<u64, (SharedPath, Part)>,
    /// The open objects, with the lengths of their paths from the beginning.
    open: Vec<(SharedPath, usize)>,
    is_resuming: bool,
}

impl Places {
    /// Creates a table for a walk that begins at the path.
    pub(super) fn new(path: &Path) -> Self {
        let beginning = SharedPath::new(None, path);
        Places { beginning, objects: HashMap::new(), open: Vec::new(), is_resuming: false }
    }

    /// Returns the path to the outermost value, or to the object that was resumed.
    pub(super) fn beginning(&self) -> &SharedPath {
        &self.beginning
    }

    /// Adds the place of an object. The path is relative to the beginning.
    pub(super) fn add(&mut self, id: u64, path: &Path, part: Part) {
        let path = self.shared(path);
        self.objects.insert(id, (path, part));
    }

    /// Returns the path of a value in the open object. The given path is relative to the beginning.
    pub(super) fn shared(&self, path: &Path) -> SharedPath {
        let (before, len) = match self.open.last() {
            Some((object, len)) => (object, *len),
            None => (&self.beginning, 0),
        };
        SharedPath::new(Some(before), path.get(len..).unwrap_or_default())
    }

    /// Enters the object at the path from the beginning.
    pub(super) fn enter(&mut self, id: u64, path: &Path) {
        let object = self.get(id).cloned().unwrap_or_else(|| self.shared(path));
        self.open.push((object, path.len()));
    }

    /// Leaves the object that was entered last. Returns whether it is the outermost one.
    pub(super) fn leave(&mut self) -> bool {
        self.open.pop();
        self.open.is_empty() && !self.is_resuming
    }

    /// Returns the path to an object.
    pub(super) fn get(&self, id: u64) -> Option<&SharedPath> {
        self.objects.get(&id).map(|(path, _)| path)
    }

    /// Begins at an object that was deferred. Returns what is known about the object.
    pub(super) fn resume(&mut self, id: u64) -> Part {
        self.is_resuming = true;
        let Some((path, part)) = self.objects.get(&id) else { return Part::UNKNOWN };
        self.beginning = path.clone();
        *part
    }

    /// Goes back to the outermost value, after the objects that were deferred in it.
    pub(super) fn end_resuming(&mut self, beginning: SharedPath) {
        (self.beginning, self.is_resuming) = (beginning, false);
    }
}
