//! [`Keys`]: the keys that were passed, and which of them are equal.

use std::borrow::Cow;
use std::collections::HashSet;

use archive_core::spans::Spans;
use archive_core::{Error, Result};

use crate::cursor::{Cursor, Text};
use crate::message::line;
use crate::source::Source;
use crate::walk::Walker;

/// The keys of all open objects that were passed so far, and what it takes to pass more.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// Those of the innermost object last, each object's in the order of the file.
    pub(crate) list: Vec<Key>,
    pub(crate) spans: Spans<()>,
    pub(crate) walker: Walker,
    /// The names of keys whose text may be gone, one after the other, and where each begins.
    names: String,
    kept: Vec<Kept>,
}

/// A name that is kept.
#[derive(Debug)]
struct Kept {
    start: usize,
    /// Where its key stands: the line and the column, from 0.
    position: (usize, usize),
}

impl Keys {
    /// No keys yet, of an input in which values nest no deeper.
    pub(crate) fn new(max_depth: usize) -> Self {
        Keys { walker: Walker::new(max_depth), ..Keys::default() }
    }

    /// Notes the key at the cursor, which nobody will look up again.
    #[inline]
    pub(crate) fn take<S: Source>(&mut self, cursor: &mut Cursor<S>, state: KeyState) {
        self.note(cursor, Key::ESCAPED, state);
    }

    /// Notes the key at the cursor, of a member that the class does not have, with the [`hash`] of its name.
    #[inline]
    pub(crate) fn take_unknown<S: Source>(&mut self, cursor: &mut Cursor<S>, hash: u32) {
        self.note(cursor, hash, KeyState::Listed);
    }

    #[inline]
    fn note<S: Source>(&mut self, cursor: &mut Cursor<S>, len: u32, state: KeyState) {
        let mut key = Key { at: cursor.place(), value: 0, len, state, is_kept: false };
        if S::MOVES && !cursor.source.keeps(key.at) {
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

    /// The name of the key of that index.
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

    /// The error for the key of that index, which is there for the second time.
    #[cold]
    pub(crate) fn twice<S: Source>(&self, index: usize, cursor: &Cursor<S>) -> Result<Error> {
        let (name, key) = (self.name(index, cursor)?, &self.list[index]);
        let position = match self.kept.get(key.value).filter(|_| key.is_kept) {
            Some(kept) => line(kept.position),
            None => cursor.position_of(key.at),
        };
        Ok(Error::twice(&name).at(position))
    }

    /// The index of a name that stands there for the second time, among the keys from an index on. Those that
    /// were asked for differ from each other, as long as the type names no member twice, so only the
    /// others are compared with all.
    pub(crate) fn duplicate<S: Source>(
        &self,
        from: usize,
        cursor: &Cursor<S>,
    ) -> Result<Option<usize>> {
        let indices = || from..self.list.len();
        let others = || indices().filter(|index| self.list[*index].state != KeyState::Asked);
        if others().count() <= SEARCHES {
            for other in others() {
                let name = self.name(other, cursor)?;
                for index in indices().filter(|index| *index != other) {
                    if self.is_named(index, &name, cursor) {
                        return Ok(Some(index.max(other)));
                    }
                }
            }
            return Ok(None);
        }
        let mut names = HashSet::with_capacity(self.list.len() - from);
        for index in indices() {
            if !names.insert(self.name(index, cursor)?) {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// As [`duplicate`](Keys::duplicate), where all of them are [unknown](Keys::take_unknown).
    #[inline(never)]
    pub(crate) fn unknown_twice<S: Source>(
        &self,
        from: usize,
        cursor: &Cursor<S>,
    ) -> Result<Option<usize>> {
        const MOST: usize = 64;
        let keys = &self.list[from..];
        if keys.len() > MOST {
            return self.duplicate(from, cursor);
        }
        for (index, key) in keys.iter().enumerate() {
            for other in (0..index).filter(|other| keys[*other].len == key.len) {
                if self.name(from + other, cursor)? == self.name(from + index, cursor)? {
                    return Ok(Some(from + index));
                }
            }
        }
        Ok(None)
    }

    fn is_named<S: Source>(&self, index: usize, name: &str, cursor: &Cursor<S>) -> bool {
        if self.list[index].is_kept {
            return self.name(index, cursor).is_ok_and(|other| other == name);
        }
        cursor.seen(self.list[index].at).key_end(name).is_some()
    }
}

/// A key that was passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The place where it stands.
    pub(crate) at: usize,
    /// The place where the member's value starts; of a name that is kept its index there.
    pub(crate) value: usize,
    /// How long the name is, or [`Key::ESCAPED`]; of one that nobody will look up, maybe its [`hash`].
    len: u32,
    pub(crate) state: KeyState,
    is_kept: bool,
}

impl Key {
    /// The length of names that have escapes, or are too long for words.
    const ESCAPED: u32 = u32::MAX;

    /// Moves the cursor from a key to the value after it.
    pub(crate) fn pass<S: Source>(cursor: &mut Cursor<S>) -> Result<Self> {
        let at = cursor.place();
        let len = match cursor.string()? {
            Text::Plain(range) => u32::try_from(range.len()).unwrap_or(Self::ESCAPED),
            Text::Escaped(_) => Self::ESCAPED,
        };
        cursor.colon()?;
        let value = cursor.place();
        Ok(Key { at, value, len, state: KeyState::Unread, is_kept: false })
    }

    /// Whether nobody has read the member yet and this is its name.
    #[inline]
    pub(crate) fn is<S: Source>(&self, name: &str, cursor: &Cursor<S>) -> bool {
        if self.state != KeyState::Unread {
            return false;
        }
        if self.len == Self::ESCAPED {
            return cursor.seen(self.at).key_end(name).is_some();
        }
        let start = cursor.seen(self.at).at + 1;
        self.len as usize == name.len()
            && cursor.bytes().get(start..start + name.len()) == Some(name.as_bytes())
    }
}

/// A number that tells most names apart: from their length, the first and the last eight bytes.
#[inline]
pub(crate) fn hash(name: &[u8]) -> u32 {
    let (first, last) = match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (0, name.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))),
    };
    let mixed = (first ^ last.rotate_left(29)).wrapping_add(name.len() as u64);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// What became of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyState {
    /// It was asked for by its name.
    Asked,
    /// It was handed out with its name.
    Listed,
    /// Nobody has read it yet.
    Unread,
}

/// So many searches one by one are cheaper than a hash map, and bound what hostile objects can cost.
pub(crate) const SEARCHES: usize = 16;
