//! Where rows are stored: laws of all engines, damaged files, power cuts.

mod commit_histories;
mod damaged_files;
mod disk;
mod export;
mod full_or_failing_disk;
mod killed_process;
mod killed_writer;
mod opened_files;
mod power_loss;
mod recovered;
mod storage_laws;

use archive::Result;
use archive::store::storage::{Changes, Storage};

type Rows = std::collections::BTreeMap<Vec<u8>, Vec<u8>>;

/// Reads all rows.
fn rows(storage: &dyn Storage) -> Result<Rows> {
    let mut rows = Rows::new();
    storage.scan(&[], &[], &mut |key, value| {
        rows.insert(key.to_vec(), value.to_vec());
        Ok(true)
    })?;
    Ok(rows)
}

/// Commits one row.
fn put(storage: &dyn Storage, key: &[u8], value: &[u8]) -> Result {
    let mut changes = Changes::new();
    changes.put(key, value);
    storage.commit(&changes)
}

/// Returns a storage of this many rows, with values of 60 bytes.
fn filled<S: Storage>(storage: S, count: u32) -> S {
    let mut changes = Changes::new();
    for number in 0..count {
        changes.put(&number.to_be_bytes(), &[number as u8; 60]);
    }
    storage.commit(&changes).unwrap();
    storage
}
