//! [`Decoder`]: reads ObjectBlob files.

mod nodes;
mod slot;

use archive_core::Result;
use archive_core::nodes::{NodeDecoder, OverNodes};

use crate::cursor::{Input, LEAST_BLOB, trailing};
use nodes::File;
use slot::{Container, Slot};

/// Reads ObjectBlob files by pulling values from the bytes; never builds a tree.
///
/// Skipped data is checked as far as the original program does: its size must fit, and it must not
/// nest deeper than the limit for data that is read. The decoder does not recurse, and no input
/// makes it panic or reserve memory that the input could not fill.
///
/// ```
/// use archive::format::Decoder as _;
/// use archive::shape::Shape;
///
/// let file = archive::blob::to_vec(&(7_i32, "seven".to_owned()))?;
/// let mut blob = archive::blob::Decoder::new(&file, 128)?;
/// blob.begin_seq(&Shape::Any)?;
/// assert!(blob.next_item()?);
/// assert_eq!(blob.u8()?, 7);
/// assert!(blob.next_item()?);
/// assert_eq!(blob.str()?, "seven");
/// assert!(!blob.next_item()?);
/// blob.end_seq()?;
/// blob.end()?;
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder<'a>(NodeDecoder<File<'a>>);

impl<'a> Decoder<'a> {
    /// Creates a decoder of a file. No more than `max_depth` objects and sequences may be open at a
    /// time.
    ///
    /// # Errors
    /// If the input is not a list of blobs, or is incomplete.
    pub fn new(input: &'a [u8], max_depth: usize) -> Result<Self> {
        let input = Input(input);
        let count = input.count(0, input.len(), LEAST_BLOB, "a number of blobs");
        let count = count.map_err(|error| input.other_format(error))?;
        let mut root = Slot::file(&input);
        if count == 1 {
            let (name, at) = input.name(4, input.len())?;
            if name.is_empty() {
                root = Slot::root(&input, at, input.len())?;
            }
        }
        Ok(Decoder::over(File { input, is_datum: false }, root, max_depth))
    }

    /// Creates a decoder of a datum without a name.
    pub(crate) fn datum(datum: &'a [u8], max_depth: usize) -> Result<Self> {
        let input = Input(datum);
        let slot = Slot::datum(&input, 0, datum.len(), Container::Datum)?;
        Ok(Decoder::over(File { input, is_datum: true }, slot, max_depth))
    }

    fn over(file: File<'a>, root: Slot, max_depth: usize) -> Self {
        Decoder(NodeDecoder::new(file, root, max_depth))
    }

    /// Checks that nothing follows the last blob.
    ///
    /// # Errors
    /// [`ErrorKind::TrailingData`](archive_core::ErrorKind::TrailingData).
    pub fn end(&mut self) -> Result {
        let input = self.0.tree.input;
        let all = input.len();
        let mut at = 4;
        for _ in 0..input.count(0, all, LEAST_BLOB, "a number of blobs")? {
            (_, at) = input.name(at, all)?;
            let size = input.length(at, all, "a size")?;
            input.take(at + 4, size, all)?;
            at += 4 + size;
        }
        if at == all { Ok(()) } else { Err(trailing("the last blob", at)) }
    }
}

impl<'a> OverNodes for Decoder<'a> {
    type Tree = File<'a>;

    #[inline]
    fn nodes(&self) -> &NodeDecoder<File<'a>> {
        &self.0
    }
    #[inline]
    fn nodes_mut(&mut self) -> &mut NodeDecoder<File<'a>> {
        &mut self.0
    }
}
