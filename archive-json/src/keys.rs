//! [`Keys`]: the keys that were passed.

use std::borrow::Cow;

use archive_core::lookup::State;
use archive_core::spans::Spans;
use archive_core::{Position, Result};

use crate::cursor::Cursor;
use crate::message::line;
use crate::source::Source;
use crate::walk::Walker;

/// The keys of all open objects that were passed so far, and the state that passing more of them
/// takes.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// The keys of each object in the order of the file; those of the innermost object come last.
    pub(crate) list: Vec<Key>,
    pub(crate) spans: Spans<()>,
    pub(crate) walker: Walker,
    /// The names of keys whose text may be gone, one after the other; `kept` has where each begins.
    names: String,
    kept: Vec<Kept>,
}

/// A name in `Keys::names`.
#[derive(Debug)]
struct Kept {
    start: usize,
    /// The line and the column of the key, from 0.
    position: (usize, usize),
}

impl Keys {
    /// Creates an empty list, for an input in which values nest no deeper than `max_depth`.
    pub(crate) fn new(max_depth: usize) -> Self {
        Keys { walker: Walker::new(max_depth), ..Keys::default() }
    }

    /// Notes the key at the cursor. `len` is [`Key::ESCAPED`], or, for a member that the class does
    /// not have, a hash of the name.
    #[inline]
    pub(crate) fn note<S: Source>(&mut self, cursor: &mut Cursor<S>, len: u32, state: State) {
        let mut key = Key { at: cursor.place(), value: 0, len, state, is_kept: false };
        if S::DROPS_TEXT && !cursor.source.keeps(key.at) {
            self.keep_name(cursor, &mut key);
        }
        self.list.push(key);
    }

    #[inline(never)]
    fn keep_name<S: Source>(&mut self, cursor: &mut Cursor<S>, key: &mut Key) {
        let position = cursor.source.locate(key.at);
        if let Ok(name) = cursor.view().name() {
            key.is_kept = true;
            key.value = self.kept.len();
            self.kept.push(Kept { start: self.names.len(), position });
            self.names.push_str(&name);
        }
    }

    /// Forgets the keys from an index on.
    #[inline]
    pub(crate) fn forget(&mut self, from: usize) {
        if !self.kept.is_empty()
            && let Some(key) = self.list[from..].iter().find(|key| key.is_kept)
        {
            self.names.truncate(self.kept[key.value].start);
            self.kept.truncate(key.value);
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
        if !key.is_kept {
            return cursor.seen(key.at).name();
        }
        let end = self.kept.get(key.value + 1).map_or(self.names.len(), |next| next.start);
        Ok(Cow::Borrowed(&self.names[self.kept[key.value].start..end]))
    }

    /// Returns the position of the key with that index.
    pub(crate) fn position<S: Source>(&self, index: usize, cursor: &Cursor<S>) -> Position {
        let key = &self.list[index];
        match self.kept.get(key.value).filter(|_| key.is_kept) {
            Some(kept) => line(kept.position),
            None => cursor.position_of(key.at),
        }
    }
}

/// A key that was passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The place of the key.
    pub(crate) at: usize,
    /// The place of the member's value; for a key with a kept name, the index in `Keys::kept`.
    pub(crate) value: usize,
    /// The length of the name, or [`Key::ESCAPED`]. For a key that is not looked up again it may be
    /// a hash of the name.
    pub(crate) len: u32,
    pub(crate) state: State,
    pub(crate) is_kept: bool,
}

impl Key {
    /// Marks names that have escapes or whose length exceeds 32 bits.
    pub(crate) const ESCAPED: u32 = u32::MAX;
}
