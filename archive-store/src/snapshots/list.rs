//! [`Snapshots`]: the snapshots of a store, and which rows are kept for the newest one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use archive_core::{Error, ErrorKind, Result};
use rustc_hash::FxHashSet;

use super::Snapshot;
use crate::layout::{self, damaged};
use crate::storage::{Changes, Storage};

/// The class and the key of rows.
pub(super) type RowSet = FxHashSet<(u32, u64)>;

/// What a store knows about its snapshots.
pub(crate) struct Snapshots {
    /// The snapshots, the oldest one first. `None` after a failed commit: the storage is then read.
    list: RefCell<Option<Rc<[Snapshot]>>>,
    /// The last generation that was used while the store is open. No other snapshot gets it, so
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

    /// Returns the generation of the newest snapshot.
    pub(super) fn newest(&self, storage: &dyn Storage) -> Result<Option<u32>> {
        Ok(self.list(storage)?.last().map(|snapshot| snapshot.generation))
    }

    /// Returns a generation for a new snapshot.
    pub(super) fn next_generation(&self, list: &[Snapshot]) -> Result<u32> {
        let last = list.last().map_or(0, |snapshot| snapshot.generation).max(self.last.get());
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

impl Snapshot {
    /// Creates a snapshot that is taken now.
    pub(super) fn now(name: &str, generation: u32) -> Self {
        // `SystemTime::now` panics in browsers.
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        let now = if has_clock { SystemTime::now() } else { SystemTime::UNIX_EPOCH };
        let created = SystemTime::UNIX_EPOCH + Duration::from_millis(millis(now));
        Snapshot { name: name.to_owned(), created, generation }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        [&millis(self.created).to_be_bytes(), self.name.as_bytes()].concat()
    }

    fn from_bytes(key: &[u8], bytes: &[u8]) -> Result<Self> {
        let malformed = || damaged("malformed record of a snapshot");
        let generation = layout::generation(key)?;
        let (created, name) = bytes.split_first_chunk().ok_or_else(malformed)?;
        let created = Duration::from_millis(u64::from_be_bytes(*created));
        let created = SystemTime::UNIX_EPOCH.checked_add(created).ok_or_else(malformed)?;
        let name = std::str::from_utf8(name).map_err(|_| malformed())?;
        if name.is_empty() || key.len() != layout::snapshot(generation).len() {
            return Err(malformed());
        }
        Ok(Snapshot { name: name.to_owned(), created, generation })
    }
}

/// Returns the milliseconds since 1970.
fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(u64::MAX)
}

/// Reads the snapshots of a storage.
pub(super) fn read_list(storage: &dyn Storage) -> Result<Rc<[Snapshot]>> {
    let (mut list, mut names) = (Vec::new(), FxHashSet::default());
    let (from, to) = layout::SNAPSHOT_KEYS;
    storage.scan(from, to, &mut |key, bytes| {
        let snapshot = Snapshot::from_bytes(key, bytes)?;
        if !names.insert(snapshot.name.clone()) {
            return Err(damaged(&format!("two snapshots have the name `{}`", snapshot.name)));
        }
        list.push(snapshot);
        Ok(true)
    })?;
    Ok(list.into())
}

/// Returns the index of a snapshot.
pub(super) fn find(list: &[Snapshot], name: &str) -> Result<usize> {
    list.iter().position(|snapshot| snapshot.name == name).ok_or_else(|| not_found(name))
}

/// Returns the error for a snapshot that does not exist.
pub(super) fn not_found(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, format_args!("the store has no snapshot `{name}`"))
}

/// Reads which rows are kept for a snapshot.
pub(super) fn kept_rows(storage: &dyn Storage, generation: u32) -> Result<RowSet> {
    let (mut rows, (from, to)) = (RowSet::default(), layout::all_kept(generation));
    storage.keys(&from, &to, &mut |key| {
        rows.insert(kept_row(key)?);
        Ok(true)
    })?;
    Ok(rows)
}

/// Returns the class and the key of a kept row.
pub(super) fn kept_row(key: &[u8]) -> Result<(u32, u64)> {
    layout::row_of(&layout::row_of_kept(key))
        .ok_or_else(|| damaged("malformed key of a row of a snapshot: wrong length"))
}
