//! Rows that a program refuses: no save deletes or replaces them, and a later program that accepts
//! them loads all.

use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Persistent, Pool, Row, Store};
use archive::{Error, Result, Serialize};

use super::failing_storage::{load, load_from};

/// The types of the first program.
mod old {
    use super::{Pool, Serialize};

    #[derive(Debug, Default, PartialEq, Serialize)]
    pub struct World {
        pub gold: u32,
        pub hull: Hull,
        pub units: Pool<Unit>,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    pub struct Hull {
        pub armour: u32,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    pub struct Unit {
        pub hp: u32,
    }
    archive::store::persistent!(World = "world", Unit = "unit");
}

/// Returns a store with a world whose numbers are all 500.
fn saved() -> Result<Rc<Memory>> {
    let memory = Rc::new(Memory::new());
    let mut world =
        old::World { gold: 500, hull: old::Hull { armour: 500 }, ..old::World::default() };
    world.units.insert(old::Unit { hp: 500 });
    Store::over(memory.clone())?.save(&world)?;
    Ok(memory)
}

fn check(memory: Rc<Memory>) -> Result {
    let (world, loaded) = load::<old::World>(memory)?;
    let hp: Vec<u32> = world.units.values().map(|unit| unit.hp).collect();
    assert_eq!((world.gold, world.hull.armour, &hp[..]), (500, 500, &[500][..]), "{loaded}");
    Ok(())
}

/// Loads the old world as another type, which does not fit in some places, and saves it in both
/// ways, twice. The first rows are kept.
fn everything_is_kept<T: Row + Default>(unfit: usize) -> Result {
    for all in [false, true] {
        let memory = saved()?;
        let store = Store::over(memory.clone())?;
        let (world, loaded) = load_from::<T>(&store)?;
        assert_eq!(loaded.unfit.len(), unfit, "{loaded}");
        for _ in 0..2 {
            if all {
                store.save_all(&world)?
            } else {
                store.save(&world)?
            };
        }
        check(memory)?;
    }
    Ok(())
}

/// The next program has objects that the old rows lack, and numbers that are too small.
#[test]
fn a_member_that_does_not_fit_is_kept_with_a_new_object() -> Result {
    #[derive(Debug, Default, Serialize)]
    struct Camera {
        zoom: u8,
    }
    #[derive(Debug, Default, Serialize)]
    struct Unit {
        hp: u8,
        camera: Persistent<Camera>,
    }
    #[derive(Debug, Default, Serialize)]
    struct World {
        gold: u8,
        hull: old::Hull,
        units: Pool<Unit>,
        camera: Persistent<Camera>,
    }
    archive::store::persistent!(World = "world", Unit = "unit", Camera = "camera");
    everything_is_kept::<World>(2)
}

#[test]
fn a_refused_member_that_became_an_object_is_kept() -> Result {
    #[derive(Debug, Default, Serialize)]
    #[archive(after_load = Hull::check)]
    struct Hull {
        armour: u32,
    }
    impl Hull {
        fn check(&mut self, _: u32) -> Result {
            if self.armour > 100 { Err(Error::custom("too thick")) } else { Ok(()) }
        }
    }
    #[derive(Debug, Default, Serialize)]
    struct World {
        gold: u32,
        hull: Persistent<Hull>,
        units: Pool<old::Unit>,
    }
    archive::store::persistent!(World = "world", Hull = "hull");
    everything_is_kept::<World>(1)
}

#[test]
fn a_part_of_a_member_that_became_an_object_is_kept() -> Result {
    #[derive(Debug, Default, Serialize)]
    struct Hull {
        armour: u8,
    }
    #[derive(Debug, Default, Serialize)]
    struct World {
        gold: u32,
        hull: Persistent<Hull>,
        units: Pool<old::Unit>,
    }
    archive::store::persistent!(World = "world", Hull = "hull");
    everything_is_kept::<World>(1)
}

/// The row is loaded once more, with a report. The first load has written to the members.
#[test]
fn a_member_that_was_loaded_and_refused_keeps_the_value_of_the_program() -> Result {
    #[derive(Debug, Default, Clone, PartialEq, Serialize)]
    #[archive(after_load = Limits::check)]
    struct Limits {
        low: u32,
        high: u32,
    }
    impl Limits {
        fn check(&mut self, _: u32) -> Result {
            if self.low > 100 { Err(Error::custom("too high")) } else { Ok(()) }
        }
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Config {
        name: String,
        limits: Limits,
    }
    archive::store::persistent!(Config = "config");
    let memory = Rc::new(Memory::new());
    let stored = Config { name: "stored".into(), limits: Limits { low: 500, high: 7 } };
    Store::over(memory.clone())?.save(&stored)?;
    let store = Store::over(memory)?;
    let given = Limits { low: 11, high: 12 };
    let mut config = Config { name: "given".into(), limits: given.clone() };
    store.attach(&mut config)?;
    let loaded = store.finish_load()?;
    assert_eq!(loaded.unfit.len(), 1, "{loaded}");
    assert_eq!(config, Config { name: "stored".into(), limits: given });
    Ok(())
}

/// The kept row has a member that the object lacks, and with it an object.
#[test]
fn objects_of_a_refused_member_are_kept() -> Result {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Guest {
        age: u32,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Room {
        number: u32,
        guest: Option<Persistent<Guest>>,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct House {
        room: Room,
    }
    #[derive(Debug, Default, Serialize)]
    #[archive(after_load = StrictRoom::check)]
    struct StrictRoom {
        number: u32,
        guest: Option<Persistent<Guest>>,
    }
    impl StrictRoom {
        fn check(&mut self, _: u32) -> Result {
            if self.number > 100 { Err(Error::custom("no such room")) } else { Ok(()) }
        }
    }
    #[derive(Debug, Default, Serialize)]
    struct StrictHouse {
        room: StrictRoom,
    }
    archive::store::persistent!(Guest = "guest", House = "house", StrictHouse = "house");
    let memory = Rc::new(Memory::new());
    let guest = Some(Persistent::new(Guest { age: 30 }));
    let house = House { room: Room { number: 101, guest } };
    Store::over(memory.clone())?.save(&house)?;
    let store = Store::over(memory.clone())?;
    let mut strict = StrictHouse::default();
    store.attach(&mut strict)?;
    assert_eq!(store.finish_load()?.unfit.len(), 1);
    for _ in 0..2 {
        assert_eq!(store.save_all(&strict)?.deleted, 0);
        assert_eq!(load::<House>(memory.clone())?.0, house);
    }
    // Once the object is another one, the row is replaced, and nothing owns the guest.
    strict.room.number = 7;
    store.save(&strict)?;
    assert_eq!(store.save_all(&strict)?.deleted, 1);
    Ok(())
}
