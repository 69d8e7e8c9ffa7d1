//! What identifies shared objects in the keys of hash maps and sets, which are sorted by their
//! encoding before they are saved.

use super::Session;
use super::addresses::Addresses;
use super::depth::Levels;
use super::elements::Elements;
use super::saved::SaveTable;
use crate::model::shape::{Shape, may_point};
use crate::state::chains::may_key;
use crate::state::options::Options;
use crate::state::wanted::Wanted;
use crate::visit::archive::Archive;
use crate::visit::census::take_census;
use crate::visit::object::Retained;
use crate::visit::visited::Visit;

/// What identifies an object in a key.
pub(crate) enum Rank {
    /// A number, which is the same in all saves of equal values.
    Number(u64),
    /// Its content.
    Content,
    /// Nothing: it is in the content of another object.
    Nothing,
}

/// What identifies the objects in keys.
#[derive(Default)]
pub(super) struct Ranks {
    /// The numbers of the objects that can be reached without a hash map or set, in the order in which
    /// they are reached, and how many there are.
    numbered: Addresses,
    count: u64,
    /// Pointers that keep these objects.
    retained: Vec<Retained>,
    /// Whether keys are being encoded, and whether the content of an object is.
    sorting: bool,
    inside: bool,
}

/// The state before keys are encoded.
pub(crate) struct OuterSort {
    levels: Levels,
    elements: Elements,
    uncounted: usize,
}

impl Session {
    /// Numbers the objects in a value of that shape before it is saved, if keys may be sorted by them.
    /// `visit` saves the value.
    #[doc(hidden)]
    #[inline]
    pub fn number(&mut self, shape: &'static Shape, visit: Visit<'_>, options: &Options<'_>) {
        if may_point(shape) && may_key(shape, options.get_registry()) {
            self.number_all(visit, options);
        }
    }

    #[cold]
    fn number_all(&mut self, visit: Visit<'_>, options: &Options<'_>) {
        let (mut found, _) = take_census(options, Wanted::in_order(), |ar| visit(&mut ar.erased()));
        let ranks = self.saved.ranks();
        ranks.retained = found.take_retained();
        ranks.count = ranks.retained.len() as u64;
        ranks.numbered = found.objects;
    }

    /// Begins to encode keys. They count against no limit but that of the depth, since they are saved
    /// afterwards.
    pub(crate) fn begin_sorting(&mut self) -> OuterSort {
        self.saved.ranks().sorting = true;
        OuterSort {
            levels: self.levels(),
            elements: self.elements,
            uncounted: std::mem::take(&mut self.uncounted),
        }
    }

    pub(crate) fn end_sorting(&mut self, outer: OuterSort) {
        self.saved.ranks().sorting = false;
        self.set_levels(outer.levels);
        (self.elements, self.uncounted) = (outer.elements, outer.uncounted);
    }
}

impl SaveTable {
    fn ranks(&mut self) -> &mut Ranks {
        self.rare.get_or_insert_default().ranks.get_or_insert_default()
    }

    /// Returns whether only objects are visited that can be reached in the same order in equal values.
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

    /// Returns what identifies the object at `address` in the key that is being encoded.
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

    /// Begins or ends the content of an object in a key.
    pub(crate) fn set_inside(&mut self, inside: bool) {
        self.ranks().inside = inside;
    }
}
