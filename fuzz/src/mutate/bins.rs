//! Mutations of Bins files that correct size and checksums, so that they pass the first checks.

use archive::bins::Bins;

use super::mutate;

/// As [`mutate`]; mostly with a valid header.
pub fn bins(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    change: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    const HEADER: usize = 56;
    let size = mutate::<Bins>(data, size, max_size, seed / 8, change);
    if !seed.is_multiple_of(8) && size >= HEADER && data.starts_with(b"\x8bSTO") {
        data[8..12].copy_from_slice(&(size as u32).to_le_bytes());
        let body = crc32fast::hash(&data[HEADER..size]);
        data[48..52].copy_from_slice(&body.to_le_bytes());
        let header = crc32fast::hash(&data[..52]);
        data[52..56].copy_from_slice(&header.to_le_bytes());
    }
    size
}
