//! How stores begin: in storages of other programs, in empty ones, and in the same one again.

use std::rc::Rc;

use archive::store::storage::{Changes, Memory, Storage};
use archive::store::{Persistent, Pool, Ref, Store};
use archive::{ErrorKind, Result, Serialize};

use super::failing_storage::{load, load_from, watched};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    hp: u16,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Camera {
    zoom: u8,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
    camera: Persistent<Camera>,
}
archive::store::persistent!(Unit = "unit", Camera = "camera", World = "world");

fn world() -> World {
    let mut world = World { tick: 3, ..World::default() };
    world.camera.zoom = 2;
    for hp in 1..4 {
        world.units.insert(Unit { hp });
    }
    world
}

#[test]
fn a_storage_with_rows_of_another_program_is_not_a_store() -> Result {
    for key in [&b"level"[..], b"\x00x", b"\x01x", b"\x03", b"\xff"] {
        let memory = Rc::new(Memory::new());
        let mut changes = Changes::new();
        changes.put(key, b"data");
        memory.commit(&changes)?;
        let error = Store::over(memory.clone()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{error}");
        assert!(error.to_string().contains("not a store"), "{error}");
        let mut rows = Vec::new();
        memory.scan(&[], &[], &mut |key, value| {
            rows.push((key.to_vec(), value.to_vec()));
            Ok(true)
        })?;
        assert_eq!(rows, [(key.to_vec(), b"data".to_vec())]);
    }
    Ok(())
}

#[test]
fn a_store_without_rows_has_nothing_to_load() -> Result {
    let store = Store::over(Memory::new())?;
    store.begin_load()?;
    assert!(!store.is_loading());
    let mut new = world();
    assert!(!store.attach(&mut new)?);
    assert!(new == world() && store.finish_load()?.is_clean());
    assert_eq!(store.save(&new)?.written, 5);
    Ok(())
}

#[test]
fn a_world_is_loaded_again_and_again() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut now = world();
    store.save(&now)?;
    for round in 0..3 {
        now.tick += 100;
        now.units.remove(Ref::new(round + 1));
        store.begin_load()?;
        assert!(store.is_loading());
        // The world of the program is no longer the loaded one.
        assert_eq!(store.save(&now).unwrap_err().kind(), ErrorKind::Custom);
        assert_eq!(store.save_all(&now).unwrap_err().kind(), ErrorKind::Custom);
        let (again, loaded) = load_from::<World>(&store)?;
        assert!(again == world() && loaded.is_clean() && !store.is_loading(), "{loaded}");
        now = again;
        assert_eq!(store.save_all(&now)?.written, 0);
        assert_eq!(load::<World>(memory.clone())?.0, world());
    }
    // The old world is saved over the rows of the loaded one.
    let old = world();
    store.save(&old)?;
    now.units[Ref::new(2)].hp = 9;
    store.save(&now)?;
    assert_eq!(load::<World>(memory)?.0, now);
    Ok(())
}

#[test]
fn a_new_game_begins_with_the_first_keys() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut old = world();
    store.save(&old)?;
    old.units.clear();
    store.save(&old)?;
    assert_eq!(store.clear()?.deleted, 2);
    assert!(!store.is_loading() && !store.attach(&mut World::default())?);
    let mut new = World::default();
    assert_eq!(new.units.insert(Unit { hp: 1 }), Ref::new(1));
    store.save(&new)?;
    let (again, loaded) = load::<World>(memory.clone())?;
    assert!(again == new && loaded.is_clean(), "{loaded}");
    // Also while a store is loading: its previous state is discarded.
    let store = Store::over(memory.clone())?;
    store.attach(&mut World::default())?;
    assert_eq!(store.clear()?.deleted, 3);
    assert!(!Store::over(memory.clone())?.is_loading());
    let new = world();
    assert_eq!(store.save(&new)?.written, 5);
    let (again, loaded) = load::<World>(memory)?;
    assert!(again == new && loaded.is_clean(), "{loaded}");
    Ok(())
}

#[test]
fn a_clear_that_fails_leaves_the_world() -> Result {
    let (memory, disk, store) = watched()?;
    let mut now = world();
    store.save(&now)?;
    now.units[Ref::new(1)].hp = 8;
    assert_eq!(disk.full(|| store.clear()).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(load::<World>(memory.clone())?.0, world());
    now.units.remove(Ref::new(3));
    store.save(&now)?;
    let (again, loaded) = load::<World>(memory.clone())?;
    assert!(again == now && loaded.is_clean(), "{loaded}");
    let rows = |class: &str| store.classes().iter().find(|it| it.name == class).unwrap().rows;
    assert_eq!((rows("unit"), rows("camera"), rows("world")), (2, 1, 1));
    store.begin_load()?;
    disk.full(|| store.clear()).unwrap_err();
    assert!(store.is_loading() && store.save(&now).is_err());
    assert_eq!(load_from::<World>(&store)?.0, now);
    Ok(())
}
