//! Worlds in a save: as in any other store.

use archive::store::storage::Memory;
use archive::store::{Loaded, Persistent, Pool, Ref, Shared, Store};
use archive::{Result, Serialize};

use crate::server::server;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Unit {
    pub name: String,
    pub hp: u16,
    pub target: Ref<Unit>,
    pub cargo: Vec<u32>,
}
#[derive(Debug, Default, Serialize)]
pub struct Town {
    pub name: String,
    pub next: Option<Shared<Town>>,
}
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Camera {
    pub zoom: f32,
}
#[derive(Debug, Default, Serialize)]
pub struct World {
    pub tick: u64,
    pub units: Pool<Unit>,
    pub towns: Vec<Shared<Town>>,
    pub camera: Persistent<Camera>,
}
archive::store::persistent!(World = "world", Unit = "unit", Town = "town", Camera = "camera");

pub fn world(units: u32) -> World {
    let mut world = World { tick: 7, ..World::default() };
    let mut target = Ref::NONE;
    for number in 0..units {
        let cargo = (0..number % 16).collect();
        let name = format!("unit number {number} of the third army");
        target = world.units.insert(Unit { name, hp: number as u16, target, cargo });
    }
    let town = Shared::new(Town { name: "Ulm".into(), next: None });
    world.towns = vec![Shared::new(Town { name: "Linz".into(), next: Some(town.clone()) }), town];
    world.camera.zoom = 1.5;
    world
}

pub fn load(store: &Store) -> Result<(World, Loaded)> {
    let mut world = World::default();
    store.attach(&mut world)?;
    Ok((world, store.finish_load()?))
}

fn text(world: &World) -> String {
    archive::json::to_string(world).unwrap()
}

#[test]
fn a_world_is_saved_changed_and_loaded() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let database = server.database();
    let store = Store::over(database.open("world")?)?;
    let mut world = world(5_000);
    assert_eq!(store.save(&world)?.written, 5_004);
    for round in 0..3 {
        world.tick += 1;
        let key = world.units.keys().nth(100 + round).unwrap();
        world.units[key].hp += 1;
        let gone = world.units.keys().nth(7).unwrap();
        world.units.remove(gone);
        let saved = store.save(&world)?;
        assert_eq!((saved.written, saved.deleted), (2, 1));
        let (loaded, report) = load(&Store::over(database.open("world")?)?)?;
        assert!(report.unclaimed.is_empty(), "{report}");
        assert_eq!(text(&loaded), text(&world));
        let next = loaded.towns[0].borrow().next.clone().unwrap();
        next.borrow_mut().name.push('!');
        assert_eq!(loaded.towns[1].borrow().name, "Ulm!");
    }
    store.check()?;
    let folder = tempfile::tempdir().unwrap();
    store.export(folder.path().join("export.store"))?;
    let (loaded, _) = load(&Store::open(folder.path().join("export.store"))?)?;
    assert_eq!(text(&loaded), text(&world));
    Ok(())
}

#[test]
fn the_rows_are_those_of_a_store_in_memory() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let (memory, save) = (std::rc::Rc::new(Memory::new()), server.database().open("same rows")?);
    let save = std::rc::Rc::new(save);
    let world = world(300);
    Store::over(memory.clone())?.save(&world)?;
    Store::over(save.clone())?.save_all(&world)?;
    let rows = |storage: &dyn archive::store::storage::Storage| {
        let mut rows = Vec::new();
        let done = storage.scan(b"", b"", &mut |key, value| {
            rows.push((key.to_vec(), value.to_vec()));
            Ok(true)
        });
        done.map(|()| rows)
    };
    assert_eq!(rows(&memory)?, rows(&save)?);
    Ok(())
}

/// The rows of a world. Not the next key of the pool, which a restore does not change.
fn rows_of(world: &World) -> (u64, Vec<(u64, Unit)>) {
    (world.tick, world.units.iter().map(|(at, unit)| (at.key(), Unit::clone(unit))).collect())
}

#[test]
fn snapshots_are_taken_and_restored_on_a_server() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let database = server.database();
    let store = Store::over(database.open("snapshots")?)?;
    let mut world = world(3_000);
    store.save(&world)?;
    let before = rows_of(&world);
    store.snapshot("before the boss")?;
    world.units.iter_mut().for_each(|(_, unit)| unit.hp = unit.hp.wrapping_add(1));
    let gone = world.units.keys().next().unwrap();
    world.units.remove(gone);
    store.save(&world)?;
    store.snapshot("after the boss")?;
    world.tick += 1;
    store.save(&world)?;
    assert_eq!(store.compare("before the boss")?.len(), 3_001);
    assert_eq!(store.compare("after the boss")?.len(), 1);

    // Another program restores it.
    drop(store);
    let store = Store::over(database.open("snapshots")?)?;
    assert!(rows_of(&load(&store.open_snapshot("before the boss")?)?.0) == before, "the view");
    store.restore("before the boss")?;
    assert!(rows_of(&load(&store)?.0) == before, "restored");
    store.delete_snapshot("before the boss")?;
    store.restore("after the boss")?;
    world.tick -= 1;
    assert!(rows_of(&load(&store)?.0) == rows_of(&world), "restored again");
    Ok(())
}
