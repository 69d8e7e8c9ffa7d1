//! Damaged or forged stores: typed errors, or the stored values, in bounded memory.

use std::rc::Rc;

use archive::store::storage::{Change, Changes, Memory, Storage};
use archive::store::{Persistent, Pool, Ref, Store};
use archive::{ErrorKind, Result, Serialize};
use archive_test_support::search::{config, some_of};
use proptest::prelude::*;

#[derive(Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    leader: Ref<Unit>,
    orders: Vec<u32>,
}
#[derive(Debug, Default, PartialEq, Serialize)]
struct Camera {
    at: [f32; 2],
}
#[derive(Debug, Default, PartialEq, Serialize)]
struct World {
    tick: u64,
    camera: Persistent<Camera>,
    units: Pool<Unit>,
}
archive::store::persistent!(World = "world", Camera = "camera", Unit = "unit");

type Row = (Vec<u8>, Vec<u8>);

fn good() -> Vec<Row> {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone()).unwrap();
    let mut world = World::default();
    for index in 1..4 {
        let leader = Ref::new(index % 3 + 1);
        world.units.insert(Unit { name: format!("unit {index}"), leader, orders: vec![1, 2, 300] });
    }
    world.units.remove(Ref::new(2));
    store.save(&world).unwrap();
    let mut rows = Vec::new();
    memory
        .scan(&[], &[255], &mut |key, value| {
            rows.push((key.to_vec(), value.to_vec()));
            Ok(true)
        })
        .unwrap();
    rows
}

fn storage(rows: &[Row]) -> Memory {
    let (memory, mut changes) = (Memory::new(), Changes::new());
    rows.iter().for_each(|(key, value)| changes.put(key, value));
    memory.commit(&changes).unwrap();
    memory
}

/// Runs the operations of a game and of a tool.
fn load(rows: &[Row]) -> Result<World> {
    let store = Store::over(storage(rows))?;
    for class in store.classes() {
        let _ = store.values(&class.name).collect::<Result<Vec<_>>>();
    }
    let _ = store.rows::<Unit>().collect::<Result<Vec<_>>>();
    let _ = store.read::<World>(Ref::new(1));
    let mut world = World::default();
    store.attach(&mut world)?;
    let _ = store.finish_load()?.to_string();
    store.save(&world)?;
    store.save_all(&world)?;
    Ok(world)
}

#[test]
fn every_changed_byte_is_survived() {
    let good = good();
    load(&good).unwrap();
    for at in 0..good.len() {
        for (part, len) in [(0, good[at].0.len()), (1, good[at].1.len())] {
            for case in some_of(len * 10) {
                let mut rows = good.clone();
                let bytes = if part == 0 { &mut rows[at].0 } else { &mut rows[at].1 };
                let index = case / 10;
                match case % 10 {
                    bit @ 0..8 => bytes[index] ^= 1 << bit,
                    8 => bytes.truncate(index),
                    _ => bytes[index] = 255,
                }
                let _ = load(&rows);
            }
        }
    }
}

#[test]
fn random_rows_are_survived() {
    let bytes = || prop::collection::vec(any::<u8>(), 0..20);
    let key = prop_oneof![
        prop::collection::vec(0..4_u8, 0..14),
        (0..4_u8, bytes()).prop_map(|(kind, rest)| [vec![kind], rest].concat()),
    ];
    let rows = prop::collection::vec((key, bytes()), 0..8);
    proptest!(config(400), |(more in rows, drop in any::<prop::sample::Index>())| {
        let mut all = good();
        let len = all.len();
        all.remove(drop.index(len));
        all.extend(more);
        let _ = load(&all);
    });
}

#[test]
fn errors_name_the_row() -> Result {
    let mut rows = good();
    let store = Store::over(storage(&rows))?;
    store.check()?;
    let unit = rows.iter_mut().rfind(|(_, value)| value.len() > 10).unwrap();
    unit.1.truncate(4);
    let error = Store::over(storage(&rows))?.check().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "{error}");
    assert!(error.to_string().starts_with("unit 3: name: "), "{error}");
    let error = load(&rows).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "{error}");
    assert!(error.to_string().starts_with("world 1: units: unit 3: name: "), "{error}");

    let mut rows = good();
    rows[0].1[13] = 9;
    let error = load(&rows).unwrap_err();
    assert_eq!(error.to_string(), "the store has version 9; this program reads versions 1 and 2");
    Ok(())
}

/// The object keeps the value that the program gave it.
#[test]
fn a_row_that_is_not_there_is_reported() -> Result {
    // The camera is the second class that the program named.
    let key = [3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1];
    let rows: Vec<Row> = good().into_iter().filter(|(at, _)| at[..] != key).collect();
    let store = Store::over(storage(&rows))?;
    let mut world = World::default();
    world.camera.at = [4.0, 5.0];
    store.attach(&mut world)?;
    let loaded = store.finish_load()?;
    let dangling: Vec<String> = loaded.dangling.iter().map(ToString::to_string).collect();
    assert_eq!(dangling, ["unit 1: leader: no unit 2", "world 1: camera: no camera 1"]);
    assert_eq!((world.camera.at, world.units.len()), ([4.0, 5.0], 2));
    store.save(&world)?;
    assert_eq!(store.read(Ref::<Camera>::new(1))?.unwrap().at, [4.0, 5.0]);
    Ok(())
}

#[test]
fn other_versions_are_for_files() {
    #[derive(Default, Serialize)]
    #[archive(version = 2)]
    struct Settings {
        volume: u8,
    }
    archive::store::persistent!(Settings = "settings");
    let store = Store::over(Memory::new()).unwrap();
    let options = archive::Options::new().target_version::<Settings>(1);
    let error = store.save_with(&Settings::default(), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}

/// A key of the last generation, as a file may have it, does not cause a panic.
#[test]
fn the_last_generation_does_not_panic() -> Result {
    let mut units: Pool<Unit> = Pool::new();
    let last = units.insert_at(u64::MAX, Unit::default())?;
    units.remove(last);
    assert_eq!(units.insert(Unit::default()).key(), u64::MAX << 32 | 1);
    let mut units: Pool<Unit> = archive::json::from_str("[[18446744069414584321,null]]")?;
    units.insert(Unit::default());
    Ok(())
}

/// Keys that are far apart cost no memory.
#[test]
fn large_keys_are_objects_like_others() -> Result {
    let mut pool = Pool::new();
    for key in [u64::MAX, 1 << 40 | 77, 0xffff_fff0, 5, 1000, 1 << 31] {
        pool.insert_at(key, Unit::default())?;
    }
    assert_eq!(pool.insert_at(3 << 32, Unit::default()).unwrap_err().kind(), ErrorKind::OutOfRange);
    let error = pool.insert_at(7 << 32 | 5, Unit::default()).unwrap_err();
    assert!(error.to_string().contains("has the same lower 32 bits as 5"), "{error}");
    let keys: Vec<u64> = pool.iter().map(|(at, _)| at.key()).collect();
    assert_eq!(keys, [5, 1 << 40 | 77, 1000, 1 << 31, 0xffff_fff0, u64::MAX]);
    for key in 1..=200 {
        let at = pool.insert(Unit::default());
        let skipped = (key >= 5) as u64 + (key >= 76) as u64;
        assert_eq!(at.key(), key + skipped);
    }
    Ok(())
}

#[test]
fn changes_are_read_back() {
    let mut changes = Changes::new();
    changes.put(b"a", b"");
    changes.delete(b"bc");
    changes.put(b"", b"xyz");
    let all: Vec<_> = changes.iter().collect();
    assert_eq!(all, [Change::Put(b"a", b""), Change::Delete(b"bc"), Change::Put(b"", b"xyz")]);
}
