//! Snapshots of a store: random histories, forged records, the space that they take, and their errors.

mod forged_snapshots;
mod snapshot_errors;
mod snapshot_histories;
mod snapshot_layout;
mod snapshot_pages;
mod snapshot_space;

use std::collections::BTreeMap;

use archive::store::storage::Storage;
use archive::store::{Difference, DifferenceKind, Persistent, Pool, Store};
use archive::{Result, Serialize};

#[derive(Default, Serialize)]
struct Unit {
    hp: u32,
    name: String,
}
#[derive(Default, Serialize)]
struct Camera {
    zoom: u32,
}
#[derive(Default, Serialize)]
struct Town {
    size: u32,
}
#[derive(Default, Serialize)]
struct World {
    tick: u32,
    camera: Persistent<Camera>,
    units: Pool<Unit>,
    towns: Vec<Persistent<Town>>,
}
archive::store::persistent!(World = "world", Camera = "camera", Unit = "unit", Town = "town");

impl World {
    /// Creates a world with units of about 140 bytes.
    fn with_units(count: u32) -> Self {
        let mut world = World::default();
        for hp in 0..count {
            world.units.insert(Unit { hp, name: format!("{hp:130}") });
        }
        world
    }
}

type Bytes = BTreeMap<Vec<u8>, Vec<u8>>;

/// Returns the keys and values of a storage in a range.
fn range(storage: &dyn Storage, from: &[u8], to: &[u8]) -> Result<Bytes> {
    let mut found = Bytes::new();
    storage.scan(from, to, &mut |key, value| {
        found.insert(key.to_vec(), value.to_vec());
        Ok(true)
    })?;
    Ok(found)
}

/// Returns the rows of a storage.
fn rows(storage: &dyn Storage) -> Result<Bytes> {
    range(storage, &[3], &[4])
}

/// Returns all keys and values of a storage.
fn all(storage: &dyn Storage) -> Result<Bytes> {
    range(storage, &[], &[])
}

/// Returns the class and the key of a row.
fn row_of(row: &[u8]) -> (u32, u64) {
    let class = u32::from_be_bytes(row[1..5].try_into().unwrap());
    (class, u64::from_be_bytes(row[5..].try_into().unwrap()))
}

/// Returns the differences of two states, as numbers of classes, keys and kinds.
fn differences(then: &Bytes, now: &Bytes) -> Vec<((u32, u64), DifferenceKind)> {
    let keys = then.keys().chain(now.keys().filter(|key| !then.contains_key(*key)));
    let kind = |key: &Vec<u8>| match (then.get(key), now.get(key)) {
        (None, _) => Some(DifferenceKind::Added),
        (_, None) => Some(DifferenceKind::Removed),
        (then, now) => (then != now).then_some(DifferenceKind::Changed),
    };
    let mut found: Vec<_> = keys.filter_map(|key| Some((row_of(key), kind(key)?))).collect();
    found.sort();
    found
}

/// Returns differences as [`differences`] does.
fn numbered(storage: &dyn Storage, found: &[Difference]) -> Vec<((u32, u64), DifferenceKind)> {
    let classes = range(storage, &[1], &[2]).unwrap();
    let number = |name: &str| {
        let record = &classes[&[&[1], name.as_bytes()].concat()];
        u32::from_be_bytes(record[..4].try_into().unwrap())
    };
    found.iter().map(|found| ((number(&found.row.class), found.row.key), found.kind)).collect()
}

/// Compares the store with the rows that it had when a snapshot was taken.
fn assert_is_kept(store: &Store, name: &str, then: &Bytes) -> Result {
    let past = store.open_snapshot(name)?;
    assert_eq!(rows(past.storage())?, *then, "{name}");
    let now = rows(store.storage())?;
    // Of a large store, some.
    let step = 1 + then.len() / 300;
    for key in now.keys().chain(then.keys()).step_by(step) {
        let mut value = None;
        let is_found = past.storage().get(key, &mut |found| {
            value = Some(found.to_vec());
            Ok(())
        })?;
        assert_eq!((value.as_ref(), is_found), (then.get(key), then.contains_key(key)), "{name}");
    }
    let mut counts = BTreeMap::new();
    then.keys().for_each(|key| *counts.entry(row_of(key).0).or_insert(0) += 1);
    for record in range(past.storage(), &[1], &[2])?.values() {
        let class = u32::from_be_bytes(record[..4].try_into().unwrap());
        let count = u64::from_be_bytes(record[12..].try_into().unwrap());
        assert_eq!(count, counts.get(&class).copied().unwrap_or(0), "{name}: class {class}");
    }
    let found = store.compare(name)?;
    assert_eq!(numbered(store.storage(), &found), differences(then, &now), "{name}");
    Ok(())
}
