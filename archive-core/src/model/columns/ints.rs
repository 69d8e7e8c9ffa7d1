//! [`Ints`]: the integers of a column that is loaded.

use super::GROUP;

/// The integers of a column, which are read in groups. All of them were checked.
///
/// A reader takes all of them with the same number of bytes. This number may be less than that of the
/// column, if the values fit.
#[derive(Clone, Debug)]
pub struct Ints<'a> {
    /// The values of the group, each with the number of bytes that the reader takes.
    group: [u8; 8 * GROUP],
    /// The index of the next value, and the number of values in the group.
    next: usize,
    end: usize,
    /// The differences after the group, their number and their width in bits.
    bytes: &'a [u8],
    left: u64,
    width: u8,
    least: u64,
    /// The sign bit, if the integers are signed.
    flip: u64,
    /// Whether a value was taken that does not exist or is not valid.
    failed: bool,
}

impl Default for Ints<'_> {
    fn default() -> Self {
        let (group, bytes) = ([0; 8 * GROUP], &[][..]);
        let (next, end, left, width, least, flip, failed) = (0, 0, 0, 64, 0, 0, false);
        Ints { group, next, end, bytes, left, width, least, flip, failed }
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

    /// Takes the next value, with the lowest byte first. Signed integers have their sign bits as they are
    /// in memory. If there is no value, the column has [failed](Self::fail), and the value is zero.
    #[inline(always)]
    pub fn word<const N: usize>(&mut self) -> [u8; N] {
        if self.next >= self.end && !self.refill::<N>() {
            return [0; N];
        }
        let word = self.group.as_chunks().0[self.next % GROUP];
        self.next += 1;
        word
    }

    /// Takes the next value. Returns `None` if there is none.
    #[inline(always)]
    pub fn take(&mut self) -> Option<u64> {
        let word = u64::from_le_bytes(self.word());
        if self.failed { None } else { Some(word) }
    }

    /// Takes a value. If it is not valid, the column has [failed](Self::fail), and the value is the default.
    #[inline(always)]
    pub fn next<T: Default, const N: usize>(&mut self, value: impl Fn([u8; N]) -> Option<T>) -> T {
        let value = value(self.word());
        value.unwrap_or_else(|| self.fail())
    }

    /// Takes a length.
    #[inline(always)]
    pub fn take_len(&mut self) -> usize {
        self.next(|word| usize::try_from(u64::from_le_bytes(word)).ok())
    }

    /// Takes a list of a length. A short one has room for 16 bytes.
    #[inline]
    pub fn list<T: Default, const N: usize>(
        &mut self,
        len: usize,
        value: impl Fn([u8; N]) -> Option<T>,
    ) -> Vec<T> {
        /// The number of bytes of a short list.
        const SHORT: usize = 16;
        // Many lists are short, and no pattern predicts their lengths. They are copied with the values after
        // them, so that no branch depends on the length.
        let most = SHORT / N;
        let words = self.group.as_chunks::<N>().0;
        if (1..=most).contains(&len)
            && self.next + len <= self.end
            && let Some(words) = words[..GROUP].get(self.next..self.next + most)
            && words.iter().all(|word| value(*word).is_some())
        {
            let mut list = Vec::with_capacity(most);
            list.extend(words.iter().map(|word| value(*word).unwrap_or_default()));
            list.truncate(len);
            self.next += len;
            return list;
        }
        let mut list = Vec::with_capacity(len);
        while list.len() < len {
            if self.next >= self.end && !self.refill::<N>() {
                break;
            }
            let end = self.end.min(self.next + len - list.len());
            let words = &self.group.as_chunks().0[self.next..end];
            let mut is_valid = true;
            list.extend(words.iter().map(|word| {
                let value = value(*word);
                is_valid &= value.is_some();
                value.unwrap_or_default()
            }));
            self.next = end;
            if !is_valid {
                self.fail()
            }
        }
        list
    }

    /// Appends the lowest `N` bytes of each of that many values, as they are in memory. The reader takes
    /// all values with eight bytes.
    pub fn take_words<const N: usize>(
        &mut self,
        mut count: usize,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        while count > 0 {
            if self.next >= self.end && !self.refill::<8>() {
                return None;
            }
            let end = self.end.min(self.next + count);
            let values = &self.group.as_chunks::<8>().0[self.next..end];
            let start = out.len();
            out.resize(start + values.len() * N, 0);
            for (word, value) in out[start..].as_chunks_mut::<N>().0.iter_mut().zip(values) {
                word.copy_from_slice(&value[..N]);
            }
            count -= values.len();
            self.next = end;
        }
        Some(())
    }

    /// Notes that a value was taken that does not exist or is not valid. Returns a value in its place.
    #[cold]
    #[inline(never)]
    pub fn fail<T: Default>(&mut self) -> T {
        self.failed = true;
        T::default()
    }

    /// Leaves out all values that are left.
    pub fn clear(&mut self) {
        (self.next, self.end, self.left, self.failed) = (0, 0, 0, false);
    }

    /// Whether all values were taken, and no others.
    pub fn is_done(&self) -> bool {
        self.left == 0 && self.next >= self.end && !self.failed
    }

    /// Whether a value was taken that does not exist or is not valid.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// Calls a function with all values. None of them was taken.
    pub fn each(mut self, mut each: impl FnMut(u64)) {
        while self.left > 0 && self.refill::<8>() {
            let values = &self.group.as_chunks().0[..self.end];
            values.iter().for_each(|value| each(u64::from_le_bytes(*value)));
        }
    }

    /// Returns the largest value. None was taken.
    pub fn most(self) -> u64 {
        let mut most = 0;
        self.each(|value| most = value.max(most));
        most
    }

    /// Returns the sum of all values, or the largest integer if it is more. None was taken.
    pub fn sum(&self) -> u64 {
        let mut sum = 0_u64;
        self.clone().each(|value| sum = sum.saturating_add(value));
        sum
    }

    /// Reads the next group. Returns `false`, and [fails](Self::fail), if there is none.
    #[inline(never)]
    fn refill<const N: usize>(&mut self) -> bool {
        let count = self.left.min(GROUP as u64) as usize;
        let len = (count * usize::from(self.width)).div_ceil(8);
        let (Some((bytes, rest)), 1..) = (self.bytes.split_at_checked(len), count) else {
            self.failed = true;
            return false;
        };
        // All groups have a length that the compiler knows.
        let mut padded;
        let bytes = if count == GROUP {
            self.bytes
        } else {
            padded = [0; 8 * GROUP];
            padded[..len].copy_from_slice(bytes);
            &padded
        };
        let Ints { least, flip, .. } = *self;
        let of = |difference: u64| -> [u8; N] {
            let mut word = [0; N];
            word.copy_from_slice(&(least.wrapping_add(difference) ^ flip).to_le_bytes()[..N]);
            word
        };
        let values = &mut self.group.as_chunks_mut::<N>().0[..GROUP];
        macro_rules! words {
            ($number:ty) => {{
                let words = &bytes.as_chunks().0[..GROUP];
                let differences = words.iter().map(|word| <$number>::from_le_bytes(*word).into());
                values.iter_mut().zip(differences).for_each(|(to, it)| *to = of(it));
            }};
        }
        macro_rules! bits {
            ($width:literal) => {{
                let values = values.as_chunks_mut::<{ 8 / $width }>().0;
                for (values, byte) in values.iter_mut().zip(&bytes[..GROUP * $width / 8]) {
                    for (at, value) in values.iter_mut().enumerate() {
                        *value = of((byte >> (at * $width) & ((1 << $width) - 1)).into());
                    }
                }
            }};
        }
        match self.width {
            0 => values.fill(of(0)),
            1 => bits!(1),
            2 => bits!(2),
            4 => bits!(4),
            8 => words!(u8),
            16 => words!(u16),
            32 => words!(u32),
            _ => words!(u64),
        }
        (self.bytes, self.left) = (rest, self.left - count as u64);
        (self.next, self.end) = (0, count);
        true
    }
}
