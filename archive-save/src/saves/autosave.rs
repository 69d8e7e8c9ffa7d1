//! Autosaves: each is a slot of its own, and the oldest ones are removed.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use archive_core::{Error, ErrorKind, Result};

use super::folder::Folder;
use super::manage::TRASH;
use super::{Saves, Slot, name};
use crate::fault;
use crate::meta::Meta;
use crate::save_file::{self, Draft, SaveFile, There};
use crate::system::{FileSystem, Turn};

/// The beginning of the names of autosaves.
const PREFIX: &str = "autosave ";
/// How many numbers are tried if another process takes the free one.
const TRIES: u32 = 100;

impl Saves {
    /// Returns a slot for an autosave: `autosave 17` after `autosave 16`. The slot gets its number
    /// when it is saved for the first time; until then its name has the number that is free now. No
    /// two autosaves get the same number, not even from two processes.
    ///
    /// After the save, the oldest autosaves are removed if there are more than
    /// [`autosaves`](Saves::autosaves), but never the one that was just saved. The numbers decide
    /// which are the oldest, not the dates. Slots to which the player gave such a name, autosaves
    /// of another game or of a newer version, and unreadable ones are neither counted nor removed.
    /// See [`Slot::is_autosave`].
    ///
    /// In the background all autosaves share one place in the queue: a later one takes the place of
    /// the queued one. An autosave has [`backups`](Saves::backups) only if its slot is saved more
    /// than once; a load falls back to earlier autosaves instead.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the folder cannot be read.
    /// [`ErrorKind::SizeLimit`](archive_core::ErrorKind::SizeLimit) if a slot has the largest
    /// number.
    pub fn autosave(&self) -> Result<Slot> {
        let name = name_of(free_number(self.system(), &self.files()?, 0)?);
        let mut slot = self.slot(&name)?;
        let (folder, keep) = (self.folder.clone(), self.autosaves);
        slot.autosave = Some(Autosave { folder, keep, taken: Arc::default() });
        Ok(slot)
    }
}

/// Returns the number in the name of an autosave.
pub(super) fn number(name: &str) -> Option<u64> {
    name::number(name.strip_prefix(PREFIX)?)
}

fn name_of(number: u64) -> String {
    format!("{PREFIX}{number}")
}

/// Returns the first number from `from` on that is greater than those of all files. Files in the
/// trash count, too, so that a restored autosave does not become newer.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] if there is none.
fn free_number(system: &dyn FileSystem, folder: &Folder, from: u64) -> Result<u64> {
    let deleted = Folder::read(system, &folder.path().join(TRASH), true).ok();
    let deleted = deleted.iter().flat_map(Folder::stems);
    let deleted = deleted.map(|stem| stem.split_once('@').map_or(stem, |(stem, _)| stem));
    let after = |last: u64| Some(from.max(last + 1)).filter(|free| is_number(*free));
    let last = folder.stems().chain(deleted).filter_map(number).max().unwrap_or(0);
    if let Some(free) = after(last) {
        return Ok(free);
    }
    // If a slot that the player named has the largest number, only autosaves count.
    let numbers = folder.stems().filter_map(|stem| Some((number(stem)?, stem)));
    let autosaves = numbers.filter(|(_, stem)| {
        let meta = save_file::meta(system, &folder.path_of(stem));
        meta.is_ok_and(|meta| is_of(stem, &meta))
    });
    let mut free = after(autosaves.map(|(number, _)| number).max().unwrap_or(0));
    while let Some(taken) = free.filter(|free| !folder.endings(&name_of(*free)).is_empty()) {
        free = after(taken);
    }
    free.ok_or_else(|| {
        let message = format_args!(
            "no number is left for an autosave after the slot {:?}: rename or delete it",
            name_of(last)
        );
        Error::new(ErrorKind::SizeLimit, message)
    })
}

fn is_number(free: u64) -> bool {
    number(&name_of(free)).is_some()
}

/// The state that makes a slot an autosave.
#[derive(Clone)]
pub(super) struct Autosave {
    folder: PathBuf,
    keep: usize,
    taken: Arc<OnceLock<Taken>>,
}

/// The number that an autosave got by its first save.
pub(super) struct Taken {
    number: u64,
    pub name: String,
    pub path: PathBuf,
}

impl Taken {
    /// These names need no encoding in the name of the file.
    fn new(number: u64, folder: &Folder) -> Taken {
        let name = name_of(number);
        Taken { number, path: folder.path_of(&name), name }
    }
}

impl Autosave {
    /// Returns the number, once the autosave is saved.
    pub fn taken(&self) -> Option<&Taken> {
        self.taken.get()
    }

    /// Saves with `save`, the first time under a new number, and removes the oldest autosaves.
    pub fn save(
        &self,
        file: &SaveFile,
        draft: &Draft,
        save: impl Fn(&SaveFile, Draft) -> Result<Meta>,
    ) -> Result<Meta> {
        let save_as = |taken: &Taken, is_new| {
            let file = SaveFile { path: taken.path.clone(), is_new, ..file.clone() };
            let mut draft = draft.clone();
            draft.meta.autosave = Some(taken.number);
            save(&file, draft)
        };
        let saved = match self.taken() {
            Some(taken) => save_as(taken, false)?,
            None => {
                let (taken, saved) = self.save_first(file, save_as)?;
                // If another thread has saved the slot meanwhile, this is a second autosave.
                _ = self.taken.set(taken);
                saved
            }
        };
        self.prune(file, draft, saved.autosave);
        Ok(saved)
    }

    /// Saves under an unused number, even if others save at the same time.
    fn save_first(
        &self,
        file: &SaveFile,
        save_as: impl Fn(&Taken, bool) -> Result<Meta>,
    ) -> Result<(Taken, Meta)> {
        let (mut from, mut tries) = (0, TRIES);
        loop {
            let folder = Folder::read(&*file.system, &self.folder, false)?;
            let taken = Taken::new(free_number(&*file.system, &folder, from)?, &folder);
            match save_as(&taken, true) {
                Err(error) if tries > 0 && fault::is(&error, io::ErrorKind::AlreadyExists) => {
                    (from, tries) = (taken.number + 1, tries - 1);
                }
                saved => return saved.map(|saved| (taken, saved)),
            }
        }
    }

    /// Removes the oldest autosaves. A removal that fails is tried again after the next autosave.
    fn prune(&self, file: &SaveFile, draft: &Draft, saved: Option<u64>) {
        let system = &*file.system;
        let Ok(_turn) = Turn::lock(system, &self.folder) else { return };
        let Ok(folder) = Folder::read(system, &self.folder, false) else { return };
        let others = folder.stems().filter_map(|stem| Some((number(stem)?, stem)));
        let mut others: Vec<_> = others.filter(|(number, _)| Some(*number) != saved).collect();
        if others.len() < self.keep {
            return;
        }
        others.retain(|(_, stem)| is_own(file, &folder, stem));
        others.sort_unstable();
        let mut count = (others.len() + 1).saturating_sub(self.keep);
        let mut is_removed = false;
        for (_, stem) in &others {
            if count == 0 {
                break;
            }
            count -= 1;
            // An autosave that only a newer version can load is neither counted nor removed.
            if is_loaded(file, draft, &folder, stem) {
                _ = folder.remove(system, stem);
                is_removed = true;
            }
        }
        if is_removed {
            _ = system.sync_folder(&self.folder);
        }
    }
}

/// Returns whether the save of a slot was saved as the autosave with that name.
pub(super) fn is_of(name: &str, meta: &Meta) -> bool {
    meta.autosave.is_some() && meta.autosave == number(name)
}

/// Returns whether the types of the program can load the autosave with that name, as far as that is
/// known.
fn is_loaded(file: &SaveFile, draft: &Draft, folder: &Folder, stem: &str) -> bool {
    let (system, path) = (&*file.system, folder.path_of(stem));
    let Ok(meta) = save_file::meta(system, &path) else { return true };
    let own = system.identity(&path);
    file.loads(draft, &own, &There { path, meta }).is_ok()
}

/// Returns whether a slot was saved as the autosave with that name, by this game and no newer
/// version. The newest readable save decides.
fn is_own(file: &SaveFile, folder: &Folder, stem: &str) -> bool {
    let system = &*file.system;
    let Ok(family) = folder.family(system, stem) else { return false };
    for (_, path) in family.saves() {
        match save_file::meta(system, path) {
            Ok(meta) => {
                return is_of(stem, &meta) && file.refusal(&meta).is_none();
            }
            Err(error) if fault::is_damage(&error) => {}
            Err(_) => return false,
        }
    }
    false
}
