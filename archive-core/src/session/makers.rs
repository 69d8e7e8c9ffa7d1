//! [`Makers`]: a cache of the functions for the types of trait objects.

use std::any::{Any, TypeId};

use crate::error::Result;
use crate::options::Options;
use crate::registry::{Ops, find};

/// A cache of the functions for the types of trait objects, by type id.
#[derive(Default)]
pub(crate) struct Makers {
    /// None if nothing is in the cache, so that a session is small.
    slots: Option<Box<[Option<Maker>; SLOTS]>>,
}

/// The number of types in the cache.
const SLOTS: usize = 16;

struct Maker {
    id: Box<str>,
    interface: TypeId,
    ops: &'static (dyn Any + Send + Sync),
}

impl Makers {
    /// Returns the functions for the type with that id, as `D`.
    ///
    /// # Errors
    /// Returns an error if no such type is registered.
    #[inline]
    pub(crate) fn find<D: ?Sized + 'static>(
        &mut self,
        id: &str,
        options: &Options<'_>,
    ) -> Result<&'static Ops<D>> {
        let slot = &mut self.slots.get_or_insert_default()[slot(id)];
        if let Some(maker) = slot
            && *maker.id == *id
            && maker.interface == TypeId::of::<D>()
            && let Some(ops) = maker.ops.downcast_ref()
        {
            return Ok(ops);
        }
        let ops = find::<D>(id, options)?;
        *slot = Some(Maker { id: id.into(), interface: TypeId::of::<D>(), ops });
        Ok(ops)
    }
}

impl Makers {
    /// Returns whether nothing is in the cache.
    #[inline]
    pub(super) fn is_unused(&self) -> bool {
        self.slots.is_none()
    }
}

/// Returns the slot for an id: a hash that takes few instructions.
fn slot(id: &str) -> usize {
    let bytes = id.as_bytes();
    let letter = |at: Option<&u8>| usize::from(*at.unwrap_or(&0));
    (bytes.len() + letter(bytes.first()) * 7 + letter(bytes.get(bytes.len() / 2)) * 3) % SLOTS
}
