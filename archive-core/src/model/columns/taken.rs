//! [`Taken`]: a column while its values are loaded.

use super::Ints;
use crate::model::shape::Primitive;

/// A column while its values are loaded. All of them were checked.
#[derive(Debug, Default)]
pub struct Taken<'r> {
    /// The integers, lengths, variants or flags.
    pub ints: Ints<'r>,
    /// The values of a fixed size, or bytes, that are left.
    pub bytes: &'r [u8],
    /// The texts that are left.
    pub text: &'r str,
    /// The text or the value of a fixed size that each value has, if the block lacks the column.
    pub repeated: Box<[u8]>,
    /// The numbers that the program has for the variants of the file. Empty if they are the same.
    pub variants: Box<[u32]>,
    /// Whether the block lacks the column, and nothing is known of its values.
    pub is_absent: bool,
}

impl<'r> Taken<'r> {
    /// Returns the integers.
    #[inline(always)]
    pub fn ints(&mut self) -> &mut Ints<'r> {
        &mut self.ints
    }

    /// Returns the values of a fixed size.
    #[inline(always)]
    pub fn fixed(&mut self) -> Fixed<'_, 'r> {
        Fixed(self)
    }

    /// Takes bytes.
    #[inline(always)]
    pub fn take(&mut self, len: usize) -> Option<&'r [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Takes a value of a fixed size.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let Some((taken, rest)) = self.bytes.split_first_chunk() else {
            return (&*self.repeated).try_into().ok();
        };
        self.bytes = rest;
        Some(*taken)
    }

    /// Takes a variant.
    #[inline(always)]
    pub fn variant(&mut self) -> u32 {
        let variant = u32::from_le_bytes(self.ints.word());
        self.variants.get(variant as usize).copied().unwrap_or(variant)
    }

    /// Takes a text.
    #[inline(always)]
    pub fn text(&mut self) -> Option<&str> {
        let len = usize::try_from(self.ints.take()?).ok()?;
        self.text_of(len)
    }

    /// Takes a text. If it is not valid, the column has [failed](Ints::fail), and the text is empty.
    #[inline(always)]
    pub fn string(&mut self) -> String {
        let len = self.ints.take_len();
        let text = self.text_of(len).map(str::to_owned);
        text.unwrap_or_else(|| self.ints.fail())
    }

    #[inline(always)]
    fn text_of(&mut self, len: usize) -> Option<&str> {
        let Some((taken, rest)) = self.text.split_at_checked(len) else {
            return self.repeated_text(len);
        };
        self.text = rest;
        Some(taken)
    }

    #[cold]
    #[inline(never)]
    fn repeated_text(&self, len: usize) -> Option<&str> {
        std::str::from_utf8(&self.repeated).ok().filter(|text| text.len() == len)
    }

    /// Takes integers or truth values as they are in memory.
    #[inline]
    pub fn numbers<'b>(
        &mut self,
        count: usize,
        number: Primitive,
        room: &'b mut Vec<u8>,
    ) -> Option<&'b [u8]>
    where
        'r: 'b,
    {
        room.clear();
        match number {
            Primitive::Bool | Primitive::U8 | Primitive::I8 => {
                self.ints.take_words::<1>(count, room)?;
            }
            Primitive::U16 | Primitive::I16 => self.ints.take_words::<2>(count, room)?,
            Primitive::U32 | Primitive::I32 => self.ints.take_words::<4>(count, room)?,
            Primitive::U64 | Primitive::I64 => self.ints.take_words::<8>(count, room)?,
            _ => return None,
        }
        Some(room)
    }

    /// Leaves out all values that are left.
    pub fn clear(&mut self) {
        self.ints.clear();
        (self.bytes, self.text) = (&[], "");
    }

    /// Whether all values were taken.
    pub fn is_done(&self) -> bool {
        self.ints.is_done() && self.bytes.is_empty() && self.text.is_empty()
    }
}

/// Values of a fixed size.
pub struct Fixed<'t, 'r>(&'t mut Taken<'r>);

impl Fixed<'_, '_> {
    /// Takes a value. If there is none, the column has [failed](Ints::fail).
    #[inline(always)]
    pub fn next<T: Default, const N: usize>(self, value: impl Fn([u8; N]) -> Option<T>) -> T {
        self.0.array().and_then(value).unwrap_or_else(|| self.0.ints.fail())
    }

    /// Takes a list of a length.
    #[inline]
    pub fn list<T: Default, const N: usize>(
        self,
        len: usize,
        value: impl Fn([u8; N]) -> Option<T>,
    ) -> Vec<T> {
        let Some(words) = len.checked_mul(N).and_then(|len| self.0.take(len)) else {
            return self.0.ints.fail();
        };
        let words = words.as_chunks().0;
        if words.iter().any(|word| value(*word).is_none()) {
            return self.0.ints.fail();
        }
        words.iter().map(|word| value(*word).unwrap_or_default()).collect()
    }
}
