//! Sequences: lists, arrays, tuples, maps.
// Why: docs/decisions/binary.md#values-without-bytes-are-counted

use archive_core::block::Asked;
use archive_core::shape::{Primitive, Shape};
use archive_core::{Error, ErrorKind, Result};

use super::Decoder;
use super::frame::{Form, Frame, List};
use crate::columnar::not_taken;
use crate::cursor::{offset, too_many};
use crate::shapes::{ShapeRef, is_empty};
use crate::tags;
use crate::types::{Type, TypeId};

impl Decoder<'_> {
    /// Opens a sequence that matches the program's type.
    #[inline]
    pub(super) fn equal_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        let (len, entries) = match shape {
            _ if self.is_entry() => (2, false),
            Shape::Tuple(items, _, _) => (items.len(), false),
            Shape::Array(_, len, _, _) => (*len, false),
            Shape::Seq(item, _) => match self.open_gap() {
                Some(len) => return Ok(len),
                None => (self.count(is_empty(item.get()))?, false),
            },
            Shape::Map(key, value) => {
                (self.count(is_empty(key.get()) && is_empty(value.get()))?, true)
            }
            _ => return self.typed_seq(shape),
        };
        self.open_list(len, entries, shape);
        Ok(len)
    }

    /// Returns whether the next value is an entry of a map that matches the program's type.
    #[inline]
    fn is_entry(&self) -> bool {
        self.frameless_depth > 0 && matches!(self.lists.last(), Some(list) if list.entries)
    }

    #[inline]
    fn open_list(&mut self, left: usize, entries: bool, shape: &'static Shape) {
        self.lists.push(List { left, entries });
        let block = match shape {
            Shape::Seq(item, _) => item.get().block_size().is_some(),
            _ => shape.block_size().is_some(),
        };
        self.in_blocks = block;
        self.open_frameless(block);
    }

    /// Opens a sequence of a known type.
    pub(super) fn typed_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        const EXPECTED: &str = "a sequence";
        self.check_depth()?;
        let slot = self.take_present_slot(EXPECTED)?;
        let (item, entries) = match self.tables.get(slot) {
            Some(Type::Seq(item) | Type::Array(item, _)) => (*item, false),
            Some(Type::Map(entry)) => (*entry, true),
            Some(Type::Tuple(_)) => (TypeId::NONE, false),
            _ if slot == TypeId::of(Primitive::Bytes) => (TypeId::of(Primitive::U8), false),
            _ if slot == TypeId::ANY => return self.tagged_seq(EXPECTED),
            _ => return Err(self.wrong(EXPECTED, slot)),
        };
        if matches!(self.tables.get(slot), Some(Type::Seq(_)))
            && let Some(len) = self.open_gap()
        {
            return Ok(len);
        }
        let equal = self.equal(slot, ShapeRef::of(shape));
        let empty = !self.tables.takes_bytes(item);
        let mut tuple = false;
        let len = match self.tables.get(slot) {
            Some(Type::Array(_, len)) if empty => {
                let len = *len;
                self.count_implied(len, shape)?;
                usize::try_from(len).map_err(|_| too_many(len, self.data.left(), self.start))?
            }
            Some(Type::Array(_, len)) => self.checked(*len, false, self.start)?,
            Some(Type::Tuple(items)) => {
                tuple = true;
                let len = items.len();
                if !equal {
                    let empty =
                        items.iter().filter(|item| !self.tables.takes_bytes(**item)).count();
                    self.count_implied(empty as u64, shape)?;
                }
                len
            }
            _ => self.count(empty)?,
        };
        if equal {
            self.open_list(len, entries, shape);
        } else {
            let form = if tuple { Form::Tuple } else { Form::Items };
            self.open(Frame { kind: slot, item, left: len as u64, ..Frame::new(form) });
        }
        Ok(len)
    }

    /// Returns whether the value at the cursor is the requested block.
    pub(super) fn begins_block(&mut self, asked: Asked) -> bool {
        let asked = match asked {
            Asked::Class(class) => ShapeRef::Class(class),
            Asked::Shape(shape) => ShapeRef::of(shape),
        };
        self.tables.get(self.slot).is_some() && self.equal(self.slot, asked)
    }

    fn tagged_seq(&mut self, expected: &str) -> Result<usize> {
        match self.data.peek()? {
            tags::SEQ => {
                self.data.byte()?;
                self.open(Frame { left: 1, ..Frame::new(Form::TaggedItems) });
                Ok(0)
            }
            tags::BYTES => {
                self.data.byte()?;
                let len = self.count(false)?;
                let item = TypeId::of(Primitive::U8);
                self.open(Frame { item, left: len as u64, ..Frame::new(Form::Items) });
                Ok(len)
            }
            _ => Err(self.wrong(expected, TypeId::ANY)),
        }
    }

    /// Reads a number of items.
    #[inline]
    pub(super) fn count(&mut self, empty: bool) -> Result<usize> {
        let at = self.data.at();
        let count = self.data.u64()?;
        self.checked(count, empty, at)
    }

    /// Checks a number of items: each takes at least a byte, or they are counted.
    #[inline]
    fn checked(&mut self, count: u64, empty: bool, at: usize) -> Result<usize> {
        if empty {
            self.count_empty(count, at)?;
        } else if count > self.data.left() as u64 {
            return Err(too_many(count, self.data.left(), at));
        }
        usize::try_from(count).map_err(|_| too_many(count, self.data.left(), at))
    }

    /// Counts the items without bytes that a type of the file declares, except those that the
    /// program's type has too.
    fn count_implied(&mut self, count: u64, asked: &Shape) -> Result {
        let asked = match asked {
            Shape::Tuple(items, _, _) => items.len(),
            Shape::Array(_, len, _, _) => *len,
            _ => 0,
        };
        match count.checked_sub(asked as u64) {
            None | Some(0) => Ok(()),
            Some(more) => self.count_empty(more, self.start),
        }
    }

    /// Counts values that take no bytes, before they are created, because a few bytes could declare
    /// any number of them. Every value whose number is determined by the file is counted here once:
    /// the items of sequences, and the parts of tuples and members of classes that the program's
    /// type does not have.
    #[cold]
    pub(crate) fn count_empty(&mut self, count: u64, at: usize) -> Result {
        match self.empty_left.checked_sub(count) {
            Some(left) => {
                self.empty_left = left;
                Ok(())
            }
            None => {
                let what = "elements that take no bytes";
                let error = Error::too_many(self.max_empty, what, "max_empty_elements");
                Err(error.at(offset(at)))
            }
        }
    }

    /// Moves to the next item of a sequence that does not match the program's type.
    pub(super) fn item_slow(&mut self) -> Result<bool> {
        if self.top().left == 0 {
            return Ok(false);
        }
        match self.top().form {
            Form::Items => self.slot = self.top().item,
            Form::Gap => return Err(not_taken()),
            Form::TaggedItems => {
                if self.data.peek()? == tags::END {
                    self.data.byte()?;
                    self.top_mut().left = 0;
                    return Ok(false);
                }
                self.slot = TypeId::ANY;
                return Ok(true);
            }
            Form::Tuple => {
                let item = match self.tables.get(self.top().kind) {
                    Some(Type::Tuple(items)) => items.get(self.top().at),
                    _ => None,
                };
                self.slot = item.copied().unwrap_or(TypeId::NONE);
            }
            _ => return Ok(false),
        }
        let top = self.top_mut();
        top.at += 1;
        top.left -= 1;
        Ok(true)
    }
}

/// Creates the error for a sequence with more items than the type.
#[cold]
pub(super) fn too_long(at: usize) -> Error {
    let message = "the sequence has more items than were loaded";
    Error::new(ErrorKind::WrongLength, message).at(offset(at))
}
