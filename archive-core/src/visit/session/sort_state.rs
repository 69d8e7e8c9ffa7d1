//! The state while the keys of hash maps and sets are encoded, to sort them before they are saved.

use super::Session;
use super::elements::Elements;
use super::nesting::Levels;
use super::ranks::{Rank, Ranks};
use super::saved::SaveTable;

/// The state before keys are encoded.
pub(crate) struct OuterSort {
    levels: Levels,
    elements: Elements,
    uncounted: usize,
}

impl Session {
    /// Sets the objects that a census found in order.
    pub(crate) fn set_numbers(&mut self, mut found: SaveTable) {
        let ranks = self.saved.ranks();
        ranks.count = found.take_retained().len() as u64;
        ranks.numbered = found.objects;
    }

    /// Begins to encode keys. They count only against the limit of the depth, since they are saved
    /// afterwards. With `strict`, no object that a key refers to may be borrowed mutably.
    pub(crate) fn begin_sorting(&mut self, strict: bool) -> OuterSort {
        let ranks = self.saved.ranks();
        (ranks.sorting, ranks.strict) = (true, strict);
        OuterSort {
            levels: self.levels(),
            elements: self.budget.elements,
            uncounted: std::mem::take(&mut self.budget.uncounted),
        }
    }

    pub(crate) fn end_sorting(&mut self, outer: OuterSort) {
        self.saved.ranks().sorting = false;
        self.set_levels(outer.levels);
        (self.budget.elements, self.budget.uncounted) = (outer.elements, outer.uncounted);
    }
}

impl SaveTable {
    fn ranks(&mut self) -> &mut Ranks {
        self.rare.get_or_insert_default().ranks.get_or_insert_default()
    }

    /// Returns whether only objects are visited that are reached in the same order in equal values.
    pub(crate) fn is_in_order(&self) -> bool {
        self.rare
            .as_ref()
            .is_some_and(|rare| rare.census.as_ref().is_some_and(|wanted| wanted.in_order))
    }

    /// Returns whether keys are being encoded.
    #[inline]
    pub(crate) fn is_sorting(&self) -> bool {
        self.rare
            .as_ref()
            .is_some_and(|rare| rare.ranks.as_ref().is_some_and(|ranks| ranks.sorting))
    }

    /// Returns the rank of the object at `address` in the key that is being encoded.
    pub(crate) fn rank(&mut self, address: usize) -> Rank {
        let object = self.objects.id(address);
        let ranks = self.ranks();
        match (ranks.numbered.id(address), object) {
            (Some(number), _) => Rank::Number(number),
            (None, Some(id)) => Rank::Number(ranks.count + id),
            (None, None) if ranks.inside => Rank::Nothing,
            (None, None) => Rank::Content,
        }
    }

    /// Returns whether the objects that keys refer to must not be borrowed mutably.
    pub(crate) fn is_strict(&mut self) -> bool {
        self.ranks().strict
    }

    /// Begins or ends the content of an object in a key.
    pub(crate) fn set_inside(&mut self, inside: bool) {
        self.ranks().inside = inside;
    }
}
