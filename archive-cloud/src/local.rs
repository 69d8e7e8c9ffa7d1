//! [`Local`]: a save of this device.

use std::fmt;

use archive::save::{SaveFile, Slot};

/// A save of this device: `&slot`, or a name in the store and a file.
///
/// ```
/// use archive::save::SaveFile;
/// use archive_cloud::Local;
///
/// let file = SaveFile::new("saves/quick.sav");
/// let local = Local::from(("quick", &file));
/// # _ = local;
/// ```
///
/// Its [device](SaveFile::device) and number of [backups](SaveFile::backups) are those of the slot or
/// of the file.
#[derive(Clone)]
pub struct Local {
    pub(crate) name: String,
    pub(crate) file: SaveFile,
}

impl From<&Slot> for Local {
    /// Waits for the saves of the slot in the background.
    fn from(slot: &Slot) -> Local {
        let file = slot.save_file();
        Local { name: slot.name().to_owned(), file }
    }
}

impl From<(&str, &SaveFile)> for Local {
    fn from((name, file): (&str, &SaveFile)) -> Local {
        Local { name: name.to_owned(), file: file.clone() }
    }
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").field("name", &self.name).field("file", &self.file).finish()
    }
}
