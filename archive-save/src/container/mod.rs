//! The bytes of a save file. `docs/formats/save.md` describes them.

mod body;
mod compression;
mod frames;
mod head;
mod tail;

pub use body::Frames;
pub use compression::Compression;
pub use frames::{Packer, frames};
pub use head::{Head, Sections, has_magic, sections_len};
pub use tail::Tail;

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The first bytes of every save file. The first one does not occur in UTF-8 text, and MessagePack
/// does not use it. A transfer as text would change the line ends.
pub const MAGIC: [u8; 8] = *b"\xc1SAV\r\n\x1a\n";
/// The version of the layout.
pub const VERSION: u16 = 1;
/// Bytes of a head before its sections.
pub const HEAD: usize = 32;
/// Bytes at the end of a file.
pub const TAIL: usize = 32;
/// The last bytes before the checksum of the tail.
pub const END: [u8; 4] = *b"VAS\xc1";
/// The maximum number of bytes of the body in one frame.
pub const FRAME: usize = 128 * 1024;
/// Bytes of a frame before its data.
pub const FRAME_HEAD: usize = 12;
/// Bytes of a checksum.
pub const SUM: usize = 8;
/// The maximum number of bytes of all sections of a head.
pub const MAX_SECTIONS: u64 = 16 << 20;
/// The maximum number of bytes that one byte of a frame can become: the limit of lz4. Frames that
/// zstd would make smaller are compressed by lz4, so that the length of the file bounds the memory.
pub const EXPANSION: u64 = 255;

/// The checksum: XXH3 with 64 bits.
pub fn sum(bytes: &[u8], seed: u64) -> u64 {
    xxh3_64_with_seed(bytes, seed)
}

/// Reads a number. The caller has checked the length.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// Reads a number. The caller has checked the length.
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
