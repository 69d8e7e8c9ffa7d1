//! Open objects: finding members by name, in whatever order they stand.
//!
//! A type asks for its members in the order in which it writes them, so the key at the cursor is
//! nearly always the one that is wanted, and one comparison of bytes finds it. Only when it is
//! another one the rest of the object is walked over, once, and from then on members are looked up
//! among the keys that were noted on the way.

use std::collections::HashMap;

use archive_core::Result;

use crate::cursor::Cursor;
use crate::keys::{Key, KeyState, Keys, SEARCHES, no_duplicates, pass_name};
use crate::spans::{Known, Recorder};

/// An open object.
#[derive(Debug)]
pub(crate) struct Object<'a> {
    /// The number of members whose key was not passed yet; the cursor is at the first of them
    /// whenever the value before was read.
    left: usize,
    /// The number of keys in the arena that belong to the objects around this one.
    base: usize,
    /// Nested levels that are still allowed inside.
    limit: usize,
    /// Whether members were asked for by name, so that duplicates are an error.
    asked: bool,
    /// Whether names were handed out, which nobody has compared with those asked for.
    listed: bool,
    /// Once all keys were passed to find one that does not come next.
    index: Option<Box<Index<'a>>>,
}

/// What is known of an object whose keys are all in the arena.
#[derive(Debug)]
struct Index<'a> {
    /// Where the object ends.
    end: usize,
    /// The key that is looked at first: the one after the one found last.
    likely: usize,
    /// No key before this one is unread.
    unread: usize,
    /// How often the likely key was another one.
    searches: usize,
    /// Unread keys by name, once searching one by one has become dear.
    names: Option<HashMap<&'a [u8], usize>>,
}

impl<'a> Object<'a> {
    /// An object of `left` members at whose first key the cursor stands.
    #[inline]
    pub(crate) fn open(left: usize, keys: &Keys, limit: usize) -> Self {
        let base = keys.list.len();
        Object { left, base, limit, asked: false, listed: false, index: None }
    }

    /// Moves to the value of a member.
    #[inline]
    pub(crate) fn member(
        &mut self,
        cursor: &mut Cursor<'a>,
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

    /// Moves to the value of a member if its key comes next; nothing is searched.
    #[inline]
    pub(crate) fn next_is(&mut self, cursor: &mut Cursor<'a>, keys: &mut Keys, name: &str) -> bool {
        self.asked = true;
        if self.left == 0 {
            return false;
        }
        let Some(end) = cursor.key_end(name) else {
            return false;
        };
        keys.list.push(Key::new(end, name.len(), KeyState::Asked));
        self.left -= 1;
        cursor.at = end;
        true
    }

    /// Moves to the value of the next member that was not read, and gives its name.
    pub(crate) fn next_key(
        &mut self,
        cursor: &mut Cursor<'a>,
        keys: &mut Keys,
    ) -> Result<Option<&'a str>> {
        if let Some(index) = &mut self.index {
            let Some(key) = index.next_unread(keys) else { return Ok(None) };
            key.state = KeyState::Listed;
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
            keys.list.push(Key::new(cursor.at, name.len(), KeyState::Listed));
            self.listed = true;
        }
        Ok(Some(name))
    }

    /// Closes the object. The members that were not read are told to `unknown`.
    #[inline]
    pub(crate) fn close(
        &mut self,
        cursor: &mut Cursor<'a>,
        keys: &mut Keys,
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        if self.left != 0 || self.index.is_some() || self.listed {
            self.close_checked(cursor, keys, unknown)?;
        }
        self.forget(keys);
        Ok(())
    }

    /// Drops the keys of this object and of all inside it.
    #[inline]
    pub(crate) fn forget(&self, keys: &mut Keys) {
        keys.list.truncate(self.base);
    }

    /// Moves to the end of an object that has members nobody asked for by name.
    #[cold]
    fn close_checked(
        &mut self,
        cursor: &mut Cursor<'a>,
        keys: &mut Keys,
        unknown: &mut dyn FnMut(&str) -> Result,
    ) -> Result {
        let (asked, base) = (self.asked, self.base);
        let index = self.index(cursor, keys)?;
        cursor.at = index.end;
        if asked {
            no_duplicates(cursor, &keys.list[base..])?;
        }
        while let Some(key) = index.next_unread(keys) {
            key.state = KeyState::Listed;
            let len = key.name(cursor).len();
            let here = cursor.moved(key.value - len);
            let name = { here }.utf8(len)?;
            unknown(name).map_err(|error| error.at(here.position()))?;
        }
        Ok(())
    }

    /// What is known once all keys were passed.
    fn index(&mut self, cursor: &mut Cursor<'a>, keys: &mut Keys) -> Result<&mut Index<'a>> {
        let index = match self.index.take() {
            Some(index) => index,
            None => Box::new(self.pass_all(cursor, keys)?),
        };
        Ok(self.index.insert(index))
    }

    /// Notes the keys from the one at the cursor to the end of the object.
    #[inline(never)]
    fn pass_all(&mut self, cursor: &mut Cursor<'a>, keys: &mut Keys) -> Result<Index<'a>> {
        let unread = keys.list.len();
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
        Ok(Index { end: cursor.at, likely: unread, unread, searches: 0, names: None })
    }

    /// Moves to the value of a member whose key does not come next.
    #[inline(never)]
    fn search(&mut self, cursor: &mut Cursor<'a>, keys: &mut Keys, name: &str) -> Result<bool> {
        let index = self.index(cursor, keys)?;
        let wanted = |key: &Key| {
            #[cfg(test)]
            tests::LOOKED_AT.set(tests::LOOKED_AT.get() + 1);
            key.is(name, cursor)
        };
        let found = if keys.list.get(index.likely).is_some_and(wanted) {
            Some(index.likely)
        } else if index.searches < SEARCHES {
            index.searches += 1;
            let unread = index.unread;
            keys.list[unread..].iter().position(wanted).map(|at| unread + at)
        } else {
            let names = index.names.get_or_insert_with(|| unread_names(cursor, keys, index.unread));
            let found = names.get(name.as_bytes()).copied();
            found.filter(|at| keys.list[*at].state == KeyState::Unread)
        };
        if let Some(found) = found {
            let key = &mut keys.list[found];
            key.state = KeyState::Asked;
            index.likely = found + 1;
            cursor.at = key.value;
        }
        Ok(found.is_some())
    }
}

/// The unread keys by name; of equal ones the first.
fn unread_names<'a>(cursor: &Cursor<'a>, keys: &Keys, first: usize) -> HashMap<&'a [u8], usize> {
    let mut names = HashMap::new();
    for (index, key) in keys.list.iter().enumerate().skip(first) {
        if key.state == KeyState::Unread {
            names.entry(key.name(cursor)).or_insert(index);
        }
    }
    names
}

impl Index<'_> {
    fn next_unread<'k>(&mut self, keys: &'k mut Keys) -> Option<&'k mut Key> {
        let rest = &mut keys.list[self.unread..];
        let skipped = rest.iter().take_while(|key| key.state != KeyState::Unread).count();
        self.unread += skipped;
        rest.get_mut(skipped)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use archive_core::{Class, Decoder as _};

    use crate::Decoder;

    thread_local! {
        /// How many keys were compared with a name that does not come next.
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    static WIDE: Class = Class {
        name: "Wide",
        type_name: archive_core::shape::NameOf::Data("Wide"),
        version: 0,
        members: None,
        size: None,
        meaning: "",
    };

    #[test]
    fn members_are_found_in_any_order_in_as_many_steps() {
        for count in [16, 1_000, 10_000_u16] {
            let mut bytes = vec![0xde];
            bytes.extend(count.to_be_bytes());
            for at in 0..count {
                let name = format!("m{at}");
                bytes.push(0xa0 | name.len() as u8);
                bytes.extend(name.bytes());
                bytes.push(0xcd);
                bytes.extend(at.to_be_bytes());
            }
            LOOKED_AT.set(0);
            let mut from = Decoder::new(&bytes, 128);
            from.begin_object(&WIDE).unwrap();
            for at in (0..count).rev() {
                assert!(!from.member("other").unwrap());
                assert!(from.member(&format!("m{at}")).unwrap());
                assert_eq!(from.u16().unwrap(), at);
            }
            from.end_object(&mut |_| unreachable!()).unwrap();
            let looked_at = LOOKED_AT.get();
            assert!(looked_at <= 20 * usize::from(count), "{looked_at} for {count}");
        }
    }
}
