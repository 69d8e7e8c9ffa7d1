//! Files with forged lengths, ids, names and tables: parts of them are repeated, nested in each
//! other and left out, numbers are replaced by others, and their frames are corrected.

use archive::Format;

/// Pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

/// A file of a format with a few changes, which a number chooses.
pub fn forge(format: Format, file: &[u8], seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed * 2 + 1);
    let (from, to) = part(format, file, dice.below(3) == 0);
    let mut bytes = file[from..to].to_vec();
    for _ in 0..=dice.below(3) {
        change(&mut bytes, &mut dice);
    }
    let all = [&file[..from], &bytes, &file[to..]].concat();
    framed(format, file, all, (from, bytes.len()))
}

/// The part of a file that is changed; the tables, or all but them.
fn part(format: Format, file: &[u8], tables: bool) -> (usize, usize) {
    match format.name() {
        "binary" | "columns" => match tables_of(file) {
            Some(start) if tables => (start, file.len() - FOOTER),
            Some(start) => (HEAD, start),
            None => (0, file.len()),
        },
        "bins" if file.len() > 56 => (12, file.len()),
        _ => (0, file.len()),
    }
}

fn change(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let len = bytes.len();
    if len == 0 {
        return;
    }
    let at = dice.below(len);
    let end = at + dice.below((len - at).min(24)) + 1;
    let end = end.min(len);
    match dice.below(10) {
        // A length: as a varint, as four bytes, as MessagePack and CBOR have it, in digits.
        0 => put(bytes, at, &varint(len as u64 / 2)),
        1 => put(bytes, at, &varint(1 << dice.below(63))),
        2 => put(bytes, at, &(len as u32).to_le_bytes()),
        3 => put(bytes, at, &[0xdc, (len >> 8) as u8, len as u8]),
        4 => put(bytes, at, &[0x99, (len >> 8) as u8, len as u8]),
        5 => put(bytes, at, &[0xff, 0xff, 0xff, 0x7f]),
        6 => bytes[at] = [0x91, 0x9f, 0x81, b'[', b'{', b'9', 0, 1][dice.below(8)],
        // A part many times, and parts inside of each other.
        7 => {
            let part = bytes[at..end].repeat(1 + dice.below(40));
            bytes.splice(at..at, part);
        }
        8 => {
            let part: Vec<u8> = bytes[at..end].to_vec();
            for _ in 0..dice.below(20) {
                let into = dice.below(bytes.len());
                bytes.splice(into..into, part.iter().copied());
            }
        }
        _ => drop(bytes.drain(at..end)),
    }
}

fn put(bytes: &mut Vec<u8>, at: usize, new: &[u8]) {
    let end = (at + new.len()).min(bytes.len());
    bytes.splice(at..end, new.iter().copied());
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
    out
}

const HEAD: usize = 6;
const FOOTER: usize = 16;

/// Where the tables of a binary file begin.
fn tables_of(file: &[u8]) -> Option<usize> {
    let footer = file.len().checked_sub(FOOTER)?;
    let len = u64::from_le_bytes(file[footer..footer + 8].try_into().ok()?);
    footer.checked_sub(usize::try_from(len).ok()?).filter(|start| *start >= HEAD)
}

/// Writes the footer of a binary file whose tables begin there.
fn frame(file: &mut [u8], tables: usize) {
    let (footer, total) = (file.len() - FOOTER, file.len() as u64);
    let tables = footer.saturating_sub(tables) as u64;
    file[footer..footer + 8].copy_from_slice(&tables.to_le_bytes());
    file[footer + 8..].copy_from_slice(&total.to_le_bytes());
}

fn framed(format: Format, old: &[u8], mut file: Vec<u8>, (at, len): (usize, usize)) -> Vec<u8> {
    match (format.name(), tables_of(old)) {
        ("columns", Some(start)) => frame(&mut file, if at < start { at + len } else { start }),
        ("binary", Some(start)) => {
            // The tables begin with the end of the root, which moves with the data.
            let tables = if at < start { at + len } else { start };
            if at < start {
                let width = file[tables..].iter().take_while(|byte| **byte >= 0x80).count() + 1;
                file.splice(tables..tables + width, varint(tables as u64));
            }
            frame(&mut file, tables);
        }
        ("bins", _) if file.len() > 56 => {
            let size = file.len() as u32;
            file[8..12].copy_from_slice(&size.to_le_bytes());
            let body = crc32(&file[56..]);
            file[48..52].copy_from_slice(&body.to_le_bytes());
            let header = crc32(&file[..52]);
            file[52..56].copy_from_slice(&header.to_le_bytes());
        }
        _ => {}
    }
    file
}

/// CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}
