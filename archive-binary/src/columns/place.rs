//! [`Place`]: the sequences around the next value.

/// The sequences and maps around the next value, and the enums.
pub(super) struct Place {
    pub(super) items: Items,
    around: Vec<Items>,
}

/// The items of a sequence or the entries of a map.
#[derive(Clone, Copy)]
pub(super) struct Items {
    /// The first column of each item, or [`FOLLOWING`]. For the payload of an enum, the column after it.
    pub(super) first: usize,
    /// The number of items of the sequence around it that are left to load.
    pub(super) outer: u64,
    /// Whether each item that is saved adds to the length of the list, which was not known.
    pub(super) counts: bool,
}

/// The items have columns that follow each other.
pub(super) const FOLLOWING: usize = usize::MAX;

impl Place {
    /// Creates the place of the entries of a list.
    pub(super) fn new() -> Self {
        Place { items: Items { first: 0, outer: 0, counts: false }, around: Vec::new() }
    }

    /// Enters a sequence.
    #[inline(always)]
    pub(super) fn enter(&mut self, first: usize, outer: u64, counts: bool) {
        self.around.push(std::mem::replace(&mut self.items, Items { first, outer, counts }));
    }

    /// Returns the place, to restore it after an error inside of it.
    pub(super) fn mark(&self) -> (Items, usize) {
        (self.items, self.around.len())
    }

    /// Restores the place.
    pub(super) fn restore(&mut self, (items, around): (Items, usize)) {
        self.items = items;
        self.around.truncate(around);
    }

    /// Leaves the innermost sequence, and returns [its first column](Items::first).
    #[inline(always)]
    pub(super) fn leave(&mut self) -> usize {
        let inner = self.items.first;
        if let Some(outer) = self.around.pop() {
            self.items = outer;
        }
        inner
    }
}
