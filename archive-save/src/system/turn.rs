//! [`Turn`]: one save at a time in each folder.
// Why: docs/decisions/saves.md#a-folder-is-locked-while-it-is-saved-to

use std::any::Any;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::FileSystem;

/// The folders in which threads of this process save.
static BUSY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Signals that a folder is no longer in use.
static FREED: Condvar = Condvar::new();

fn busy() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to save in a folder. Only one thread of one process has it at a time.
pub struct Turn {
    folder: PathBuf,
    /// The lock against other processes.
    others: Option<Box<dyn Any + Send>>,
}

impl Turn {
    /// Waits until the right is free, and takes it.
    pub fn lock(system: &dyn FileSystem, folder: &Path) -> io::Result<Turn> {
        let own = system.identity(folder);
        let mut all = busy();
        while !all.insert(own.clone()) {
            all = FREED.wait(all).unwrap_or_else(PoisonError::into_inner);
        }
        drop(all);
        let mut turn = Turn { folder: own, others: None };
        turn.others = Some(system.lock(folder)?);
        Ok(turn)
    }

    /// Takes the right if it is free.
    pub fn try_lock(system: &dyn FileSystem, folder: &Path) -> Option<Turn> {
        let own = system.identity(folder);
        if !busy().insert(own.clone()) {
            return None;
        }
        let mut turn = Turn { folder: own, others: None };
        turn.others = Some(system.try_lock(folder).ok()?);
        Some(turn)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.others = None;
        busy().remove(&self.folder);
        FREED.notify_all();
    }
}
