//! [`Once`]: bodies that must come early, in files that are read once and forwards.

use rustc_hash::FxHashSet;

use super::SaveTable;

/// The objects that a weak pointer cannot wait for: those without a cell, which are made together with
/// their body, and those whose type stands only with it. Where nothing can be looked for in a file, such
/// a body has to stand where the object is first referred to. But a weak pointer alone saves no object:
/// which of them are saved at all is known at the end, so then the save begins again.
#[derive(Default)]
pub(super) struct Once {
    /// Whose bodies stand with the first pointer, whatever it is.
    early: FxHashSet<usize>,
    /// Those that were referred to before they were saved.
    awaited: FxHashSet<usize>,
    /// Those of them that were saved after all.
    late: Vec<usize>,
}

impl SaveTable {
    /// The file is read once; these objects are known to be saved later than they are needed.
    #[doc(hidden)]
    pub fn read_once(&mut self, early: impl IntoIterator<Item = usize>) {
        let early = early.into_iter().collect();
        self.once = Some(Box::new(Once { early, ..Once::default() }));
    }

    /// The objects that were saved later than they were needed.
    #[doc(hidden)]
    pub fn late(&self) -> &[usize] {
        self.once.as_ref().map_or(&[], |once| &once.late)
    }

    /// Whether the body of an object must be where a weak pointer refers to it.
    #[inline]
    pub(crate) fn is_needed(&mut self, address: usize) -> bool {
        self.once.is_some() && self.is_needed_once(address)
    }

    #[cold]
    fn is_needed_once(&mut self, address: usize) -> bool {
        let Some(once) = &mut self.once else { return false };
        if self.objects.slot(address).write(false) {
            return false;
        }
        once.early.contains(&address) || {
            once.awaited.insert(address);
            false
        }
    }

    /// The body of an object is about to be saved.
    #[inline]
    pub(crate) fn saving(&mut self, address: usize) {
        if let Some(once) = &mut self.once
            && once.awaited.contains(&address)
            && !once.early.contains(&address)
        {
            once.late.push(address);
        }
    }
}
