//! Reading the body of a save file, frame by frame.

use std::io;
use std::path::Path;

use archive_core::{Error, ErrorKind, Result};

use super::compression::{decompress, reserve};
use super::{EXPANSION, FRAME, FRAME_HEAD, Packer, SUM, TAIL, Tail, sum, u32_at, u64_at};
use crate::fault::{self, damaged};
use crate::system::File;

/// The number of bytes that are read at once.
const CHUNK: u64 = 1 << 20;

/// The frames of an open file, whose head and tail were verified.
pub struct Frames<'f> {
    pub path: &'f Path,
    pub file: &'f mut dyn File,
    /// The checksum that seeds those of the frames.
    pub seed: u64,
    /// The offset of the first frame.
    pub start: u64,
    pub tail: &'f Tail,
}

impl Frames<'_> {
    /// Verifies the frames, and returns the body. The body has at most 255 bytes for each byte of
    /// the file.
    ///
    /// # Errors
    /// As [`verify`](Frames::verify), and [`ErrorKind::SizeLimit`] if there is not enough memory.
    pub fn body(self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        // Reserved after the first frame was verified, and no more than such a file can hold.
        let room = self.tail.body.min(self.tail.file.saturating_mul(EXPANSION));
        self.each(&mut |method, data, raw| {
            if body.is_empty() {
                reserve(&mut body, usize::try_from(room).unwrap_or(usize::MAX))?;
            }
            decompress(method, data, raw, &mut body)
        })?;
        Ok(body)
    }

    /// Returns the body up to the first frame that is damaged or missing, and the error of that
    /// frame.
    pub fn whole(self) -> (Vec<u8>, Option<Error>) {
        let mut body = Vec::new();
        let read = self.each(&mut |method, data, raw| decompress(method, data, raw, &mut body));
        (body, read.err())
    }

    /// Verifies the checksums. One or two frames are in memory at a time.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if any byte is not as it was written, [`ErrorKind::Io`] if the file
    /// cannot be read.
    pub fn verify(self) -> Result {
        self.each(&mut |_, _, _| Ok(()))
    }

    /// Verifies the frames, and passes their bytes to a sink, as those of a file whose head has
    /// another seed and length, with the tail of that file. Nothing is decompressed.
    ///
    /// # Errors
    /// As [`verify`](Frames::verify).
    pub fn copy(self, seed: u64, head: usize, sink: &mut dyn FnMut(&[u8])) -> Result {
        let mut packer = Packer::new(seed, head);
        self.each(&mut |method, data, raw| {
            let append = |out: &mut Vec<u8>| {
                out.extend_from_slice(data);
                method
            };
            sink(packer.frame(raw, append));
            Ok(())
        })?;
        sink(&packer.tail());
        Ok(())
    }

    /// Passes each frame to `pass`: the compression method, the data, and the decompressed length.
    fn each(self, pass: &mut dyn FnMut(u32, &[u8], usize) -> Result) -> Result {
        let Frames { path, file, seed, start, tail } = self;
        let end = tail.file - TAIL as u64;
        let mut rest = Rest { file, at: start, end, buffer: Vec::new(), used: 0 };
        let io = |error| fault::io("read", path, error);
        let mut body = 0;
        for number in 0..tail.frames {
            let what = |what: &str| format!("frame {} of {}: {what}", number + 1, tail.frames);
            let cut = || damaged(path, what("it is cut short"));
            let first = rest.first(FRAME_HEAD + SUM).map_err(io)?.ok_or_else(cut)?;
            let (raw, packed) = (u32_at(first, 0) as usize, u32_at(first, 4) as usize);
            if packed > FRAME {
                return Err(damaged(path, what("it is too long")));
            }
            let len = FRAME_HEAD + packed + SUM;
            let frame = rest.first(len).map_err(io)?.ok_or_else(cut)?;
            let (frame, own) = frame.split_at(FRAME_HEAD + packed);
            if sum(frame, seed.wrapping_add(number.into())) != u64_at(own, 0) {
                return Err(damaged(path, what("the checksum differs")));
            }
            if raw > FRAME {
                return Err(damaged(path, what("it is too long")));
            }
            let (method, data) = (u32_at(frame, 8), &frame[FRAME_HEAD..]);
            pass(method, data, raw).map_err(|error| match error.kind() {
                ErrorKind::Syntax => damaged(path, what(error.message())),
                kind => Error::new(kind, format_args!("{}: {}", path.display(), error.message())),
            })?;
            body += raw as u64;
            rest.used += len;
        }
        if rest.left() > 0 || body != tail.body {
            return Err(damaged(path, "the lengths of its frames do not add up"));
        }
        Ok(())
    }
}

/// The rest of the frames.
struct Rest<'f> {
    file: &'f mut dyn File,
    /// The offset of the next bytes, and the end of the last frame.
    at: u64,
    end: u64,
    /// The bytes that were read.
    buffer: Vec<u8>,
    used: usize,
}

impl Rest<'_> {
    fn left(&self) -> u64 {
        self.end - self.at + (self.buffer.len() - self.used) as u64
    }

    /// Returns the next bytes without consuming them, or `None` if there are fewer.
    fn first(&mut self, len: usize) -> io::Result<Option<&[u8]>> {
        if self.buffer.len() - self.used < len {
            self.buffer.drain(..self.used);
            self.used = 0;
            let more = self.file.read(self.at, CHUNK.min(self.end - self.at))?;
            self.at += more.len() as u64;
            self.buffer.extend(more);
        }
        Ok(self.buffer.get(self.used..self.used + len))
    }
}
