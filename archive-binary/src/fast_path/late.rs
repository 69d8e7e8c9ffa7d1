//! [`Late`]: a decoder that is created only when it is needed.

use archive_core::Options;

use crate::Decoder;
use crate::implied::Implied;

/// The decoder of an archive that loads by position. Most rows need none, and creating one takes as
/// long as loading a small row.
pub(crate) enum Late<'a, 'r> {
    /// A decoder that exists.
    Given(&'a mut Decoder<'r>),
    /// The decoder of a row.
    Row(Row<'a, 'r>),
}

/// A row without tables, and its decoder if it was created.
pub(crate) struct Row<'a, 'r> {
    pub(super) bytes: &'r [u8],
    pub(super) types: &'a Implied,
    pub(super) options: &'a Options<'a>,
    pub(super) made: Option<Box<Decoder<'r>>>,
}

impl<'r> Late<'_, 'r> {
    /// Returns the decoder.
    #[inline(always)]
    pub(crate) fn get(&mut self) -> &mut Decoder<'r> {
        match self {
            Late::Given(decoder) => decoder,
            Late::Row(row) => row.decoder(),
        }
    }
}

impl<'r> Row<'_, 'r> {
    #[cold]
    #[inline(never)]
    fn decoder(&mut self) -> &mut Decoder<'r> {
        let make = || Box::new(Decoder::of_plain_row(self.bytes, self.types, self.options));
        self.made.get_or_insert_with(make)
    }
}
