//! Objects whose members are reported in file order.
//!
//! Each key is first compared with the name that is expected next, eight bytes at a time. Any other
//! key is looked up in the class's table of names. A member that is out of order therefore costs
//! one lookup, and only the keys that the class does not have are recorded.

use archive_core::lookup::{Lookup, Members as _, Seen, State, VersionAt};
use archive_core::reserved;
use archive_core::{Class, Decoder as _, Error, Mark, Result};

use crate::decoder::Decoder;
use crate::object::Here;
use crate::source::Source;

impl<S: Source> Decoder<'_, S> {
    /// Opens the object at the cursor. Returns its version.
    #[inline]
    pub(crate) fn open_members(&mut self, class: &'static Class, seen: &mut Seen) -> Result<u32> {
        // In a window, a mark would keep all text in memory.
        let searches = class.version > 0 && !S::DROPS_TEXT;
        let start = if searches { Some(self.mark()) } else { None };
        self.begin(b'{', "an object")?;
        // The number of keys that were recorded for the objects around this one.
        seen.state = self.keys.list.len();
        self.cursor.space();
        if matches!(self.cursor.byte_at(self.cursor.at + 1), b'$' | b'\\') || class.version > 0 {
            return self.first_version(class, start, seen);
        }
        Ok(0)
    }

    #[cold]
    fn first_version(
        &mut self,
        class: &'static Class,
        start: Option<Mark>,
        seen: &mut Seen,
    ) -> Result<u32> {
        let Some(end) =
            self.cursor.key_end(reserved::VERSION).filter(|_| self.cursor.byte() == b'"')
        else {
            seen.version = start.map_or(VersionAt::Unknown, VersionAt::MayFollow);
            return Ok(0);
        };
        seen.version = VersionAt::First;
        self.fresh = false;
        self.cursor.at = end;
        self.cursor.colon()?;
        self.u32().map_err(|error| error.in_class(class))
    }

    /// Moves to the value of the next member that the class has, and returns its index.
    #[inline]
    pub(crate) fn find_next(
        &mut self,
        lookup: &'static Lookup,
        seen: &mut Seen,
    ) -> Result<Option<usize>> {
        loop {
            if let Some(info) = lookup.members().get(seen.next)
                && let Some(value) = self.cursor.token_end(&info.token, self.fresh)
                && seen.add(seen.next)
            {
                self.fresh = false;
                self.cursor.at = value;
                return Ok(Some(seen.next - 1));
            }
            if !self.next_name()? {
                return Ok(None);
            }
            let bytes = self.cursor.bytes().get(self.cursor.at + 1..).unwrap_or_default();
            if let Some(key) = lookup.key(seen.next)
                && let Some(word) = bytes.first_chunk()
                && key.begins(u64::from_le_bytes(*word), bytes)
                && bytes.get(key.name().len()) == Some(&b'"')
                && seen.add(seen.next)
            {
                self.cursor.at += key.name().len() + 2;
                self.cursor.colon()?;
                return Ok(Some(seen.next - 1));
            }
            if let Some(index) = self.other_member(lookup, seen)? {
                return Ok(Some(index));
            }
        }
    }

    /// Moves to the next key; returns `false` if there is none.
    #[inline]
    fn next_name(&mut self) -> Result<bool> {
        let byte = self.cursor.byte();
        if self.fresh {
            if byte == b'"' {
                self.fresh = false;
                return Ok(true);
            }
        } else if byte == b',' {
            if self.cursor.byte_at(self.cursor.at + 1) == b'"' {
                self.cursor.at += 1;
                return Ok(true);
            }
        } else if byte == b'}' {
            return Ok(false);
        }
        self.next_name_slow()
    }

    /// Like [`next_name`](Decoder::next_name), but handles white space and both ends of the object.
    #[inline(never)]
    fn next_name_slow(&mut self) -> Result<bool> {
        let first = std::mem::replace(&mut self.fresh, false);
        self.cursor.space();
        match (self.cursor.byte(), first) {
            (b'}', _) => return Ok(false),
            (b'"', true) => return Ok(true),
            (_, true) => return Err(self.cursor.unexpected("a member name or `}`")),
            (b',', false) => self.cursor.at += 1,
            (_, false) => return Err(self.cursor.unexpected("`,` or `}`")),
        }
        self.cursor.space();
        match self.cursor.byte() {
            b'"' => Ok(true),
            _ if self.cursor.is_trailing(b'}') => Ok(false),
            _ => Err(self.cursor.unexpected("a member name")),
        }
    }

    /// Moves to the value of the member whose key is at the cursor and returns its index. Skips a
    /// member that the class does not have.
    #[inline(never)]
    fn other_member(&mut self, lookup: &'static Lookup, seen: &mut Seen) -> Result<Option<usize>> {
        let key = self.cursor.at;
        let name = self.cursor.string()?;
        let end = std::mem::replace(&mut self.cursor.at, key);
        // No text is dropped before the cursor is at the value.
        let name = self.cursor.spelled(name);
        let found = lookup.find(name.as_bytes());
        let hash = match found {
            Some(index) if seen.add(index) => {
                drop(name);
                self.cursor.at = end;
                self.cursor.colon()?;
                return Ok(Some(index));
            }
            Some(_) => return Err(Error::twice(&name).at(self.cursor.position())),
            None => {
                self.reserved_name(&name, seen)?;
                seen.add_other(name.as_bytes())
            }
        };
        drop(name);
        let index = self.keys.list.len();
        self.keys.note(&mut self.cursor, hash, State::Listed);
        self.cursor.at = end;
        self.cursor.colon()?;
        self.skip().map_err(|error| match self.keys.name(index, &self.cursor) {
            Ok(name) => error.in_member(&name),
            Err(_) => error,
        })?;
        Ok(None)
    }

    /// Checks that the name at the cursor, which the class does not have, does not belong to the
    /// format itself.
    fn reserved_name(&self, name: &str, seen: &Seen) -> Result {
        let refused = match name {
            reserved::VERSION if seen.version == VersionAt::First => Err(Error::twice(name)),
            reserved::VERSION if S::DROPS_TEXT => Err(reserved::late_version().in_member(name)),
            _ => reserved::check_unknown(name).map_err(|error| error.in_member(name)),
        };
        refused.map_err(|error| error.at(self.cursor.position()))
    }

    /// Closes the object whose closing bracket is at the cursor.
    #[inline]
    pub(crate) fn close_members(&mut self, seen: &mut Seen) -> Result {
        if seen.has_others() {
            self.forget_unknown(seen)?;
        }
        self.depth -= 1;
        self.cursor.at += 1;
        Ok(())
    }

    /// Checks that names that the class does not have are not repeated either, and drops them.
    #[inline(never)]
    fn forget_unknown(&mut self, seen: &mut Seen) -> Result {
        let here = Here::new(&mut self.cursor, &mut self.keys);
        if seen.may_have_twice()
            && let Some(index) = here.unknown_twice(seen.state)?
        {
            return Err(here.twice(index)?);
        }
        here.keys.forget(seen.state);
        Ok(())
    }
}
