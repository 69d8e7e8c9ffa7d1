//! [`Known`]: what this process goes on from.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Lineage;

/// The save that this process has last loaded from each file, or saved to it. What it saves there
/// comes from that, whichever file a sync client has put there meanwhile.
#[derive(Debug, Default)]
pub struct Known(Mutex<VecDeque<(PathBuf, Lineage)>>);

/// As many files as are known. Of others a save continues the one that is there.
const MOST: usize = 256;

impl Known {
    /// No files.
    pub const fn new() -> Known {
        Known(Mutex::new(VecDeque::new()))
    }

    /// Returns those of this process.
    pub fn of_this_process() -> &'static Known {
        static KNOWN: Known = Known::new();
        &KNOWN
    }

    /// A save was loaded from that file, or saved to it.
    pub fn set(&self, file: PathBuf, lineage: &Lineage) {
        let mut all = self.all();
        all.retain(|(other, _)| *other != file);
        all.push_front((file, lineage.clone()));
        all.truncate(MOST);
    }

    /// Another save was put there by this process, and none was loaded.
    pub fn forget(&self, file: &Path) {
        self.all().retain(|(other, _)| other != file);
    }

    /// Returns what the next save to that file continues, in which that save is now.
    pub fn before(&self, file: &Path, there: Lineage) -> Lineage {
        let all = self.all();
        let known = all.iter().find(|(other, _)| other == file).map(|(_, known)| known);
        match known {
            // Where an older one was put there, no more than that is certain.
            Some(known) if known.id != there.id && !known.continues(&there) => known.clone(),
            _ => there,
        }
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<(PathBuf, Lineage)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
