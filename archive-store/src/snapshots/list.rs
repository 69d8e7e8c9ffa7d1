//! [`Snapshots`]: the snapshots of a store, and which rows are kept for the newest one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use archive_core::{Error, ErrorKind, Result};

use super::Snapshot;
use super::records::{RowSet, kept_rows, read_list};
use crate::storage::{Changes, Storage};

/// What a store knows about its snapshots.
pub(crate) struct Snapshots {
    /// The snapshots, the oldest one first. `None` after a failed commit: the storage is then read.
    list: RefCell<Option<Rc<[Snapshot]>>>,
    /// The last number that was used while the store is open. No other snapshot gets it, so
    /// that the view of a deleted snapshot stays one.
    last: Cell<u32>,
    /// The rows that are kept for the newest snapshot, once that is known.
    kept: RefCell<Option<RowSet>>,
}

impl Snapshots {
    /// Reads the snapshots of a storage, if it may have some.
    pub(crate) fn read(storage: &dyn Storage, may_exist: bool) -> Result<Self> {
        let list = if may_exist { read_list(storage)? } else { Rc::default() };
        let list = RefCell::new(Some(list));
        Ok(Snapshots { list, last: Cell::new(0), kept: RefCell::default() })
    }

    /// Returns the snapshots, the oldest one first.
    pub(super) fn list(&self, storage: &dyn Storage) -> Result<Rc<[Snapshot]>> {
        if let Some(list) = &*self.list.borrow() {
            return Ok(list.clone());
        }
        let list = read_list(storage)?;
        self.list.replace(Some(list.clone()));
        Ok(list)
    }

    /// Sets the snapshots that the storage has.
    pub(super) fn set(&self, list: Vec<Snapshot>) {
        self.list.replace(Some(list.into()));
    }

    /// Returns the number of the newest snapshot.
    pub(super) fn newest(&self, storage: &dyn Storage) -> Result<Option<u32>> {
        Ok(self.list(storage)?.last().map(|snapshot| snapshot.number))
    }

    /// Returns a number for a new snapshot.
    pub(super) fn next_number(&self, list: &[Snapshot]) -> Result<u32> {
        let last = list.last().map_or(0, |snapshot| snapshot.number).max(self.last.get());
        match last + 1 {
            u32::MAX => Err(Error::new(
                ErrorKind::SizeLimit,
                "all numbers of snapshots are used: delete the newest ones, and open the store again",
            )),
            next => {
                self.last.set(next);
                Ok(next)
            }
        }
    }

    /// Commits a change of the list.
    pub(super) fn commit(&self, storage: &dyn Storage, changes: &Changes) -> Result {
        // If the connection was lost, the engine finds out later what was committed.
        storage.commit(changes).inspect_err(|_| {
            self.list.take();
            self.forget_rows();
        })
    }

    /// Runs with the rows that are kept for the newest snapshot.
    pub(super) fn with_kept<R>(
        &self,
        storage: &dyn Storage,
        newest: u32,
        run: impl FnOnce(&RowSet) -> R,
    ) -> Result<R> {
        if self.kept.borrow().is_none() {
            let kept = kept_rows(storage, newest)?;
            self.know_kept(kept);
        }
        Ok(run(self.kept.borrow().as_ref().expect("the rows were read")))
    }

    /// Sets the rows that are kept for the newest snapshot.
    pub(super) fn know_kept(&self, kept: RowSet) {
        self.kept.replace(Some(kept));
    }

    /// Adds rows that are kept for the newest snapshot.
    pub(super) fn keeps(&self, rows: Vec<(u32, u64)>) {
        if let Some(kept) = &mut *self.kept.borrow_mut() {
            kept.extend(rows);
        }
    }

    /// Forgets which rows are kept. The next save reads it.
    pub(crate) fn forget_rows(&self) {
        self.kept.take();
    }
}

/// Returns the index of a snapshot.
pub(super) fn find(list: &[Snapshot], name: &str) -> Result<usize> {
    list.iter().position(|snapshot| snapshot.name == name).ok_or_else(|| not_found(name))
}

/// Returns the error for a snapshot that does not exist.
pub(super) fn not_found(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, format_args!("the store has no snapshot `{name}`"))
}
