//! [`Pieces`]: saves whose bytes are sent to a sink before they are final, and the [`Patch`]es that
//! complete them.
// Why: docs/decisions/edits-and-conversions.md#counts-are-patched-after-the-data

use super::{Feed, Sink};
use crate::format::encoder::Encoder;
use crate::model::error::{Error, ErrorKind, Result};

/// An encoder of a format that stores counts or sizes before the data. Its bytes can be sent to a
/// sink piece by piece, so that the output need not fit into memory. At the end, the save returns
/// the [`Patch`]es to apply to these bytes.
///
/// ```
/// use archive::format::{self, Encoder as _, Pieces as _, encoder};
/// use archive::shape::Shape;
///
/// let mut msgpack = archive::msgpack::Encoder::new();
/// let mut spool = Vec::new();
/// msgpack.begin_seq(&Shape::Any, encoder::UNCOUNTED)?;
/// for number in 0..100 {
///     msgpack.item()?;
///     msgpack.i64(number)?;
///     msgpack.pass_on(&mut |bytes| Ok(spool.extend_from_slice(bytes)))?;
/// }
/// msgpack.end_seq()?;
/// let (rest, patches) = msgpack.into_pieces()?;
/// spool.extend(rest);
///
/// let mut file = Vec::new();
/// let mut spool = &spool[..];
/// let feed = &mut |buffer: &mut [u8]| {
///     let count = spool.len().min(buffer.len());
///     let (bytes, rest) = spool.split_at(count);
///     buffer[..count].copy_from_slice(bytes);
///     spool = rest;
///     Ok(count)
/// };
/// format::patch(patches, feed, &mut |bytes| Ok(file.extend_from_slice(bytes)))?;
/// assert_eq!(file, archive::msgpack::to_vec(&(0..100).collect::<Vec<i64>>())?);
/// # Ok::<(), archive::Error>(())
/// ```
pub trait Pieces: Encoder {
    /// Returns the number of bytes that were written but not sent to the sink.
    fn pending(&self) -> usize;

    /// Sends all bytes that were written so far to the sink. Does nothing while the last of them
    /// may still be moved; a later call then sends them. Call this before or after a value.
    fn pass_on(&mut self, sink: Sink<'_>) -> Result;

    /// Completes the save. Returns the bytes that were not sent, and the changes to all bytes.
    ///
    /// # Errors
    /// An error if the value is incomplete.
    fn into_pieces(self) -> Result<(Vec<u8>, Vec<Patch>)>;
}

/// A change to bytes that were sent to the sink. Offsets count from the first of these bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Patch {
    /// `len` bytes are replaced by other bytes. Their number may differ.
    Replace {
        /// The offset of the first byte.
        at: u64,
        /// The number of bytes to replace.
        len: u64,
        /// The new bytes.
        with: Vec<u8>,
    },
    /// The first bytes of each of several consecutive pieces are left out.
    Thin {
        /// The offset of the first piece.
        at: u64,
        /// The number of pieces.
        count: u64,
        /// The number of bytes to leave out of each piece.
        skip: u64,
        /// The number of bytes after them, which are kept.
        keep: u64,
    },
}

impl Patch {
    /// Returns the offset at which the change begins.
    fn at(&self) -> u64 {
        match self {
            Patch::Replace { at, .. } | Patch::Thin { at, .. } => *at,
        }
    }
}

/// Copies bytes, and applies the patches, which may be in any order.
///
/// # Errors
/// Errors of the feed and of the sink; [`ErrorKind::Unsupported`] if patches overlap, and
/// [`ErrorKind::UnexpectedEnd`] if they are about bytes after the end.
pub fn patch(mut patches: Vec<Patch>, feed: Feed<'_>, sink: Sink<'_>) -> Result {
    patches.sort_by_key(Patch::at);
    let buffer = vec![0; BUFFER].into_boxed_slice();
    let mut copy = Copy { feed, sink, buffer, used: 0..0, at: 0, out: Vec::with_capacity(BUFFER) };
    for patch in patches {
        let Some(before) = patch.at().checked_sub(copy.at) else {
            return Err(Error::new(ErrorKind::Unsupported, "patches that overlap"));
        };
        copy.pass(before, true)?;
        match patch {
            Patch::Replace { len, with, .. } => {
                copy.pass(len, false)?;
                copy.put(&with)?;
            }
            Patch::Thin { count, skip, keep, .. } => {
                for _ in 0..count {
                    copy.pass(skip, false)?;
                    copy.pass(keep, true)?;
                }
            }
        }
    }
    while copy.fill()? {
        copy.pass(copy.used.len() as u64, true)?;
    }
    (copy.sink)(&copy.out)
}

/// The number of bytes that are read and written at once.
const BUFFER: usize = 64 << 10;

struct Copy<'a> {
    feed: Feed<'a>,
    sink: Sink<'a>,
    buffer: Box<[u8]>,
    /// The part of the buffer that was read but not copied.
    used: std::ops::Range<usize>,
    /// The offset in the input.
    at: u64,
    out: Vec<u8>,
}

impl Copy<'_> {
    /// Reads more, if everything was copied. Returns `false` at the end.
    fn fill(&mut self) -> Result<bool> {
        if self.used.is_empty() {
            let count = (self.feed)(&mut self.buffer)?;
            self.used = 0..count.min(self.buffer.len());
        }
        Ok(!self.used.is_empty())
    }

    /// Copies that many bytes, or leaves them out.
    fn pass(&mut self, mut count: u64, keep: bool) -> Result {
        while count > 0 {
            if !self.fill()? {
                let message = "a patch is after the end of the bytes";
                return Err(Error::new(ErrorKind::UnexpectedEnd, message));
            }
            let now = usize::try_from(count).unwrap_or(usize::MAX).min(self.used.len());
            let piece = self.used.start..self.used.start + now;
            if keep {
                self.out.extend_from_slice(&self.buffer[piece]);
                self.flush()?;
            }
            self.used.start += now;
            self.at += now as u64;
            count -= now as u64;
        }
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result {
        self.out.extend_from_slice(bytes);
        self.flush()
    }

    fn flush(&mut self) -> Result {
        if self.out.len() >= BUFFER {
            (self.sink)(&self.out)?;
            self.out.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Patches bytes that arrive in pieces of that length.
    fn patched(bytes: &[u8], most: usize, patches: Vec<Patch>) -> Result<Vec<u8>> {
        let (mut left, mut out) = (bytes, Vec::new());
        let feed = &mut |buffer: &mut [u8]| {
            let (now, rest) = left.split_at(left.len().min(most).min(buffer.len()));
            buffer[..now.len()].copy_from_slice(now);
            left = rest;
            Ok(now.len())
        };
        patch(patches, feed, &mut |bytes| {
            out.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(out)
    }

    fn replace(at: u64, len: u64, with: &[u8]) -> Patch {
        Patch::Replace { at, len, with: with.to_vec() }
    }

    #[test]
    fn bytes_are_replaced_and_left_out() {
        for most in [1, 2, 3, 100] {
            let patches = vec![
                Patch::Thin { at: 5, count: 3, skip: 1, keep: 2 },
                replace(0, 1, b"ABC"),
                replace(3, 2, b""),
                replace(15, 0, b"!"),
            ];
            let out = patched(b"abcde-fg-hi-jkl", most, patches).unwrap();
            assert_eq!(out, b"ABCbcfghijkl!");
            assert_eq!(patched(b"", most, Vec::new()).unwrap(), b"");
        }
        let long = vec![7; 3 * BUFFER + 5];
        let patches = vec![replace(2 * BUFFER as u64, 2, &[8; 2 * BUFFER])];
        let out = patched(&long, BUFFER, patches).unwrap();
        assert_eq!(out.len(), long.len() - 2 + 2 * BUFFER);
        assert!(out[2 * BUFFER..4 * BUFFER].iter().all(|byte| *byte == 8));
    }

    #[test]
    fn patches_that_do_not_fit_are_refused() {
        let error = patched(b"abc", 9, vec![replace(2, 2, b"")]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEnd);
        let error = patched(b"abc", 9, vec![replace(0, 2, b""), replace(1, 1, b"")]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
}
