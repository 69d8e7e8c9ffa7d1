//! [`LastSave`]: the save that last wrote the row of an object. It shows whether the object changed since.
// Why: docs/decisions/store.md#the-last-save-of-an-object-counts-for-one-row

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::known::RowState;

/// Records when, by which store, and as which bytes an object was last saved or loaded.
///
/// It says nothing about the storage: the save may have failed, the row may have been deleted
/// since, or another object with the key may have replaced it. [`Known`](crate::known::Known) has
/// the number of the save that wrote each row.
///
/// Saving goes through `&self`, and a world may be shared between threads, so the fields are
/// atomic. Two stores may save one world at the same time. The fields then match one store, the
/// other or neither, and the next save writes more rows than necessary.
#[derive(Debug, Default)]
pub(crate) struct LastSave {
    /// From the highest bit on: whether the object was changed since (1 bit), whether its row has
    /// more than the object (1), the number of the store (30), the number of the save (32). All zero
    /// if it was never saved.
    saved: AtomicU64,
    /// The hash of the row. If the row has more than the object, the hash of the bytes that the
    /// object alone would be saved as.
    hash: AtomicU64,
}

const CHANGED: u64 = 1 << 63;
const UNFIT: u64 = 1 << 62;
/// The value of `saved` for a blank object, into which the program has put nothing. No store has
/// the number 0.
const BLANK: u64 = u32::MAX as u64;

/// A running save or load: the number of the store, and the number of the save or load in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    store: u32,
    pub(crate) number: u32,
}

impl Moment {
    /// Returns the first moment of a store. Each store of the program has another number.
    pub(crate) fn first() -> Moment {
        static STORES: AtomicU32 = AtomicU32::new(1);
        Moment { store: STORES.fetch_add(1, Relaxed) & (u32::MAX >> 2), number: 1 }
    }

    /// Returns the moment after this one. Each save has its own, even if it fails.
    pub(crate) fn next(self) -> Moment {
        match self.number {
            RowState::MAX_SAVE => Moment::first(),
            number => Moment { number: number + 1, ..self },
        }
    }

    fn bits(self) -> u64 {
        u64::from(self.store) << 32 | u64::from(self.number)
    }
}

impl LastSave {
    /// The hash of an object that could not be encoded. It counts as unchanged.
    pub(crate) const UNKNOWN: u64 = 0;

    /// Returns that of a blank object, which a load can make blank again.
    pub(crate) fn blank() -> LastSave {
        LastSave { saved: AtomicU64::new(BLANK), hash: AtomicU64::new(0) }
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.saved.load(Relaxed) == BLANK
    }

    /// Notes that the object was changed. Returns whether this is new.
    #[inline]
    pub(crate) fn touch(&mut self) -> bool {
        let saved = self.saved.get_mut();
        let new = *saved & CHANGED == 0;
        *saved |= CHANGED;
        new
    }

    /// Notes that the object was saved as bytes with that hash, or loaded from them.
    #[inline]
    pub(crate) fn set(&self, now: Moment, hash: u64) {
        self.saved.store(now.bits(), Relaxed);
        self.hash.store(hash, Relaxed);
    }

    /// Notes that the object was loaded from a row that does not fit, and would be saved as bytes
    /// with that hash. The row is kept until the object changes.
    pub(crate) fn set_unfit(&self, now: Moment, hash: u64) {
        self.saved.store(now.bits() | UNFIT, Relaxed);
        self.hash.store(hash, Relaxed);
    }

    /// Notes that the object was never saved.
    pub(crate) fn forget(&self) {
        self.saved.store(0, Relaxed);
    }

    /// Notes that the object is unchanged since its row was written.
    pub(crate) fn is_unchanged(&self) {
        self.saved.fetch_and(!CHANGED, Relaxed);
    }

    /// Whether the row has more than the object.
    pub(crate) fn is_unfit(&self) -> bool {
        self.saved.load(Relaxed) & UNFIT != 0
    }

    /// Whether that store saved or loaded the object when its row had that state.
    #[inline]
    pub(crate) fn is_of(&self, now: Moment, row: RowState) -> bool {
        let saved = self.saved.load(Relaxed) & !(CHANGED | UNFIT);
        saved >> 32 == u64::from(now.store) && row == RowState::Of(saved as u32)
    }

    /// Whether the object was changed since then.
    #[inline]
    pub(crate) fn is_changed(&self) -> bool {
        self.saved.load(Relaxed) & CHANGED != 0
    }

    /// Whether the row is that of an object that is saved as bytes with that hash.
    #[inline]
    pub(crate) fn has(&self, hash: u64) -> bool {
        let (saved, known) = (self.saved.load(Relaxed), self.hash.load(Relaxed));
        known == hash || known == LastSave::UNKNOWN && saved & (CHANGED | UNFIT) == UNFIT
    }
}

/// Returns the hash by which a row is compared with the one in the store.
#[inline]
pub(crate) fn hash(row: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(row)
}
