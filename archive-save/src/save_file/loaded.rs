//! [`Loaded`]: a loaded value, and the save from which it comes.

use std::path::PathBuf;

use archive_core::Error;

use crate::meta::Meta;
use crate::saves::Slot;

/// A loaded value, and the file from which it comes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded<T> {
    /// The value.
    pub value: T,
    /// The metadata of the save. Empty for a plain text file.
    pub meta: Meta,
    /// The file that was loaded.
    pub path: PathBuf,
    /// The name of the slot that was loaded. `None` for a [`SaveFile`](crate::SaveFile).
    pub slot: Option<String>,
    /// The number of the backup that was loaded, if the file is missing or damaged: 1 is the
    /// newest. The player has lost the progress since that backup. Each load reports it again,
    /// until there is a new save.
    pub fell_back: Option<usize>,
    /// The newer saves that are damaged. For [`load_newest`](crate::Saves::load_newest) also
    /// damaged saves whose dates cannot be read.
    pub damaged: Vec<Damaged>,
    /// The slots that [`load_newest`](crate::Saves::load_newest) skipped, because another game or a
    /// newer version of this one saved them. Empty for all other loads.
    pub skipped: Vec<Slot>,
}

impl<T> Loaded<T> {
    /// Returns whether the newest save was loaded: the file itself.
    pub fn is_newest(&self) -> bool {
        self.fell_back.is_none()
    }
}

/// A damaged save, in [`Loaded::damaged`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Damaged {
    /// The file.
    pub path: PathBuf,
    /// The error.
    pub error: Error,
    /// Its new path. `None` if it was not renamed, for example because the folder is read-only.
    pub aside: Option<PathBuf>,
}
