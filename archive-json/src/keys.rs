//! [`Keys`]: the keys that were recorded.
// Why: docs/decisions/json-and-messagepack.md#unknown-names-are-compared-by-hash-first

use std::borrow::Cow;

use archive_core::lookup::State;
use archive_core::spans::Spans;
use archive_core::{Position, Result};

use crate::cursor::Cursor;
use crate::message::line;
use crate::skip::Walker;
use crate::source::Source;

/// The recorded keys of all open objects, and the state for recording more of them.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// The keys of each object in the order of the file. The keys of the innermost object come
    /// last.
    pub(crate) list: Vec<Key>,
    pub(crate) spans: Spans<()>,
    pub(crate) walker: Walker,
    /// The names of keys whose text may be gone, one after the other. `copied` has the start of
    /// each.
    names: String,
    copied: Vec<CopiedName>,
}

/// A name in `Keys::names`.
#[derive(Debug)]
struct CopiedName {
    start: usize,
    /// The line and the column of the key, from 0.
    position: (usize, usize),
}

impl Keys {
    /// Creates an empty list, for an input in which values nest no deeper than `max_depth`.
    pub(crate) fn new(max_depth: usize) -> Self {
        Keys { walker: Walker::new(max_depth), ..Keys::default() }
    }

    /// Records the key at the cursor. `len` is [`Key::ESCAPED`], or, for a member that the class
    /// does not have, a hash of the name.
    #[inline]
    pub(crate) fn note<S: Source>(&mut self, cursor: &mut Cursor<S>, len: u32, state: State) {
        let mut key = Key { at: cursor.offset(), value: 0, len, state, is_copied: false };
        if S::DROPS_TEXT && !cursor.source.retains(key.at) {
            self.copy_name(cursor, &mut key);
        }
        self.list.push(key);
    }

    #[inline(never)]
    fn copy_name<S: Source>(&mut self, cursor: &mut Cursor<S>, key: &mut Key) {
        let position = cursor.source.locate(key.at);
        if let Ok(name) = cursor.view().name() {
            key.is_copied = true;
            key.value = self.copied.len();
            self.copied.push(CopiedName { start: self.names.len(), position });
            self.names.push_str(&name);
        }
    }

    /// Drops the keys from an index on.
    #[inline]
    pub(crate) fn forget(&mut self, from: usize) {
        if !self.copied.is_empty()
            && let Some(key) = self.list[from..].iter().find(|key| key.is_copied)
        {
            self.names.truncate(self.copied[key.value].start);
            self.copied.truncate(key.value);
        }
        self.list.truncate(from);
    }

    /// Returns the name of the key with that index.
    pub(crate) fn name<'n, S: Source>(
        &'n self,
        index: usize,
        cursor: &'n Cursor<S>,
    ) -> Result<Cow<'n, str>> {
        let Some(key) = self.list.get(index) else { return Ok(Cow::Borrowed("")) };
        if !key.is_copied {
            return cursor.seen(key.at).name();
        }
        let end = self.copied.get(key.value + 1).map_or(self.names.len(), |next| next.start);
        Ok(Cow::Borrowed(&self.names[self.copied[key.value].start..end]))
    }

    /// Returns the position of the key with that index.
    pub(crate) fn position<S: Source>(&self, index: usize, cursor: &Cursor<S>) -> Position {
        let key = &self.list[index];
        match self.copied.get(key.value).filter(|_| key.is_copied) {
            Some(copied) => line(copied.position),
            None => cursor.position_of(key.at),
        }
    }
}

/// A recorded key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The offset of the key.
    pub(crate) at: usize,
    /// The offset of the member's value; for a key with a copied name, the index in `Keys::copied`.
    pub(crate) value: usize,
    /// The length of the name, or [`Key::ESCAPED`]. For a key that is not searched for again it may
    /// be a hash of the name.
    pub(crate) len: u32,
    pub(crate) state: State,
    pub(crate) is_copied: bool,
}

impl Key {
    /// Marks names that have escapes or whose length exceeds 32 bits.
    pub(crate) const ESCAPED: u32 = u32::MAX;
}
