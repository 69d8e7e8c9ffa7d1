//! [`Place`]: the sequences around the next value. Also the steps of values that are not in blocks.

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

/// The steps that are those of the rows between blocks.
macro_rules! steps_of_rows {
    () => {
        #[inline(always)]
        fn begin_named(
            &mut self,
            info: &'static archive_core::shape::Member,
            typed: bool,
        ) -> archive_core::Result<archive_core::Begun> {
            self.rows.begin_named(info, typed)
        }
        #[inline]
        fn begin_object(
            &mut self,
            class: &'static archive_core::shape::Class,
        ) -> archive_core::Result<Option<archive_core::OuterState>> {
            self.rows.begin_object(class)
        }
        #[inline]
        fn end_object(
            &mut self,
            class: &'static archive_core::shape::Class,
            outer: archive_core::OuterState,
            done: archive_core::Result,
        ) -> archive_core::Result {
            self.rows.end_object(class, outer, done)
        }
        #[inline]
        fn end_seq(&mut self, outer: archive_core::OuterState, len: usize) -> archive_core::Result {
            self.rows.end_seq(outer, len)
        }
        #[inline(always)]
        fn begin_item(&mut self, index: usize) -> archive_core::Result<archive_core::Begun> {
            self.rows.begin_item(index)
        }
        #[inline]
        fn begin_option(
            &mut self,
            shape: &'static archive_core::shape::Shape,
            present: bool,
            null: bool,
        ) -> archive_core::Result<(archive_core::Begun, bool)> {
            self.rows.begin_option(shape, present, null)
        }
        #[inline]
        fn end_some(&mut self, null: bool, wrapped: bool) -> archive_core::Result {
            self.rows.end_some(null, wrapped)
        }
        #[inline]
        fn begin_variant(
            &mut self,
            info: &'static archive_core::shape::Enum,
            current: usize,
            typed: bool,
        ) -> archive_core::Result<Option<usize>> {
            self.rows.begin_variant(info, current, typed)
        }
        #[inline]
        fn end_variant(
            &mut self,
            info: &'static archive_core::shape::Enum,
            variant: &'static archive_core::shape::Variant,
            done: archive_core::Result,
        ) -> archive_core::Result {
            self.rows.end_variant(info, variant, done)
        }
    };
}
pub(super) use steps_of_rows;
