//! [`Mark`]: whether an object is as its row.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// When, by which store, and as which bytes an object was last saved.
///
/// The numbers of saves begin at 1 in each store; loading counts as number 0. A save that fails
/// has the number of the one after it: what it marked is written again.
///
/// Saving goes through `&self`, and a world may be shared between threads, so the fields are
/// atomic. No two threads save at the same time, since a [`Store`](crate::Store) stays on one.
#[derive(Debug, Default)]
pub(crate) struct Mark {
    /// From the highest bit on: whether the object was changed since (1 bit), the number of the
    /// store (31), the number of the save (32). All zero if it was never saved.
    saved: AtomicU64,
    hash: AtomicU64,
}

const CHANGED: u64 = 1 << 63;

/// A save that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) store: u32,
    pub(crate) number: u32,
}

impl Moment {
    /// Returns the first moment of a store. Each store of the program has another number.
    pub(crate) fn first() -> Moment {
        static STORES: AtomicU32 = AtomicU32::new(1);
        Moment { store: STORES.fetch_add(1, Relaxed) & (u32::MAX >> 1), number: 0 }
    }

    pub(crate) fn next(self) -> Moment {
        Moment { number: self.number.saturating_add(1), ..self }
    }

    fn bits(self) -> u64 {
        u64::from(self.store) << 32 | u64::from(self.number)
    }
}

impl Mark {
    /// Notes that the object was changed. Returns whether that was not noted already.
    #[inline]
    pub(crate) fn touch(&mut self) -> bool {
        let saved = self.saved.get_mut();
        let new = *saved & CHANGED == 0;
        *saved |= CHANGED;
        new
    }

    /// As [`touch`](Mark::touch), through a shared reference.
    pub(crate) fn touch_shared(&self) {
        self.saved.fetch_or(CHANGED, Relaxed);
    }

    /// Notes that the object was saved as bytes with that hash.
    #[inline]
    pub(crate) fn set(&self, now: Moment, hash: u64) {
        self.saved.store(now.bits(), Relaxed);
        self.hash.store(hash, Relaxed);
    }

    /// Whether that store has a row of the object, from a save that did not fail.
    #[inline]
    pub(crate) fn has_row(&self, now: Moment) -> bool {
        let saved = self.saved.load(Relaxed) & !CHANGED;
        saved >> 32 == u64::from(now.store) && (saved as u32) < now.number
    }

    /// The number of the save.
    pub(crate) fn number(&self) -> u32 {
        self.saved.load(Relaxed) as u32
    }

    /// Whether any store was given the object.
    pub(crate) fn was_saved(&self) -> bool {
        self.saved.load(Relaxed) & !CHANGED != 0
    }

    /// Whether the row that the store has is that of the object, unless the object was changed
    /// without being marked.
    #[inline]
    pub(crate) fn is_clean(&self, now: Moment) -> bool {
        self.has_row(now) && self.saved.load(Relaxed) & CHANGED == 0
    }

    /// Whether the row that the store has is these bytes.
    #[inline]
    pub(crate) fn is_row(&self, now: Moment, hash: u64) -> bool {
        self.has_row(now) && self.hash.load(Relaxed) == hash
    }
}

/// Returns the hash by which a row is compared with the one in the store.
#[inline]
pub(crate) fn hash(row: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(row)
}
