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

    /// As [`get`](Names::get), to be kept.
    pub(crate) fn text(&self, id: NameId) -> Arc<str> {
        self.texts[id.0 as usize].clone()
    }

    /// All of them.
    pub(crate) fn texts(&self) -> &[Arc<str>] {
        &self.texts
    }
}

/// Whether two names are the same. They are short, so a call would take longer than to compare them;
/// and if the first one is known where this is compiled, little of it is left.
#[inline(always)]
pub(crate) fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    // The first and the last eight bytes, which may overlap, or the first and the last four.
    if let (Some(start), Some(end)) = (one.first_chunk::<8>(), one.last_chunk::<8>())
        && one.len() <= 16
    {
        return Some(start) == other.first_chunk() && Some(end) == other.last_chunk();
    }
    if let (Some(start), Some(end)) = (one.first_chunk::<4>(), one.last_chunk::<4>())
        && one.len() < 8
    {
        return Some(start) == other.first_chunk() && Some(end) == other.last_chunk();
    }
    if one.len() < 4 { one.iter().eq(other) } else { one == other }
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn any_difference_is_seen() {
        for len in 0..40 {
            let one: String = (0..len).map(|i| char::from(b'a' + i % 26)).collect();
            assert!(same(&one, &one.clone()), "{len} bytes");
            assert!(!same(&one, &format!("{one}x")));
            for i in 0..usize::from(len) {
                let mut other = one.clone();
                other.replace_range(i..=i, "-");
                assert!(!same(&one, &other), "{len} bytes, differing at {i}");
            }
        }
    }
}
