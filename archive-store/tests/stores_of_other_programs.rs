//! Stores of other programs: newer ones, with unregistered types, and with members of other names.
//! No save deletes or replaces a row, and a later program that fits loads all.

use std::collections::BTreeMap;
use std::rc::Rc;

use archive::store::storage::{Memory, Storage};
use archive::store::{Persistent, Pool, Ref, Row, Store};
use archive::{ErrorKind, Options, Registry, Result, Serialize};

use super::failing_storage::{load, load_from};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    hp: u32,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
}
archive::store::persistent!(World = "world", Unit = "unit");

fn saved<T: Row>(world: &T) -> Result<Rc<Memory>> {
    let memory = Rc::new(Memory::new());
    Store::over(memory.clone())?.save(world)?;
    Ok(memory)
}

fn rows(memory: &Memory) -> Result<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut rows = BTreeMap::new();
    memory.scan(&[], &[], &mut |key, value| {
        rows.insert(key.to_vec(), value.to_vec());
        Ok(true)
    })?;
    Ok(rows)
}

/// After a world that the program cannot load, everything is an error, and nothing is written.
fn is_refused<T: Row + Default>(memory: &Rc<Memory>, kind: ErrorKind, words: &str) -> Result {
    let before = rows(memory)?;
    let store = Store::over(memory.clone())?;
    for _ in 0..2 {
        let mut half = T::default();
        let error = store.attach(&mut half).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(store.finish_load().is_err());
        assert!(store.save(&half).is_err() && store.save_all(&half).is_err());
        store.begin_load()?;
        assert!(store.save(&half).is_err() && store.save_all(&half).is_err());
    }
    assert_eq!(rows(memory)?, before);
    Ok(())
}

mod newer {
    use super::{Pool, Serialize};

    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(version = 2)]
    pub struct Unit {
        pub hp: u32,
        pub shield: u32,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    pub struct World {
        pub tick: u64,
        pub units: Pool<Unit>,
    }
    archive::store::persistent!(World = "world", Unit = "unit");
}

#[test]
fn rows_of_a_newer_version_are_kept() -> Result {
    let mut world = newer::World::default();
    let [_, second] = [1, 2].map(|hp| world.units.insert(newer::Unit { hp, shield: 9 }));
    let memory = saved(&world)?;
    let store = Store::over(memory.clone())?;
    let (mut old, loaded) = load_from::<World>(&store)?;
    assert!(old.units.is_empty() && !loaded.is_complete(), "{loaded}");
    let kinds: Vec<_> = loaded.unfit.iter().map(|unfit| unfit.kind).collect();
    assert_eq!(kinds, [ErrorKind::NewerVersion; 2]);
    for all in [false, true, false] {
        let saved = if all { store.save_all(&old)? } else { store.save(&old)? };
        assert_eq!(saved.deleted, 0);
        assert_eq!(load::<newer::World>(memory.clone())?.0, world);
    }
    // Their keys are not assigned to others, either.
    assert!(old.units.insert_at(second.key(), Unit::default()).is_err());
    assert_eq!(old.units.insert(Unit { hp: 3 }), Ref::new(3));
    old.tick = 4;
    store.save(&old)?;
    old.units.clear();
    assert_eq!((store.save(&old)?.deleted, store.save_all(&old)?.deleted), (1, 0));
    world.tick = 4;
    assert_eq!(load::<newer::World>(memory)?.0, world);
    Ok(())
}

/// A new pool in place of the loaded one does not know the rows.
#[test]
fn a_new_pool_does_not_replace_refused_rows() -> Result {
    let mut world = newer::World::default();
    world.units.insert(newer::Unit { hp: 1, shield: 9 });
    let memory = saved(&world)?;
    let store = Store::over(memory.clone())?;
    let (mut old, _) = load_from::<World>(&store)?;
    old.units = Pool::new();
    old.units.insert(Unit { hp: 5 });
    for all in [false, true] {
        let saved = if all { store.save_all(&old) } else { store.save(&old) };
        let error = saved.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember);
        assert!(error.to_string().contains("which could not be loaded"), "{error}");
    }
    assert_eq!(load::<newer::World>(memory)?.0, world);
    Ok(())
}

/// A key that was assigned once is never assigned again, not even by a pool that does not know it.
#[test]
fn keys_next_to_a_refused_row_are_not_assigned_again() -> Result {
    let mut world = newer::World::default();
    let [first, _] = [1, 2].map(|hp| world.units.insert(newer::Unit { hp, shield: 9 }));
    world.units.remove(first);
    let memory = saved(&world)?;
    let store = Store::over(memory.clone())?;
    let (mut old, _) = load_from::<World>(&store)?;
    old.units = Pool::new();
    store.save(&old)?;
    let (mut again, _) = load::<newer::World>(memory)?;
    assert_eq!(again, world);
    let next = world.units.insert(newer::Unit::default());
    assert_eq!(again.units.insert(newer::Unit::default()), next);
    assert_ne!(next, first);
    Ok(())
}

/// No object in the program has the refused part of a unit.
#[test]
fn objects_of_a_refused_object_are_kept() -> Result {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Part {
        heat: u32,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(version = 2)]
    struct NewerShip {
        parts: Vec<Persistent<Part>>,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct NewerFleet {
        flag: Option<Persistent<Part>>,
        ships: Pool<NewerShip>,
    }
    #[derive(Debug, Default, Serialize)]
    struct Ship {
        parts: Vec<Persistent<Part>>,
    }
    #[derive(Debug, Default, Serialize)]
    struct Fleet {
        flag: Option<Persistent<Part>>,
        ships: Pool<Ship>,
    }
    archive::store::persistent!(NewerShip = "ship", NewerFleet = "fleet", Part = "part");
    archive::store::persistent!(Ship = "ship", Fleet = "fleet");
    let part = |heat| Persistent::new(Part { heat });
    let mut fleet = NewerFleet { flag: Some(part(1)), ..NewerFleet::default() };
    fleet.ships.insert(NewerShip { parts: vec![part(2), part(3)] });
    let memory = saved(&fleet)?;
    let store = Store::over(memory.clone())?;
    let (mut old, loaded) = load_from::<Fleet>(&store)?;
    assert_eq!((old.ships.len(), loaded.unfit.len()), (0, 1), "{loaded}");
    for _ in 0..2 {
        assert_eq!(store.save_all(&old)?.deleted, 0);
        assert_eq!(load::<NewerFleet>(memory.clone())?.0, fleet);
    }
    // A new part does not get one of their keys, either.
    old.ships.insert(Ship { parts: vec![part(4)] });
    store.save_all(&old)?;
    let (again, _) = load::<NewerFleet>(memory)?;
    let heat: Vec<u32> =
        again.ships.values().flat_map(|ship| ship.parts.iter().map(|part| part.heat)).collect();
    assert_eq!(heat, [2, 3, 4]);
    Ok(())
}

#[test]
fn a_root_of_a_newer_version_is_an_error() -> Result {
    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(version = 2)]
    struct Newer {
        tick: u64,
        units: Pool<Unit>,
    }
    archive::store::persistent!(Newer = "world");
    let mut world = Newer { tick: 3, ..Newer::default() };
    world.units.insert(Unit { hp: 1 });
    let memory = saved(&world)?;
    is_refused::<World>(&memory, ErrorKind::NewerVersion, "world 1: ")?;
    assert_eq!(load::<Newer>(memory)?.0, world);
    Ok(())
}

trait Order: archive::Polymorphic {
    fn ticks(&self) -> u32;
}
archive::polymorphic!(dyn Order);
#[derive(Default, Serialize)]
struct Move {
    ticks: u32,
}
#[derive(Default, Serialize)]
struct Pause {
    ticks: u32,
}
impl Order for Move {
    fn ticks(&self) -> u32 {
        self.ticks
    }
}
impl Order for Pause {
    fn ticks(&self) -> u32 {
        1000 + self.ticks
    }
}
#[derive(Default, Serialize)]
struct Orders {
    tick: u64,
    first: Ref<Box<dyn Order>>,
    all: Pool<Box<dyn Order>>,
}
archive::store::persistent!(Orders = "orders", Box<dyn Order> = "order");

impl Orders {
    fn ticks(&self) -> Vec<(u64, u32)> {
        self.all.iter().map(|(at, order)| (at.key(), order.ticks())).collect()
    }
}

/// The options of the program with both types, and of one without `Pause`.
fn registries() -> Result<[Options<'static>; 2]> {
    let (mut all, mut few) = (Registry::new(), Registry::new());
    archive::register!(all, dyn Order { Move as "move", Pause as "pause" })?;
    archive::register!(few, dyn Order { Move as "move" })?;
    Ok([Options::new().registry(&all), Options::new().registry(&few)])
}

fn orders(options: &Options<'static>) -> Result<Rc<Memory>> {
    let memory = Rc::new(Memory::new());
    let mut orders = Orders::default();
    orders.first = orders.all.insert(Box::new(Pause { ticks: 1 }));
    orders.all.insert(Box::new(Move { ticks: 2 }));
    Store::over_with(memory.clone(), options)?.save(&orders)?;
    Ok(memory)
}

#[test]
fn without_a_registry_trait_objects_are_an_error() -> Result {
    let [all, _] = registries()?;
    let memory = orders(&all)?;
    is_refused::<Orders>(&memory, ErrorKind::UnknownType, "needs a registry")?;
    let (again, _) = load_from::<Orders>(&Store::over_with(memory, &all)?)?;
    assert_eq!(again.ticks(), [(1, 1001), (2, 2)]);
    Ok(())
}

#[test]
fn trait_objects_of_unregistered_types_are_kept() -> Result {
    let [all, few] = registries()?;
    for options in [few.clone(), few.clone().keep_unknown(true), few.strict(true)] {
        let memory = orders(&all)?;
        let store = Store::over_with(memory.clone(), &options)?;
        let (mut world, loaded) = load_from::<Orders>(&store)?;
        assert_eq!(world.ticks(), [(2, 2)]);
        assert_eq!((loaded.unfit.len(), loaded.dangling.len()), (1, 1), "{loaded}");
        assert_eq!(loaded.unfit[0].row.to_string(), "order 1");
        world.all[Ref::new(2)] = Box::new(Move { ticks: 5 });
        assert_eq!(world.all.insert(Box::new(Move { ticks: 6 })), Ref::new(3));
        for _ in 0..2 {
            assert_eq!(store.save(&world)?.deleted, 0);
            assert_eq!(store.save_all(&world)?.deleted, 0);
        }
        let (again, loaded) = load_from::<Orders>(&Store::over_with(memory, &all)?)?;
        assert_eq!(again.ticks(), [(1, 1001), (2, 5), (3, 6)]);
        assert!(loaded.is_clean() && again.all.contains(again.first), "{loaded}");
    }
    Ok(())
}

/// The rows of a pool belong to the member. A member with another name has none.
#[test]
fn a_renamed_pool_does_not_replace_rows() -> Result {
    #[derive(Debug, Default, Serialize)]
    struct Renamed {
        tick: u64,
        army: Pool<Unit>,
    }
    #[derive(Debug, Default, Serialize)]
    struct Alias {
        tick: u64,
        #[archive(alias = "units")]
        army: Pool<Unit>,
    }
    archive::store::persistent!(Renamed = "world", Alias = "world");
    let mut world = World { tick: 3, ..World::default() };
    for hp in 1..3 {
        world.units.insert(Unit { hp });
    }
    let memory = saved(&world)?;
    let store = Store::over(memory.clone())?;
    let (mut renamed, loaded) = load_from::<Renamed>(&store)?;
    assert!(renamed.army.is_empty() && !loaded.is_complete(), "{loaded}");
    assert_eq!((loaded.unclaimed.len(), loaded.rows), (2, 1), "{loaded}");
    assert_eq!(store.save(&renamed)?.deleted, 0);
    renamed.army.insert(Unit { hp: 9 });
    let error = store.save(&renamed).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
    assert!(error.to_string().contains("`unit 1`, which was not loaded"), "{error}");
    renamed.army.clear();
    renamed.tick = 4;
    assert_eq!(store.save(&renamed)?.deleted, 0);
    let (again, loaded) = load::<Alias>(memory.clone())?;
    assert!(loaded.unclaimed.is_empty(), "{loaded}");
    assert_eq!((again.tick, again.army), (4, world.units));
    // `save_all` does this.
    assert_eq!(store.save_all(&renamed)?.deleted, 2);
    Ok(())
}

#[test]
fn a_map_with_a_key_that_no_pool_has_is_an_error() -> Result {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Old {
        tick: u64,
        units: BTreeMap<u64, Unit>,
    }
    archive::store::persistent!(Old = "world");
    for bad in [0, 7 << 32, 1 << 32 | 9] {
        let units = [7, 9, bad].map(|key| (key, Unit { hp: key as u32 }));
        let old = Old { tick: 3, units: units.into() };
        let memory = saved(&old)?;
        let kind = if bad as u32 == 0 { ErrorKind::OutOfRange } else { ErrorKind::DuplicateMember };
        is_refused::<World>(&memory, kind, &bad.to_string())?;
        assert_eq!(load::<Old>(memory)?.0, old);
    }
    Ok(())
}
