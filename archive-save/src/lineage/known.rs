//! [`Known`]: what this process goes on from.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Lineage;

/// The save that this process has last loaded from each file, or saved to it. What it saves there
/// comes from that, whichever file a sync client has put there meanwhile.
#[derive(Debug, Default)]
pub struct Known(Mutex<VecDeque<One>>);

/// What is known of a file.
#[derive(Debug)]
struct One {
    file: PathBuf,
    lineage: Lineage,
    /// The signature of the types that it was loaded or saved by.
    signature: u64,
    /// Whether that worked. If not, the file has a value of a newer version.
    is_good: bool,
}

/// As many files as are known. Of others a save continues the one that is there.
const MAX_FILES: usize = 256;

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

    /// A save was loaded from that file, or saved to it, by types with that signature.
    pub fn set(&self, file: PathBuf, lineage: &Lineage, signature: u64) {
        self.add(One { file, lineage: lineage.clone(), signature, is_good: true });
    }

    /// A save was not loaded from that file, since it has a value of a newer version. What the process saves
    /// there next does not continue it.
    pub fn refuse(&self, file: PathBuf, lineage: &Lineage, signature: u64) {
        self.add(One { file, lineage: lineage.clone(), signature, is_good: false });
    }

    fn add(&self, one: One) {
        let mut all = self.all();
        all.retain(|other| other.file != one.file || other.is_good != one.is_good);
        all.push_front(one);
        all.truncate(MAX_FILES);
    }

    /// Another save was put there by this process, and none was loaded.
    pub fn forget(&self, file: &Path) {
        self.all().retain(|other| other.file != file);
    }

    /// Returns what the process has last loaded from that file, or saved to it.
    pub fn last(&self, file: &Path) -> Option<Lineage> {
        let all = self.all();
        all.iter().find(|one| one.is_good && one.file == file).map(|one| one.lineage.clone())
    }

    /// Returns what the next save to that file continues, in which that save is now.
    pub fn before(&self, file: &Path, there: Lineage) -> Lineage {
        match self.last(file) {
            // Where an older one was put there, no more than that is certain.
            Some(known) if known.id != there.id && !known.continues(&there) => known,
            _ => there,
        }
    }

    /// Returns whether types with that signature load the save that is in that file now, as far as the process
    /// has tried it.
    pub fn loads(&self, file: &Path, there: &Lineage, signature: u64) -> Option<bool> {
        let all = self.all();
        let is_it = |one: &&One| {
            let is_same = one.lineage.id == there.id && there.id != 0;
            is_same && one.file == file && one.signature == signature
        };
        all.iter().find(is_it).map(|one| one.is_good)
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<One>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
