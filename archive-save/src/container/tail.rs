//! The tail of a save file, which shows whether the file is complete.

use std::path::Path;

use archive_core::Result;

use super::{END, SUM, TAIL, sum, u32_at, u64_at};
use crate::fault::damaged;

/// The content of the last bytes of a file.
pub struct Tail {
    /// The length of the body, decompressed.
    pub body: u64,
    /// The length of the file.
    pub file: u64,
    /// The number of frames.
    pub frames: u32,
}

impl Tail {
    /// Returns the bytes.
    pub fn to_bytes(&self, seed: u64) -> Vec<u8> {
        let mut tail = Vec::with_capacity(TAIL);
        tail.extend(self.body.to_le_bytes());
        tail.extend(self.file.to_le_bytes());
        tail.extend(self.frames.to_le_bytes());
        tail.extend(END);
        tail.extend(sum(&tail, seed).to_le_bytes());
        tail
    }

    /// Reads the last bytes of a file of that length.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if they are damaged, or those of
    /// another file.
    pub fn read(path: &Path, tail: &[u8], seed: u64, file: u64) -> Result<Tail> {
        if tail.len() != TAIL || tail[20..24] != END {
            return Err(damaged(path, "its end is missing"));
        }
        if sum(&tail[..TAIL - SUM], seed) != u64_at(tail, TAIL - SUM) {
            return Err(damaged(path, "the checksum of the end differs"));
        }
        let read = Tail { body: u64_at(tail, 0), file: u64_at(tail, 8), frames: u32_at(tail, 16) };
        if read.file != file {
            let length = read.file;
            return Err(damaged(path, format_args!("it has {file} bytes instead of {length}")));
        }
        Ok(read)
    }
}
