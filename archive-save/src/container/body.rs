//! Reading the body of a save file.

use std::path::Path;

use archive_core::{Error, ErrorKind, Result};

use super::compression::decompress;
use super::{EXPANSION, FRAME, FRAME_HEAD, Head, SUM, TAIL, Tail, sum, u32_at, u64_at};
use crate::fault::damaged;

/// Verifies a whole file, and returns its body. It takes no more than 255 bytes for each byte of
/// the file.
///
/// # Errors
/// [`ErrorKind::Syntax`] if any byte is not as it was written, and those of [`Head::read`].
pub fn body(path: &Path, file: &[u8], head: &Head<'_>) -> Result<Vec<u8>> {
    let end = file.len().saturating_sub(TAIL).max(head.len);
    let (frames, tail) = (&file[head.len..end], &file[end..]);
    let tail = Tail::read(path, tail, head.seed, file.len() as u64)?;
    let room = tail.body.min(frames.len() as u64 * EXPANSION);
    let mut body = Vec::with_capacity(usize::try_from(room).map_err(Error::custom)?);
    let mut rest = frames;
    for number in 0..tail.frames {
        let what = |what: &str| format!("frame {} of {}: {what}", number + 1, tail.frames);
        let cut = || damaged(path, what("it is cut short"));
        if rest.len() < FRAME_HEAD + SUM {
            return Err(cut());
        }
        let (raw, packed) = (u32_at(rest, 0) as usize, u32_at(rest, 4) as usize);
        if packed > rest.len() - FRAME_HEAD - SUM {
            return Err(cut());
        }
        let (frame, after) = rest.split_at(FRAME_HEAD + packed);
        if sum(frame, head.seed.wrapping_add(number.into())) != u64_at(after, 0) {
            return Err(damaged(path, what("the checksum differs")));
        }
        if raw > FRAME {
            return Err(damaged(path, what("it is too long")));
        }
        let data = &frame[FRAME_HEAD..];
        decompress(u32_at(frame, 8), data, raw, &mut body).map_err(|error| match error.kind() {
            ErrorKind::Syntax => damaged(path, what(error.message())),
            kind => Error::new(kind, format_args!("{}: {}", path.display(), error.message())),
        })?;
        rest = &after[SUM..];
    }
    if !rest.is_empty() || body.len() as u64 != tail.body {
        return Err(damaged(path, "its parts are not as long as it says"));
    }
    Ok(body)
}
