//! [`Ints`]: the integers of a column that is loaded.

use super::GROUP;

/// The integers of a column, which are read in groups. All of them were checked.
#[derive(Clone, Debug)]
pub struct Ints<'a> {
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

impl Default for Ints<'_> {
    fn default() -> Self {
        Ints { values: [0; GROUP], next: GROUP, bytes: &[], left: 0, width: 64, least: 0, flip: 0 }
    }
}

impl<'a> Ints<'a> {
    /// Creates a column of `left` integers: differences from the least one, each with `width` bits. If
    /// the integers are signed, `flip` is their sign bit.
    pub fn new(bytes: &'a [u8], (width, left): (u8, u64), (least, flip): (u64, u64)) -> Self {
        Ints { bytes, left, width, least, flip, ..Ints::default() }
    }

    /// Creates a column in which all values are the same, with its sign bits as they are in memory.
    pub fn repeat(value: u64) -> Self {
        Ints::new(&[], (0, u64::MAX), (value, 0))
    }

    /// Returns the next value. Signed integers have their sign bits as they are in memory.
    #[inline(always)]
    pub fn take(&mut self) -> Option<u64> {
        if self.next >= GROUP {
            self.refill()?;
        }
        let value = self.values[self.next % GROUP];
        self.next += 1;
        Some(value)
    }

    /// Takes a value.
    #[inline(always)]
    pub fn next<T>(&mut self, value: impl Fn(u64) -> Option<T>) -> Option<T> {
        value(self.take()?)
    }

    /// Takes a list of a length.
    #[inline]
    pub fn list<T>(&mut self, len: usize, value: impl Fn(u64) -> Option<T>) -> Option<Vec<T>> {
        let mut list = Vec::with_capacity(len);
        while list.len() < len {
            if self.next >= GROUP {
                self.refill()?;
            }
            let words = &self.values[self.next..];
            let words = &words[..(len - list.len()).min(words.len())];
            let before = list.len();
            list.extend(words.iter().map_while(|word| value(*word)));
            if list.len() - before < words.len() {
                return None;
            }
            self.next += words.len();
        }
        Some(list)
    }

    /// Appends that many values, each with `N` bytes, as they are in memory.
    pub fn take_words<const N: usize>(
        &mut self,
        mut count: usize,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        while count > 0 {
            if self.next >= GROUP {
                self.refill()?;
            }
            let values = &self.values[self.next..];
            let values = &values[..count.min(values.len())];
            let start = out.len();
            out.resize(start + values.len() * N, 0);
            for (word, value) in out[start..].as_chunks_mut::<N>().0.iter_mut().zip(values) {
                word.copy_from_slice(&value.to_le_bytes()[..N]);
            }
            self.next += values.len();
            count -= values.len();
        }
        Some(())
    }

    /// Leaves out all values that are left.
    pub fn clear(&mut self) {
        (self.next, self.left) = (GROUP, 0);
    }

    /// Whether all values were read.
    pub fn is_done(&self) -> bool {
        self.left == 0 && self.next >= GROUP
    }

    /// Calls a function with all values that are left.
    pub fn each(mut self, mut each: impl FnMut(u64)) {
        loop {
            self.values[self.next..].iter().for_each(|value| each(*value));
            if self.refill().is_none() {
                return;
            }
        }
    }

    /// Returns the largest value that is left.
    pub fn most(self) -> u64 {
        let mut most = 0;
        self.each(|value| most = value.max(most));
        most
    }

    /// Returns the sum of all values, or the largest integer if it is more.
    pub fn sum(&self) -> u64 {
        let mut sum = 0_u64;
        self.clone().each(|value| sum = sum.saturating_add(value));
        sum
    }

    #[inline(never)]
    fn refill(&mut self) -> Option<()> {
        let count = self.left.min(GROUP as u64) as usize;
        if count == 0 {
            return None;
        }
        let len = (count * usize::from(self.width)).div_ceil(8);
        let (bytes, rest) = self.bytes.split_at_checked(len)?;
        let Ints { least, flip, .. } = *self;
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
        // A whole group has a length that the compiler knows.
        macro_rules! fill_whole {
            ($bytes:literal, $of:expr) => {
                match (<&mut [u64; GROUP]>::try_from(&mut *values), bytes.first_chunk::<$bytes>()) {
                    (Ok(values), Some(bytes)) => {
                        let differences = $of(&bytes[..]);
                        values.iter_mut().zip(differences).for_each(|(to, it)| *to = of(it));
                    }
                    _ => fill!($of(bytes)),
                }
            };
        }
        match self.width {
            0 => values.fill(of(0)),
            1 => fill!(bytes.iter().flat_map(|byte| bits::<8>(*byte))),
            2 => fill!(bytes.iter().flat_map(|byte| bits::<4>(*byte))),
            4 => fill!(bytes.iter().flat_map(|byte| bits::<2>(*byte))),
            8 => fill_whole!(64, |bytes: &'a [u8]| bytes.iter().map(|byte| u64::from(*byte))),
            16 => fill_whole!(128, |bytes: &'a [u8]| {
                bytes.as_chunks().0.iter().map(|word| u64::from(u16::from_le_bytes(*word)))
            }),
            32 => fill_whole!(256, |bytes: &'a [u8]| {
                bytes.as_chunks().0.iter().map(|word| u64::from(u32::from_le_bytes(*word)))
            }),
            _ => fill_whole!(512, |bytes: &'a [u8]| {
                bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word))
            }),
        }
        self.bytes = rest;
        self.left -= count as u64;
        Some(())
    }
}

/// Returns the `N` numbers of a byte.
#[inline(always)]
fn bits<const N: usize>(byte: u8) -> [u64; N] {
    let width = 8 / N;
    std::array::from_fn(|at| u64::from(byte) >> (at * width) & ((1 << width) - 1))
}
