//! [`Branches`]: sequences of saves. Each save in a sequence continues the previous one.
// Why: docs/decisions/saves.md#a-lineage-is-made-of-branches

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

/// The branches that this process began, with the counter of the last save in each.
///
/// In a branch each save replaces the previous one. Only the process that began a branch continues
/// it, and only from its last save. When a file was copied, or replaced by an older one, one of the
/// two files is no longer the last save of its branch, so its next save begins a new branch. Saves
/// that have diverged are never in one branch.
#[derive(Debug, Default)]
pub struct Branches(Mutex<Option<HashMap<u64, u64>>>);

impl Branches {
    /// Creates a set without branches.
    pub const fn new() -> Branches {
        Branches(Mutex::new(None))
    }

    /// Returns the branches of this process.
    pub fn of_this_process() -> &'static Branches {
        static BRANCHES: Branches = Branches::new();
        &BRANCHES
    }

    /// Begins a branch whose first save has that counter.
    pub fn begin(&self, counter: u64) -> u64 {
        let branch = random();
        self.with(|branches| branches.insert(branch, counter));
        branch
    }

    /// Continues a branch after the save with that counter. Returns whether that is its last save.
    pub fn resume(&self, branch: u64, counter: u64) -> bool {
        self.with(|branches| match branches.get_mut(&branch) {
            Some(last) if *last == counter && counter < u64::MAX => {
                *last += 1;
                true
            }
            _ => false,
        })
    }

    /// Undoes the save with that counter, which was not made.
    pub fn undo(&self, branch: u64, counter: u64, is_first: bool) {
        self.with(|branches| {
            if is_first {
                branches.remove(&branch);
            } else if let Some(last) = branches.get_mut(&branch).filter(|last| **last == counter) {
                *last -= 1;
            }
        });
    }

    fn with<T>(&self, change: impl FnOnce(&mut HashMap<u64, u64>) -> T) -> T {
        let mut branches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(branches.get_or_insert_default())
    }
}

/// Whether the platform has random numbers. In a browser the standard library would give each page
/// the same ones.
pub const HAS_RANDOM: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Returns a unique number that is not 0. Needs [`HAS_RANDOM`].
pub fn random() -> u64 {
    // Each state has its own random key, from the system.
    RandomState::new().hash_one("save").max(1)
}
