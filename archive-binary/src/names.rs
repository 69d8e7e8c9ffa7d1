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

/// A name that others are compared with. They are short, so a call would take longer than to compare
/// them; and if the other one is known where this is compiled, little of it is left.
pub(crate) struct Known {
    text: Box<str>,
    ends: Ends,
}

/// The length of a name and what it begins and ends with, which is all of it if it is a short one.
#[derive(PartialEq, Eq)]
struct Ends {
    len: usize,
    start: u64,
    end: u64,
}

impl Ends {
    /// As long as names may be to be told by their ends alone.
    const WHOLE: usize = 16;

    #[inline(always)]
    fn of(name: &str) -> Self {
        let name = name.as_bytes();
        let len = name.len();
        // The first and the last eight bytes, or four, may overlap.
        let (start, end) = if let (Some(start), Some(end)) = (name.first_chunk(), name.last_chunk())
        {
            (u64::from_le_bytes(*start), u64::from_le_bytes(*end))
        } else if let (Some(start), Some(end)) = (name.first_chunk(), name.last_chunk()) {
            (u32::from_le_bytes(*start).into(), u32::from_le_bytes(*end).into())
        } else {
            (name.iter().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)), 0)
        };
        Ends { len, start, end }
    }
}

impl Known {
    pub(crate) fn new(name: &str) -> Self {
        Known { text: name.into(), ends: Ends::of(name) }
    }

    /// Whether it is that name.
    #[inline(always)]
    pub(crate) fn is(&self, name: &str) -> bool {
        self.ends == Ends::of(name) && (name.len() <= Ends::WHOLE || *self.text == *name)
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
