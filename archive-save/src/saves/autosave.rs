//! Autosaves: each is a slot of its own, and the oldest ones are removed.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive_core::Result;

use super::folder::Folder;
use super::{Saves, Slot, name};
use crate::system::FileSystem;

/// What the names of autosaves begin with.
const PREFIX: &str = "autosave ";

/// The number of the last autosave.
pub(super) type LastAutosave = AtomicU64;

impl Saves {
    /// Returns the slot for the next autosave: `autosave 17` after `autosave 16`. Once it is saved,
    /// the oldest ones are removed, as many as are more than [`autosaves`](Saves::autosaves). The
    /// numbers say which are the oldest, not their dates.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the folder cannot be read.
    pub fn autosave(&self) -> Result<Slot> {
        let listed = self.files()?.stems().filter_map(number_of_file).max().unwrap_or(0);
        // One that is not saved yet has its number.
        let next = |last: u64| last.max(listed).saturating_add(1);
        let taken = self
            .last_autosave
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |last| Some(next(last)));
        let (Ok(last) | Err(last)) = taken;
        let name = format!("{PREFIX}{}", next(last));
        let mut slot = self.slot(&name)?;
        slot.pruning = Some(Pruning {
            system: self.template.system.clone(),
            folder: self.folder.clone(),
            keep: self.autosaves,
        });
        Ok(slot)
    }
}

/// Returns the number of an autosave by its name.
pub(super) fn number(name: &str) -> Option<u64> {
    name::number(name.strip_prefix(PREFIX)?)
}

/// Returns the number of an autosave by the name of its file.
fn number_of_file(stem: &str) -> Option<u64> {
    number(&name::decode(stem)?)
}

/// The removal of old autosaves.
#[derive(Clone)]
pub(super) struct Pruning {
    system: Arc<dyn FileSystem>,
    folder: PathBuf,
    keep: usize,
}

impl Pruning {
    /// Removes the oldest autosaves. What cannot be removed is tried again after the next one.
    pub fn run(&self) {
        let Ok(folder) = Folder::read(&*self.system, &self.folder, false) else { return };
        let mut all: Vec<(u64, &str)> =
            folder.stems().filter_map(|stem| Some((number_of_file(stem)?, stem))).collect();
        all.sort_unstable();
        for (_, stem) in &all[..all.len().saturating_sub(self.keep)] {
            _ = folder.remove(&*self.system, stem);
        }
        _ = self.system.sync_folder(&self.folder);
    }
}
