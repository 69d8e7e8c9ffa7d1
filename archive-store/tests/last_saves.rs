//! Objects that are taken out and put back, undone, replaced, and saved after a save that failed:
//! the last save of an object counts only for the row that it wrote.

use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Persistent, Pool, Row, Shared, Store};
use archive::{Result, Serialize};

use super::failing_storage::{load, watched};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Town {
    name: String,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Nation {
    towns: Vec<Persistent<Town>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Land {
    tick: u64,
    capital: Option<Persistent<Town>>,
    nation: Persistent<Nation>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Part {
    heat: u32,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    hp: u16,
    parts: Vec<Persistent<Part>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
}
/// Another world.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Settings {
    volume: u8,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Camp {
    units: Option<Pool<Unit>>,
}
#[derive(Debug, Default, Serialize)]
struct Place {
    name: String,
}
#[derive(Debug, Default, Serialize)]
struct Map {
    places: Vec<Shared<Place>>,
}
archive::store::persistent!(
    Settings = "settings",
    Camp = "camp",
    Place = "place",
    Map = "map",
    Town = "town",
    Nation = "nation",
    Land = "land",
    Part = "part",
    Unit = "unit",
    World = "world"
);

fn town(name: &str) -> Persistent<Town> {
    Persistent::new(Town { name: name.into() })
}

/// The row of the owner is unchanged, and the owner was written to. The failed save must not lose
/// that.
#[test]
fn a_change_in_an_owner_that_is_as_its_row_is_saved_after_a_save_that_failed() -> Result {
    let (memory, disk, store) = watched()?;
    let mut land = Land::default();
    land.nation.towns.push(town("Ash"));
    store.save(&land)?;
    land.nation.towns[0].name = "Bree".into();
    disk.full(|| store.save(&land)).unwrap_err();
    store.save(&land)?;
    assert_eq!(load::<Land>(memory)?.0, land);
    Ok(())
}

/// As above, in a pool.
#[test]
fn a_change_in_a_unit_that_is_as_its_row_is_saved_after_a_save_that_failed() -> Result {
    let (memory, disk, store) = watched()?;
    let mut world = World::default();
    let part = Persistent::new(Part { heat: 1 });
    let unit = world.units.insert(Unit { hp: 9, parts: vec![part] });
    store.save(&world)?;
    world.units[unit].parts[0].heat = 2;
    disk.full(|| store.save(&world)).unwrap_err();
    store.save(&world)?;
    assert_eq!(load::<World>(memory)?.0, world);
    Ok(())
}

fn capital(name: &str) -> Land {
    Land { capital: Some(town(name)), ..Land::default() }
}

/// Checks that a new program loads the world, and nothing else.
fn check<T: Row + Default + PartialEq + std::fmt::Debug>(memory: &Rc<Memory>, world: &T) -> Result {
    let (again, loaded) = load::<T>(memory.clone())?;
    assert_eq!(again, *world, "{loaded}");
    assert!(loaded.is_clean(), "{loaded}");
    Ok(())
}

#[test]
fn a_change_is_saved_after_a_save_that_failed_and_one_of_another_world() -> Result {
    for has_capital in [true, false] {
        let (memory, disk, store) = watched()?;
        let mut land = if has_capital { capital("Ash") } else { Land::default() };
        store.save(&land)?;
        store.save(&Settings::default())?;
        land.tick = 5;
        land.capital.iter_mut().for_each(|capital| capital.name = "Bree".into());
        disk.full(|| store.save(&land)).unwrap_err();
        store.save(&Settings { volume: 3 })?;
        store.save(&land)?;
        assert_eq!(load::<Land>(memory)?.0, land);
        assert_eq!(store.save_all(&land)?.written, 0);
    }
    Ok(())
}

#[test]
fn a_change_is_saved_after_a_save_that_failed_and_one_of_the_undo_copy() -> Result {
    let (memory, disk, store) = watched()?;
    let mut world = World::default();
    let unit = world.units.insert(Unit::default());
    store.save(&world)?;
    let undo = world.clone();
    world.units[unit].hp = 9;
    disk.full(|| store.save(&world)).unwrap_err();
    store.save(&undo)?;
    check(&memory, &undo)?;
    store.save(&world)?;
    check(&memory, &world)
}

#[test]
fn a_change_is_saved_after_a_save_that_failed_and_a_finished_load() -> Result {
    let (memory, disk, store) = watched()?;
    let mut land = capital("Ash");
    store.save(&land)?;
    land.capital.as_mut().unwrap().name = "Bree".into();
    disk.full(|| store.save(&land)).unwrap_err();
    store.finish_load()?;
    store.save(&land)?;
    check(&memory, &land)
}

/// The object is not in the world during the next successful save.
#[test]
fn a_change_in_an_object_that_was_out_is_saved_after_a_save_that_failed() -> Result {
    let (memory, disk, store) = watched()?;
    let mut land = capital("Ash");
    store.save(&land)?;
    land.capital.as_mut().unwrap().name = "Bree".into();
    disk.full(|| store.save(&land)).unwrap_err();
    let out = land.capital.take();
    store.save(&land)?;
    land.capital = out;
    store.save(&land)?;
    check(&memory, &land)
}

/// Takes an object out of a world, deletes it with `save_all`, and puts it back.
fn out_and_back<T, O>(mut world: T, out: impl Fn(&mut T) -> O, back: impl Fn(&mut T, O)) -> Result
where
    T: Row + Default + PartialEq + std::fmt::Debug,
{
    for all in [false, true, false] {
        let memory = Rc::new(Memory::new());
        let store = Store::over(memory.clone())?;
        store.save(&world)?;
        let taken = out(&mut world);
        assert!(store.save_all(&world)?.deleted > 0);
        check(&memory, &world)?;
        back(&mut world, taken);
        let saved = if all { store.save_all(&world)? } else { store.save(&world)? };
        assert!(saved.written > 1, "{saved:?}");
        check(&memory, &world)?;
    }
    Ok(())
}

#[test]
fn an_object_that_was_out_is_saved_again() -> Result {
    out_and_back(capital("Ash"), |land| land.capital.take(), |land, capital| land.capital = capital)
}

#[test]
fn a_unit_that_was_out_is_saved_with_its_parts() -> Result {
    let mut world = World::default();
    let parts = vec![Persistent::new(Part { heat: 5 })];
    world.units.insert(Unit { hp: 1, parts });
    out_and_back(
        world,
        |world| {
            let first = world.units.keys().next().unwrap();
            world.units.remove(first).unwrap()
        },
        |world, unit| _ = world.units.insert(unit),
    )
}

#[test]
fn a_pool_that_was_out_is_saved_with_all_objects() -> Result {
    let mut units = Pool::new();
    for hp in 0..3 {
        units.insert(Unit { hp, parts: vec![Persistent::new(Part { heat: 5 })] });
    }
    out_and_back(Camp { units: Some(units) }, |camp| camp.units.take(), |camp, it| camp.units = it)
}

#[test]
fn a_shared_object_that_was_out_is_saved_again() -> Result {
    for all in [false, true] {
        let memory = Rc::new(Memory::new());
        let store = Store::over(memory.clone())?;
        let mut map = Map { places: vec![Shared::new(Place { name: "Ash".into() })] };
        store.save(&map)?;
        let out = map.places.pop().unwrap();
        assert_eq!(store.save_all(&map)?.deleted, 1);
        map.places.push(out);
        if all {
            store.save_all(&map)?
        } else {
            store.save(&map)?
        };
        let (again, loaded) = load::<Map>(memory)?;
        assert!(loaded.is_clean() && *again.places[0].borrow().name == *"Ash", "{loaded}");
    }
    Ok(())
}

#[test]
fn an_undo_is_saved_and_undone() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut land = capital("Ash");
    store.save(&land)?;
    let undo = land.clone();
    land.capital.as_mut().unwrap().name = "Bree".into();
    for _ in 0..2 {
        store.save(&land)?;
        check(&memory, &land)?;
        store.save(&undo)?;
        check(&memory, &undo)?;
    }
    Ok(())
}

/// The pool of the world between two saves of a copy was empty, so no unit has a row. The part of a
/// unit still has one, which is as old as the copy.
#[test]
fn a_copy_is_saved_with_all_objects_after_a_world_without_units() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut copy = World::default();
    let parts = vec![Persistent::new(Part { heat: 1 })];
    let unit = copy.units.insert(Unit { hp: 3, parts });
    store.save(&copy)?;
    store.save(&World::default())?;
    let (_, unit) = copy.units.iter_mut().find(|(at, _)| *at == unit).unwrap();
    unit.unmarked().parts[0].unmarked().heat = 2;
    store.save(&copy)?;
    check(&memory, &copy)
}

#[test]
fn an_object_that_was_replaced_by_one_with_its_key_is_put_back() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let at = |name: &str| Some(Persistent::with_key(1, Town { name: name.into() }));
    let mut land = Land { capital: at("Ash"), ..Land::default() };
    store.save(&land)?;
    let mut other = at("Bree");
    for all in [false, true, false] {
        std::mem::swap(&mut land.capital, &mut other);
        if all {
            store.save_all(&land)?
        } else {
            store.save(&land)?
        };
        check(&memory, &land)?;
    }
    Ok(())
}

/// The owner of the first object is not marked, so a save would visit the second one alone.
#[test]
fn a_clone_of_an_unvisited_object_is_an_error() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut land = Land::default();
    land.nation.towns.push(town("Ash"));
    store.save(&land)?;
    let stored = land.clone();
    let mut clone = land.nation.towns[0].clone();
    clone.name = "Bree".into();
    land.capital = Some(clone);
    for _ in 0..2 {
        let error = store.save(&land).unwrap_err();
        assert!(error.to_string().contains("two objects have the key `town 1`"), "{error}");
        check(&memory, &stored)?;
    }
    Ok(())
}

/// As above, with pools: the second one has other objects.
#[test]
fn a_second_pool_with_an_unvisited_one_is_an_error() -> Result {
    #[derive(Debug, Default, Clone, PartialEq, Serialize)]
    struct Match {
        camps: Vec<Persistent<Camp>>,
    }
    archive::store::persistent!(Match = "match");
    let camp = |hp| {
        let mut units = Pool::new();
        units.insert_at(u64::from(hp), Unit { hp, parts: vec![] }).unwrap();
        Persistent::new(Camp { units: Some(units) })
    };
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut game = Match { camps: vec![camp(1)] };
    store.save(&game)?;
    let stored = game.clone();
    game.camps.push(camp(2));
    for _ in 0..2 {
        let error = store.save(&game).unwrap_err();
        assert!(error.to_string().contains("the class `unit` has two owners"), "{error}");
        check(&memory, &stored)?;
    }
    Ok(())
}
