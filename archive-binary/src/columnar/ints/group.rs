//! [`Group`]: reads a column of integers in groups.

use archive_core::Result;

use super::{Int, Ints, SIGN, mask, too_few, too_large};
use crate::cursor::{Cursor, offset};

/// The number of integers that are read at once.
const GROUP: usize = 64;

/// A column that is read in groups. All of its integers were checked.
#[derive(Clone)]
pub(crate) struct Group<'a> {
    values: [u64; GROUP],
    /// The index of the next value, or [`GROUP`].
    next: usize,
    /// The differences after the group, their number and their width in bits.
    bytes: &'a [u8],
    left: u64,
    width: u8,
    least: u64,
    /// The sign bit, if the integers are signed.
    flip: u64,
}

impl Default for Group<'_> {
    fn default() -> Self {
        Group { values: [0; GROUP], next: GROUP, bytes: &[], left: 0, width: 64, least: 0, flip: 0 }
    }
}

impl<'a> Group<'a> {
    /// Reads the column at the cursor, which has at least a value. `size` is the number of bytes of an
    /// integer in memory, and `most` the largest one, if it is less than those bytes can store.
    pub(crate) fn open(
        int: Int,
        rows: u64,
        size: usize,
        most: u64,
        from: &mut Cursor<'a>,
    ) -> Result<Self> {
        let at = from.at();
        let Ints { width, least, bytes, .. } = Ints::open(int, rows, from)?;
        let group = Group { bytes, left: rows, width, ..Group::default() };
        let (flip, low) = if int.signed { (SIGN, SIGN - (1 << (8 * size - 1))) } else { (0, 0) };
        let high = most.min(u64::MAX >> (64 - 8 * size)).wrapping_add(low);
        let is_high = |difference| least.checked_add(difference).is_none_or(|value| value > high);
        if least < low || is_high(mask(width)) && is_high(group.clone().most()) {
            return Err(too_large().at(offset(at)));
        }
        Ok(Group { least, flip, ..group })
    }

    /// Returns the next value. Signed integers have their sign bits as they are in memory.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Result<u64> {
        if self.next >= GROUP {
            self.refill()?;
        }
        let value = self.values[self.next % GROUP];
        self.next += 1;
        Ok(value)
    }

    /// Returns the next value without taking it.
    pub(crate) fn peek(&mut self) -> Result<u64> {
        let value = self.next()?;
        self.next -= 1;
        Ok(value)
    }

    /// Whether all values were read.
    pub(crate) fn is_done(&self) -> bool {
        self.left == 0 && self.next >= GROUP
    }

    /// Calls a function with all values that are left.
    pub(crate) fn each(mut self, mut each: impl FnMut(u64)) {
        loop {
            self.values[self.next..].iter().for_each(|value| each(*value));
            if self.refill().is_err() {
                return;
            }
        }
    }

    fn most(self) -> u64 {
        let mut most = 0;
        self.each(|value| most = value.max(most));
        most
    }

    /// Returns the sum of all values, or the largest integer if it is more.
    pub(crate) fn sum(&self) -> u64 {
        let mut sum = 0_u64;
        self.clone().each(|value| sum = sum.saturating_add(value));
        sum
    }

    #[inline(never)]
    fn refill(&mut self) -> Result {
        let count = self.left.min(GROUP as u64) as usize;
        if count == 0 {
            return Err(too_few());
        }
        let len = (count * usize::from(self.width)).div_ceil(8);
        let Some((bytes, rest)) = self.bytes.split_at_checked(len) else { return Err(too_few()) };
        let Group { least, flip, .. } = *self;
        self.next = GROUP - count;
        let values = &mut self.values[GROUP - count..];
        let of = |difference: u64| least.wrapping_add(difference) ^ flip;
        macro_rules! fill {
            ($differences:expr) => {
                values
                    .iter_mut()
                    .zip($differences)
                    .for_each(|(value, difference)| *value = of(difference))
            };
        }
        let bits = |each: usize| {
            let width = 8 / each;
            (0..count).map(move |at| {
                u64::from(bytes[at / each]) >> (at % each * width) & ((1 << width) - 1)
            })
        };
        match self.width {
            1 => fill!(bits(8)),
            2 => fill!(bits(4)),
            4 => fill!(bits(2)),
            8 => fill!(bytes.iter().map(|byte| u64::from(*byte))),
            16 => {
                fill!(bytes.as_chunks().0.iter().map(|word| u64::from(u16::from_le_bytes(*word))))
            }
            32 => {
                fill!(bytes.as_chunks().0.iter().map(|word| u64::from(u32::from_le_bytes(*word))))
            }
            _ => fill!(bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word))),
        }
        self.bytes = rest;
        self.left -= count as u64;
        Ok(())
    }
}
