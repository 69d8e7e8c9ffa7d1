//! Functions of types that panic in a save or a load, in a program that continues.

use std::cell::Cell;
use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Persistent, Pool, Shared, Store};
use archive::{Options, Result, Serialize};

use super::failing_storage::{load, load_from};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Town {
    name: String,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Nation {
    towns: Vec<Persistent<Town>>,
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
#[derive(Debug, Default, Serialize)]
struct Map {
    places: Persistent<Places>,
    bomb: Bomb,
}
#[derive(Debug, Default, Serialize)]
struct Places {
    all: Vec<Shared<Town>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    nation: Persistent<Nation>,
    units: Pool<Unit>,
    bomb: Bomb,
}
archive::store::persistent!(
    Town = "town",
    Nation = "nation",
    Part = "part",
    Unit = "unit",
    Map = "map",
    Places = "places",
    World = "world"
);

fn check(memory: &Rc<Memory>, world: &World) -> Result {
    let (again, loaded) = load::<World>(memory.clone())?;
    assert!(again == *world && loaded.is_clean(), "{loaded}");
    Ok(())
}

thread_local!(static PANICS: Cell<bool> = const { Cell::new(false) });

/// A value whose function panics on request.
#[derive(Debug, Default, Clone, PartialEq)]
struct Bomb(u32);

impl Serialize for Bomb {
    const SHAPE: &'static archive::shape::Shape = <u32 as Serialize>::SHAPE;

    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> Result {
        assert!(!PANICS.get(), "an error of the game");
        self.0.serialize(ar)
    }
}

impl archive::Save for Bomb {
    fn save<A: archive::Archive>(&self, ar: &mut A) -> Result {
        self.clone().serialize(ar)
    }
}

impl archive::Blank for Bomb {
    fn blank(_: &Options<'_>) -> Self {
        Bomb(0)
    }
}

fn panics<R>(run: impl FnOnce() -> R) {
    PANICS.set(true);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    PANICS.set(false);
    assert!(caught.is_err());
}

/// The last of the objects panics.
#[test]
fn a_save_that_panics_has_failed() -> Result {
    for all in [false, true] {
        let memory = Rc::new(Memory::new());
        let store = Store::over(memory.clone())?;
        let mut world = World::default();
        world.nation.towns.push(Town { name: "Ash".into() }.into());
        let [a, b] = [1, 2].map(|hp| world.units.insert(Unit { hp, parts: vec![] }));
        panics(|| store.save(&world));
        store.save(&world)?;
        check(&memory, &world)?;
        world.nation.towns[0].name = "Bree".into();
        world.units[a].hp = 7;
        world.units.remove(b);
        world.units.insert(Unit { hp: 3, parts: vec![Persistent::new(Part { heat: 4 })] });
        panics(|| if all { store.save_all(&world) } else { store.save(&world) });
        assert!(load::<World>(memory.clone())?.0.units.contains(b));
        store.save(&world)?;
        check(&memory, &world)?;
        assert_eq!(store.save_all(&world)?.written, 0);
    }
    Ok(())
}

#[test]
fn a_load_that_panics_has_failed() -> Result {
    let memory = Rc::new(Memory::new());
    let mut world = World::default();
    world.nation.towns.push(Town { name: "Ash".into() }.into());
    world.units.insert(Unit { hp: 1, parts: vec![] });
    Store::over(memory.clone())?.save(&world)?;
    let store = Store::over(memory.clone())?;
    let mut half = World::default();
    panics(|| store.attach(&mut half));
    assert!(store.finish_load().is_err());
    assert!(store.save(&half).is_err() && store.save_all(&half).is_err());
    store.begin_load()?;
    let (again, loaded) = load_from::<World>(&store)?;
    assert!(again == world && loaded.is_clean(), "{loaded}");
    assert_eq!(store.save_all(&again)?.written, 0);
    check(&memory, &world)
}

/// A changed shared object is saved, although its owners are unchanged.
#[test]
fn a_change_of_a_shared_object_is_saved_after_a_save_that_panics() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let ash = Shared::new(Town { name: "Ash".into() });
    let map = Map { places: Places { all: vec![ash.clone()] }.into(), ..Map::default() };
    store.save(&map)?;
    ash.borrow_mut().name = "Ash-on-Sea".into();
    panics(|| store.save(&map));
    store.save(&map)?;
    let name = |map: &Map| map.places.all[0].borrow().name.clone();
    assert_eq!(name(&load::<Map>(memory.clone())?.0), "Ash-on-Sea");
    ash.borrow_mut().name = "Ash".into();
    assert_eq!(store.save(&map)?.written, 1);
    assert_eq!(name(&load::<Map>(memory)?.0), "Ash");
    Ok(())
}
