//! Autosaves: each is a slot of its own, and the oldest ones are removed.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use archive_core::Result;

use super::{Saves, Slot, manage, name};
use crate::fault;
use crate::save_file::{self, Family, SaveFile};

/// What the names of autosaves begin with.
const PREFIX: &str = "autosave ";

/// The number of the last autosave.
pub(super) type LastAutosave = AtomicU64;

impl Saves {
    /// Returns the slot for the next autosave: `autosave 17` after `autosave 16`. Once it is saved,
    /// the oldest ones are removed, as many as are more than [`autosaves`](Saves::autosaves). The
    /// numbers say which are the oldest, not their dates. Autosaves of other games, of newer
    /// versions, and those that cannot be read are neither counted nor removed.
    ///
    /// In the background all autosaves have one place in the queue: a later one replaces the one
    /// that is queued, and its number is left out. An autosave has [`backups`](Saves::backups) only if its
    /// slot is saved more than once; the autosaves before it are what a load can go back to.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the folder cannot be read.
    pub fn autosave(&self) -> Result<Slot> {
        let listed =
            self.families()?.keys().filter_map(|stem| number_of_file(stem)).max().unwrap_or(0);
        // One that is not saved yet has its number.
        let next = |last: u64| last.max(listed).saturating_add(1);
        let taken = self
            .last_autosave
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |last| Some(next(last)));
        let (Ok(last) | Err(last)) = taken;
        let name = format!("{PREFIX}{}", next(last));
        let mut slot = self.slot(&name)?;
        slot.pruning = Some(Pruning {
            template: self.template.clone(),
            folder: self.folder.clone(),
            keep: self.autosaves,
        });
        Ok(slot)
    }
}

/// Returns the number of an autosave by its name.
pub(super) fn number(name: &str) -> Option<u64> {
    name.strip_prefix(PREFIX)?.parse().ok()
}

/// Returns the number of an autosave by the name of its file.
fn number_of_file(stem: &str) -> Option<u64> {
    number(&name::decode(stem)?)
}

/// The removal of old autosaves.
#[derive(Clone)]
pub(super) struct Pruning {
    template: SaveFile,
    folder: PathBuf,
    keep: usize,
}

impl Pruning {
    /// Removes the oldest autosaves. What cannot be removed is tried again after the next one.
    pub fn run(&self) {
        let system = &*self.template.system;
        let Ok(names) = system.list(&self.folder) else { return };
        let mut all: Vec<(u64, PathBuf)> = names
            .iter()
            .filter_map(|name| {
                let number = number_of_file(name.strip_suffix(name::ENDING)?)?;
                Some((number, self.folder.join(name)))
            })
            .collect();
        if all.len() <= self.keep {
            return;
        }
        all.retain(|(_, path)| self.may_remove(path));
        all.sort_unstable();
        for (_, path) in &all[..all.len().saturating_sub(self.keep)] {
            let Ok(family) = Family::read(system, path) else { continue };
            manage::remove(system, &family);
        }
        _ = system.sync_folder(&self.folder);
    }

    /// Whether an autosave is one of this game, or damaged.
    fn may_remove(&self, path: &Path) -> bool {
        match save_file::meta(&*self.template.system, path) {
            Ok(meta) => self.template.refusal(&meta).is_none(),
            Err(error) => fault::is_damage(&error),
        }
    }
}
