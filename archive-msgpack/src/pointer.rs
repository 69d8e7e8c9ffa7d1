//! Pointers: objects whose first member is one of a few reserved names.

use std::borrow::Cow;

use archive_core::reserved;
use archive_core::{Decoder as _, Error, ErrorKind, LoadedHead, Mark, PointerKind, Result};

use crate::cursor::{Cursor, Token};
use crate::decoder::{Decoder, MAP};
use crate::walk::{Walker, Watch};

impl<'a> Decoder<'a> {
    /// Checks that the input does not end before the first key of the map shows that it is not a
    /// pointer.
    pub(crate) fn first_key(&self) -> Result {
        let mut key = self.cursor;
        if let Token::Map(1..) = key.token()?
            && key.text()?.is_none()
        {
            key.token()?;
        }
        Ok(())
    }

    /// Reads the head of a pointer. Members in the order in which the encoder writes them are read
    /// without searching; in any other order they are looked up by name.
    pub(crate) fn pointer_head(&mut self) -> Result<LoadedHead<'a>> {
        let mut head = LoadedHead { kind: PointerKind::Plain, id: 0, type_name: None };
        self.start = self.cursor.at;
        if self.is_no_value() {
            return Ok(head);
        }
        match self.cursor.byte() {
            0xc0 => {
                self.null()?;
                head.kind = PointerKind::Null;
                return Ok(head);
            }
            0x80..=0x8f | 0xde..=0xdf if self.begins_with(&reserved::POINTER) => {}
            0x80..=0x8f | 0xde..=0xdf => {
                self.first_key()?;
                return Ok(head);
            }
            _ if self.cursor.left() == 0 => return Err(self.cursor.unexpected("a value")),
            _ => return Ok(head),
        }
        let start = self.cursor;
        self.open_object(&MAP)?;
        if !self.read_head(&mut head, false)? && !self.read_head(&mut head, true)? {
            head.kind = PointerKind::Seen;
        }
        if head.id == 0 && head.kind != PointerKind::Owned {
            return Err(head.lacks_pointee_and_id().at(start.position()));
        }
        Ok(head)
    }

    /// Returns whether a map begins at the cursor.
    #[inline]
    pub(crate) fn is_map(&self) -> bool {
        let map = matches!(self.cursor.byte(), 0x80..=0x8f | 0xde..=0xdf);
        map && self.part.is_none() && !self.is_no_value()
    }

    /// Returns whether the first key of the map at the cursor is one of these names, which begin
    /// with `$`. With the names of pointers: whether the map is a pointer.
    #[inline]
    pub(crate) fn begins_with(&self, names: &[&str]) -> bool {
        let cursor = self.cursor;
        let small = matches!(cursor.byte(), 0x80..=0x8f)
            && matches!(cursor.byte_at(cursor.at + 1), 0xa0..=0xbf);
        (!small || cursor.byte_at(cursor.at + 2) == b'$') && self.has_name(names)
    }

    #[inline(never)]
    fn has_name(&self, names: &[&str]) -> bool {
        let mut key = self.cursor;
        matches!(key.token(), Ok(Token::Map(1..)))
            && names.iter().any(|name| key.key_end(name).is_some())
    }

    /// Reads the members of a pointer's head that were not read before: only the next ones, or any
    /// of them with `search`. Returns `false` if they do not determine the kind of the pointer.
    fn read_head(&mut self, head: &mut LoadedHead<'a>, search: bool) -> Result<bool> {
        let find = if search { Self::member } else { Self::next_is };
        if head.id == 0 {
            if find(self, reserved::WEAK)? {
                head.kind = PointerKind::Weak;
                head.id = self.pointer_id(reserved::WEAK)?;
                return Ok(true);
            }
            if find(self, reserved::ID)? {
                head.id = self.pointer_id(reserved::ID)?;
            }
        }
        if head.type_name.is_none() && find(self, reserved::TYPE)? {
            head.type_name = Some(Cow::Borrowed(self.expect_text("text")?));
        }
        // If `$value` comes first, the id and the type may follow it.
        if !search && head.id == 0 && head.type_name.is_none() {
            return Ok(false);
        }
        if find(self, reserved::LATER)? {
            self.bool()?;
            head.kind = PointerKind::Later;
        } else if find(self, reserved::VALUE)? {
            head.kind = if head.id == 0 { PointerKind::Owned } else { PointerKind::Stored };
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads a pointer's id from the member `name`.
    fn pointer_id(&mut self, name: &str) -> Result<u64> {
        let number = self.number();
        reserved::object_id(name, number).map_err(|error| self.here(error))
    }

    /// Closes a pointer. If `$value` came first, the kind was decided without the members after it,
    /// so an id or a type among them is an error.
    pub(crate) fn close_pointer(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        self.end_object(&mut |name| match name {
            reserved::ID | reserved::TYPE => {
                let message = format_args!("`{name}` must come before `$value`");
                Err(Error::new(ErrorKind::BadPointer, message))
            }
            _ => unknown(name),
        })
    }
}

/// Finds every pointer that has a body.
pub(crate) fn find_pointees<'a>(
    mut start: Cursor<'a>,
    limit: usize,
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    Walker::new(limit).walk(&mut start, limit, &mut Bodies { open: Vec::new(), found })
}

struct Bodies<'f> {
    open: Vec<Candidate>,
    found: &'f mut dyn FnMut(u64, Mark),
}

/// A map that may turn out to be a pointer with a body.
#[derive(Default)]
struct Candidate {
    at: usize,
    /// Whether the first key belongs to a pointer; `None` before the first key was read.
    pointer: Option<bool>,
    id: Option<u64>,
    has_value: bool,
}

impl<'a> Watch<'a> for Bodies<'_> {
    fn open(&mut self, here: &Cursor<'a>) -> Option<usize> {
        self.open.push(Candidate { at: here.at, ..Candidate::default() });
        None
    }

    fn key(&mut self, name: Option<&'a str>, here: &Cursor<'a>) {
        let Some(object) = self.open.last_mut() else {
            return;
        };
        let name = name.unwrap_or_default();
        if !*object.pointer.get_or_insert_with(|| reserved::POINTER.contains(&name)) {
            return;
        }
        if name == reserved::ID {
            let number = { *here }.number().ok().flatten();
            object.id = number.and_then(|id| id.to_integer().ok());
        } else if name == reserved::VALUE {
            object.has_value = true;
        }
    }

    fn close(&mut self, _: &Cursor<'a>) {
        if let Some(Candidate { at, id: Some(id), has_value: true, .. }) = self.open.pop() {
            let depth = self.open.len() as u32;
            (self.found)(id, Mark { offset: at as u64, state: 0, depth });
        }
    }
}
