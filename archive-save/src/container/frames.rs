//! [`frames`]: writes the body as frames. [`Packer`] writes frames that are compressed already.
// Why: docs/decisions/saves.md#frames-have-no-index

use archive_core::Result;

use super::compression::Compressor;
use super::{Compression, FRAME, FRAME_HEAD, SUM, TAIL, Tail, sum};

/// Writes a body after a head of that length: its frames and the tail. The sink gets bytes of the
/// file, and the number of bytes of the body in them.
///
/// # Errors
/// Errors of the sink and of [`Compressor::new`].
pub fn frames(
    sink: &mut dyn FnMut(&[u8], usize) -> Result,
    compression: Compression,
    seed: u64,
    head: usize,
    body: &[u8],
) -> Result {
    let (mut compressor, mut packer) = (Compressor::new(compression)?, Packer::new(seed, head));
    for raw in body.chunks(FRAME) {
        let append = |out: &mut Vec<u8>| compressor.append(compression, raw, out);
        sink(packer.frame(raw.len(), append), raw.len())?;
    }
    sink(&packer.tail(), 0)
}

/// Writes frames with compressed data, one after another, and the tail.
pub struct Packer {
    seed: u64,
    tail: Tail,
    frame: Vec<u8>,
}

impl Packer {
    /// Begins the frames after a head of that length.
    pub fn new(seed: u64, head: usize) -> Packer {
        let tail = Tail { body: 0, file: (head + TAIL) as u64, frames: 0 };
        Packer { seed, tail, frame: Vec::new() }
    }

    /// Returns the bytes of a frame for so many bytes of the body. `append` appends its data, and
    /// returns the number of the compression method.
    pub fn frame(&mut self, raw: usize, append: impl FnOnce(&mut Vec<u8>) -> u32) -> &[u8] {
        let Packer { seed, tail, frame } = self;
        frame.clear();
        frame.resize(FRAME_HEAD, 0);
        let method = append(frame);
        let packed = frame.len() - FRAME_HEAD;
        for (at, number) in [raw as u32, packed as u32, method].into_iter().enumerate() {
            frame[4 * at..4 * at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let sum = sum(frame, seed.wrapping_add(tail.frames.into()));
        frame.extend(sum.to_le_bytes());
        debug_assert_eq!(frame.len(), FRAME_HEAD + packed + SUM);
        tail.body += raw as u64;
        tail.file += frame.len() as u64;
        tail.frames += 1;
        frame
    }

    /// Returns the tail.
    pub fn tail(&self) -> Vec<u8> {
        self.tail.to_bytes(self.seed)
    }
}
