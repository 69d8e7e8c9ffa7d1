//! Cutting MessagePack at a position: open containers end before it. Their counts are corrected,
//! and all other bytes are unchanged.

/// A container that is open.
struct Open {
    /// The offset of its header.
    header: usize,
    is_map: bool,
    /// The number of its values, keys included, and the number of complete ones.
    total: u64,
    whole: u64,
    /// The end of its last complete item or entry, or of its header.
    end: usize,
}

/// The kind of value that begins at a byte.
enum Found {
    /// A value of that many bytes.
    Scalar(usize),
    /// A container with a header of `header` bytes and `total` values.
    Container { is_map: bool, header: usize, total: u64 },
}

/// Returns the bytes up to `hole` as a complete value, or `None` if there is none.
pub fn closed(bytes: &[u8], hole: usize) -> Option<Vec<u8>> {
    let bytes = &bytes[..hole.min(bytes.len())];
    let (mut at, mut open) = (0, Vec::<Open>::new());
    while let Some(found) = found(bytes, at) {
        match found {
            Found::Scalar(len) if at + len > bytes.len() => break,
            Found::Scalar(len) => at += len,
            Found::Container { is_map, header, total } => {
                at += header;
                if total > 0 {
                    open.push(Open { header: at - header, is_map, total, whole: 0, end: at });
                    continue;
                }
            }
        }
        // Close all containers that end here.
        loop {
            let Some(inner) = open.last_mut() else { return Some(bytes[..at].to_vec()) };
            inner.whole += 1;
            if !inner.is_map || inner.whole.is_multiple_of(2) {
                inner.end = at;
            }
            if inner.whole < inner.total {
                break;
            }
            open.pop();
        }
    }
    // A container that is the key of an incomplete entry is dropped with it.
    let is_key = |open: &[Open], at: usize| {
        at > 0 && open[at - 1].is_map && open[at - 1].whole.is_multiple_of(2)
    };
    if let Some(at) = (0..open.len()).find(|at| is_key(&open, *at)) {
        open.truncate(at);
    }
    let mut kept = bytes[..open.last()?.end].to_vec();
    let last = open.len() - 1;
    for (at, container) in open.iter().enumerate() {
        let values = container.whole + u64::from(at < last);
        let count = if container.is_map { values / 2 } else { values };
        let marker = kept[container.header];
        match marker {
            0x80..=0x9f => kept[container.header] = (marker & 0xf0) | count as u8,
            0xdc | 0xde => {
                kept[container.header + 1..][..2].copy_from_slice(&(count as u16).to_be_bytes());
            }
            _ => kept[container.header + 1..][..4].copy_from_slice(&(count as u32).to_be_bytes()),
        }
    }
    Some(kept)
}

/// Returns the kind of value that begins at a byte, if its length is complete.
fn found(bytes: &[u8], at: usize) -> Option<Found> {
    let marker = *bytes.get(at)?;
    let number = |width: usize| {
        let digits = bytes.get(at + 1..at + 1 + width)?;
        Some(digits.iter().fold(0_u64, |number, digit| number << 8 | u64::from(*digit)))
    };
    let container = |is_map: bool, header: usize, count: u64| Found::Container {
        is_map,
        header,
        total: if is_map { 2 * count } else { count },
    };
    // The width of the length, and the number of bytes in addition to the length and the data.
    let sized = |width: usize, besides: usize| {
        let data = usize::try_from(number(width)?).ok()?;
        Some(Found::Scalar(data.checked_add(besides + width)?))
    };
    Some(match marker {
        0x00..=0x7f | 0xe0..=0xff | 0xc0 | 0xc2 | 0xc3 => Found::Scalar(1),
        0x80..=0x8f => container(true, 1, u64::from(marker & 0xf)),
        0x90..=0x9f => container(false, 1, u64::from(marker & 0xf)),
        0xa0..=0xbf => Found::Scalar(1 + usize::from(marker & 0x1f)),
        0xc1 => return None,
        0xc4 | 0xd9 => sized(1, 1)?,
        0xc5 | 0xda => sized(2, 1)?,
        0xc6 | 0xdb => sized(4, 1)?,
        0xc7 => sized(1, 2)?,
        0xc8 => sized(2, 2)?,
        0xc9 => sized(4, 2)?,
        0xca | 0xce | 0xd2 => Found::Scalar(5),
        0xcb | 0xcf | 0xd3 => Found::Scalar(9),
        0xcc | 0xd0 => Found::Scalar(2),
        0xcd | 0xd1 => Found::Scalar(3),
        0xd4..=0xd8 => Found::Scalar(2 + (1 << (marker - 0xd4))),
        0xdc => container(false, 3, number(2)?),
        0xdd => container(false, 5, number(4)?),
        0xde => container(true, 3, number(2)?),
        0xdf => container(true, 5, number(4)?),
    })
}
