//! [`Spare`]: memory that is used again within a load.

use std::ptr;

use rustc_hash::FxHashSet;

/// Memory that is used again, so that a load does not allocate it for each entry of a map.
#[derive(Default)]
pub(crate) struct Spare {
    texts: Vec<String>,
    visited: Vec<Visited>,
}

impl Spare {
    /// Returns an empty text.
    #[inline]
    pub(crate) fn text(&mut self) -> String {
        self.texts.pop().unwrap_or_default()
    }

    /// Keeps the memory of a text, unless it is too long to be a usual key.
    #[inline]
    pub(crate) fn keep_text(&mut self, mut text: String) {
        const LONGEST: usize = 1024;
        if text.capacity() <= LONGEST {
            text.clear();
            self.texts.push(text);
        }
    }

    /// Returns an empty set.
    pub(crate) fn visited(&mut self) -> Visited {
        self.visited.pop().unwrap_or_default()
    }

    /// Keeps the memory of a set, unless clearing it would take far longer than filling it took.
    pub(crate) fn keep_visited(&mut self, mut visited: Visited) {
        if visited.0.capacity() <= 32 + 8 * visited.0.len() {
            visited.0.clear();
            self.visited.push(visited);
        }
    }
}

/// The addresses of the values of a map that were visited. They are valid until the map gets or
/// loses an entry.
#[derive(Default)]
pub(crate) struct Visited(FxHashSet<usize>);

impl Visited {
    /// About how many bytes a value takes.
    pub(crate) const SIZE: usize = 2 * size_of::<usize>();

    /// Makes room for that many values.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.0.reserve(count);
    }

    /// Returns whether the value was visited.
    #[inline]
    pub(crate) fn contains<T>(&self, value: &T) -> bool {
        self.0.contains(&ptr::from_ref(value).addr())
    }

    /// Adds a value.
    #[inline]
    pub(crate) fn insert<T>(&mut self, value: &T) {
        self.0.insert(ptr::from_ref(value).addr());
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
