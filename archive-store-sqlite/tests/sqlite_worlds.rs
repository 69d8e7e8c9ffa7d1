//! Worlds in a store, and the laws of storages.

use archive::Serialize;
use archive::store::storage::{Memory, Redb, Storage, copy};
use archive::store::testing::conformance;
use archive::store::{Pool, Ref, Store};
use archive_store_sqlite::Sqlite;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    target: Ref<Unit>,
}

#[derive(Default, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
}

archive::store::persistent!(World = "world", Unit = "unit");

fn unit(name: String) -> Unit {
    Unit { name, ..Unit::default() }
}

fn load(storage: impl Storage + 'static) -> (Store, World) {
    let (store, mut world) = (Store::over(storage).unwrap(), World::default());
    assert!(store.attach(&mut world).unwrap());
    assert!(store.finish_load().unwrap().is_clean());
    (store, world)
}

fn all(storage: &dyn Storage) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut rows = Vec::new();
    let done = storage.scan(b"", b"", &mut |key, value| {
        rows.push((key.to_vec(), value.to_vec()));
        Ok(true)
    });
    done.unwrap();
    rows
}

#[test]
fn the_storage_obeys_the_laws() {
    let folder = tempfile::tempdir().unwrap();
    conformance(|name| Box::new(Sqlite::open(folder.path().join(name)).unwrap()));
}

#[test]
fn a_world_is_saved_changed_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.sqlite");
    let store = Store::over(Sqlite::open(&path).unwrap()).unwrap();
    let mut world = World::default();
    let keys: Vec<_> = (0..1000).map(|n| world.units.insert(unit(format!("unit {n}")))).collect();
    world.units[keys[3]].target = keys[999];
    assert_eq!(store.save(&world).unwrap().written, 1001);
    world.tick = 1;
    world.units.remove(keys[5]);
    world.units[keys[7]].name = "Ann".into();
    let saved = store.save(&world).unwrap();
    assert_eq!((saved.written, saved.deleted), (2, 1));
    store.check().unwrap();
    drop((store, world));

    let (store, world) = load(Sqlite::open(&path).unwrap());
    assert_eq!((world.tick, world.units.len()), (1, 999));
    assert_eq!(world.units[keys[7]].name, "Ann");
    assert_eq!(world.units[world.units[keys[3]].target].name, "unit 999");
    assert_eq!(store.clear().unwrap().deleted, 1000);
    store.compact().unwrap();
}

#[test]
fn rows_are_copied_to_other_engines_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let memory = std::rc::Rc::new(Memory::new());
    let mut world = World::default();
    // More than one commit of `copy`.
    (0..30_u8).for_each(|n| _ = world.units.insert(unit("x".repeat(300_000) + &n.to_string())));
    Store::over(memory.clone()).unwrap().save(&world).unwrap();

    let sqlite = Sqlite::open(at("a.sqlite")).unwrap();
    copy(&memory, &sqlite).unwrap();
    let redb = Redb::open(at("b.store")).unwrap();
    copy(&sqlite, &redb).unwrap();
    let back = Sqlite::in_memory().unwrap();
    copy(&redb, &back).unwrap();
    assert!(all(&memory) == all(&sqlite) && all(&memory) == all(&back));
    let (store, loaded) = load(back);
    assert!(loaded.units.iter().eq(world.units.iter()));
    // An export is a file of redb.
    store.export(at("c.store")).unwrap();
    assert!(all(&Redb::open(at("c.store")).unwrap()) == all(&memory));
}

#[test]
fn snapshots_are_taken_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snapshots.sqlite");
    let store = Store::over(Sqlite::open(&path).unwrap()).unwrap();
    let mut world = World::default();
    let keys: Vec<_> = (0..500).map(|n| world.units.insert(unit(format!("unit {n}")))).collect();
    store.save(&world).unwrap();
    store.snapshot("before the boss").unwrap();
    let before = world.units.clone();
    keys[..100].iter().for_each(|key| _ = world.units.remove(*key));
    keys[100..200].iter().for_each(|key| world.units[*key].name.push('!'));
    store.save(&world).unwrap();
    assert_eq!(store.compare("before the boss").unwrap().len(), 200);
    drop(store);

    let store = Store::over(Sqlite::open(&path).unwrap()).unwrap();
    store.restore("before the boss").unwrap();
    drop(store);
    let (store, world) = load(Sqlite::open(&path).unwrap());
    assert!(world.units.iter().eq(before.iter()));
    store.delete_snapshot("before the boss").unwrap();
    store.check().unwrap();
}
