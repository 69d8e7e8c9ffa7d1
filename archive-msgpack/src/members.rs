//! Objects whose members are reported in file order.
//!
//! Each key is first compared with the name that is expected next, eight bytes at a time. Any other
//! key is looked up in the class's table of names. A member that is out of order therefore costs
//! one lookup, and only the keys that the class does not have are recorded.

use archive_core::lookup::{Lookup, Members as _, Seen, State, VersionAt, duplicate};
use archive_core::reserved;
use archive_core::{Class, Decoder as _, Error, Mark, Result};

use crate::cursor::Token;
use crate::decoder::Decoder;
use crate::frame::{Frame, misuse};
use crate::keys::{Key, pass_name};
use crate::object::Here;

impl Decoder<'_> {
    /// Opens the object at the cursor. Returns its version. Sets `seen.state` to the number of
    /// members that are left, or to 0 if the object is not a map.
    #[inline]
    pub(crate) fn open_members(&mut self, class: &'static Class, seen: &mut Seen) -> Result<u32> {
        self.start = self.cursor.at;
        let len = usize::from(self.cursor.byte() ^ 0x80);
        if len > 15 || self.is_not_a_value() || 2 * len >= self.cursor.left() {
            return self.open_other_members(class, seen);
        }
        self.push(Frame::Members(self.keys.list.len()))?;
        self.cursor.at += 1;
        seen.state = len;
        // If a name has the smallest form, its first letter is the next byte.
        if self.cursor.byte() > 0xbf
            || self.cursor.byte_at(self.cursor.at + 1) == b'$'
            || class.version > 0
        {
            return self.first_version(class, seen);
        }
        Ok(0)
    }

    /// Like [`open_members`](Decoder::open_members), for a long map, or an object that is not a
    /// map.
    #[inline(never)]
    fn open_other_members(&mut self, class: &'static Class, seen: &mut Seen) -> Result<u32> {
        if !matches!(self.cursor.byte(), 0x80..=0x8f | 0xde..=0xdf) || self.is_not_a_value() {
            self.open_object(class)?;
            return Ok(0);
        }
        let Token::Map(len) = self.cursor.token()? else { return Err(misuse()) };
        self.push(Frame::Members(self.keys.list.len()))?;
        seen.state = len;
        self.first_version(class, seen)
    }

    /// Reads the version if it is the first member.
    #[inline(never)]
    fn first_version(&mut self, class: &'static Class, seen: &mut Seen) -> Result<u32> {
        if seen.state == 0 {
            return Ok(0);
        }
        let Some(end) = self.cursor.key_end(reserved::VERSION) else {
            if class.version > 0 {
                let depth = self.open.len() as u32 - 1;
                let start = Mark { offset: self.start as u64, state: 0, depth };
                seen.version = VersionAt::MayFollow(start);
            }
            return Ok(0);
        };
        seen.version = VersionAt::First;
        seen.state -= 1;
        self.cursor.at = end;
        self.u32().map_err(|error| error.in_class(class))
    }

    /// Moves to the value of the next member that the class has, and returns its index.
    #[inline]
    pub(crate) fn find_next(
        &mut self,
        lookup: &'static Lookup,
        seen: &mut Seen,
    ) -> Result<Option<usize>> {
        if seen.state > 0
            && let Some(key) = lookup.key(seen.next)
            && let [header, name @ ..] = self.cursor.rest()
            && usize::from(*header) == 0xa0 + key.name().len()
            && key.name().len() < 32
            && let Some(word) = name.first_chunk()
            && key.begins(u64::from_le_bytes(*word), name)
            && seen.add(seen.next)
        {
            seen.state -= 1;
            self.cursor.at += 1 + key.name().len();
            return Ok(Some(seen.next - 1));
        }
        self.find_other(lookup, seen)
    }

    /// Like [`find_next`](Decoder::find_next), if the next member is not the expected one, or there
    /// is none.
    #[inline(never)]
    fn find_other(&mut self, lookup: &'static Lookup, seen: &mut Seen) -> Result<Option<usize>> {
        while seen.state > 0 {
            seen.state -= 1;
            if let Some(index) = self.other_member(lookup, seen)? {
                return Ok(Some(index));
            }
        }
        self.next_field(seen)
    }

    /// Moves to the value of the next member of an object that is stored as an array.
    fn next_field(&mut self, seen: &mut Seen) -> Result<Option<usize>> {
        if let Some(Frame::Fields(fields)) = self.open.last_mut()
            && fields.next_field()
        {
            seen.add(seen.next);
            return Ok(Some(seen.next - 1));
        }
        Ok(None)
    }

    /// Moves to the value of the member whose key is at the cursor and returns its index. Skips a
    /// member that the class does not have.
    fn other_member(&mut self, lookup: &'static Lookup, seen: &mut Seen) -> Result<Option<usize>> {
        let name = pass_name(&mut self.cursor)?;
        let here = self.cursor.moved(self.cursor.at - name.len()).position();
        match lookup.find(name.as_bytes()) {
            Some(index) if seen.add(index) => Ok(Some(index)),
            Some(_) => Err(Error::twice(name).at(here)),
            None if name == reserved::VERSION && seen.version == VersionAt::First => {
                Err(Error::twice(name).at(here))
            }
            None => {
                reserved::check_unknown(name).map_err(|error| error.in_member(name).at(here))?;
                self.keys.list.push(Key::new(self.cursor.at, name.len(), State::Listed));
                seen.add_other(name.as_bytes());
                self.skip().map_err(|error| error.in_member(name))?;
                Ok(None)
            }
        }
    }

    /// Closes an object. The cursor is at its end.
    #[inline]
    pub(crate) fn close_members(&mut self, seen: &mut Seen) -> Result {
        let Some(Frame::Members(base)) = self.open.last() else {
            return self.end_object(&mut |_| Ok(()));
        };
        if seen.has_others() {
            let base = *base;
            self.forget_unknown(base, seen)?;
        }
        self.open.pop();
        Ok(())
    }

    /// Checks that names that the class does not have are not repeated either, and drops them.
    #[inline(never)]
    fn forget_unknown(&mut self, base: usize, seen: &Seen) -> Result {
        let here = Here::new(&mut self.cursor, &mut self.keys);
        if seen.may_have_twice()
            && let Some(index) = duplicate(&here, base)?
        {
            return Err(here.twice(index)?);
        }
        here.keys.list.truncate(base);
        Ok(())
    }
}
