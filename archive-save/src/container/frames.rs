//! [`frames`]: writes the body as frames.
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
    let mut compressor = Compressor::new(compression)?;
    let mut tail = Tail { body: body.len() as u64, file: (head + TAIL) as u64, frames: 0 };
    let mut frame = Vec::new();
    for raw in body.chunks(FRAME) {
        frame.clear();
        frame.resize(FRAME_HEAD, 0);
        let method = compressor.append(compression, raw, &mut frame);
        let packed = frame.len() - FRAME_HEAD;
        for (at, number) in [raw.len() as u32, packed as u32, method].into_iter().enumerate() {
            frame[4 * at..4 * at + 4].copy_from_slice(&number.to_le_bytes());
        }
        let sum = sum(&frame, seed.wrapping_add(tail.frames.into()));
        frame.extend(sum.to_le_bytes());
        debug_assert_eq!(frame.len(), FRAME_HEAD + packed + SUM);
        sink(&frame, raw.len())?;
        tail.file += frame.len() as u64;
        tail.frames += 1;
    }
    sink(&tail.to_bytes(seed), 0)
}
