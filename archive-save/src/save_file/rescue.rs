//! [`Rescue`]: the damaged files that a search for a good save found.

use std::path::{Path, PathBuf};

use archive_core::{Error, ErrorKind, Options};

use super::SaveFile;
use super::file_names::{folder_of, quarantine};
use super::loaded::Damaged;
use crate::fault;
use crate::system::{FileSystem, Turn};

/// The damaged files of a search.
pub(crate) struct Rescue<'s> {
    system: &'s dyn FileSystem,
    damaged: Vec<Damaged>,
    /// Whether a folder could not be locked. The search then does not wait for another lock.
    is_refused: bool,
}

impl<'s> Rescue<'s> {
    pub(crate) fn new(system: &'s dyn FileSystem) -> Self {
        Rescue { system, damaged: Vec::new(), is_refused: false }
    }

    /// Locks a folder, if that is possible.
    pub(super) fn lock(&mut self, folder: &Path) -> Option<Turn> {
        if self.is_refused {
            return Turn::try_lock(self.system, folder);
        }
        let turn = Turn::lock(self.system, folder).ok();
        self.is_refused = turn.is_none();
        turn
    }

    /// Adds a damaged file.
    pub(super) fn add(&mut self, path: PathBuf, error: Error) {
        self.damaged.push(Damaged { path, error, aside: None });
    }

    /// Returns the error of the first damaged file.
    pub(crate) fn into_error(self) -> Option<Error> {
        self.damaged.into_iter().next().map(|damaged| damaged.error)
    }

    /// Renames the damaged files whose folders can be locked, and returns all of them. They were
    /// found by loads of `file`, or of others in its folder, with these options.
    pub(crate) fn quarantine(mut self, file: &SaveFile, options: &Options<'_>) -> Vec<Damaged> {
        let mut damaged = std::mem::take(&mut self.damaged);
        for damaged in &mut damaged {
            // The drive may be able to read it the next time.
            if damaged.error.kind() == ErrorKind::Io {
                continue;
            }
            let path = &damaged.path;
            let Some(_turn) = self.lock(folder_of(path)) else { continue };
            // A good save may have replaced it by now.
            if file.intact(path, options).is_err_and(|error| fault::is_damage(&error)) {
                damaged.aside = self.rename_aside(path);
            }
        }
        damaged
    }

    /// Renames a file. Returns `None` if that fails.
    fn rename_aside(&self, path: &Path) -> Option<PathBuf> {
        let aside = quarantine(self.system, path).ok()?;
        if self.system.remove(path).is_err() {
            _ = self.system.remove(&aside);
            return None;
        }
        Some(aside)
    }
}
