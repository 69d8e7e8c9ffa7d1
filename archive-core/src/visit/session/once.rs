//! Objects that must be stored early in files that are read once from beginning to end.
// Why: docs/decisions/serde.md#formats-without-descriptions-are-saved-in-reading-order

use super::SaveTable;
use super::saved::{Once, Rare};

impl SaveTable {
    /// Declares that the file is read once, and that the objects `early` were saved too late in the
    /// previous attempt.
    #[doc(hidden)]
    pub fn read_once(&mut self, early: impl IntoIterator<Item = usize>) {
        let early = early.into_iter().collect();
        let once = Once { early, ..Once::default() };
        self.rare.get_or_insert_default().once = Some(once);
    }

    /// Returns the objects that were saved later than they are needed.
    #[doc(hidden)]
    pub fn late(&self) -> &[usize] {
        self.rare.as_ref().and_then(|rare| rare.once.as_ref()).map_or(&[], |once| &once.late)
    }

    /// Returns whether an object must be stored with the weak pointer that refers to it.
    #[inline]
    pub(crate) fn is_needed(&mut self, address: usize) -> bool {
        self.rare.is_some() && self.is_needed_once(address)
    }

    #[cold]
    fn is_needed_once(&mut self, address: usize) -> bool {
        let Some(Rare { once: Some(once), .. }) = self.rare.as_deref_mut() else { return false };
        if self.objects.slot(address).write(false) {
            return false;
        }
        once.early.contains(&address) || {
            once.awaited.insert(address);
            false
        }
    }

    /// Called before an object is saved.
    #[inline]
    pub(crate) fn saving(&mut self, address: usize) {
        if let Some(Rare { once: Some(once), .. }) = self.rare.as_deref_mut()
            && once.awaited.contains(&address)
            && !once.early.contains(&address)
        {
            once.late.push(address);
        }
    }
}
