//! The saves of a folder, with their pictures.

use std::path::Path;

use archive::Result;
use archive::save::{Saves, Slot};

/// Returns the slots of a folder.
///
/// # Errors
/// Errors of the system.
pub fn list(folder: &Path) -> Result<Vec<Slot>> {
    Saves::in_folder(folder)?.list()
}

/// Returns the type of a picture by its first bytes. Only formats that cannot contain scripts are known.
pub fn picture_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
