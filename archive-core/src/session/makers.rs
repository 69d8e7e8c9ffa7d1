//! [`Makers`]: how the trait objects met last were made.

use std::any::{Any, TypeId};

use crate::error::Result;
use crate::options::Options;
use crate::registry::{Ops, find};

/// How the trait objects met last were made, by the registered ids of their types.
#[derive(Default)]
pub(crate) struct Makers {
    slots: [Option<Maker>; SLOTS],
}

/// How many are kept.
const SLOTS: usize = 16;

struct Maker {
    id: Box<str>,
    interface: TypeId,
    ops: &'static (dyn Any + Send + Sync),
}

impl Makers {
    /// The functions for the type of that id, seen as `D`.
    ///
    /// # Errors
    /// If no such type is registered.
    #[inline]
    pub(crate) fn find<D: ?Sized + 'static>(
        &mut self,
        id: &str,
        options: &Options<'_>,
    ) -> Result<&'static Ops<D>> {
        let slot = &mut self.slots[slot(id)];
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

/// Where an id is kept: what few instructions tell apart.
fn slot(id: &str) -> usize {
    let bytes = id.as_bytes();
    let letter = |at: Option<&u8>| usize::from(*at.unwrap_or(&0));
    (bytes.len() + letter(bytes.first()) * 7 + letter(bytes.get(bytes.len() / 2)) * 3) % SLOTS
}
