//! [`Items`]: which items of the open sequences are still to come.

/// Which items of the open sequences are still to come.
///
/// All items of a sequence count against the limit when it begins, as long as the limit allows that. Then
/// those that are still to come are given back, and each counts when it is met.
#[derive(Default)]
pub(super) struct Items {
    /// How many items of the innermost sequence are still to come. None if each counts when it is met.
    left: u64,
    /// How many of the sequences around it are.
    around: u64,
    /// How many items of the innermost sequence are still to come, if each counts when it is met.
    single: Option<u64>,
}

impl Items {
    /// A sequence begins: how many items of the one around it are left.
    #[inline(always)]
    pub(super) fn begin(&mut self, len: u64) -> u64 {
        match &mut self.single {
            None => {
                self.around += self.left;
                std::mem::replace(&mut self.left, len)
            }
            Some(left) => std::mem::replace(left, len),
        }
    }

    /// A sequence ends, and so many items of the one around it are left.
    #[inline(always)]
    pub(super) fn end(&mut self, outer: u64) {
        match &mut self.single {
            None => {
                self.around -= outer;
                self.left = outer;
            }
            Some(left) => *left = outer,
        }
    }

    /// How many items of the innermost sequence are left.
    #[inline(always)]
    pub(super) fn left(&self) -> u64 {
        self.single.unwrap_or(self.left)
    }

    /// How many items were counted that are still to come.
    #[inline]
    pub(super) fn ahead(&self) -> u64 {
        self.around + self.left
    }

    /// Whether each item counts when it is met.
    #[inline(always)]
    pub(super) fn are_counted_singly(&self) -> bool {
        self.single.is_some()
    }

    /// From now on each item counts when it is met.
    pub(super) fn count_singly(&mut self) {
        *self = Items { single: Some(self.left()), ..Items::default() };
    }

    /// Goes to the next item, if it was counted.
    #[inline(always)]
    pub(super) fn next(&mut self) -> bool {
        let next = self.left > 0;
        self.left -= u64::from(next);
        next
    }

    /// Goes to the next item, if it is counted when it is met.
    pub(super) fn next_single(&mut self) -> bool {
        let left = self.single.unwrap_or(0);
        if left > 0 {
            self.single = Some(left - 1);
        }
        left > 0
    }

    /// Goes past all items, which were counted: how many they are.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<u64> {
        self.single.is_none().then(|| std::mem::take(&mut self.left))
    }

    /// Goes back to where so many items are left.
    pub(super) fn put_back(&mut self, left: u64) {
        self.left = left;
    }
}
