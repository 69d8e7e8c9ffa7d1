//! [`Names`]: the texts of a file's tables, each once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// The number of a text in the name table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameId(pub(crate) u32);

/// The texts of a file's tables, in the order in which they were met.
#[derive(Default)]
pub(crate) struct Names {
    texts: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, NameId>,
}

impl Names {
    /// The number of a text.
    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = NameId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.ids.insert(text, id);
        id
    }

    /// The text of that number.
    #[inline]
    pub(crate) fn get(&self, id: NameId) -> &str {
        &self.texts[id.0 as usize]
    }

    /// All of them.
    pub(crate) fn texts(&self) -> &[Arc<str>] {
        &self.texts
    }
}
