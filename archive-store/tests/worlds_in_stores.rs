//! Worlds that are saved again after a load, that are saved to several stores, and that a program
//! no longer accepts.

use std::rc::Rc;

use archive::ErrorKind::{self, DuplicateMember};
use archive::store::storage::Memory;
use archive::store::{Persistent, Pool, Ref, Store};
use archive::{Archive, Result, Save, Serialize};

#[derive(Default, Serialize)]
struct Arena {
    tick: u64,
    seed: u64,
    shots: Pool<Shot>,
    forgotten: Forgotten,
}
#[derive(Default, Serialize)]
struct Shot {
    left: u64,
}
#[derive(Default, Serialize)]
struct Forgotten(#[archive(skip)] u64);
archive::store::persistent!(Arena = "arena", Shot = "shot");

/// Objects are added and removed: the next keys are part of the state.
fn run(arena: &mut Arena) {
    for _ in 0..200 {
        arena.tick += 1;
        arena.seed = arena.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(arena.tick);
        arena.shots.insert(Shot { left: arena.seed >> 60 });
        for (_, shot) in arena.shots.iter_mut() {
            if shot.left > 0 {
                shot.left -= 1;
            }
        }
        arena.shots.retain(|_, shot| shot.left > 0);
    }
}

#[test]
fn a_game_continues_with_the_same_keys() {
    let memory = std::rc::Rc::new(archive::store::storage::Memory::new());
    let store = std::cell::RefCell::new(Store::over(memory.clone()).unwrap());
    let load = || -> Result<Arena> {
        let mut arena = Arena::default();
        store.replace(Store::over(memory.clone())?);
        store.borrow().attach(&mut arena)?;
        store.borrow().finish_load()?;
        Ok(arena)
    };
    archive::testing::assert_resumes!(|arena: &mut Arena| store.borrow().save(arena), load, run);
    let file = std::cell::RefCell::new(String::from("{}"));
    archive::testing::assert_resumes!(
        |arena: &mut Arena| archive::json::to_string(arena).map(|text| *file.borrow_mut() = text),
        || archive::json::from_str::<Arena>(&file.borrow()),
        run
    );
}

#[test]
#[should_panic(expected = "differs after both ran further: tick is ")]
fn a_game_that_forgets_is_found() {
    let file = std::cell::RefCell::new(String::from("{}"));
    archive::testing::assert_resumes!(
        |arena: &mut Arena| archive::json::to_string(arena).map(|text| *file.borrow_mut() = text),
        || archive::json::from_str::<Arena>(&file.borrow()),
        |arena: &mut Arena| {
            arena.forgotten.0 += 1;
            arena.tick += arena.forgotten.0;
        }
    );
}

/// The types are equal, but the program now refuses some values.
#[test]
fn values_that_no_longer_fit_keep_their_defaults() -> Result {
    mod strict {
        use super::{Persistent, Pool, Serialize};

        #[derive(Debug, Serialize)]
        #[archive(after_load = Unit::check)]
        pub struct Unit {
            pub hp: u16,
        }
        impl Default for Unit {
            fn default() -> Self {
                Unit { hp: 1 }
            }
        }
        impl Unit {
            fn check(&mut self, _: u32) -> archive::Result {
                if self.hp > 100 { Err(archive::Error::custom("too healthy")) } else { Ok(()) }
            }
        }
        #[derive(Default, Serialize)]
        pub struct World {
            pub hero: Persistent<Hero>,
            pub units: Pool<Unit>,
            pub extra: Vec<Unit>,
        }
        #[derive(Default, Serialize)]
        pub struct Hero {
            pub name: String,
        }
        archive::store::persistent!(Unit = "unit", World = "world", Hero = "hero");
    }
    mod tolerant {
        use super::{Persistent, Pool, Serialize};

        #[derive(Debug, Default, Serialize)]
        pub struct Unit {
            pub hp: u16,
        }
        #[derive(Default, Serialize)]
        pub struct World {
            pub hero: Persistent<Hero>,
            pub units: Pool<Unit>,
            pub extra: Vec<Unit>,
        }
        #[derive(Default, Serialize)]
        pub struct Hero {
            pub name: String,
        }
        archive::store::persistent!(Unit = "unit", World = "world", Hero = "hero");
    }
    let memory = Rc::new(Memory::new());
    let mut world = strict::World::default();
    world.hero.name = "Ann".into();
    let [a, b] = [50, 500].map(|hp| world.units.insert(strict::Unit { hp }));
    world.extra = vec![strict::Unit { hp: 7 }, strict::Unit { hp: 700 }];
    Store::over(memory.clone())?.save(&world)?;
    let store = Store::over(memory.clone())?;
    let mut world = strict::World::default();
    store.attach(&mut world)?;
    let loaded = store.finish_load()?;
    assert_eq!(loaded.rows, 3);
    let unfit: Vec<String> = loaded.unfit.iter().map(ToString::to_string).collect();
    assert_eq!(unfit.len(), 2, "{unfit:?}");
    assert!(unfit[0].starts_with("unit 2: ") && unfit[0].contains("too healthy"), "{unfit:?}");
    assert!(unfit[1].starts_with("world 1: extra[1]: too healthy"), "{unfit:?}");
    assert_eq!((&*world.hero.name, world.units[a].hp, world.units.contains(b)), ("Ann", 50, false));
    assert_eq!(world.extra.len(), 1);
    // The rows of values that were not loaded are kept until the object is another one, or for
    // good.
    assert_eq!(store.save(&world)?, store.save_all(&world)?);
    assert_eq!(store.save_all(&world)?.written, 0);
    let c = world.units.insert(strict::Unit { hp: 9 });
    assert_eq!(c, Ref::new(3));
    assert_eq!(
        world.units.insert_at(2, strict::Unit::default()).unwrap_err().kind(),
        DuplicateMember
    );
    assert_eq!((store.save_all(&world)?.written, store.save_all(&world)?.deleted), (1, 0));
    let store = Store::over(memory)?;
    let mut again = tolerant::World::default();
    store.attach(&mut again)?;
    assert!(store.finish_load()?.is_clean());
    let hp: Vec<u16> = again.units.values().map(|unit| unit.hp).collect();
    assert_eq!((hp, again.extra[1].hp), (vec![50, 500, 9], 700));
    Ok(())
}

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    hp: u16,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
    hero: Persistent<Hero>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Hero {
    name: String,
}
archive::store::persistent!(Unit = "soldier", World = "small world", Hero = "hero");

fn stored(memory: &Rc<Memory>) -> Result<World> {
    let store = Store::over(memory.clone())?;
    let mut world = World::default();
    store.attach(&mut world)?;
    let loaded = store.finish_load()?;
    assert!(loaded.unclaimed.is_empty(), "{loaded}");
    Ok(world)
}

#[test]
fn each_store_gets_all() -> Result {
    let memories = [Rc::new(Memory::new()), Rc::new(Memory::new())];
    let stores = [Store::over(memories[0].clone())?, Store::over(memories[1].clone())?];
    let mut world = World::default();
    for tick in 0..8 {
        world.tick = tick;
        let at = world.units.insert(Unit { hp: tick as u16 });
        if tick % 3 == 1 {
            world.units.remove(Ref::new(at.key() - 1));
        }
        world.hero.name = format!("hero {tick}");
        let at = usize::from(tick % 4 >= 2);
        stores[at].save(&world)?;
        assert_eq!(stored(&memories[at])?, world);
    }
    Ok(())
}

#[test]
fn a_copy_of_a_world_is_written_whole() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut world = World::default();
    let [a, b] = [1, 2].map(|hp| world.units.insert(Unit { hp }));
    store.save(&world)?;
    let undo = world.clone();
    world.units.remove(a);
    world.units[b].hp = 9;
    world.units.insert(Unit { hp: 3 });
    store.save(&world)?;
    assert_eq!(store.save(&undo)?.deleted, 1);
    assert_eq!(stored(&memory)?, undo);
    // The rows are not those of this world, so it is written completely.
    store.save(&world)?;
    assert_eq!(stored(&memory)?, world);
    assert_eq!(store.save(&world)?.written, 0);
    // A new pool takes the place of the old one.
    world.units = Pool::new();
    world.units.insert(Unit { hp: 4 });
    store.save(&world)?;
    assert_eq!(stored(&memory)?, world);
    assert_eq!(store.clear()?.deleted, 3);
    assert!(!Store::over(memory.clone())?.is_loading());
    store.save(&world)?;
    assert_eq!(stored(&memory)?, world);
    Ok(())
}

/// A copy is written completely, although the function of the type ignores errors of its archive.
#[test]
fn a_copy_that_ignores_errors_is_written_whole() -> Result {
    #[derive(Default, Clone)]
    struct Careless {
        units: Pool<Unit>,
    }
    impl Serialize for Careless {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("units", &mut self.units)
        }
    }
    impl Save for Careless {
        fn save<A: Archive>(&self, ar: &mut A) -> Result {
            let _ = ar.save("units", &self.units);
            Ok(())
        }
    }
    archive::blank!(Careless);
    archive::store::persistent!(Careless = "careless");
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut world = Careless::default();
    let unit = world.units.insert(Unit { hp: 1 });
    store.save(&world)?;
    let undo = world.clone();
    world.units[unit].hp = 2;
    store.save(&world)?;
    store.save(&undo)?;
    let store = Store::over(memory)?;
    store.attach(&mut world)?;
    store.finish_load()?;
    assert_eq!(world.units[unit].hp, 1);
    Ok(())
}

/// Several worlds in one store: each owns its classes.
#[test]
fn worlds_do_not_affect_each_other() -> Result {
    #[derive(Default, Serialize)]
    struct Settings {
        volume: u8,
        keys: Vec<Persistent<Key>>,
    }
    #[derive(Default, Serialize)]
    struct Key {
        code: u32,
    }
    archive::store::persistent!(Settings = "settings", Key = "key");
    let memory = Rc::new(Memory::new());
    let mut settings = Settings { volume: 7, keys: vec![Persistent::new(Key { code: 9 })] };
    let store = Store::over(memory.clone())?;
    store.save(&World::default())?;
    store.save(&settings)?;
    for again in 0..2 {
        let store = Store::over(memory.clone())?;
        let mut world = World::default();
        store.attach(&mut settings)?;
        store.attach(&mut world)?;
        assert_eq!(store.finish_load()?.rows, 4);
        assert_eq!(store.save_all(&world)?.deleted, 0, "{again}");
        assert_eq!(store.save_all(&settings)?.deleted, 0, "{again}");
    }
    Ok(())
}

#[test]
fn a_store_of_another_program_is_not_taken_for_a_new_one() -> Result {
    #[derive(Default, Serialize)]
    struct Other {
        score: u32,
    }
    archive::store::persistent!(Other = "highscores");
    let memory = Rc::new(Memory::new());
    Store::over(memory.clone())?.save(&Other { score: 7 })?;
    let store = Store::over(memory)?;
    assert!(!store.attach(&mut World::default())?);
    let error = store.finish_load().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    assert!(error.message().contains("which has rows of `highscores`"), "{error}");
    // Nothing is written before the program decides.
    assert!(store.save_all(&World::default()).is_err());
    let mut other = Other::default();
    assert!(store.attach(&mut other)?);
    assert!(store.finish_load()?.is_clean() && other.score == 7);
    assert_eq!(store.clear()?.deleted, 1);
    store.save_all(&World::default())?;
    Ok(())
}
