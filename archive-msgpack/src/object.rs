//! The members of open objects: [`Here`] is the cursor with the recorded keys.

use std::borrow::Cow;

use archive_core::lookup::{self, Members, State};
use archive_core::{Position, Result};

use crate::cursor::Cursor;
use crate::keys::{Key, Keys, pass_name};
use crate::spans::Passing;

/// An open object, with the number of members whose key was not reached yet. The cursor is at the
/// first of them whenever the previous value has been read.
pub(crate) type Object = lookup::Object<usize>;

/// The cursor, and the recorded keys.
pub(crate) struct Here<'k, 'a> {
    cursor: &'k mut Cursor<'a>,
    pub(crate) keys: &'k mut Keys,
}

impl<'k, 'a> Here<'k, 'a> {
    #[inline]
    pub(crate) fn new(cursor: &'k mut Cursor<'a>, keys: &'k mut Keys) -> Self {
        Here { cursor, keys }
    }

    #[inline]
    fn note(&mut self, len: usize, state: State) {
        self.keys.list.push(Key::new(self.cursor.at, len, state));
    }
}

impl lookup::Keys for Here<'_, '_> {
    fn count(&self) -> usize {
        self.keys.list.len()
    }
    fn state(&self, index: usize) -> State {
        self.keys.list[index].state
    }
    fn is(&self, index: usize, name: &[u8]) -> bool {
        self.keys.list[index].name(self.cursor) == name
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(self.keys.list[index].name(self.cursor).into())
    }
}

impl<'a> Members for Here<'_, 'a> {
    type Rest = usize;
    type Name = &'a str;

    #[inline]
    fn next(&mut self, left: &mut usize) -> Result<bool> {
        Ok(*left > 0)
    }

    #[inline]
    fn take(&mut self, left: &mut usize, name: &str) -> Result<bool> {
        let Some(end) = self.cursor.key_end(name) else { return Ok(false) };
        self.cursor.at = end;
        self.note(name.len(), State::Asked);
        *left -= 1;
        Ok(true)
    }

    fn list_next(&mut self, left: &mut usize, note: bool) -> Result<&'a str> {
        let name = pass_name(self.cursor)?;
        if note {
            self.note(name.len(), State::Listed);
        }
        *left -= 1;
        Ok(name)
    }

    #[inline]
    fn pass(&mut self, left: &mut usize) -> Result {
        let name = pass_name(self.cursor)?;
        self.note(name.len(), State::Unread);
        *left -= 1;
        Ok(())
    }

    fn begin_passing(&mut self, _: &mut usize) -> bool {
        self.keys.spans.begin(self.cursor.at)
    }

    fn skip(&mut self, limit: usize, record: bool) -> Result {
        let Keys { walker, spans, .. } = &mut *self.keys;
        walker.walk(self.cursor, limit, &mut Passing::new(spans, record))
    }

    fn end_passing(&mut self, record: bool) -> usize {
        if record {
            self.keys.spans.finish(self.cursor.at);
        }
        self.cursor.at
    }

    fn go(&mut self, offset: usize) {
        self.cursor.at = offset;
    }

    fn ask(&mut self, index: usize) {
        let key = &mut self.keys.list[index];
        key.state = State::Asked;
        self.cursor.at = key.value;
    }

    fn list(&mut self, index: usize) -> Result<&'a str> {
        let key = &mut self.keys.list[index];
        key.state = State::Listed;
        self.cursor.at = key.start();
        self.cursor.utf8(key.value - key.start())
    }

    fn position(&self, index: usize) -> Position {
        self.cursor.moved(self.keys.list[index].start()).position()
    }

    #[inline]
    fn forget(&mut self, _: &usize, from: usize) {
        self.keys.list.truncate(from);
    }
}
