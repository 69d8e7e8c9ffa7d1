//! [`Places`]: where the shared objects of a value are.

use std::collections::HashMap;

use archive_core::path::{Path, Step};

use super::part::Part;

/// The places of shared objects by their ids. Each place is a path from the enclosing object. Paths from the
/// root would have, in a long chain of objects, as many steps together as the square of its length.
pub(super) struct Places {
    /// The length of the path to the outermost value.
    base: usize,
    objects: HashMap<u64, Place>,
    /// The open objects: their ids, and the lengths of their paths.
    open: Vec<(u64, usize)>,
    /// The object that was resumed last, and the length of its path.
    last: Option<(u64, usize)>,
}

struct Place {
    /// The enclosing object.
    within: Option<u64>,
    steps: Vec<Step>,
    part: Part,
}

impl Places {
    pub(super) fn new(base: usize) -> Self {
        Places { base, objects: HashMap::new(), open: Vec::new(), last: None }
    }

    /// Adds the place of an object at the path.
    pub(super) fn add(&mut self, id: u64, path: &Path, part: Part) {
        let (within, len) = match self.open.last() {
            Some(&(within, len)) => (Some(within), len),
            None => (None, self.base),
        };
        let steps = path[len..].to_vec();
        self.objects.insert(id, Place { within, steps, part });
    }

    /// Enters the object at the path.
    pub(super) fn enter(&mut self, id: u64, path: &Path) {
        self.open.push((id, path.len()));
    }

    /// Leaves the object that was entered last. Returns whether it is the outermost one.
    pub(super) fn leave(&mut self) -> bool {
        self.open.pop();
        self.open.is_empty() && self.last.is_none()
    }

    /// Returns the path to an object. `path` is that to any value in the outermost one.
    pub(super) fn get(&self, id: u64, path: &Path) -> Option<Path> {
        self.objects.get(&id)?;
        let mut place = Path::from(path[..self.base].to_vec());
        self.extend(id, None, &mut place);
        Some(place)
    }

    /// Moves the path to an object that was deferred, from the one that was resumed before:
    /// in a chain, that is a few steps. Returns what is known about the object.
    pub(super) fn resume(&mut self, id: u64, path: &mut Path) -> Part {
        let last = self.last.filter(|(last, _)| self.is_within(id, *last));
        let len = last.map_or(self.base, |(_, len)| len);
        while path.len() > len {
            path.pop();
        }
        self.extend(id, last.map(|(last, _)| last), path);
        self.last = Some((id, path.len()));
        self.objects.get(&id).map_or(Part::UNKNOWN, |place| place.part)
    }

    /// Comes after the objects that are in one outermost object.
    pub(super) fn end_resuming(&mut self) {
        self.last = None;
    }

    /// Returns the objects around one, from itself outwards.
    fn around(&self, id: u64) -> impl Iterator<Item = (u64, &Place)> {
        let place = move |id: u64| Some((id, self.objects.get(&id)?));
        std::iter::successors(place(id), move |(_, inner)| place(inner.within?))
    }

    fn is_within(&self, id: u64, outer: u64) -> bool {
        self.around(id).any(|(around, _)| around == outer)
    }

    /// Adds the steps from an outer object, or else from the outermost value, to an object.
    fn extend(&self, id: u64, outer: Option<u64>, path: &mut Path) {
        let places = self.around(id).take_while(|(around, _)| Some(*around) != outer);
        let places: Vec<&Place> = places.map(|(_, place)| place).collect();
        let steps = places.iter().rev().flat_map(|place| &place.steps);
        steps.for_each(|step| path.push(step.clone()));
    }
}
