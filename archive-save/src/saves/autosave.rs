//! Autosaves: each is a slot of its own, and the oldest ones are removed.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive_core::Result;

use super::{Saves, Slot, manage, name};
use crate::save_file::Family;
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
            system: self.template.system.clone(),
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
    system: Arc<dyn FileSystem>,
    folder: PathBuf,
    keep: usize,
}

impl Pruning {
    /// Removes the oldest autosaves. What cannot be removed is tried again after the next one.
    pub fn run(&self) {
        let Ok(names) = self.system.list(&self.folder) else { return };
        let stems = names.iter().filter_map(|name| name.strip_suffix(name::ENDING));
        let mut all: Vec<(u64, &str)> =
            stems.filter_map(|stem| Some((number_of_file(stem)?, stem))).collect();
        all.sort_unstable();
        for (_, stem) in &all[..all.len().saturating_sub(self.keep)] {
            let path = self.folder.join(format!("{stem}{}", name::ENDING));
            let Ok(family) = Family::read(&*self.system, &path) else { continue };
            manage::remove(&*self.system, &family);
        }
        _ = self.system.sync_folder(&self.folder);
    }
}
