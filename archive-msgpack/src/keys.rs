//! [`Keys`]: the keys that were passed, and a check for duplicates.

use std::borrow::Cow;

use archive_core::lookup::{self, State, duplicate};
use archive_core::{Error, Result};

use crate::cursor::Cursor;
use crate::spans::Spans;
use crate::walk::Walker;

/// The keys of all open objects that were passed so far, and the state that passing more of them
/// takes.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// The keys of each object in the order of the file; those of the innermost object come last.
    pub(crate) list: Vec<Key>,
    pub(crate) spans: Spans,
    pub(crate) walker: Walker,
}

impl Keys {
    /// Creates an empty list, for an input in which values nest no deeper than `max_depth`.
    pub(crate) fn new(max_depth: usize) -> Self {
        Keys { walker: Walker::new(max_depth), ..Keys::default() }
    }
}

/// A key that was passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The offset of the member's value, which is also the end of the name.
    pub(crate) value: usize,
    len: u32,
    pub(crate) state: State,
}

impl Key {
    /// Creates a key whose name ends at `end`.
    #[inline]
    pub(crate) fn new(end: usize, len: usize, state: State) -> Self {
        Key { value: end, len: len as u32, state } // lengths in the input have 32 bits at most
    }

    /// Moves the cursor from a key to the value after it.
    pub(crate) fn pass(cursor: &mut Cursor<'_>) -> Result<Self> {
        let name = pass_name(cursor)?;
        Ok(Key::new(cursor.at, name.len(), State::Unread))
    }

    /// Returns the name.
    #[inline]
    pub(crate) fn name<'a>(&self, cursor: &Cursor<'a>) -> &'a [u8] {
        cursor.slice(self.value - self.len as usize, self.value)
    }
}

/// Moves the cursor from a key to the value after it, and returns the name.
#[inline]
pub(crate) fn pass_name<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str> {
    let start = *cursor;
    cursor.text()?.ok_or_else(|| start.wrong_type("a member name"))
}

/// Keys that were passed, with the input that contains them.
pub(crate) struct MembersSeen<'k, 'a>(pub(crate) &'k [Key], pub(crate) &'k Cursor<'a>);

impl lookup::Keys for MembersSeen<'_, '_> {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn state(&self, index: usize) -> State {
        self.0[index].state
    }
    fn is(&self, index: usize, name: &[u8]) -> bool {
        self.0[index].name(self.1) == name
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(self.0[index].name(self.1).into())
    }
}

/// Checks that no name occurs twice.
pub(crate) fn no_duplicates(cursor: &Cursor<'_>, keys: &[Key]) -> Result {
    let Some(second) = duplicate(&MembersSeen(keys, cursor), 0)? else { return Ok(()) };
    let second = keys[second];
    let name = String::from_utf8_lossy(second.name(cursor));
    let here = cursor.moved(second.value - second.len as usize);
    Err(Error::twice(&name).at(here.position()))
}
