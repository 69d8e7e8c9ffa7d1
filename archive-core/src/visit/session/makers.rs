//! [`Makers`]: a cache of the functions for the types of trait objects.

use std::any::TypeId;

use crate::state::registry::Functions;

/// A cache of the functions for the types of trait objects, by type id.
#[derive(Default)]
pub(crate) struct Makers {
    /// `None` if the cache is empty, so that a session is small.
    slots: Option<Box<[Option<Maker>; SLOTS]>>,
}

/// The number of types in the cache.
const SLOTS: usize = 16;

struct Maker {
    id: Box<str>,
    interface: TypeId,
    ops: Functions,
}

impl Makers {
    /// Returns the functions for the type with that id, as the trait object type.
    #[inline]
    pub(crate) fn get(&self, id: &str, interface: TypeId) -> Option<Functions> {
        let maker = self.slots.as_ref()?[slot(id)].as_ref()?;
        (*maker.id == *id && maker.interface == interface).then_some(maker.ops)
    }

    /// Adds functions, which may replace others.
    pub(crate) fn add(&mut self, id: &str, interface: TypeId, ops: Functions) {
        let maker = Maker { id: id.into(), interface, ops };
        self.slots.get_or_insert_default()[slot(id)] = Some(maker);
    }
}

impl Makers {
    /// Returns whether the cache is empty.
    #[inline]
    pub(super) fn is_unused(&self) -> bool {
        self.slots.is_none()
    }
}

/// Returns the slot for an id, computed with few instructions.
fn slot(id: &str) -> usize {
    let bytes = id.as_bytes();
    let letter = |at: Option<&u8>| usize::from(*at.unwrap_or(&0));
    (bytes.len() + letter(bytes.first()) * 7 + letter(bytes.get(bytes.len() / 2)) * 3) % SLOTS
}
