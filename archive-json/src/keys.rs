//! [`Keys`]: the keys that were passed, and which of them are equal.

use std::collections::HashSet;

use archive_core::Result;

use crate::cursor::Cursor;
use crate::spans::Spans;
use crate::walk::Walker;

/// The keys of all open objects that were passed so far, and what it takes to pass more.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// Those of the innermost object last, each object's in the order of the file.
    pub(crate) list: Vec<Key>,
    pub(crate) spans: Spans,
    pub(crate) walker: Walker,
}

impl Keys {
    /// No keys yet, of an input in which values nest no deeper.
    pub(crate) fn new(max_depth: usize) -> Self {
        Keys { walker: Walker::new(max_depth), ..Keys::default() }
    }
}

/// A key that was passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) at: usize,
    /// Where the member's value starts.
    pub(crate) value: usize,
    /// How long the name is, or [`Key::ESCAPED`].
    len: u32,
    pub(crate) state: KeyState,
}

impl Key {
    /// The length of names that have escapes, or are too long for words.
    const ESCAPED: u32 = u32::MAX;

    /// A key that nobody will look up again.
    #[inline]
    pub(crate) fn taken(at: usize, state: KeyState) -> Self {
        Key { at, value: at, len: Self::ESCAPED, state }
    }

    /// Moves the cursor from a key to the value behind it.
    pub(crate) fn pass(cursor: &mut Cursor<'_>) -> Result<Self> {
        let at = cursor.at;
        let len = match cursor.plain_string()? {
            Some(name) => u32::try_from(name.len()).unwrap_or(Self::ESCAPED),
            None => cursor.skip_string().map(|()| Self::ESCAPED)?,
        };
        cursor.colon()?;
        Ok(Key { at, value: cursor.at, len, state: KeyState::Unread })
    }

    /// Whether nobody has read the member yet and this is its name.
    #[inline]
    pub(crate) fn is(&self, name: &str, cursor: &Cursor<'_>) -> bool {
        if self.state != KeyState::Unread {
            return false;
        }
        if self.len == Self::ESCAPED {
            return cursor.moved(self.at).key_end(name).is_some();
        }
        let start = self.at + 1;
        self.len as usize == name.len()
            && cursor.bytes().get(start..start + name.len()) == Some(name.as_bytes())
    }
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

/// Where a name stands for the second time. Those that were asked for differ from each other, as
/// long as the type names no member twice, so only the others are compared with all.
pub(crate) fn duplicate(cursor: &Cursor<'_>, keys: &[Key]) -> Result<Option<usize>> {
    let others = || keys.iter().filter(|key| key.state != KeyState::Asked);
    if others().count() <= SEARCHES {
        for other in others() {
            let name = cursor.moved(other.at).string()?;
            let is_twin =
                |key: &&Key| key.at != other.at && cursor.moved(key.at).key_end(&name).is_some();
            if let Some(twin) = keys.iter().find(is_twin) {
                return Ok(Some(twin.at.max(other.at)));
            }
        }
        return Ok(None);
    }
    let mut names = HashSet::with_capacity(keys.len());
    for key in keys {
        if !names.insert(cursor.moved(key.at).string()?) {
            return Ok(Some(key.at));
        }
    }
    Ok(None)
}
