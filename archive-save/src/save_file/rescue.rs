//! [`Rescue`]: what a search for a good save has found that is damaged.

use std::any::Any;
use std::path::{Path, PathBuf};

use archive_core::Error;

use super::loaded::Damaged;
use super::names::put_aside;
use crate::system::FileSystem;

/// The damaged files of a search, and the locks of their folders. No other process saves while a file is put aside.
pub(crate) struct Rescue<'s> {
    system: &'s dyn FileSystem,
    locks: Vec<(PathBuf, Option<Box<dyn Any + Send>>)>,
    damaged: Vec<Damaged>,
}

impl<'s> Rescue<'s> {
    pub(crate) fn new(system: &'s dyn FileSystem) -> Self {
        Rescue { system, locks: Vec::new(), damaged: Vec::new() }
    }

    /// Locks a folder until the search has come to its end, if that is possible.
    pub(super) fn lock(&mut self, folder: &Path) {
        if self.locks.iter().all(|(locked, _)| locked != folder) {
            self.locks.push((folder.to_owned(), self.system.lock(folder).ok()));
        }
    }

    /// Returns whether a folder is locked.
    pub(super) fn has(&self, folder: &Path) -> bool {
        self.locks.iter().any(|(locked, lock)| locked == folder && lock.is_some())
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
            if self.has(super::folder_of(&damaged.path)) {
                let aside = put_aside(self.system, &damaged.path).ok();
                damaged.aside = aside.filter(|_| self.system.remove(&damaged.path).is_ok());
            }
        }
        damaged
    }
}
