//! Sequences: lists of data, and arrays of elements.

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Result};

use super::slot::{Place, Slot};
use super::{Decoder, Frame};
use crate::cursor::{HEADER, Input, syntax};
use crate::types::DataType;

/// An open list.
#[derive(Debug)]
pub(super) struct Items {
    next: usize,
    left: usize,
    end: usize,
}

/// An open array.
#[derive(Debug)]
pub(super) struct Elements {
    kind: DataType,
    size: usize,
    next: usize,
    left: usize,
}

impl Items {
    pub(super) fn next(&mut self, input: &Input<'_>) -> Result<Option<Slot>> {
        if self.left == 0 {
            return Ok(None);
        }
        let slot = Slot::datum(input, self.next, self.end, Place::Item)?;
        self.left -= 1;
        self.next = slot.end;
        Ok(Some(slot))
    }
}

impl Elements {
    #[inline]
    pub(super) fn next(&mut self) -> Option<Slot> {
        self.left = self.left.checked_sub(1)?;
        let slot = Slot::element(self.kind, self.next);
        self.next += self.size;
        Some(slot)
    }
}

impl Decoder<'_> {
    /// Opens the sequence at the cursor.
    pub(super) fn open_seq(&mut self, shape: &Shape) -> Result<usize> {
        let Slot { kind, count, start, end, .. } = self.slot;
        let (frame, count) = match kind {
            DataType::List => {
                let count = self.input.count(start, end, HEADER, "a number of items")?;
                (Frame::Items(Items { next: start + 4, left: count, end }), count)
            }
            DataType::Bytes => (elements(DataType::U8, start, count), count),
            kind if kind.primitive().is_some() && self.is_array(shape) => {
                (elements(kind, start, count), count)
            }
            _ => return Err(self.wrong_type("a sequence")),
        };
        self.enter()?;
        self.frames.push(frame);
        Ok(count)
    }

    /// Returns whether the elements at the cursor are an array. One named element counts as an
    /// array if it may come from the original program and an array of one is requested.
    fn is_array(&self, shape: &Shape) -> bool {
        if !self.slot.is_scalar(&self.input) || self.is_datum && self.frames.is_empty() {
            return true;
        }
        let one = match shape {
            Shape::Tuple(items, _, _) => items.len() == 1,
            Shape::Array(_, len, _, _) => *len == 1,
            Shape::Option(_) => false,
            _ => true,
        };
        one && self.slot.may_be_array()
    }

    /// Closes the sequence, whose items must all have been read.
    pub(super) fn close_seq(&mut self) -> Result {
        let left = match self.frames.last() {
            Some(Frame::Elements(elements)) => elements.left,
            Some(Frame::Items(items)) if items.left == 0 && items.next != items.end => {
                return Err(syntax("a list longer than its items", items.next));
            }
            Some(Frame::Items(items)) => items.left,
            _ => return Err(super::misuse()),
        };
        if left > 0 {
            let message = "the sequence has more items than were loaded";
            return Err(self.here(Error::new(ErrorKind::WrongLength, message)));
        }
        self.frames.pop();
        Ok(())
    }
}

fn elements(kind: DataType, start: usize, count: usize) -> Frame {
    let size = kind.element_size().unwrap_or(1);
    Frame::Elements(Elements { kind, size, next: start, left: count })
}
