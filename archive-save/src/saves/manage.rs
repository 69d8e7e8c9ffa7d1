//! Copying, renaming and deleting slots.
// Why: docs/decisions/saves.md#slots-move-through-a-second-name

use std::io;
use std::path::Path;

use archive_core::{Error, ErrorKind, Result};

use super::folder::Folder;
use super::{Saves, Slot, SlotState, name};
use crate::fault;
use crate::lineage::Known;
use crate::save_file::{NEW, create_folder, new_file};
use crate::system::Turn;

/// The folder with deleted slots.
pub(super) const TRASH: &str = "trash";

impl Saves {
    /// Copies the newest save of a slot to an empty slot, and returns that slot. Both have the same
    /// lineage; they [diverge](crate::relation) when both are saved again.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the slot `from` is empty or `to` is not, and errors of the system.
    /// [`ErrorKind::Syntax`] if the save is damaged.
    pub fn copy(&self, from: &str, to: &str) -> Result<Slot> {
        let _turn = self.settle(from, &[to])?;
        let (from, to) = (self.full(from)?, self.empty(to)?);
        from.file.verify()?;
        let (system, from, path) = (self.system(), from.path(), to.path());
        let io = |error| fault::io("copy", from, error);
        let bytes = system.open(from).map_err(io)?.read(0, u64::MAX).map_err(io)?;
        let new = new_file(path);
        let mut file =
            system.create(&new, from).map_err(|error| fault::io("create", &new, error))?;
        let written = file.append(&bytes).and_then(|()| file.sync());
        drop(file);
        // Unlike a rename, a second name does not replace a file.
        let written = written.and_then(|()| system.link(&new, path));
        _ = system.remove(&new);
        written.map_err(|error| fault::io("write", path, error))?;
        Known::of_this_process().forget(&system.identity(path));
        self.sync(&self.folder)?;
        self.slot(&to.name)
    }

    /// Renames a slot with its backups. After a power cut the save has the old name, the new one or
    /// both.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the slot `from` is empty or `to` is not, and errors of the system.
    pub fn rename(&self, from: &str, to: &str) -> Result<Slot> {
        let _turn = self.settle(from, &[to])?;
        let (from, to) = (self.full(from)?, self.empty(to)?);
        let folder = self.files()?;
        self.transfer((&folder, &from.stem()), (&folder, &to.stem()))?;
        self.slot(&to.name)
    }

    /// Moves a slot with its backups to the folder `trash` inside the folder of the saves.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the slot is empty, and errors of the system.
    pub fn delete(&self, name: &str) -> Result {
        let _turn = self.settle(name, &[])?;
        let slot = self.full(name)?;
        let stem = slot.stem();
        let to = name::encode(&slot.name).unwrap_or_else(|_| stem.clone());
        let trash = self.trash()?;
        let mut deleted = trash.files()?;
        if deleted.is_slot(&to) {
            // The slot that was deleted last has the name itself.
            let older = format!("{to}@{}", deleted.older(&to).max().unwrap_or(1) + 1);
            self.transfer((&deleted, &to), (&deleted, &older))?;
            deleted = trash.files()?;
        }
        self.transfer((&self.files()?, &stem), (&deleted, &to))
    }

    /// Restores a deleted slot, under the name that it has in the [trash](Saves::trash): of several
    /// slots with one name, the one that was deleted last. Returns the slot. A name that is too
    /// long with its number is cut. A restored [autosave](Saves::autosave) counts as an autosave
    /// again, and may be removed as one of the oldest: rename it to keep it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if there is no deleted slot with that name, or if a slot has that name
    /// again; and errors of the system.
    pub fn restore(&self, name: &str) -> Result<Slot> {
        let trash = self.trash()?;
        let deleted = trash.full(name)?;
        let to = name::fitting(&deleted.name);
        self.slot(&to)?.wait();
        let _turn = self.lock()?;
        let (deleted, to) = (trash.full(name)?, self.empty(&to)?);
        self.transfer((&trash.files()?, &deleted.stem()), (&self.files()?, &to.stem()))?;
        self.slot(&to.name)
    }

    /// Returns the deleted slots. Of several with one name, the one that was deleted last has the
    /// name itself, and the others have a number after it: 2 is the one that was deleted first.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the folder cannot be read.
    pub fn trash(&self) -> Result<Saves> {
        let folder = self.folder.join(TRASH);
        let mut trash = Saves::shared(self.template.system.clone(), folder)?;
        trash.template = self.template.clone();
        trash.signature = self.signature;
        trash.is_trash = true;
        Ok(trash)
    }

    /// Removes all deleted slots, and the remains of others.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if a system call fails.
    pub fn empty_trash(&self) -> Result {
        let _turn = match self.lock() {
            // There is no folder.
            Err(error) if fault::is_absent(&error) => return Ok(()),
            turn => turn?,
        };
        let trash = self.trash()?;
        let folder = trash.files()?;
        if folder.stems().next().is_none() {
            return Ok(());
        }
        for stem in folder.stems() {
            folder.remove(trash.system(), stem)?;
        }
        trash.sync(&trash.folder)
    }

    /// Renames all files of a slot, possibly to another folder. The files have both names for a
    /// time, so that nothing is lost in any order in which the system writes names. No file is
    /// replaced: damaged files get a free number.
    fn transfer(&self, from: (&Folder, &str), to: (&Folder, &str)) -> Result {
        let system = self.system();
        let mut endings = name::Endings::new(to.0.endings(to.1));
        let mut files = Vec::new();
        for ending in from.0.endings(from.1).iter().filter(|ending| *ending != NEW) {
            files.push((from.0.file(from.1, ending), to.0.file(to.1, &endings.free(ending))));
        }
        if files.is_empty() {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
            return Err(fault::io("move", &from.0.path_of(from.1), error));
        }
        let folder = to.0.path();
        create_folder(system, folder)?;
        for (number, (file, target)) in files.iter().enumerate() {
            // A relative symbolic link would lead elsewhere in another folder.
            let source =
                if from.0.path() == folder { Ok(file.clone()) } else { system.target(file) };
            if let Err(error) = source.and_then(|source| system.link(&source, target)) {
                for (_, linked) in &files[..number] {
                    _ = system.remove(linked);
                }
                return Err(fault::io("link", target, error));
            }
        }
        Known::of_this_process().forget(&system.identity(&to.0.path_of(to.1)));
        self.sync(folder)?;
        // The newest save comes last: it keeps its old name as long as any other file does.
        for (path, _) in files.iter().rev() {
            system.remove(path).map_err(|error| fault::io("remove", path, error))?;
        }
        self.sync(from.0.path())
    }

    /// Waits for the saves of the slots in the background, and locks the folder, so that the slots
    /// do not change.
    ///
    /// # Errors
    /// If there is no folder, the error for a slot `full` without a save; and errors of the system.
    fn settle(&self, full: &str, others: &[&str]) -> Result<Turn> {
        for name in [full].iter().chain(others) {
            self.slot(name)?.wait();
        }
        self.lock().or_else(|error| {
            if fault::is_absent(&error) {
                self.full(full)?;
            }
            Err(error)
        })
    }

    fn lock(&self) -> Result<Turn> {
        let folder = &self.folder;
        Turn::lock(self.system(), folder).map_err(|error| fault::io("lock", folder, error))
    }

    /// Returns the slot with that name, which must have a save.
    fn full(&self, name: &str) -> Result<Slot> {
        let slot = self.slot(name)?;
        match slot.state {
            SlotState::Empty => {
                let what =
                    if self.is_trash { "the trash has no save of" } else { "there is no save in" };
                Err(slot_error(&slot, what, io::ErrorKind::NotFound))
            }
            _ => Ok(slot),
        }
    }

    /// Returns the slot with that name, which must not have a save.
    fn empty(&self, name: &str) -> Result<Slot> {
        let mut slot = self.slot(name)?;
        let unreadable = slot.take_error().filter(|_| slot.state == SlotState::Unreadable);
        match (slot.state, unreadable) {
            (SlotState::Empty, _) => Ok(slot),
            (_, Some(error)) => Err(error),
            _ => Err(slot_error(&slot, "there is already a save in", io::ErrorKind::AlreadyExists)),
        }
    }

    fn sync(&self, folder: &Path) -> Result {
        self.system().sync_folder(folder).map_err(|error| fault::io("sync", folder, error))
    }
}

impl Slot {
    /// Returns the name of the file without its ending.
    fn stem(&self) -> String {
        let file = self.path().file_name().unwrap_or_default().to_string_lossy();
        name::split(&file).map_or(&*file, |(stem, _)| stem).to_owned()
    }
}

#[cold]
fn slot_error(slot: &Slot, what: &str, kind: io::ErrorKind) -> Error {
    let message = format_args!("{what} the slot {:?}", slot.name);
    Error::with_source(ErrorKind::Io, message, io::Error::from(kind))
}
