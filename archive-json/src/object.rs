//! Open objects: finding members by name, in any order.
//!
//! A type requests its members in the order in which it writes them, so the key at the cursor is
//! nearly always the requested one, and one comparison of bytes finds it. At the first key that
//! differs, the decoder walks over the rest of the object once and notes the keys. From then on it
//! looks members up among those keys.

use archive_core::lookup::{Search, State, duplicate};
use archive_core::{Error, Result};

use crate::cursor::{Cursor, Text, View};
use crate::keys::{Key, Keys};
use crate::pointer::is_pointer_key;
use crate::source::Source;
use crate::spans::{Known, Recorder};

/// An open object.
#[derive(Debug)]
pub(crate) struct Object {
    place: Place,
    /// Whether members were requested by name; duplicates are then an error.
    asked: bool,
    /// Whether names were handed out to the caller without being compared with requested ones.
    listed: bool,
    /// The number of noted keys that belong to the objects around this one.
    base: usize,
    /// How many objects and sequences are open, this one included.
    depth: usize,
    /// Nested levels that are still allowed inside.
    limit: usize,
    /// In [`Place::Indexed`]: the place of the closing bracket.
    end: usize,
    /// The search among the keys from the first one that was not the requested one.
    search: Search,
    /// The place from which text was kept before this object kept its own.
    kept: Option<usize>,
}

/// Where the cursor is in its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// After the opening bracket.
    Start,
    /// At or after a value that was handed out.
    Value,
    /// At a key.
    Key,
    /// At the closing bracket.
    End,
    /// Anywhere: all remaining keys have been noted.
    Indexed,
}

impl Object {
    /// Creates an object on level `depth` of `max_depth`; the cursor is after its opening bracket.
    #[inline]
    pub(crate) fn open(keys: &Keys, depth: usize, max_depth: usize) -> Self {
        Object {
            place: Place::Start,
            asked: false,
            listed: false,
            base: keys.list.len(),
            depth,
            limit: max_depth - depth,
            end: 0,
            search: Search::new(0),
            kept: None,
        }
    }

    /// How many objects and sequences are open, this one included.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Moves past a value that was read to the next key or the end.
    #[inline]
    pub(crate) fn advance<S: Source>(&mut self, cursor: &mut Cursor<S>) -> Result<Place> {
        if self.place == Place::Value && cursor.bytes()[cursor.at..].starts_with(b",\"") {
            cursor.at += 1;
            self.place = Place::Key;
            return Ok(Place::Key);
        }
        self.advance_any(cursor)
    }

    /// As [`advance`](Object::advance), without the fast path.
    #[inline(never)]
    fn advance_any<S: Source>(&mut self, cursor: &mut Cursor<S>) -> Result<Place> {
        cursor.space();
        self.place = match (self.place, cursor.byte()) {
            (Place::Value, b',') => {
                cursor.at += 1;
                cursor.space();
                match cursor.byte() {
                    b'"' => Place::Key,
                    _ if cursor.is_trailing(b'}') => Place::End,
                    _ => return Err(cursor.unexpected("a member name")),
                }
            }
            (Place::Start, b'"') => Place::Key,
            (Place::Value | Place::Start, b'}') => Place::End,
            (Place::Value, _) => return Err(cursor.unexpected("`,` or `}`")),
            (Place::Start, _) => return Err(cursor.unexpected("a member name or `}`")),
            (place @ (Place::Key | Place::End | Place::Indexed), _) => place,
        };
        Ok(self.place)
    }

    /// Moves to the value of a member.
    #[inline]
    pub(crate) fn member<S: Source>(
        &mut self,
        cursor: &mut Cursor<S>,
        keys: &mut Keys,
        name: &str,
    ) -> Result<bool> {
        if self.next_is(cursor, keys, name)? {
            return Ok(true);
        }
        self.search(cursor, keys, name)
    }

    /// Moves to the value of a member if its key comes next; does not search.
    #[inline]
    pub(crate) fn next_is<S: Source>(
        &mut self,
        cursor: &mut Cursor<S>,
        keys: &mut Keys,
        name: &str,
    ) -> Result<bool> {
        self.asked = true;
        if self.advance(cursor)? != Place::Key {
            return Ok(false);
        }
        let Some(end) = cursor.key_end(name) else {
            return Ok(false);
        };
        keys.take(cursor, State::Asked);
        self.place = Place::Value;
        cursor.at = end;
        cursor.colon()?;
        Ok(true)
    }

    /// Moves to the value of the next member that was not read, and returns its name.
    pub(crate) fn next_key<S: Source>(
        &mut self,
        cursor: &mut Cursor<S>,
        keys: &mut Keys,
    ) -> Result<Option<Text>> {
        match self.advance(cursor)? {
            Place::End => return Ok(None),
            Place::Indexed => match self.search.next_unread(&keys.at(cursor)) {
                Some(index) => {
                    let key = &mut keys.list[index];
                    key.state = State::Listed;
                    self.listed = true;
                    cursor.go(key.at);
                }
                None => return Ok(None),
            },
            _ => {
                if self.asked {
                    keys.take(cursor, State::Listed);
                    self.listed = true;
                }
                self.place = Place::Value;
            }
        }
        if S::DROPS_TEXT && is_pointer_key(&cursor.view()) {
            // References anywhere in the file may refer to this object.
            cursor.source.keep_all();
        }
        let name = cursor.string()?;
        cursor.colon()?;
        Ok(Some(name))
    }

    /// Closes the object. Passes the names of members that were not read to `unknown`.
    #[inline]
    pub(crate) fn close<S: Source>(
        &mut self,
        cursor: &mut Cursor<S>,
        keys: &mut Keys,
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        if self.advance(cursor)? != Place::End || self.listed {
            self.close_checked(cursor, keys, unknown)?;
        }
        self.forget(cursor, keys);
        cursor.at += 1;
        Ok(())
    }

    /// Drops the keys of this object and of all objects inside it.
    #[inline]
    pub(crate) fn forget<S: Source>(&self, cursor: &mut Cursor<S>, keys: &mut Keys) {
        keys.forget(self.base);
        if let Some(place) = self.kept {
            cursor.source.release(place);
        }
    }

    /// Moves to the closing bracket of an object that has members which were not requested by name.
    #[cold]
    fn close_checked<S: Source>(
        &mut self,
        cursor: &mut Cursor<S>,
        keys: &mut Keys,
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        match self.place {
            Place::Key => self.index(cursor, keys)?,
            Place::Indexed => cursor.go(self.end),
            _ => {}
        }
        if self.asked
            && let Some(index) = duplicate(&keys.at(cursor), self.base)?
        {
            return Err(keys.twice(index, cursor)?);
        }
        while self.place == Place::Indexed
            && let Some(index) = self.search.next_unread(&keys.at(cursor))
        {
            let key = &mut keys.list[index];
            key.state = State::Listed;
            let here = cursor.seen(key.at);
            let name = { here }.name()?;
            unknown(&name).map_err(|error| error.at(here.position()))?;
        }
        Ok(())
    }

    /// Notes the keys from the one at the cursor to the end of the object.
    #[inline(never)]
    fn index<S: Source>(&mut self, cursor: &mut Cursor<S>, keys: &mut Keys) -> Result {
        self.search = Search::new(keys.list.len());
        let record = keys.spans.begin(cursor.place());
        self.kept = Some(cursor.source.keep(cursor.place()));
        loop {
            let key = Key::pass(cursor)?;
            keys.list.push(key);
            let walked = if record {
                keys.walker.walk(cursor, self.limit, &mut Recorder(&mut keys.spans))
            } else {
                keys.walker.walk(cursor, self.limit, &mut Known(&keys.spans))
            };
            walked.map_err(|error| in_member(error, cursor.seen(key.at)))?;
            self.place = Place::Value;
            if self.advance(cursor)? == Place::End {
                break;
            }
        }
        if record {
            keys.spans.finish(cursor.place());
        }
        self.end = cursor.place();
        self.place = Place::Indexed;
        Ok(())
    }

    /// Moves to the value of a member whose key does not come next.
    #[inline(never)]
    fn search<S: Source>(
        &mut self,
        cursor: &mut Cursor<S>,
        keys: &mut Keys,
        name: &str,
    ) -> Result<bool> {
        match self.place {
            Place::End => return Ok(false),
            Place::Indexed => {}
            _ => self.index(cursor, keys)?,
        }
        let Some(index) = self.search.find(&keys.at(cursor), name.as_bytes())? else {
            return Ok(false);
        };
        let key = &mut keys.list[index];
        key.state = State::Asked;
        cursor.go(key.value);
        Ok(true)
    }
}

/// Adds the name of the member whose key is at `key` to the path of the error.
#[cold]
pub(crate) fn in_member(error: Error, mut key: View<'_>) -> Error {
    match key.name() {
        Ok(name) => error.in_member(&name),
        Err(_) => error,
    }
}
