//! [`Known`]: the saves that this process continues.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Lineage;

/// The save that this process last loaded from each file, or saved to it. The next save to the file
/// continues that save, even if a sync client has replaced the file meanwhile.
#[derive(Debug, Default)]
pub struct Known(Mutex<VecDeque<One>>);

/// The entry of a file.
#[derive(Debug)]
struct One {
    file: PathBuf,
    lineage: Lineage,
    /// The signature of the types with which it was loaded or saved.
    signature: u64,
    /// Whether the types could load it. If not, the file has a value of a newer version.
    is_good: bool,
}

/// The maximum number of known files. A save to another file continues the save in that file.
const MAX_FILES: usize = 256;

impl Known {
    /// Creates a table without files.
    pub const fn new() -> Known {
        Known(Mutex::new(VecDeque::new()))
    }

    /// Returns the table of this process.
    pub fn of_this_process() -> &'static Known {
        static KNOWN: Known = Known::new();
        &KNOWN
    }

    /// Notes that types with that signature have loaded a save from the file, or saved one to it.
    pub fn set(&self, file: PathBuf, lineage: &Lineage, signature: u64) {
        self.add(One { file, lineage: lineage.clone(), signature, is_good: true });
    }

    /// Notes that a save in the file was not loaded, because it has a value of a newer version. The
    /// next save to the file does not continue it.
    pub fn refuse(&self, file: PathBuf, lineage: &Lineage, signature: u64) {
        self.add(One { file, lineage: lineage.clone(), signature, is_good: false });
    }

    fn add(&self, one: One) {
        let mut all = self.all();
        all.retain(|other| other.file != one.file || other.is_good != one.is_good);
        all.push_front(one);
        all.truncate(MAX_FILES);
    }

    /// Notes that this process has replaced the file by another save without loading it.
    pub fn forget(&self, file: &Path) {
        self.all().retain(|other| other.file != file);
    }

    /// Notes that a save has the value of the save `from` and continues it. If the process last
    /// loaded or saved `from`, it now continues that save.
    pub fn replace(&self, file: &Path, from: &Lineage, to: &Lineage) {
        let is_it = |one: &&mut One| one.is_good && one.file == file && one.lineage.id == from.id;
        if let Some(one) = self.all().iter_mut().find(is_it) {
            one.lineage = to.clone();
        }
    }

    /// Returns the save that the process last loaded from the file, or saved to it.
    pub fn last(&self, file: &Path) -> Option<Lineage> {
        let all = self.all();
        all.iter().find(|one| one.is_good && one.file == file).map(|one| one.lineage.clone())
    }

    /// Returns the lineage that the next save to the file continues. `there` is the save in the
    /// file.
    pub fn before(&self, file: &Path, there: Lineage) -> Lineage {
        match self.last(file) {
            // If the file was replaced by an older save, only that save is certain.
            Some(known) if known.id != there.id && !known.continues(&there) => known,
            _ => there,
        }
    }

    /// Returns whether types with that signature can load the save in the file, if the process has
    /// tried it.
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
