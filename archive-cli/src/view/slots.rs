//! The saves of a folder, with their pictures.

use std::path::Path;

use archive::save::{Saves, Slot};
use archive::{Error, ErrorKind, Result, Value};

use crate::commands::slot_as_value;
use crate::json_output::object;

/// Returns the slots of a folder.
///
/// # Errors
/// Errors of the system.
pub fn list(folder: &Path) -> Result<Vec<Slot>> {
    Saves::in_folder(folder)?.list()
}

/// Returns the slots of a folder as the page shows them.
///
/// # Errors
/// Errors of the system.
pub fn as_value(folder: &Path) -> Result<Value> {
    let slots = list(folder)?;
    Ok(object([("slots", slots.iter().map(slot_as_value).collect())]))
}

/// Returns the picture of a slot, which is empty if there is none.
///
/// # Errors
/// [`ErrorKind::NotFound`] if there is no such slot.
pub fn thumbnail(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let found = list(folder)?.into_iter().find(|slot| slot.name() == name);
    let slot = found.ok_or_else(|| {
        Error::new(ErrorKind::NotFound, format_args!("there is no save {name:?}"))
    })?;
    Ok(slot.meta().thumbnail.clone())
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
