//! [`Names`]: the texts of a file's tables. Each text is stored once.

use std::sync::Arc;

use archive_core::name::{Key, is_short, key};
use rustc_hash::FxHashMap;

/// The number of a text in the name table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameId(pub(crate) u32);

/// The texts of a file's tables, in the order in which they were added. Each text is stored once.
#[derive(Default)]
pub(crate) struct Names {
    texts: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, NameId>,
}

impl Names {
    /// Returns the number of a text. Adds the text if it is new.
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

    /// Returns the text with that number.
    #[inline]
    pub(crate) fn get(&self, id: NameId) -> &str {
        &self.texts[id.0 as usize]
    }

    /// Returns all texts.
    pub(crate) fn texts(&self) -> &[Arc<str>] {
        &self.texts
    }
}

/// A name with which other names are compared. Names are short, so a call would take longer than
/// the comparison. If the other name is a constant, most of the comparison is done at compile time.
pub(crate) struct Known {
    key: Key,
    /// The whole name, if `key` does not contain all of it.
    long: Option<Box<str>>,
}

impl Known {
    pub(crate) fn new(name: &str) -> Self {
        Known { key: key(name), long: (!is_short(name)).then(|| name.into()) }
    }

    /// Returns whether the name is `name`.
    #[inline(always)]
    pub(crate) fn is(&self, name: &str) -> bool {
        self.key == key(name) && (is_short(name) || self.long.as_deref() == Some(name))
    }
}

#[cfg(test)]
mod tests {
    use super::Known;

    #[test]
    fn any_difference_is_seen() {
        for len in 0..40 {
            let one: String = (0..len).map(|i| char::from(b'a' + i % 26)).collect();
            let known = Known::new(&one);
            assert!(known.is(&one.clone()), "{len} bytes");
            assert!(!known.is(&format!("{one}x")));
            assert!(!known.is(&format!("{one}\0")));
            assert!(!Known::new(&format!("{one}\0")).is(&one));
            for i in 0..usize::from(len) {
                let mut other = one.clone();
                other.replace_range(i..=i, "-");
                assert!(!known.is(&other), "{len} bytes, differing at {i}");
            }
        }
    }
}
