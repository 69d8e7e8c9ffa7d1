//! How snapshots and kept rows are stored, and their verification.

use std::rc::Rc;
use std::time::{Duration, SystemTime};

use archive_core::{Error, Result, Value};
use rustc_hash::FxHashSet;

use super::Snapshot;
use crate::layout::{self, damaged};
use crate::storage::Storage;
use crate::store::Store;

/// The class and the key of rows.
pub(super) type RowSet = FxHashSet<(u32, u64)>;

impl Snapshot {
    /// Creates a snapshot that is taken now.
    pub(super) fn now(name: &str, number: u32) -> Self {
        // `SystemTime::now` panics in browsers.
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        let now = if has_clock { SystemTime::now() } else { SystemTime::UNIX_EPOCH };
        let created = SystemTime::UNIX_EPOCH + Duration::from_millis(millis(now));
        Snapshot { name: name.to_owned(), created, number }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        [&millis(self.created).to_be_bytes(), self.name.as_bytes()].concat()
    }

    fn from_bytes(key: &[u8], bytes: &[u8]) -> Result<Self> {
        let malformed = || damaged("malformed record of a snapshot");
        let number = layout::snapshot_number(key)?;
        let (created, name) = bytes.split_first_chunk().ok_or_else(malformed)?;
        let created = Duration::from_millis(u64::from_be_bytes(*created));
        let created = SystemTime::UNIX_EPOCH.checked_add(created).ok_or_else(malformed)?;
        let name = std::str::from_utf8(name).map_err(|_| malformed())?;
        if name.is_empty() || key.len() != layout::snapshot(number).len() {
            return Err(malformed());
        }
        Ok(Snapshot { name: name.to_owned(), created, number })
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

/// Reads which rows are kept for a snapshot.
pub(super) fn kept_rows(storage: &dyn Storage, number: u32) -> Result<RowSet> {
    let (mut rows, (from, to)) = (RowSet::default(), layout::all_kept(number));
    storage.keys(&from, &to, &mut |key| {
        rows.insert(row_of(&layout::row_of_kept(key))?);
        Ok(true)
    })?;
    Ok(rows)
}

/// Returns the class and the key of a row.
pub(super) fn row_of(row: &[u8]) -> Result<(u32, u64)> {
    layout::row_of(row).ok_or_else(|| damaged("malformed key of a row of a snapshot: wrong length"))
}

pub(super) fn unknown_class() -> Error {
    damaged("a snapshot has rows of an unknown class")
}

pub(super) fn unknown_snapshot() -> Error {
    damaged("it has rows of an unknown snapshot")
}

impl Store {
    /// Reads all snapshots, and every row that is kept for them with the types that it was saved
    /// with.
    pub(crate) fn check_snapshots(&self) -> Result {
        drop(self.0.begin()?);
        let storage = self.storage();
        let list = read_list(storage)?;
        let mut may_exist = false;
        storage.get(layout::HEADER, &mut |header| {
            may_exist = layout::read_header(header)?;
            Ok(())
        })?;
        if !may_exist && !list.is_empty() {
            return Err(damaged(
                "it has snapshots, but its version is that of a store without any",
            ));
        }
        let numbers: FxHashSet<u32> = list.iter().map(|snapshot| snapshot.number).collect();
        let (from, to) = layout::KEPT_KEYS;
        storage.scan(from, to, &mut |key, kept| {
            if !numbers.contains(&layout::snapshot_number(key)?) {
                return Err(unknown_snapshot());
            }
            let (class, key) = row_of(&layout::row_of_kept(key))?;
            let class = self.0.classes.by_id(class).filter(|class| class.is_stored());
            let class = class.ok_or_else(unknown_class)?;
            if let Some(row) = layout::kept_value(kept)? {
                self.decode::<Value>(&class, key, row)?;
            }
            Ok(true)
        })
    }
}
