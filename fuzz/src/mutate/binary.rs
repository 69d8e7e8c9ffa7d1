//! Mutations that keep the frame of a binary file valid, so that they pass the first check.

use archive::binary::Binary;

use super::mutate;

const FOOTER: usize = 16;

/// As [`mutate`], but of the bytes mostly either the data or the tables change, and the frame is put
/// right afterwards.
pub fn binary(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    change: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    if seed % 8 < 5
        && let Some(size) = framed(&mut data[..max_size], size, seed % 8 < 2, change)
    {
        return size;
    }
    mutate::<Binary>(data, size, max_size, seed / 8, change)
}

/// `None` if this is not a file with such a frame.
fn framed(
    buffer: &mut [u8],
    size: usize,
    in_tables: bool,
    change: fn(&mut [u8], usize, usize) -> usize,
) -> Option<usize> {
    const HEAD: usize = 6;
    if size < HEAD + FOOTER {
        return None;
    }
    let file = buffer[..size].to_vec();
    let tables_len = u64::from_le_bytes(file[size - 16..size - 8].try_into().ok()?);
    let tables_len = usize::try_from(tables_len).ok()?;
    let tables_at = (size - FOOTER).checked_sub(tables_len).filter(|at| *at >= HEAD)?;
    let (data, tables) = (&file[HEAD..tables_at], &file[tables_at..size - FOOTER]);
    let (root_end, rest) = varint(tables)?;
    let room = buffer.len() - size;
    let changed = |part: &[u8]| {
        let mut bytes = part.to_vec();
        // Room for the longer varint is left out.
        bytes.resize(part.len() + room.saturating_sub(10), 0);
        let len = if bytes.is_empty() {
            0
        } else {
            change(&mut bytes, part.len(), room.saturating_sub(10) + part.len())
        };
        bytes.truncate(len);
        bytes
    };
    let (data, root_end, rest) = if in_tables {
        (data.to_vec(), root_end, changed(rest))
    } else {
        let new = changed(data);
        let moved = new.len() as i64 - data.len() as i64;
        (new, root_end.checked_add_signed(moved)?, rest.to_vec())
    };
    let mut out = file[..HEAD].to_vec();
    out.extend(&data);
    let start = out.len();
    let mut number = root_end;
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
    out.extend(&rest);
    let tables = (out.len() - start) as u64;
    let total = (out.len() + FOOTER) as u64;
    out.extend(tables.to_le_bytes());
    out.extend(total.to_le_bytes());
    buffer.get_mut(..out.len())?.copy_from_slice(&out);
    Some(out.len())
}

/// The number at the start, and what follows it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (i, byte) in bytes.iter().take(9).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * i);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[i + 1..]));
        }
    }
    None
}
