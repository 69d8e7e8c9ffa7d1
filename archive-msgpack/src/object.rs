//! Open objects: finding members by name, in any order.
//!
//! A type requests its members in the order in which it writes them, so the key at the cursor is
//! nearly always the requested one, and one comparison of bytes finds it. At the first key that
//! differs, the decoder walks over the rest of the object once and notes the keys. From then on it
//! looks members up among those keys.

use archive_core::Result;
use archive_core::lookup::{Search, State};

use crate::cursor::Cursor;
use crate::keys::{Key, Keys, MembersSeen, no_duplicates, pass_name};
use crate::spans::{Known, Recorder};

/// An open object.
#[derive(Debug)]
pub(crate) struct Object {
    /// The number of members whose key was not passed yet. The cursor is at the first of them
    /// whenever the previous value has been read.
    left: usize,
    /// The number of noted keys that belong to the objects around this one.
    base: usize,
    /// Nested levels that are still allowed inside.
    limit: usize,
    /// Whether members were requested by name; duplicates are then an error.
    asked: bool,
    /// Whether names were handed out to the caller without being compared with requested ones.
    listed: bool,
    /// Set once all keys were passed to find a member that does not come next.
    index: Option<Box<Index>>,
}

/// The state of an object all of whose keys have been noted.
#[derive(Debug)]
struct Index {
    /// Where the object ends.
    end: usize,
    /// The search among the keys from the first one that was not the requested one.
    search: Search,
}

impl Object {
    /// Creates an object with `left` members; the cursor is at its first key.
    #[inline]
    pub(crate) fn open(left: usize, keys: &Keys, limit: usize) -> Self {
        let base = keys.list.len();
        Object { left, base, limit, asked: false, listed: false, index: None }
    }

    /// Moves to the value of a member.
    #[inline]
    pub(crate) fn member(
        &mut self,
        cursor: &mut Cursor<'_>,
        keys: &mut Keys,
        name: &str,
    ) -> Result<bool> {
        if self.next_is(cursor, keys, name) {
            return Ok(true);
        }
        if self.left == 0 && self.index.is_none() {
            return Ok(false);
        }
        self.search(cursor, keys, name)
    }

    /// Moves to the value of a member if its key comes next; does not search.
    #[inline]
    pub(crate) fn next_is(&mut self, cursor: &mut Cursor<'_>, keys: &mut Keys, name: &str) -> bool {
        self.asked = true;
        if self.left == 0 {
            return false;
        }
        let Some(end) = cursor.key_end(name) else {
            return false;
        };
        keys.list.push(Key::new(end, name.len(), State::Asked));
        self.left -= 1;
        cursor.at = end;
        true
    }

    /// Moves to the value of the next member that was not read, and returns its name.
    pub(crate) fn next_key<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        keys: &mut Keys,
    ) -> Result<Option<&'a str>> {
        if let Some(index) = &mut self.index {
            let unread = index.search.next_unread(&MembersSeen(&keys.list, cursor));
            let Some(unread) = unread else { return Ok(None) };
            let key = &mut keys.list[unread];
            key.state = State::Listed;
            self.listed = true;
            let name = key.name(cursor);
            cursor.at = key.value - name.len();
            return cursor.utf8(name.len()).map(Some);
        }
        if self.left == 0 {
            return Ok(None);
        }
        let name = pass_name(cursor)?;
        self.left -= 1;
        if self.asked {
            keys.list.push(Key::new(cursor.at, name.len(), State::Listed));
            self.listed = true;
        }
        Ok(Some(name))
    }

    /// Closes the object. Passes the names of members that were not read to `unknown`.
    #[inline]
    pub(crate) fn close(
        &mut self,
        cursor: &mut Cursor<'_>,
        keys: &mut Keys,
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        if self.left != 0 || self.index.is_some() || self.listed {
            self.close_checked(cursor, keys, unknown)?;
        }
        self.forget(keys);
        Ok(())
    }

    /// Drops the keys of this object and of all objects inside it.
    #[inline]
    pub(crate) fn forget(&self, keys: &mut Keys) {
        keys.list.truncate(self.base);
    }

    /// Moves to the end of an object that has members which were not requested by name.
    #[cold]
    fn close_checked(
        &mut self,
        cursor: &mut Cursor<'_>,
        keys: &mut Keys,
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        let (asked, base) = (self.asked, self.base);
        let index = self.index(cursor, keys)?;
        cursor.at = index.end;
        if asked {
            no_duplicates(cursor, &keys.list[base..])?;
        }
        while let Some(unread) = index.search.next_unread(&MembersSeen(&keys.list, cursor)) {
            let key = &mut keys.list[unread];
            key.state = State::Listed;
            let len = key.name(cursor).len();
            let here = cursor.moved(key.value - len);
            let name = { here }.utf8(len)?;
            unknown(name).map_err(|error| error.at(here.position()))?;
        }
        Ok(())
    }

    /// Returns the index of the object; passes all keys first if it does not exist yet.
    fn index(&mut self, cursor: &mut Cursor<'_>, keys: &mut Keys) -> Result<&mut Index> {
        let index = match self.index.take() {
            Some(index) => index,
            None => Box::new(self.pass_all(cursor, keys)?),
        };
        Ok(self.index.insert(index))
    }

    /// Notes the keys from the one at the cursor to the end of the object.
    #[inline(never)]
    fn pass_all(&mut self, cursor: &mut Cursor<'_>, keys: &mut Keys) -> Result<Index> {
        let first = keys.list.len();
        let record = keys.spans.begin(cursor.at);
        while self.left > 0 {
            let key = Key::pass(cursor)?;
            keys.list.push(key);
            let walked = if record {
                keys.walker.walk(cursor, self.limit, &mut Recorder::new(&mut keys.spans))
            } else {
                keys.walker.walk(cursor, self.limit, &mut Known::new(&keys.spans))
            };
            walked.map_err(|error| error.in_member(&String::from_utf8_lossy(key.name(cursor))))?;
            self.left -= 1;
        }
        if record {
            keys.spans.finish(cursor.at);
        }
        Ok(Index { end: cursor.at, search: Search::new(first) })
    }

    /// Moves to the value of a member whose key does not come next.
    #[inline(never)]
    fn search(&mut self, cursor: &mut Cursor<'_>, keys: &mut Keys, name: &str) -> Result<bool> {
        let index = self.index(cursor, keys)?;
        let found = index.search.find(&MembersSeen(&keys.list, cursor), name.as_bytes())?;
        let Some(found) = found else { return Ok(false) };
        let key = &mut keys.list[found];
        key.state = State::Asked;
        cursor.at = key.value;
        Ok(true)
    }
}
