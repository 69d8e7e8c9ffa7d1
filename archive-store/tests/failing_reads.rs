//! Storages that fail while they are read: a load returns a world or an error, and a save never
//! replaces the whole world by a half.

use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Persistent, Pool, Ref, Store};
use archive::{Result, Serialize};

use super::failing_storage::{Watched, load, load_from};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
    camera: Persistent<Camera>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    hp: u16,
    parts: Vec<Persistent<Part>>,
    leader: Ref<Unit>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Part {
    heat: u32,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Camera {
    zoom: u8,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Settings {
    volume: u8,
}
archive::store::persistent!(
    World = "world",
    Unit = "unit",
    Part = "part",
    Camera = "camera",
    Settings = "settings"
);

fn world() -> World {
    let mut world = World { tick: 3, ..World::default() };
    world.camera.zoom = 5;
    for hp in 0..3 {
        let parts = vec![Persistent::new(Part { heat: 7 })];
        world.units.insert(Unit { hp, parts, leader: Ref::new(1) });
    }
    world
}

fn saved() -> Result<(Rc<Memory>, Rc<Watched>)> {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    store.save(&world())?;
    store.save(&Settings { volume: 4 })?;
    Ok((memory.clone(), Watched::new(memory)))
}

/// Runs loads, each with a failure at a later read than the previous one, until one succeeds.
fn at_each_read(mut load: impl FnMut(&Rc<Memory>, &Store) -> Result) -> Result {
    for read in 0.. {
        let (memory, disk) = saved()?;
        let store = Store::over(disk.clone())?;
        disk.fails_after.set(Some(read));
        load(&memory, &store)?;
        if disk.fails_after.replace(None).is_some() {
            assert!(read > 8, "there are few reads: {read}");
            return Ok(());
        }
    }
    unreachable!("a load has an end")
}

#[test]
fn after_a_failed_load_nothing_is_saved_and_the_next_load_has_all() -> Result {
    at_each_read(|memory, store| {
        let mut half = World::default();
        if store.attach(&mut half).is_ok() {
            return Ok(());
        }
        let error = store.finish_load().unwrap_err();
        assert!(error.message().contains("an `attach` has failed"), "{error}");
        assert!(store.save(&half).is_err() && store.save_all(&half).is_err());
        store.begin_load()?;
        assert!(store.save(&half).is_err() && store.save_all(&half).is_err());
        assert_eq!(load_from::<World>(store)?.0, world());
        assert_eq!(load::<World>(memory.clone())?.0, world());
        Ok(())
    })
}

#[test]
fn a_new_game_can_begin_after_a_failed_load() -> Result {
    at_each_read(|memory, store| {
        let mut half = World::default();
        if store.attach(&mut half).is_ok() {
            return Ok(());
        }
        store.clear()?;
        let new = World { tick: 9, ..World::default() };
        assert_eq!(store.save(&new)?.deleted, 0);
        let (again, loaded) = load::<World>(memory.clone())?;
        assert!(again == new && loaded.is_clean(), "{loaded}");
        Ok(())
    })
}

#[test]
fn a_world_that_loads_does_not_excuse_one_that_failed() -> Result {
    at_each_read(|_, store| {
        let (mut half, mut settings) = (World::default(), Settings::default());
        if store.attach(&mut half).is_ok() || store.attach(&mut settings).is_err() {
            return Ok(());
        }
        assert!(store.finish_load().is_err(), "{half:?}");
        assert!(store.save(&half).is_err() && store.save_all(&half).is_err());
        Ok(())
    })
}

#[test]
fn rows_without_owners_are_listed_if_the_first_finish_load_failed() -> Result {
    at_each_read(|_, store| {
        let mut settings = Settings::default();
        if store.attach(&mut settings).is_err() {
            return Ok(());
        }
        let loaded = store.finish_load().or_else(|_| store.finish_load())?;
        assert_eq!((loaded.rows, loaded.unclaimed.len()), (1, 8), "{loaded}");
        Ok(())
    })
}

#[test]
fn a_store_opens_or_not() -> Result {
    for read in 0.. {
        let (memory, disk) = saved()?;
        disk.fails_after.set(Some(read));
        let opened = Store::over(disk.clone());
        if disk.fails_after.replace(None).is_some() {
            assert!(read > 4, "there are few reads: {read}");
            return Ok(());
        }
        assert!(opened.is_err(), "read {read}");
        assert_eq!(load::<World>(memory)?.0, world());
    }
    Ok(())
}

#[test]
fn a_clear_that_cannot_read_clears_nothing() -> Result {
    for read in 0.. {
        let (memory, disk) = saved()?;
        let store = Store::over(disk.clone())?;
        let (mut now, _) = load_from::<World>(&store)?;
        disk.fails_after.set(Some(read));
        let cleared = store.clear();
        if disk.fails_after.replace(None).is_some() {
            return Ok(());
        }
        assert!(cleared.is_err(), "read {read}");
        now.tick += 1;
        now.units.remove(Ref::new(2));
        store.save(&now)?;
        let (again, _) = load::<World>(memory)?;
        assert_eq!(again, now);
        let units = store.classes().into_iter().find(|class| class.name == "unit").unwrap();
        assert_eq!(units.rows, 2);
    }
    Ok(())
}
