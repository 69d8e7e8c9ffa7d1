//! How a map is saved: as the array of its slots.

use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Element, Options, Result, Save, Serialize};

use super::slot::Slot;
use super::{HandleMap, stale};

impl<T: Element + 'static> Serialize for HandleMap<T> {
    const SHAPE: &'static Shape = <Vec<Slot<T>> as Serialize>::SHAPE;
    const HOLDS_VALUES: bool = <Vec<Slot<T>> as Serialize>::HOLDS_VALUES;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            stale::owned(self, ar);
            return self.slots.serialize(ar);
        }
        let loaded = self.slots.serialize(ar);
        self.count();
        loaded
    }
}

impl<T: Element + Save + 'static> Save for HandleMap<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        stale::owned(self, ar);
        self.slots.save(ar)
    }
}

impl<T> Blank for HandleMap<T> {
    fn blank(_: &Options<'_>) -> Self {
        HandleMap::new()
    }
}
