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
pub struct Local(Source);

#[derive(Clone)]
enum Source {
    Slot(Box<Slot>),
    File(Box<Place>),
}

/// The name of a save in the store, and its file.
#[derive(Clone)]
pub(crate) struct Place {
    pub name: String,
    pub file: SaveFile,
}

impl Local {
    /// Returns the file, after the saves of the slot in the background.
    pub(crate) fn place(self) -> Place {
        match self.0 {
            Source::Slot(slot) => {
                let file = slot.save_file();
                Place { name: slot.name().to_owned(), file }
            }
            Source::File(place) => *place,
        }
    }
}

impl From<&Slot> for Local {
    fn from(slot: &Slot) -> Local {
        Local(Source::Slot(Box::new(slot.clone())))
    }
}

impl From<(&str, &SaveFile)> for Local {
    fn from((name, file): (&str, &SaveFile)) -> Local {
        Local(Source::File(Box::new(Place { name: name.to_owned(), file: file.clone() })))
    }
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, path) = match &self.0 {
            Source::Slot(slot) => (slot.name(), slot.path()),
            Source::File(place) => (&*place.name, place.file.path()),
        };
        f.debug_struct("Local").field("name", &name).field("path", &path).finish()
    }
}
