//! [`Listed`]: a save in a list.

use archive::Result;
use archive::save::Meta;

/// A save in a [list](crate::Cloud::list).
#[derive(Debug)]
#[non_exhaustive]
pub struct Listed {
    /// The name, which is that of the slot. If the key of the object is not that of a save, a part of
    /// the key.
    pub name: String,
    /// The length in bytes, or 0 if the key is malformed.
    pub size: u64,
    /// The metadata, or the error of an object that is not a save, is damaged, or could not be read.
    pub meta: Result<Meta>,
}
