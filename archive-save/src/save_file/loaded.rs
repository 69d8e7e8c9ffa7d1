//! [`Loaded`]: a value, and what is known of the save that it comes from.

use std::path::PathBuf;

use archive_core::Error;

use crate::meta::Meta;
use crate::saves::Slot;

/// What was loaded, and from which file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded<T> {
    /// The value.
    pub value: T,
    /// What is known of the save. Empty for a file of plain text.
    pub meta: Meta,
    /// The file that was loaded.
    pub path: PathBuf,
    /// The name of the slot that was loaded. `None` for a [`SaveFile`](crate::SaveFile).
    pub slot: Option<String>,
    /// The number of the backup that was loaded, if the file is missing or damaged: 1 is the
    /// newest. The player has lost what happened since. It says so again with each load, until there
    /// is a new save.
    pub fell_back: Option<usize>,
    /// The saves that were damaged: newer ones, and for [`load_newest`](crate::Saves::load_newest)
    /// those whose dates cannot be read.
    pub damaged: Vec<Damaged>,
    /// The slots that [`load_newest`](crate::Saves::load_newest) passed over, because another game or
    /// a newer version of this one saved them. Empty for all other loads.
    pub skipped: Vec<Slot>,
}

impl<T> Loaded<T> {
    /// Returns whether the newest save was loaded: the file itself.
    pub fn is_newest(&self) -> bool {
        self.fell_back.is_none()
    }
}

/// A save that was damaged, in [`Loaded::damaged`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Damaged {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: Error,
    /// Where it is now. `None` if it is where it was, as in a folder that is read-only.
    pub aside: Option<PathBuf>,
}
