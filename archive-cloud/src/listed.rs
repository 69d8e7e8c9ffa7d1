//! [`Listed`]: a save in a list.

use archive::Result;
use archive::save::Meta;

/// A save in a [list](crate::Cloud::list).
#[derive(Debug)]
#[non_exhaustive]
pub struct Listed {
    /// The name, which is that of the slot.
    pub name: String,
    /// The length in bytes.
    pub size: u64,
    /// The metadata, or the error of an object that is not a save, is damaged, or could not be read.
    pub meta: Result<Meta>,
}
