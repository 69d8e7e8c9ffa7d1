//! Copying, renaming and deleting slots.

use std::io;
use std::path::{Path, PathBuf};

use archive_core::{Error, ErrorKind, Result};

use super::{Saves, Slot, SlotState, name};
use crate::fault;
use crate::save_file::{Family, beside, folder_of, is_of_family, names_in, new_file};
use crate::system::FileSystem;

/// The folder with deleted slots.
const TRASH: &str = "trash";

impl Saves {
    /// Copies the newest save of a slot to a slot that is empty, and returns that. Both come from
    /// the same saves; when either is saved again, they [diverge](crate::relation).
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the slot `from` is empty or `to` is not, and those of the system.
    /// [`ErrorKind::Syntax`] if the save is damaged.
    pub fn copy(&self, from: &str, to: &str) -> Result<Slot> {
        let (from, to) = (self.full(from)?, self.empty(to)?);
        from.verify()?;
        let (system, from, path) = (self.system(), from.path(), to.path());
        let _lock = self.lock(&self.folder)?;
        let io = |error| fault::io("copy", from, error);
        let bytes = system.open(from).map_err(io)?.read(0, u64::MAX).map_err(io)?;
        let new = new_file(path);
        let mut file =
            system.create(&new, from).map_err(|error| fault::io("create", &new, error))?;
        let written = file.append(&bytes).and_then(|()| file.sync());
        drop(file);
        let written = written.and_then(|()| system.rename(&new, path));
        if let Err(error) = written {
            _ = system.remove(&new);
            return Err(fault::io("write", path, error));
        }
        self.sync(&self.folder)?;
        self.slot(&to.name)
    }

    /// Gives a slot another name, with its backups. After a power cut the save has the old name,
    /// the new one or both.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the slot `from` is empty or `to` is not, and those of the system.
    pub fn rename(&self, from: &str, to: &str) -> Result<Slot> {
        let (from, to) = (self.full(from)?, self.empty(to)?);
        self.transfer(from.path(), to.path())?;
        self.slot(&to.name)
    }

    /// Moves a slot with its backups to the folder `trash` in the folder of the saves.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the slot is empty, and those of the system.
    pub fn delete(&self, name: &str) -> Result {
        let slot = self.full(name)?;
        let trash = self.trash()?;
        let stem = slot.path().file_name().unwrap_or_default().to_string_lossy();
        let stem = stem.strip_suffix(name::ENDING).unwrap_or(&stem);
        let taken = trash.families()?;
        let mut free = stem.to_owned();
        let mut count = 1;
        while taken.contains_key(&free) {
            count += 1;
            free = format!("{stem} {count}");
        }
        self.transfer(slot.path(), &trash.folder.join(free + name::ENDING))
    }

    /// Moves a slot back that was deleted. Returns it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if no slot of that name was deleted, or there is one of that name again;
    /// and those of the system.
    pub fn restore(&self, name: &str) -> Result<Slot> {
        let trash = self.trash()?;
        let deleted = trash.slot(name)?;
        if deleted.state == SlotState::Empty {
            return Err(slot_error(&deleted, "the trash has no save of", io::ErrorKind::NotFound));
        }
        let slot = self.empty(name)?;
        self.transfer(deleted.path(), slot.path())?;
        self.slot(&slot.name)
    }

    /// Returns the slots that were deleted. Of two with one name, the second has a number after
    /// its name.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the folder cannot be read.
    pub fn trash(&self) -> Result<Saves> {
        let folder = self.folder.join(TRASH);
        let mut trash = Saves::shared(self.template.system.clone(), folder)?;
        trash.template = self.template.clone();
        trash.signature = self.signature;
        Ok(trash)
    }

    /// Removes all slots that were deleted.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the system refuses it.
    pub fn empty_trash(&self) -> Result {
        let trash = self.trash()?;
        let slots = trash.list()?;
        if slots.is_empty() {
            return Ok(());
        }
        for slot in slots {
            for file in trash.files_of(slot.path())? {
                let removed = trash.system().remove(&file.path);
                removed.map_err(|error| fault::io("remove", &file.path, error))?;
            }
        }
        trash.sync(&trash.folder)
    }

    /// Gives all files of a slot other names, maybe in another folder. They have both names for a
    /// time, so that nothing is lost in whichever order the system writes names.
    fn transfer(&self, from: &Path, to: &Path) -> Result {
        let _lock = self.lock(&self.folder)?;
        let system = self.system();
        let files = self.files_of(from)?;
        let folder = folder_of(to);
        let created = system.create_folder(folder);
        created.map_err(|error| fault::folder("create", folder, error))?;
        for (number, file) in files.iter().enumerate() {
            let target = beside(to, &file.ending);
            if let Err(error) = system.link(&file.path, &target) {
                for linked in &files[..number] {
                    _ = system.remove(&beside(to, &linked.ending));
                }
                return Err(fault::io("link", &target, error));
            }
        }
        self.sync(folder)?;
        // The newest save comes last: as long as any file has its old name, that one has.
        for OwnFile { path, .. } in files.iter().rev() {
            system.remove(path).map_err(|error| fault::io("remove", path, error))?;
        }
        self.sync(folder_of(from))
    }

    /// Returns the slot with that name, which must have a save, after what is saved to it in the
    /// background.
    fn full(&self, name: &str) -> Result<Slot> {
        let path = self.slot(name)?.file.path;
        self.queue.0.wait(&path);
        let slot = self.slot(name)?;
        match slot.state {
            SlotState::Empty => {
                Err(slot_error(&slot, "there is no save in", io::ErrorKind::NotFound))
            }
            _ => Ok(slot),
        }
    }

    /// Returns the slot with that name, which must not have a save.
    fn empty(&self, name: &str) -> Result<Slot> {
        let path = self.slot(name)?.file.path;
        self.queue.0.wait(&path);
        let slot = self.slot(name)?;
        match slot.state {
            SlotState::Empty => Ok(slot),
            _ => Err(slot_error(&slot, "there is a save in", io::ErrorKind::AlreadyExists)),
        }
    }

    /// Returns all files of a slot, the newest save first.
    fn files_of(&self, path: &Path) -> Result<Vec<OwnFile>> {
        let folder = folder_of(path);
        let names = names_in(self.system(), folder)?;
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let endings = names.iter().filter_map(|name| name.strip_prefix(&*own));
        let mut files: Vec<OwnFile> = endings
            .filter(|ending| is_of_family(ending))
            .map(|ending| OwnFile { path: beside(path, ending), ending: ending.to_owned() })
            .collect();
        files.sort_by(|first, second| first.ending.cmp(&second.ending));
        Ok(files)
    }

    fn lock(&self, folder: &Path) -> Result<Box<dyn std::any::Any + Send>> {
        self.system().lock(folder).map_err(|error| fault::io("lock", folder, error))
    }

    fn sync(&self, folder: &Path) -> Result {
        self.system().sync_folder(folder).map_err(|error| fault::io("sync", folder, error))
    }
}

/// A file of a slot, and how its name goes on after that of the slot's file.
struct OwnFile {
    path: PathBuf,
    ending: String,
}

/// Removes all saves of a slot, the oldest first, as far as possible.
pub(super) fn remove(system: &dyn FileSystem, family: &Family) {
    let mut paths: Vec<PathBuf> = family.saves().map(|(_, path)| path).collect();
    while let Some(path) = paths.pop() {
        _ = system.remove(&path);
    }
}

#[cold]
fn slot_error(slot: &Slot, what: &str, kind: io::ErrorKind) -> Error {
    let message = format_args!("{what} the slot {:?}", slot.name);
    Error::with_source(ErrorKind::Io, message, io::Error::from(kind))
}
