//! The head of a save file: the metadata, without the body.
// Why: docs/decisions/saves.md#the-head-has-three-sections

use std::path::Path;

use archive_core::{Error, ErrorKind, Result};

use super::{HEAD, MAGIC, MAX_SECTIONS, SUM, VERSION, sum, u32_at, u64_at};
use crate::fault::damaged;

/// The sections of a head.
#[derive(Clone, Copy)]
pub struct Sections<'h> {
    /// The fields of [`Meta`](crate::Meta), as JSON.
    pub record: &'h [u8],
    /// The metadata of the game, as JSON; empty if there is none.
    pub user: &'h [u8],
    /// A picture in a format of the game's choice.
    pub thumbnail: &'h [u8],
}

/// A head that was read.
pub struct Head<'h> {
    pub sections: Sections<'h>,
    /// The checksum of the sections, which seeds all others.
    pub seed: u64,
    /// The length of the head, which is the offset of the frames.
    pub len: usize,
}

/// Returns whether a file begins with the signature of a save file.
pub fn has_magic(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

impl Sections<'_> {
    /// Returns the bytes of a head, and the seed of the checksums after it.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`] if metadata and thumbnail are too long.
    pub fn to_head(self) -> Result<(Vec<u8>, u64)> {
        let parts = [self.record, self.user, self.thumbnail];
        let total: usize = parts.iter().map(|part| part.len()).sum();
        if total as u64 > MAX_SECTIONS {
            let message = format_args!(
                "metadata and thumbnail have {total} bytes, and the limit is {MAX_SECTIONS}"
            );
            return Err(Error::new(ErrorKind::SizeLimit, message));
        }
        let mut head = Vec::with_capacity(HEAD + total + SUM);
        head.extend(MAGIC);
        head.extend(VERSION.to_le_bytes());
        head.extend([0, 0]);
        for part in parts {
            head.extend((part.len() as u32).to_le_bytes());
        }
        let seed = sum(&head, 0);
        head.extend(seed.to_le_bytes());
        for part in parts {
            head.extend_from_slice(part);
        }
        let seed = sum(&head[HEAD..], seed);
        head.extend(seed.to_le_bytes());
        Ok((head, seed))
    }
}

/// Returns how many bytes of sections and their checksum follow the first [`HEAD`] bytes of a file.
///
/// # Errors
/// [`ErrorKind::Syntax`] if the bytes are damaged, [`ErrorKind::NewerVersion`] if the layout is
/// newer than this library.
pub fn sections_len(path: &Path, start: &[u8]) -> Result<u64> {
    if !has_magic(start) {
        return Err(damaged(path, "it does not begin with the signature of a save file"));
    }
    if start.len() < HEAD {
        return Err(damaged(path, "it is cut short"));
    }
    if sum(&start[..HEAD - SUM], 0) != u64_at(start, HEAD - SUM) {
        return Err(damaged(path, "the checksum of the head differs"));
    }
    let version = u16::from_le_bytes([start[8], start[9]]);
    if version != VERSION || start[10..12] != [0, 0] {
        let message = format_args!(
            "{} has version {version} of the layout of saves, and this program reads {VERSION}",
            path.display()
        );
        return Err(Error::new(ErrorKind::NewerVersion, message));
    }
    let total: u64 = (0..3).map(|part| u64::from(u32_at(start, 12 + 4 * part))).sum();
    if total > MAX_SECTIONS {
        let message = format_args!(
            "{} has {total} bytes of metadata, and the limit is {MAX_SECTIONS}",
            path.display()
        );
        return Err(Error::new(ErrorKind::SizeLimit, message));
    }
    Ok(total + SUM as u64)
}

impl<'h> Head<'h> {
    /// Reads a head. More bytes may follow it.
    pub fn read(path: &Path, bytes: &'h [u8]) -> Result<Self> {
        let total = sections_len(path, bytes)? as usize;
        let Some(rest) = bytes.get(HEAD..HEAD + total) else {
            return Err(damaged(path, "it is cut short"));
        };
        let (sections, seed) = rest.split_at(total - SUM);
        let seed = u64_at(seed, 0);
        if sum(sections, u64_at(bytes, HEAD - SUM)) != seed {
            return Err(damaged(path, "the checksum of the metadata differs"));
        }
        let len = |part: usize| u32_at(bytes, 12 + 4 * part) as usize;
        let (record, rest) = sections.split_at(len(0));
        let (user, thumbnail) = rest.split_at(len(1));
        Ok(Head { sections: Sections { record, user, thumbnail }, seed, len: HEAD + total })
    }
}
