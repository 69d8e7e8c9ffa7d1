//! Damaged or forged snapshots: typed errors, or the rows of a snapshot, in bounded memory.

use std::rc::Rc;

use archive::store::Store;
use archive::store::storage::{Changes, Memory, Storage};
use archive::{ErrorKind, Result};
use archive_test_support::search::{config, some_of};
use proptest::prelude::*;

use super::{Bytes, World, all};

/// Returns a store with two snapshots, and rows that are kept for both.
fn good() -> Bytes {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone()).unwrap();
    let mut world = World::default();
    for hp in 0..3 {
        world.units.insert(super::Unit { hp, name: format!("unit {hp}") });
    }
    store.save(&world).unwrap();
    for name in ["first", "second"] {
        store.snapshot(name).unwrap();
        world.tick += 1;
        let at = world.units.iter().next().unwrap().0;
        world.units.remove(at);
        world.units.insert(Default::default());
        store.save(&world).unwrap();
    }
    all(&*memory).unwrap()
}

fn storage(bytes: &Bytes) -> Memory {
    let (memory, mut changes) = (Memory::new(), Changes::new());
    bytes.iter().for_each(|(key, value)| changes.put(key, value));
    memory.commit(&changes).unwrap();
    memory
}

/// Calls all functions for snapshots. Returns the error of opening the store, or of `check`.
fn use_all(bytes: &Bytes) -> Result {
    let checked = Store::over(storage(bytes))?.check();
    for name in ["first", "second", "", "a"] {
        let store = Store::over(storage(bytes))?;
        let _ = store.compare(name);
        if let Ok(past) = store.open_snapshot(name) {
            let _ = (past.check(), all(past.storage()));
            let _ = crate::failing_storage::load_from::<World>(&past);
        }
        let _ = store.snapshot("third");
        let mut world = World::default();
        if store.restore(name).is_ok() && store.attach(&mut world).is_ok() {
            let _ = (store.finish_load(), store.save_all(&world));
        }
        let _ = (store.clear(), store.delete_snapshot(name), store.snapshots());
        let _ = store.save(&World::with_units(3));
    }
    checked
}

#[test]
fn every_changed_byte_of_a_snapshot_is_survived() {
    let good = good();
    use_all(&good).unwrap();
    let of_snapshots: Vec<_> = good.iter().filter(|(key, _)| key[0] > 3 || **key == [0]).collect();
    assert!(of_snapshots.len() > 6);
    for (key, value) in of_snapshots {
        for case in some_of((key.len() + value.len()) * 10) {
            let (mut key, mut value, mut bytes) = (key.clone(), value.clone(), good.clone());
            bytes.remove(&key);
            let index = case / 10;
            let (part, index) = match index.checked_sub(key.len()) {
                Some(index) => (&mut value, index),
                None => (&mut key, index),
            };
            match case % 10 {
                bit @ 0..8 => part[index] ^= 1 << bit,
                8 => part.truncate(index),
                _ => part[index] = 255,
            }
            bytes.insert(key, value);
            let _ = use_all(&bytes);
        }
    }
}

#[test]
fn random_snapshots_are_survived() {
    let bytes = || prop::collection::vec(prop_oneof![0..4_u8, any::<u8>()], 0..20);
    let key = prop_oneof![
        (4..6_u8, bytes()).prop_map(|(kind, rest)| [vec![kind], rest].concat()),
        (0..4_u8, 0..4_u8, 0..4_u64).prop_map(|(number, class, key)| {
            [&[5, 0, 0, 0, number, 0, 0, 0, class][..], &key.to_be_bytes()].concat()
        }),
    ];
    let rows = prop::collection::btree_map(key, bytes(), 0..6);
    proptest!(config(400), |(more in rows, drop in any::<prop::sample::Index>())| {
        let mut all = good();
        let dropped = all.keys().nth(drop.index(all.len())).unwrap().clone();
        all.remove(&dropped);
        all.extend(more);
        let _ = use_all(&all);
    });
}

#[test]
fn errors_say_what_is_forged() {
    let record = |name: &[u8]| [&[0; 8], name].concat();
    let kept = |number: u8, class: u8| {
        [5, 0, 0, 0, number, 0, 0, 0, class, 0, 0, 0, 0, 0, 0, 0, 1].to_vec()
    };
    let forged: [(Vec<u8>, Vec<u8>, &str); 12] = [
        (vec![4], record(b"a"), "the key of a snapshot has no valid number"),
        (vec![4, 0, 0, 0, 0], record(b"a"), "the key of a snapshot has no valid number"),
        (vec![4, 255, 255, 255, 255], record(b"a"), "the key of a snapshot has no valid number"),
        (vec![4, 0, 0, 0, 9, 9], record(b"a"), "malformed record of a snapshot"),
        (vec![4, 0, 0, 0, 9], record(b""), "malformed record of a snapshot"),
        (vec![4, 0, 0, 0, 9], vec![0; 7], "malformed record of a snapshot"),
        (vec![4, 0, 0, 0, 9], record(b"\xff"), "malformed record of a snapshot"),
        (vec![4, 0, 0, 0, 9], record(b"first"), "two snapshots have the name `first`"),
        (kept(9, 1), vec![0], "it has rows of an unknown snapshot"),
        (kept(1, 9), vec![0], "a snapshot has rows of an unknown class"),
        (kept(1, 1), vec![2], "malformed row of a snapshot"),
        (kept(1, 1)[..16].to_vec(), vec![0], "malformed key of a row of a snapshot: wrong length"),
    ];
    for (key, value, message) in forged {
        let mut bytes = good();
        bytes.insert(key.clone(), value);
        let error = use_all(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{key:?}");
        assert_eq!(error.to_string(), format!("the store is damaged: {message}"), "{key:?}");
    }
}

/// A kept row that the types do not describe.
#[test]
fn a_kept_row_is_checked_with_its_types() {
    let mut bytes = good();
    let (_, row) = bytes.iter_mut().rfind(|(key, value)| key[0] == 5 && value.len() > 6).unwrap();
    row.pop();
    let error = use_all(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "{error}");
    let error = error.to_string();
    assert!(error.starts_with("unit ") || error.starts_with("world 1"), "{error}");
}

#[test]
fn snapshots_do_not_appear_from_old_rows() {
    let mut bytes = good();
    bytes.insert(vec![0], b"archive.store\x01".to_vec());
    let store = Store::over(storage(&bytes)).unwrap();
    assert_eq!(store.snapshots().unwrap(), []);
    let error = store.check().unwrap_err().to_string();
    assert!(error.ends_with("its version is that of a store without any"), "{error}");
    let error = store.snapshot("third").unwrap_err().to_string();
    assert!(error.ends_with("it has rows of an unknown snapshot"), "{error}");

    let last = [4, 255, 255, 255, 254];
    let mut bytes = good();
    bytes.insert(last.to_vec(), [0, 0, 0, 0, 0, 0, 0, 0, b'z'].to_vec());
    let store = Store::over(storage(&bytes)).unwrap();
    assert_eq!(store.snapshot("third").unwrap_err().kind(), ErrorKind::SizeLimit);
}
