//! [`Items`]: the remaining items of the open sequences.
// Why: docs/decisions/binary.md#elements-are-counted-when-a-list-begins

/// The remaining items of the open sequences.
///
/// When a sequence begins, all its items are counted against the limit at once, if the limit allows
/// that many. Otherwise the remaining items are subtracted again, and each item is counted when it
/// is read.
#[derive(Default)]
pub(crate) struct Items {
    /// The number of remaining items of the innermost sequence. 0 if each item is counted when it
    /// is read.
    left: u64,
    /// The number of remaining items of the sequences around it.
    around: u64,
    /// The number of remaining items of the innermost sequence, if each item is counted when it is
    /// read.
    single: Option<u64>,
}

impl Items {
    /// Begins a sequence. Returns the number of remaining items of the sequence around it.
    #[inline(always)]
    pub(crate) fn begin(&mut self, len: u64) -> u64 {
        match &mut self.single {
            None => {
                self.around += self.left;
                std::mem::replace(&mut self.left, len)
            }
            Some(left) => std::mem::replace(left, len),
        }
    }

    /// Ends a sequence. `outer` items of the sequence around it remain.
    #[inline(always)]
    pub(crate) fn end(&mut self, outer: u64) {
        match &mut self.single {
            None => {
                self.around -= outer;
                self.left = outer;
            }
            Some(left) => *left = outer,
        }
    }

    /// Returns the number of remaining items of the innermost sequence.
    #[inline(always)]
    pub(crate) fn left(&self) -> u64 {
        self.single.unwrap_or(self.left)
    }

    /// Returns the number of remaining items that were counted in advance.
    #[inline]
    pub(crate) fn ahead(&self) -> u64 {
        self.around + self.left
    }

    /// Returns whether each item is counted when it is read.
    #[inline(always)]
    pub(crate) fn are_counted_singly(&self) -> bool {
        self.single.is_some()
    }

    /// Switches to counting each item when it is read.
    pub(crate) fn count_singly(&mut self) {
        *self = Items { single: Some(self.left()), ..Items::default() };
    }

    /// Moves to the next item, if items were counted in advance. Returns whether there is one.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> bool {
        let next = self.left > 0;
        self.left -= u64::from(next);
        next
    }

    /// Moves to the next item, if each is counted when it is read. Returns whether there is one.
    pub(crate) fn next_single(&mut self) -> bool {
        let left = self.single.unwrap_or(0);
        if left > 0 {
            self.single = Some(left - 1);
        }
        left > 0
    }

    /// Takes all remaining items and returns their number, if they were counted in advance.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<u64> {
        self.single.is_none().then(|| std::mem::take(&mut self.left))
    }

    /// Restores the number of remaining items.
    pub(crate) fn put_back(&mut self, left: u64) {
        self.left = left;
    }
}
