//! [`Compression`]: how the frames of a body are compressed.
// Why: docs/decisions/saves.md#the-size-of-a-frame-is-bounded-by-lz4

use archive_core::{Error, ErrorKind, Result};
use lz4_flex::block::{
    CompressTable, compress_into_with_table, decompress_into, get_maximum_output_size,
};

use super::EXPANSION;

/// How the body of a save is compressed. Each frame records its method, so every save loads under
/// every setting. A frame that would not get smaller is stored uncompressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// No compression.
    None,
    /// lz4: fast in both directions.
    #[default]
    Lz4,
    /// zstd: smaller files, but saving takes several times as long. Needs the feature `zstd`.
    #[cfg(feature = "zstd")]
    Zstd,
}

/// The numbers of the methods in a file.
const STORED: u32 = 0;
const LZ4: u32 = 1;
const ZSTD: u32 = 2;

/// Compresses frames, one after another.
pub struct Compressor {
    table: CompressTable,
    #[cfg(feature = "zstd")]
    zstd: Option<zstd::bulk::Compressor<'static>>,
}

impl Compressor {
    /// # Errors
    /// [`ErrorKind::Io`] if there is not enough memory.
    pub fn new(compression: Compression) -> Result<Compressor> {
        _ = compression;
        Ok(Compressor {
            table: CompressTable::large(),
            #[cfg(feature = "zstd")]
            zstd: match compression {
                Compression::Zstd => {
                    let level = zstd::DEFAULT_COMPRESSION_LEVEL;
                    Some(zstd::bulk::Compressor::new(level).map_err(Error::io)?)
                }
                _ => None,
            },
        })
    }

    /// Appends a frame's data to `out`. Returns the number of the compression method.
    pub fn append(&mut self, compression: Compression, raw: &[u8], out: &mut Vec<u8>) -> u32 {
        #[cfg(feature = "zstd")]
        if let Some(zstd) = &mut self.zstd {
            let start = grow(out, zstd::zstd_safe::compress_bound(raw.len()));
            let len = zstd.compress_to_buffer(raw, &mut out[start..]).unwrap_or(usize::MAX);
            if len < raw.len() && raw.len() as u64 <= len as u64 * EXPANSION {
                out.truncate(start + len);
                return ZSTD;
            }
            out.truncate(start);
        }
        if compression != Compression::None {
            let start = grow(out, get_maximum_output_size(raw.len()));
            let len = compress_into_with_table(raw, &mut out[start..], &mut self.table);
            let len = len.unwrap_or(usize::MAX);
            if len < raw.len() {
                out.truncate(start + len);
                return LZ4;
            }
            out.truncate(start);
        }
        out.extend_from_slice(raw);
        STORED
    }
}

/// Extends a buffer, and returns where the new bytes begin.
fn grow(out: &mut Vec<u8>, room: usize) -> usize {
    let start = out.len();
    out.resize(start + room, 0);
    start
}

/// Decompresses the data of a frame and appends the `raw` bytes to `out`. The checksum was
/// verified, so an error means that the file was forged.
///
/// # Errors
/// [`ErrorKind::Syntax`] if they decompress to another number of bytes, [`ErrorKind::Unsupported`]
/// if this program lacks the compression method, [`ErrorKind::SizeLimit`] if there is not enough
/// memory.
pub fn decompress(method: u32, data: &[u8], raw: usize, out: &mut Vec<u8>) -> Result {
    // No more is reserved than such a short frame can hold.
    if raw as u64 > data.len() as u64 * EXPANSION {
        return Err(wrong(raw));
    }
    let start = out.len();
    reserve(out, raw)?;
    match method {
        STORED => out.extend_from_slice(data),
        LZ4 => {
            out.resize(start + raw, 0);
            let len = decompress_into(data, &mut out[start..]).unwrap_or(0);
            out.truncate(start + len);
        }
        #[cfg(feature = "zstd")]
        ZSTD => {
            out.resize(start + raw, 0);
            let len = zstd::bulk::decompress_to_buffer(data, &mut out[start..]).unwrap_or(0);
            out.truncate(start + len);
        }
        #[cfg(not(feature = "zstd"))]
        ZSTD => {
            let message = "compressed with zstd, which needs the feature `zstd`";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        method => {
            let message = format_args!("unknown compression method {method}");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    }
    if out.len() == start + raw { Ok(()) } else { Err(wrong(raw)) }
}

/// Reserves room for that many more bytes.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] if there is not enough memory.
pub fn reserve(out: &mut Vec<u8>, bytes: usize) -> Result {
    out.try_reserve_exact(bytes).map_err(|error| Error::new(ErrorKind::SizeLimit, error))
}

#[cold]
fn wrong(raw: usize) -> Error {
    let message = format_args!("a frame does not decompress to {raw} bytes");
    Error::new(ErrorKind::Syntax, message)
}
