//! [`Keys`]: the keys that were passed, and which of them are equal.

use std::collections::HashSet;

use archive_core::{Error, Result};

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
    /// Where the member's value starts, and the name ends.
    pub(crate) value: usize,
    len: u32,
    pub(crate) state: KeyState,
}

impl Key {
    /// A key whose name ends here.
    #[inline]
    pub(crate) fn new(end: usize, len: usize, state: KeyState) -> Self {
        Key { value: end, len: len as u32, state } // lengths in the input have 32 bits at most
    }

    /// Moves the cursor from a key to the value after it.
    pub(crate) fn pass(cursor: &mut Cursor<'_>) -> Result<Self> {
        let name = pass_name(cursor)?;
        Ok(Key::new(cursor.at, name.len(), KeyState::Unread))
    }

    /// The name.
    #[inline]
    pub(crate) fn name<'a>(&self, cursor: &Cursor<'a>) -> &'a [u8] {
        cursor.slice(self.value - self.len as usize, self.value)
    }

    /// Whether nobody has read the member yet and this is its name.
    #[inline]
    pub(crate) fn is(&self, name: &str, cursor: &Cursor<'_>) -> bool {
        self.state == KeyState::Unread && self.name(cursor) == name.as_bytes()
    }
}

/// Moves the cursor from a key to the value after it, and gives the name.
#[inline]
pub(crate) fn pass_name<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str> {
    let start = *cursor;
    cursor.text()?.ok_or_else(|| start.wrong_type("a member name"))
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

/// Checks that no name stands twice. Those that were asked for differ from each other, as long as
/// the type names no member twice, so only the others are compared with all.
pub(crate) fn no_duplicates(cursor: &Cursor<'_>, keys: &[Key]) -> Result {
    let others = || keys.iter().filter(|key| key.state != KeyState::Asked);
    let twin = if others().count() <= SEARCHES {
        others().find_map(|other| {
            let is_twin =
                |key: &&Key| key.value != other.value && key.name(cursor) == other.name(cursor);
            let twin = keys.iter().find(is_twin)?;
            Some(if twin.value > other.value { twin } else { other })
        })
    } else {
        let mut names = HashSet::with_capacity(keys.len());
        keys.iter().find(|key| !names.insert(key.name(cursor)))
    };
    let Some(twin) = twin else { return Ok(()) };
    let name = String::from_utf8_lossy(twin.name(cursor));
    let here = cursor.moved(twin.value - twin.len as usize);
    Err(Error::twice(&name).at(here.position()))
}
