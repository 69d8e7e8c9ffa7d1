//! [`Taken`]: a column while its values are loaded.

use std::slice::IterMut;

use super::Ints;

/// A column while its values are loaded. All of them were checked.
#[derive(Debug, Default)]
pub struct Taken<'r> {
    /// The integers, lengths, variants or flags.
    pub ints: Ints<'r>,
    /// The values of a fixed size, or bytes, that are left.
    pub bytes: &'r [u8],
    /// The texts that are left.
    pub text: &'r str,
}

impl<'r> Taken<'r> {
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
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    /// Takes a text.
    #[inline(always)]
    pub fn text(&mut self) -> Option<&'r str> {
        let (taken, rest) = self.text.split_at_checked(self.ints.next()? as usize)?;
        self.text = rest;
        Some(taken)
    }

    /// Whether all values were taken.
    pub fn is_done(&self) -> bool {
        self.ints.is_done() && self.bytes.is_empty() && self.text.is_empty()
    }
}

/// Takes a list of a length.
#[inline]
pub fn take_list<T>(len: usize, one: &mut impl FnMut() -> Option<T>) -> Option<Vec<T>> {
    let mut list = Vec::with_capacity(len);
    for _ in 0..len {
        list.push(one()?);
    }
    Some(list)
}

/// The columns of a block, in the order in which the function of a type visits a value.
#[derive(Debug)]
pub struct Takes<'c, 'r>(IterMut<'c, Taken<'r>>);

impl<'c, 'r> Takes<'c, 'r> {
    /// Begins with the first column.
    pub fn new(columns: &'c mut [Taken<'r>]) -> Self {
        Takes(columns.iter_mut())
    }

    /// Returns the next column.
    #[inline(always)]
    pub fn column(mut self) -> Option<(&'c mut Taken<'r>, Self)> {
        let column = self.0.next()?;
        Some((column, self))
    }
}
