//! [`Gaps`]: lists whose entries are not in the rows.

use archive_core::columns::{NewItem, Taken};
use archive_core::{Error, ErrorKind, Result};

use crate::types::TypeId;

/// The lists of a file that have a *gap* in the rows: nothing follows their length.
pub(crate) trait Gaps {
    /// Returns the offset in the file of the first block of the gap at that offset in the rows, if there is a
    /// gap of a list with that many entries.
    fn block_at(&self, row: usize, count: u64) -> Option<usize>;

    /// Takes a number of entries from the blocks from an offset on: calls `take` for each block.
    ///
    /// # Errors
    /// An error if the entries are not items of that shape, or cannot be taken.
    fn take(
        &mut self,
        from: (usize, u64),
        item: NewItem,
        take: &mut dyn FnMut(&mut [Taken<'_>], usize) -> bool,
    ) -> Result;

    /// Returns the type of the entries that could not be taken.
    fn refused(&self) -> Option<TypeId>;
}

/// Creates the error after which the rows of all lists are needed.
#[cold]
pub(crate) fn not_taken() -> Error {
    Error::new(ErrorKind::Custom, "the entries of a list are not those of its columns")
}
