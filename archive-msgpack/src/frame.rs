//! [`Frame`]: the open containers of a decoder, and the functions that open them.

use archive_core::{Class, Error, ErrorKind, Result, Shape};

use crate::cursor::Token;
use crate::decoder::Decoder;
use crate::ext::Ext;
use crate::fields::Fields;
use crate::object::Object;

/// An open container.
#[derive(Debug)]
pub(crate) enum Frame<'a> {
    /// A sequence with this number of items left.
    Seq(usize),
    /// Bytes that are read as a sequence of numbers, with this number of bytes left.
    Bytes(usize),
    /// A map that is read as a sequence of pairs, with this number of pairs left. The cursor is at
    /// the key of a pair.
    Entries(usize),
    /// A key and its value, read as a sequence, with this number of items left.
    Pair(usize),
    Object(Object),
    /// An object whose members are reported in file order, and the number of keys that were
    /// recorded for the objects around it.
    Members(usize),
    /// An object that is stored as an array.
    Fields(Fields),
    /// An extension that is read as an object, and the index of its next member.
    Ext(Ext<'a>, u8),
}

impl<'a> Decoder<'a> {
    /// Returns whether the cursor is at an entry of a map, which is not a separate value. Maps are
    /// read as sequences only if the items are sequences themselves, or have any type.
    #[inline]
    pub(crate) fn at_entry(&self) -> bool {
        matches!(self.open.last(), Some(Frame::Entries(_)))
    }

    /// Returns whether the cursor is at an entry of a map or an item of bytes, where no marker
    /// begins.
    #[inline]
    pub(crate) fn is_not_a_value(&self) -> bool {
        self.in_bytes || self.at_entry()
    }

    #[inline]
    pub(crate) fn push(&mut self, frame: Frame<'a>) -> Result {
        if self.open.len() >= self.max_depth {
            return Err(self.here(Error::too_nested(self.max_depth)));
        }
        self.open.push(frame);
        Ok(())
    }

    /// Returns the number of nested levels that are still allowed.
    #[inline]
    pub(crate) fn levels(&self) -> usize {
        self.max_depth.saturating_sub(self.open.len())
    }

    /// Opens the object at the cursor.
    #[inline]
    pub(crate) fn open_object(&mut self, class: &'static Class) -> Result {
        self.start = self.cursor.at;
        if !matches!(self.cursor.byte(), 0x80..=0x8f | 0xde..=0xdf) || self.is_not_a_value() {
            return self.open_other_object(class);
        }
        let Token::Map(len) = self.cursor.token()? else { return Err(misuse()) };
        let limit = self.levels().saturating_sub(1);
        let object = Object::open(len, self.keys.list.len(), limit);
        self.push(Frame::Object(object))
    }

    /// Opens an object that is not a map: an array with the members of the class, or an extension
    /// where any value is accepted.
    #[cold]
    fn open_other_object(&mut self, class: &'static Class) -> Result {
        let mut cursor = self.cursor;
        if self.is_not_a_value() {
            return Err(self.wrong_type("an object"));
        }
        match cursor.token()? {
            Token::Seq(len) => {
                let Some(fields) = Fields::open(class, len) else {
                    return Err(self.wrong_type("an object"));
                };
                self.cursor = cursor;
                self.push(Frame::Fields(fields))
            }
            Token::Ext(len) if self.any == self.cursor.at => {
                let [kind] = cursor.array()?;
                let data = cursor.take(len)?;
                self.cursor = cursor;
                self.push(Frame::Ext(Ext { kind: kind as i8, data }, 0))
            }
            _ => Err(self.wrong_type("an object")),
        }
    }

    /// Opens the sequence at the cursor, and returns its length.
    #[inline]
    pub(crate) fn open_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        self.start = self.cursor.at;
        if !matches!(self.cursor.byte(), 0x90..=0x9f | 0xdc..=0xdd) || self.is_not_a_value() {
            return self.open_other_seq(shape);
        }
        let Token::Seq(len) = self.cursor.token()? else { return Err(misuse()) };
        self.items = shape;
        self.push(Frame::Seq(len))?;
        Ok(len)
    }

    /// Opens a sequence that is not an array: an entry of a map, a map as pairs, or bytes as
    /// numbers.
    fn open_other_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        if self.at_entry() {
            self.push(Frame::Pair(2))?;
            return Ok(2);
        }
        if self.in_bytes {
            return Err(self.wrong_type("a sequence"));
        }
        let mut cursor = self.cursor;
        match cursor.token()? {
            Token::Map(_) if holds_pairs(shape) => self.open_entries(),
            Token::Bin(len) if !shape.is_any() => {
                if len > cursor.left() {
                    return Err(cursor.end());
                }
                self.cursor = cursor;
                self.push(Frame::Bytes(len))?;
                self.in_bytes = true;
                Ok(len)
            }
            _ => Err(self.wrong_type("a sequence")),
        }
    }
}

/// Returns whether the items may be the entries of a map.
fn holds_pairs(shape: &Shape) -> bool {
    match shape {
        Shape::Any | Shape::Map(..) => true,
        Shape::Seq(item, _) | Shape::Array(item, ..) => {
            matches!(item.get(), Shape::Tuple(items, _, _) if items.len() == 2)
        }
        _ => false,
    }
}

/// Returns the error for calls in an invalid order.
#[cold]
pub(crate) fn misuse() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "calls out of order: a member outside an object, or an item outside a sequence",
    )
}
