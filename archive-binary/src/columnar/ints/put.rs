//! Writes columns of integers.

use super::{Int, WIDTHS, mask};

/// An unsigned integer of the width that the integers of a column have in memory.
pub(crate) trait Word: Copy + Ord + Into<u64> {
    const BITS: u32;
    fn from_u64(value: u64) -> Self;
    fn wrapping_sub(self, other: Self) -> Self;
    /// Maps small magnitudes to small numbers. The word is a signed integer with its sign bit flipped.
    fn zigzag(self) -> Self;
}

macro_rules! words {
    ($($Word:ident)*) => { $(
        impl Word for $Word {
            const BITS: u32 = $Word::BITS;
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as $Word
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                $Word::wrapping_sub(self, other)
            }
            #[inline(always)]
            fn zigzag(self) -> Self {
                let positive = self.wrapping_sub(1 << ($Word::BITS - 1));
                (positive << 1) ^ (self >> ($Word::BITS - 1)).wrapping_sub(1)
            }
        }
    )* };
}
words!(u8 u16 u32 u64);

/// The bounds of the integers of a column, in their order, and the number of bytes that they take in
/// rows.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    least: u64,
    most: u64,
    pub(crate) row_len: u64,
}

/// Returns the bounds of integers. If they are signed, their sign bits are flipped. Returns `None` if
/// there are none.
pub(crate) fn bounds<T: Word>(
    int: Int,
    values: impl ExactSizeIterator<Item = T> + Clone,
) -> Option<Bounds> {
    let first = values.clone().next()?;
    let (least, most) = values
        .clone()
        .fold((first, first), |(least, most), value| (least.min(value), most.max(value)));
    let (least, most) = (int.ordered(least), int.ordered(most));
    let count = values.len() as u64;
    let row_len = match (int.len(least), int.len(most)) {
        (one, other) if one == other && int.have_one_len(least, most) => one * count,
        _ if T::BITS > 32 => values.map(|value| int.len(int.ordered(value))).sum(),
        _ if int.signed => varints_len(values.map(Word::zigzag)),
        _ => varints_len(values),
    };
    Some(Bounds { least, most, row_len })
}

/// Returns the number of bytes of integers as varints.
#[inline(always)]
fn varints_len<T: Word>(values: impl ExactSizeIterator<Item = T> + Clone) -> u64 {
    // The compiler uses vectors to count the integers that are longer than a length, but not for the length of
    // each integer.
    let is_longer = |bits| {
        let limit = T::from_u64(1_u64 << bits);
        values.clone().map(|value| usize::from(value >= limit)).sum::<usize>()
    };
    let longer: usize = (7..T::BITS).step_by(7).map(is_longer).sum();
    (values.len() + longer) as u64
}

/// Appends a column.
pub(crate) fn put<T: Word>(
    int: Int,
    bounds: Bounds,
    values: impl ExactSizeIterator<Item = T>,
    out: &mut Vec<u8>,
) {
    let Bounds { least, most, .. } = bounds;
    let is_enough = |width: &u8| mask(*width) >= most - least && int.allows(*width, least);
    let width = WIDTHS.into_iter().find(is_enough).unwrap_or(64);
    out.push(width);
    int.write(least, out);
    let least = T::from_u64(least.wrapping_sub(int.offset::<T>()));
    let differences = values.map(|value| value.wrapping_sub(least).into());
    match width {
        1 | 2 | 4 => pack(width, differences.map(|value: u64| value as u8), out),
        8 => out.extend(differences.map(|value: u64| value as u8)),
        16 => out.extend(differences.flat_map(|value: u64| (value as u16).to_le_bytes())),
        32 => out.extend(differences.flat_map(|value: u64| (value as u32).to_le_bytes())),
        _ => out.extend(differences.flat_map(u64::to_le_bytes)),
    }
}

/// Appends numbers of 1, 2 or 4 bits, the first one in the lowest bits of a byte.
fn pack(width: u8, values: impl ExactSizeIterator<Item = u8>, out: &mut Vec<u8>) {
    let mut values: Vec<u8> = values.collect();
    let end = out.len() + (values.len() * usize::from(width)).div_ceil(8);
    values.resize(values.len().next_multiple_of(8), 0);
    // Moves the numbers of eight bytes together, by 1, 2 and 4 bytes.
    let words = values.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
    match width {
        1 => out.extend(words.map(|x| (x.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8)),
        2 => out.extend(words.flat_map(|x| {
            let x = x | x >> 6;
            let x = x | x >> 12;
            [x as u8, (x >> 32) as u8]
        })),
        _ => out.extend(words.flat_map(|x| {
            let x = x | x >> 4;
            [x as u8, (x >> 16) as u8, (x >> 32) as u8, (x >> 48) as u8]
        })),
    }
    out.truncate(end);
}
