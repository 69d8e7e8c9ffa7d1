//! [`Rescue`]: what a search for a good save has found that is damaged.

use std::path::{Path, PathBuf};

use archive_core::{Error, ErrorKind};

use super::loaded::Damaged;
use super::names::{folder_of, put_aside};
use crate::system::{FileSystem, Turn};

/// The damaged files of a search, and the locks of their folders. No other process saves while a file
/// is put aside.
pub(crate) struct Rescue<'s> {
    system: &'s dyn FileSystem,
    /// What each folder is known by, with its lock if that was possible.
    turns: Vec<(PathBuf, Option<Turn>)>,
    damaged: Vec<Damaged>,
}

impl<'s> Rescue<'s> {
    pub(crate) fn new(system: &'s dyn FileSystem) -> Self {
        Rescue { system, turns: Vec::new(), damaged: Vec::new() }
    }

    /// Locks a folder until the search has come to its end. Returns whether that is possible.
    pub(super) fn lock(&mut self, folder: &Path) -> bool {
        let own = self.system.identity(folder);
        if self.turns.iter().all(|(locked, _)| *locked != own) {
            // Two searches that have one folder each do not wait for one another.
            let turn = if self.turns.is_empty() {
                Turn::lock(self.system, folder).ok()
            } else {
                Turn::try_lock(self.system, folder)
            };
            self.turns.push((own, turn));
        }
        self.has(folder)
    }

    /// Returns whether a folder is locked.
    pub(super) fn has(&self, folder: &Path) -> bool {
        let own = self.system.identity(folder);
        self.turns.iter().any(|(locked, turn)| *locked == own && turn.is_some())
    }

    /// Adds a file that is damaged.
    pub(super) fn add(&mut self, path: PathBuf, error: Error) {
        self.damaged.push(Damaged { path, error, aside: None });
    }

    /// Returns the error of the first file that is damaged.
    pub(crate) fn into_error(self) -> Option<Error> {
        self.damaged.into_iter().next().map(|damaged| damaged.error)
    }

    /// Gives the damaged files other names, as far as their folders are locked, and returns them.
    pub(crate) fn put_aside(mut self) -> Vec<Damaged> {
        let mut damaged = std::mem::take(&mut self.damaged);
        for damaged in &mut damaged {
            // What the drive cannot read now it may read the next time.
            if damaged.error.kind() != ErrorKind::Io && self.has(folder_of(&damaged.path)) {
                let aside = put_aside(self.system, &damaged.path).ok();
                damaged.aside = aside.filter(|_| self.system.remove(&damaged.path).is_ok());
            }
        }
        damaged
    }
}
