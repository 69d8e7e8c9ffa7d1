//! Several worlds in one store: which rows belong to which.

use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Link, Persistent, Pool, Ref, Shared, Store};
use archive::{ErrorKind, Options, Result, Serialize};

use super::failing_storage::{load, load_from};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Town {
    name: String,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Land {
    tick: u64,
    capital: Option<Persistent<Town>>,
    towns: Vec<Persistent<Town>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Settings {
    volume: u8,
    towns: Vec<Persistent<Town>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    hp: u16,
    parts: Vec<Persistent<Part>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Part {
    heat: u32,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    units: Pool<Unit>,
}
#[derive(Debug, Default, Serialize)]
struct Place {
    name: String,
    next: Option<Shared<Place>>,
    links: Vec<Link<Place>>,
}
#[derive(Debug, Default, Serialize)]
struct Map {
    places: Vec<Shared<Place>>,
}
archive::store::persistent!(
    Town = "town",
    Land = "land",
    Settings = "settings",
    Unit = "unit",
    Part = "part",
    World = "world",
    Place = "place",
    Map = "map"
);

fn town(name: &str) -> Persistent<Town> {
    Persistent::new(Town { name: name.into() })
}

fn place(name: &str) -> Shared<Place> {
    Shared::new(Place { name: name.into(), ..Place::default() })
}

#[test]
fn save_all_leaves_another_world_of_the_class() -> Result {
    let store = Store::over(Memory::new())?;
    let options = Options::new();
    let one = Land { tick: 1, ..Land::default() };
    let two = Land { tick: 2, capital: Some(town("Ash")), ..Land::default() };
    store.save_key(1, &one, &options)?;
    store.save_key(2, &two, &options)?;
    for _ in 0..2 {
        assert_eq!(store.save_all_key(1, &one, &options)?.deleted, 0);
        assert_eq!(store.save_all_key(2, &two, &options)?.deleted, 0);
    }
    assert_eq!(store.read(Ref::<Land>::new(1))?, Some(one));
    assert_eq!(store.read(Ref::<Land>::new(2))?, Some(two));
    Ok(())
}

#[test]
fn save_all_leaves_the_rows_of_a_class_that_two_worlds_have() -> Result {
    let store = Store::over(Memory::new())?;
    let land = Land { capital: Some(town("Ash")), ..Land::default() };
    let settings = Settings { volume: 1, towns: vec![town("Home")] };
    store.save(&land)?;
    store.save(&settings)?;
    assert_eq!(store.save_all(&settings)?.deleted, 0);
    assert_eq!(store.save_all(&land)?.deleted, 0);
    assert_eq!(store.read(Ref::<Land>::new(1))?, Some(land));
    assert_eq!(store.read(Ref::<Settings>::new(1))?, Some(settings));
    Ok(())
}

#[test]
fn two_worlds_cannot_have_pools_of_one_class() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let options = Options::new();
    let (mut one, mut two) = (World::default(), World::default());
    one.units.insert(Unit { hp: 1, ..Unit::default() });
    two.units.insert(Unit { hp: 2, ..Unit::default() });
    store.save_key(1, &one, &options)?;
    let error = store.save_key(2, &two, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
    assert!(error.to_string().contains("has objects in `world 1` too"), "{error}");
    assert_eq!(load::<World>(memory)?.0, one);
    Ok(())
}

#[test]
fn an_object_with_the_key_of_another_world_is_an_error() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let land = Land { capital: Some(town("Ash")), ..Land::default() };
    store.save(&land)?;
    // A clone has the key of the original.
    let settings = Settings { volume: 1, towns: vec![land.capital.clone().unwrap()] };
    let saved = store.save(&settings).map_err(|error| error.kind());
    assert_eq!(saved, Err(ErrorKind::DuplicateMember));
    assert_eq!(load::<Land>(memory)?.0, land);
    Ok(())
}

/// Returns a map of one place, which is the only owner of another.
fn nested() -> (Map, Shared<Place>) {
    let (inner, outer) = (place("inner"), place("outer"));
    outer.borrow_mut().next = Some(inner.clone());
    (Map { places: vec![outer] }, inner)
}

fn inner(map: &Map) -> Shared<Place> {
    map.places[0].borrow().next.clone().unwrap()
}

#[test]
fn a_change_is_saved_after_save_all_of_another_world() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let (map, changed) = nested();
    store.save(&map)?;
    store.save(&Settings::default())?;
    changed.borrow_mut().name = "changed".into();
    store.save_all(&Settings::default())?;
    store.save(&map)?;
    assert_eq!(inner(&load::<Map>(memory)?.0).borrow().name, "changed");
    Ok(())
}

/// A copy is written completely, by a save that visits all objects.
#[test]
fn a_change_is_saved_after_a_save_of_a_copy_of_another_world() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let (map, changed) = nested();
    store.save(&map)?;
    let land = Land { capital: Some(town("Ash")), ..Land::default() };
    store.save(&land)?;
    changed.borrow_mut().name = "changed".into();
    store.save(&land.clone())?;
    store.save(&map)?;
    assert_eq!(inner(&load::<Map>(memory)?.0).borrow().name, "changed");
    Ok(())
}

#[test]
fn save_all_deletes_shared_objects_after_a_save_of_another_world() -> Result {
    let store = Store::over(Memory::new())?;
    let mut map = Map { places: vec![place("Ash"), place("Bree")] };
    store.save(&map)?;
    map.places[0].borrow_mut().name = "Ash-on-Sea".into();
    store.save(&Settings::default())?;
    map.places.pop();
    assert_eq!(store.save_all(&map)?.deleted, 1);
    Ok(())
}

/// The settings were not loaded, and a save of new ones is refused. Whether `save_all` of the land
/// deletes the stored ones or not, it does not delete half of them.
#[test]
fn save_all_does_not_delete_half_of_a_refused_world() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    store.save(&Land::default())?;
    store.save(&Settings { volume: 4, towns: vec![town("Home")] })?;
    let store = Store::over(memory.clone())?;
    let (land, _) = load_from::<Land>(&store)?;
    store.save(&Settings::default()).unwrap_err();
    store.save_all(&land)?;
    let store = Store::over(memory)?;
    let rows = |class| store.values(class).filter(Result::is_ok).count();
    assert_eq!(rows("settings"), rows("town"));
    Ok(())
}

/// A shared object that has a pool.
#[test]
fn a_world_can_be_saved_while_another_has_changes_with_a_pool() -> Result {
    #[derive(Debug, Default, Serialize)]
    struct Side {
        name: String,
        units: Pool<Unit>,
    }
    #[derive(Debug, Default, Serialize)]
    struct Match {
        side: Shared<Side>,
    }
    archive::store::persistent!(Side = "side", Match = "match");
    let store = Store::over(Memory::new())?;
    let game = Match::default();
    game.side.borrow_mut().units.insert(Unit::default());
    store.save(&game)?;
    game.side.borrow_mut().name = "Reds".into();
    store.save(&Settings::default())?;
    store.save(&game)?;
    assert_eq!(store.read(Ref::<Side>::new(1))?.unwrap().name, "Reds");
    Ok(())
}

/// A program keeps an object of the world that it had before a quick load, and writes to it.
#[test]
fn an_object_of_a_world_that_was_loaded_again_is_not_saved() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let (map, old) = nested();
    store.save(&map)?;
    store.begin_load()?;
    let (map, _) = load_from::<Map>(&store)?;
    old.borrow_mut().name = "old".into();
    inner(&map).borrow_mut().name = "new".into();
    store.save(&map)?;
    assert_eq!(inner(&load::<Map>(memory)?.0).borrow().name, "new");
    Ok(())
}

#[test]
fn an_object_of_a_world_that_was_cleared_is_not_saved() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let map = Map { places: vec![place("Ash")] };
    store.save(&map)?;
    store.clear()?;
    map.places[0].borrow_mut().name = "old".into();
    store.save(&Map::default())?;
    let (_, loaded) = load::<Map>(memory)?;
    assert!(loaded.is_clean(), "{loaded}");
    Ok(())
}

#[test]
fn a_quick_load_assigns_the_keys_of_a_new_program() -> Result {
    let (memory, disk, store) = super::failing_storage::watched()?;
    let mut world = World::default();
    let [a, _] = [1, 2].map(|hp| world.units.insert(Unit { hp, ..Unit::default() }));
    store.save(&world)?;
    world.units.remove(a);
    disk.full(|| store.save(&world)).unwrap_err();
    store.begin_load()?;
    let (mut quick, _) = load_from::<World>(&store)?;
    let (mut fresh, _) = load::<World>(memory)?;
    assert_eq!(quick.units.insert(Unit::default()), fresh.units.insert(Unit::default()));
    quick.units.remove(Ref::new(2));
    fresh.units.remove(Ref::new(2));
    assert_eq!(quick.units.insert(Unit::default()), fresh.units.insert(Unit::default()));
    Ok(())
}

/// The first save to another store fails after half of the objects were visited.
#[test]
fn changes_are_saved_after_a_failed_save_to_another_store() -> Result {
    #[derive(Debug, Default, Serialize)]
    struct World {
        map: Persistent<Map>,
    }
    archive::store::persistent!(World = "holder");
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let (ash, bree) = (place("Ash"), place("Bree"));
    let world = World { map: Persistent::new(Map { places: vec![ash.clone(), bree.clone()] }) };
    store.save(&world)?;
    let other = Store::over(Memory::new())?;
    let borrowed = bree.borrow_mut();
    other.save(&world).unwrap_err();
    drop(borrowed);
    ash.borrow_mut().name = "Ash-on-Sea".into();
    store.save(&world)?;
    let (again, _) = load::<World>(memory)?;
    assert_eq!(again.map.places[0].borrow().name, "Ash-on-Sea");
    Ok(())
}
