//! [`Keys`]: the keys that were recorded.

use archive_core::Result;
use archive_core::lookup::State;

use crate::cursor::Cursor;
use crate::spans::Spans;
use crate::walk::Walker;

/// The recorded keys of all open objects, and the state for recording more of them.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// The keys of each object in the order of the file. The keys of the innermost object come
    /// last.
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

/// A recorded key.
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

    /// Returns the offset at which the name begins.
    #[inline]
    pub(crate) fn start(&self) -> usize {
        self.value - self.len as usize
    }

    /// Returns the name.
    #[inline]
    pub(crate) fn name<'a>(&self, cursor: &Cursor<'a>) -> &'a [u8] {
        cursor.slice(self.start(), self.value)
    }
}

/// Moves the cursor from a key to the value after it, and returns the name.
#[inline]
pub(crate) fn pass_name<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str> {
    let start = *cursor;
    cursor.text()?.ok_or_else(|| start.wrong_type("a member name"))
}
