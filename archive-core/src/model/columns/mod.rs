//! [`Columns`]: values that are saved in columns. [`Taken`]: a column that is loaded.
// Why: docs/decisions/binary.md#columns-are-a-second-form-of-rows

mod ints;
mod taken;

pub use ints::Ints;
pub use taken::Taken;

use crate::model::put;
use crate::model::shape::{Primitive, Shape};

/// The number of values that are saved at once.
pub const GROUP: usize = 64;

/// The shape of items, and the address of the function that creates a new one. Types with one shape may have
/// different new values.
pub type NewItem = (&'static Shape, usize);

/// Columns in the order in which a value visits them.
#[derive(Debug, Default)]
pub struct Columns {
    /// All columns.
    pub list: Vec<Column>,
    /// The index of the next column.
    pub at: usize,
}

/// The values of a column.
#[derive(Debug, Default)]
pub struct Column {
    /// Integers, lengths, variants or flags, each with the same number of bytes, the lowest byte first.
    /// The sign bits of signed integers are flipped.
    pub ints: Vec<u8>,
    /// Texts, or values of a fixed size.
    pub bytes: Vec<u8>,
    /// The index after the columns inside of this one.
    pub next: usize,
    /// Whether lengths take eight bytes and not four.
    pub is_long: bool,
}

impl Columns {
    /// Moves to the next column, and returns the one before.
    #[inline(always)]
    pub fn take(&mut self) -> Option<&mut Column> {
        let column = self.list.get_mut(self.at);
        self.at += 1;
        column
    }

    /// Reserves memory for `times` as many values as there are.
    pub fn reserve(&mut self, times: usize) {
        /// Values at the start may be longer than others.
        const MOST: usize = 1 << 20;
        for column in &mut self.list {
            column.ints.reserve(column.ints.len().saturating_mul(times).min(MOST));
            column.bytes.reserve(column.bytes.len().saturating_mul(times).min(MOST));
        }
    }

    /// Returns the index after a column and those inside of it.
    #[inline(always)]
    pub fn end_of(&self, at: usize) -> usize {
        self.list.get(at).map_or(at, |column| column.next)
    }

    /// Adds at most [`GROUP`] integers.
    #[inline(always)]
    pub fn ints<const N: usize>(&mut self, values: impl ExactSizeIterator<Item = [u8; N]>) {
        let Some(column) = self.take() else { return };
        extend(values, &mut column.ints);
    }

    /// Adds at most [`GROUP`] values of a fixed size.
    #[inline(always)]
    pub fn fixed<const N: usize>(&mut self, values: impl ExactSizeIterator<Item = [u8; N]>) {
        let Some(column) = self.take() else { return };
        extend(values, &mut column.bytes);
    }

    /// Adds numbers as they are in memory.
    #[inline]
    pub fn blocks<'b>(
        &mut self,
        blocks: impl Iterator<Item = &'b [u8]> + Clone,
        number: Primitive,
    ) {
        let Some(column) = self.take() else { return };
        let sum = blocks.clone().map(<[u8]>::len).sum();
        match number {
            Primitive::F32 | Primitive::F64 | Primitive::U128 | Primitive::I128 => {
                put::all::<{ put::LISTS }>(&mut column.bytes, sum, blocks);
            }
            _ => {
                let start = column.ints.len();
                put::all::<{ put::LISTS }>(&mut column.ints, sum, blocks);
                column.flip(start, number);
            }
        }
    }

    /// Adds at most [`GROUP`] lengths. Returns their sum.
    #[inline(always)]
    pub fn lens(&mut self, lens: impl ExactSizeIterator<Item = usize> + Clone) -> usize {
        let Some(column) = self.take() else { return 0 };
        let (mut sum, mut all) = (0, 0);
        let mut short = [[0; 4]; GROUP];
        for (to, len) in short.iter_mut().zip(lens.clone()) {
            *to = (len as u32).to_le_bytes();
            sum += len;
            all |= len;
        }
        if all <= u32::MAX as usize && !column.is_long {
            column.ints.extend_from_slice(short[..lens.len().min(GROUP)].as_flattened());
        } else {
            lens.for_each(|len| column.push_len(len));
        }
        sum
    }

    /// Adds at most [`GROUP`] variants without payloads.
    #[inline]
    pub fn variants(&mut self, variants: impl ExactSizeIterator<Item = usize>) {
        let end = self.end_of(self.at);
        self.ints(variants.map(|variant| (variant as u32).to_le_bytes()));
        self.at = end;
    }

    /// Adds at most [`GROUP`] texts.
    #[inline]
    pub fn texts<'t>(&mut self, texts: impl ExactSizeIterator<Item = &'t [u8]> + Clone) {
        let at = self.at;
        let sum = self.lens(texts.clone().map(<[u8]>::len));
        if let Some(column) = self.list.get_mut(at) {
            put::all::<{ put::TEXT }>(&mut column.bytes, sum, texts);
        }
    }
}

impl Column {
    /// Adds an integer.
    #[inline(always)]
    pub fn push<const N: usize>(&mut self, word: [u8; N]) {
        self.ints.extend_from_slice(&word);
    }

    /// Flips the sign bits of the integers from an offset on, if they have signs.
    pub fn flip(&mut self, start: usize, number: Primitive) {
        let size = match number {
            Primitive::I8 => 1,
            Primitive::I16 => 2,
            Primitive::I32 => 4,
            Primitive::I64 => 8,
            _ => return,
        };
        self.ints[start..].chunks_exact_mut(size).for_each(|word| word[size - 1] ^= 0x80);
    }

    /// Adds a length.
    #[inline(always)]
    pub fn push_len(&mut self, len: usize) {
        match u32::try_from(len) {
            Ok(len) if !self.is_long => self.push(len.to_le_bytes()),
            _ => self.push_long(len),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_long(&mut self, len: usize) {
        if !std::mem::replace(&mut self.is_long, true) {
            let long = self.ints.as_chunks().0.iter();
            let long = long.flat_map(|len| u64::from(u32::from_le_bytes(*len)).to_le_bytes());
            self.ints = long.collect();
        }
        self.push((len as u64).to_le_bytes());
    }

    /// Adds a text or bytes.
    #[inline(always)]
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        self.push_len(bytes.len());
        put::short(&mut self.bytes, bytes);
    }
}

/// Appends at most [`GROUP`] values.
#[inline(always)]
fn extend<const N: usize>(values: impl ExactSizeIterator<Item = [u8; N]>, to: &mut Vec<u8>) {
    let count = values.len();
    let mut group = [[0; N]; GROUP];
    group.iter_mut().zip(values).for_each(|(to, value)| *to = value);
    if count >= GROUP {
        // The compiler knows the length of most groups.
        to.extend_from_slice(group.as_flattened());
    } else {
        to.extend_from_slice(group[..count].as_flattened());
    }
}
