//! [`Frames`]: a writer that cuts the body into frames.

use std::io;

use archive_core::backend::Sink;
use archive_core::{Error, Result};

use super::compression::Compressor;
use super::{Compression, FRAME, FRAME_HEAD, SUM, TAIL, Tail, sum};

/// Writes a body: formats write into it, and it passes frames on.
pub struct Frames<'w> {
    sink: Sink<'w>,
    compression: Compression,
    compressor: Compressor,
    seed: u64,
    /// What is not in a frame yet.
    rest: Vec<u8>,
    frame: Vec<u8>,
    tail: Tail,
    /// The error of the sink, which a writer cannot return as it is.
    failure: Option<Error>,
}

impl<'w> Frames<'w> {
    /// Begins a body after a head of that length.
    ///
    /// # Errors
    /// Those of [`Compressor::new`].
    pub fn new(
        sink: Sink<'w>,
        compression: Compression,
        seed: u64,
        head: usize,
    ) -> Result<Frames<'w>> {
        Ok(Frames {
            sink,
            compression,
            compressor: Compressor::new(compression)?,
            seed,
            rest: Vec::new(),
            frame: Vec::new(),
            tail: Tail { body: 0, file: head as u64, frames: 0 },
            failure: None,
        })
    }

    fn frame(&mut self, raw: &[u8]) -> Result {
        self.frame.clear();
        self.frame.resize(FRAME_HEAD, 0);
        let method = self.compressor.append(self.compression, raw, &mut self.frame);
        let packed = self.frame.len() - FRAME_HEAD;
        for (at, number) in [raw.len() as u32, packed as u32, method].into_iter().enumerate() {
            self.frame[4 * at..4 * at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let sum = sum(&self.frame, self.seed.wrapping_add(self.tail.frames.into()));
        self.frame.extend(sum.to_le_bytes());
        debug_assert_eq!(self.frame.len(), FRAME_HEAD + packed + SUM);
        (self.sink)(&self.frame)?;
        self.tail.body += raw.len() as u64;
        self.tail.file += self.frame.len() as u64;
        self.tail.frames += 1;
        Ok(())
    }

    fn append(&mut self, mut bytes: &[u8]) -> Result {
        while !bytes.is_empty() {
            if self.rest.is_empty() && bytes.len() >= FRAME {
                let (frame, after) = bytes.split_at(FRAME);
                self.frame(frame)?;
                bytes = after;
                continue;
            }
            let (some, after) = bytes.split_at(bytes.len().min(FRAME - self.rest.len()));
            self.rest.extend_from_slice(some);
            bytes = after;
            if self.rest.len() == FRAME {
                self.flush_rest()?;
            }
        }
        Ok(())
    }

    fn flush_rest(&mut self) -> Result {
        let mut rest = std::mem::take(&mut self.rest);
        let result = self.frame(&rest);
        rest.clear();
        self.rest = rest;
        result
    }

    /// Writes the last frame and the tail, and returns the length of the file. `written` is what
    /// the format said that wrote into this.
    ///
    /// # Errors
    /// Those of the sink, or of the format.
    pub fn finish(mut self, written: Result) -> Result<u64> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        written?;
        if !self.rest.is_empty() {
            self.flush_rest()?;
        }
        self.tail.file += TAIL as u64;
        (self.sink)(&self.tail.to_bytes(self.seed))?;
        Ok(self.tail.file)
    }
}

impl io::Write for Frames<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.append(bytes).map_err(|error| {
            let message = error.to_string();
            self.failure.get_or_insert(error);
            io::Error::other(message)
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
