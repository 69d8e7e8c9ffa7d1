//! Output that is passed to a sink piece by piece: sizes and counts are filled in later.

use archive_core::Result;
use archive_core::backend::{Patch, Pieces, Sink};
use byteorder::{ByteOrder, LittleEndian};

use super::Encoder;
use super::frame::Frame;
use crate::cursor::{HEADER, word};

/// The output that was passed to the sink.
#[derive(Debug, Default)]
pub(super) struct Passed {
    len: usize,
    /// The number of bytes that the patches leave out.
    left_out: usize,
    patches: Vec<Patch>,
}

/// Where a container begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin {
    pub(super) at: usize,
    /// The number of bytes before it that are left out.
    left_out: usize,
}

impl Begin {
    /// Returns the place that is `bytes` before this one.
    pub(super) fn before(self, bytes: usize) -> Begin {
        Begin { at: self.at - bytes, ..self }
    }
}

impl Encoder {
    /// Returns the number of bytes that were written, including those that were passed to the sink.
    #[inline]
    pub(super) fn here(&self) -> usize {
        self.passed.len + self.out.len()
    }

    #[inline]
    pub(super) fn place_here(&self) -> Begin {
        Begin { at: self.here(), left_out: self.passed.left_out }
    }

    /// Returns the number of bytes of the final output from that place on.
    #[inline]
    pub(super) fn since(&self, begin: Begin) -> usize {
        self.here() - begin.at - (self.passed.left_out - begin.left_out)
    }

    /// Returns the index in the buffer of a byte that was not passed to the sink.
    #[inline]
    pub(super) fn index(&self, at: usize) -> usize {
        at - self.passed.len
    }

    /// Writes a word in its reserved place.
    #[inline]
    pub(super) fn put_word(&mut self, at: usize, value: i32) {
        match at.checked_sub(self.passed.len) {
            Some(at) => LittleEndian::write_i32(&mut self.out[at..at + 4], value),
            None => self.replace(at, 4, &word(value)),
        }
    }

    #[cold]
    fn replace(&mut self, at: usize, len: u64, with: &[u8]) {
        self.passed.patches.push(Patch::Replace { at: at as u64, len, with: with.to_vec() });
    }

    /// Makes a list of scalars an array: its count and the headers of its items are left out.
    pub(super) fn leave_out_headers(&mut self, start: usize, items: usize, size: usize) {
        if start < self.passed.len {
            self.replace(start, 4, &[]);
            let (at, count) = (start as u64 + 4, items as u64);
            let (skip, keep) = (HEADER as u64, size as u64);
            self.passed.patches.push(Patch::Thin { at, count, skip, keep });
            self.passed.left_out += 4 + items * HEADER;
            return;
        }
        let start = self.index(start);
        for item in 0..items {
            let from = start + 4 + item * (HEADER + size) + HEADER;
            self.out.copy_within(from..from + size, start + item * size);
        }
        self.out.truncate(start + items * size);
    }
}

impl Pieces for Encoder {
    fn pending(&self) -> usize {
        self.out.len()
    }

    fn pass_on(&mut self, sink: Sink<'_>) -> Result {
        let may_move = |frame: &Frame| match frame {
            Frame::Array(_) => true,
            // An array of one item may need a mark with its name after it.
            Frame::List(list) => list.items < 2,
            Frame::Object(_) | Frame::Roots { .. } => false,
        };
        if self.is_whole_datum() || self.frames.last().is_none_or(may_move) {
            return Ok(());
        }
        sink(&self.out)?;
        self.passed.len += self.out.len();
        self.out.clear();
        Ok(())
    }

    fn into_pieces(self) -> Result<(Vec<u8>, Vec<Patch>)> {
        self.check_complete()?;
        Ok((self.out, self.passed.patches))
    }
}
