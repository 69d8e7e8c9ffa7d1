//! Pointers: objects whose first member is one of a few reserved names.

use std::borrow::Cow;

use archive_core::decoder::{Pointees, read_head};
use archive_core::reserved;
use archive_core::{Decoder as _, LoadedHead, Mark, PointerKind, Result};

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
    /// without searching; in any other order they are found by name.
    pub(crate) fn pointer_head(&mut self) -> Result<LoadedHead<'a>> {
        let mut head = LoadedHead { kind: PointerKind::Plain, id: 0, type_name: None };
        self.start = self.cursor.at;
        if self.is_not_a_value() {
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
        head = read_head(self, true, |this| this.expect_text("text").map(Cow::Borrowed))?;
        if head.id == 0 && head.kind != PointerKind::Owned {
            return Err(head.lacks_pointee_and_id().at(start.position()));
        }
        Ok(head)
    }

    /// Returns whether a map begins at the cursor.
    #[inline]
    pub(crate) fn is_map(&self) -> bool {
        let map = matches!(self.cursor.byte(), 0x80..=0x8f | 0xde..=0xdf);
        map && self.part.is_none() && !self.is_not_a_value()
    }

    /// Returns whether the first key of the map at the cursor is one of these names, which begin
    /// with `$`. If these are the names of pointers' members, the map is a pointer.
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
}

/// Finds every pointer with which its object is stored.
pub(crate) fn find_pointees<'a>(
    mut start: Cursor<'a>,
    limit: usize,
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    Walker::new(limit).walk(&mut start, limit, &mut Search(Pointees::new(found)))
}

struct Search<'f>(Pointees<'f>);

impl<'a> Watch<'a> for Search<'_> {
    fn open(&mut self, here: &Cursor<'a>) -> Option<usize> {
        self.0.open(here.at as u64, 0);
        None
    }

    fn key(&mut self, name: Option<&'a str>, here: &Cursor<'a>) {
        if self.0.member(|names| name.is_some_and(|name| names.contains(&name))) {
            self.0.id({ *here }.number().ok().flatten());
        }
    }

    fn close(&mut self, _: &Cursor<'a>) {
        self.0.close();
    }
}
