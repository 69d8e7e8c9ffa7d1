//! Objects of a pool that are swapped and replaced, and the keys that are assigned.

use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Persistent, Pool, Ref, Store};
use archive::{ErrorKind, Format, Result, Serialize};

use super::failing_storage::{load, load_from};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    hp: u16,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    units: Pool<Unit>,
    hero: Option<Persistent<Hero>>,
    heroes: Vec<Persistent<Hero>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Hero {
    hp: u16,
}
archive::store::persistent!(Unit = "unit", World = "world", Hero = "hero");

fn unit(hp: u16) -> Unit {
    Unit { hp }
}

/// Returns a world with units of 1, 2 and 3, and the store that has it.
fn saved() -> Result<(Rc<Memory>, Store, World)> {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut world = World::default();
    for hp in 1..4 {
        world.units.insert(unit(hp));
    }
    store.save(&world)?;
    Ok((memory, store, world))
}

/// Saves, and checks the keys and the values of the units, in the program and in the store.
fn check(memory: &Rc<Memory>, store: &Store, world: &World, hp: [u16; 3]) -> Result {
    let all: Vec<_> = world.units.iter().map(|(at, unit)| (at.key(), unit.hp)).collect();
    assert_eq!(all, [(1, hp[0]), (2, hp[1]), (3, hp[2])]);
    for at in world.units.keys() {
        assert!(world.units.contains(at) && world.units.get(at).is_some());
    }
    assert_eq!(world.units, world.units.clone());
    store.save(world)?;
    let (again, loaded) = load::<World>(memory.clone())?;
    assert!(again == *world && loaded.is_clean(), "{again:?} {loaded}");
    assert_eq!(store.save_all(world)?.written, 0);
    Ok(())
}

/// The values are swapped; each key remains in its slot.
#[test]
fn objects_are_swapped_through_iter_mut() -> Result {
    let (memory, store, mut world) = saved()?;
    for hp in [[2, 1, 3], [1, 2, 3]] {
        let mut all: Vec<_> = world.units.iter_mut().map(|(_, unit)| unit).collect();
        let [one, two, _] = &mut all[..] else { panic!() };
        std::mem::swap(*one, *two);
        check(&memory, &store, &world, hp)?;
    }
    Ok(())
}

#[test]
fn objects_are_assigned_through_iter_mut() -> Result {
    let (memory, store, mut world) = saved()?;
    for (at, item) in world.units.iter_mut() {
        *item = unit(10 + at.key() as u16).into();
    }
    check(&memory, &store, &world, [11, 12, 13])?;
    // With a key of their own, which is that of another object.
    for (_, item) in &mut world.units {
        *item = Persistent::with_key(2, unit(item.hp + 10));
    }
    check(&memory, &store, &world, [21, 22, 23])?;
    // A clone counts as never saved, and has the key of the first.
    let first = world.units.iter_mut().next().unwrap().1.clone();
    *world.units.iter_mut().nth(1).unwrap().1 = first;
    check(&memory, &store, &world, [21, 21, 23])
}

/// A value that was written to before it is moved counts as changed where it is now.
#[test]
fn an_object_is_moved_out_through_iter_mut() -> Result {
    let (memory, store, mut world) = saved()?;
    let taken = world.units.iter_mut().map(|(_, item)| std::mem::take(item)).collect::<Vec<_>>();
    check(&memory, &store, &world, [0, 0, 0])?;
    for ((_, item), old) in world.units.iter_mut().zip(taken.into_iter().rev()) {
        *item = old;
    }
    check(&memory, &store, &world, [3, 2, 1])
}

/// The key after it would be 0, which means no object.
#[test]
fn the_largest_key_is_only_for_pools() -> Result {
    let (memory, store, mut world) = saved()?;
    let before = world.clone();
    for all in [false, true] {
        world.hero = Some(Persistent::with_key(u64::MAX, Hero { hp: 1 }));
        let saved = if all { store.save_all(&world) } else { store.save(&world) };
        let error = saved.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfRange);
        assert!(error.to_string().contains("hero"), "{error}");
        assert_eq!(load::<World>(memory.clone())?.0, before);
        // Keys can still be assigned.
        world.hero = None;
        world.heroes.push(Persistent::new(Hero { hp: 2 }));
        store.save(&world)?;
        assert_eq!(load::<World>(memory.clone())?.0, world);
        world.heroes.clear();
        store.save_all(&world)?;
    }
    let last = world.units.insert_at(u64::MAX, unit(4))?;
    world.hero = Some(Persistent::with_key(u64::MAX - 1, Hero { hp: 5 }));
    store.save(&world)?;
    let (again, loaded) = load::<World>(memory)?;
    assert!(again == world && again.units[last].hp == 4 && loaded.is_clean(), "{loaded}");
    // All keys of the class are used.
    world.heroes.push(Persistent::new(Hero { hp: 2 }));
    assert_eq!(store.save(&world).unwrap_err().kind(), ErrorKind::SizeLimit);
    Ok(())
}

/// Returns the keys that are assigned next, while objects are added and removed.
fn next(mut units: Pool<Unit>) -> Vec<u64> {
    let mut keys = Vec::new();
    for step in 0..12 {
        let at = units.insert(unit(step));
        keys.push(at.key());
        if step % 3 == 0 {
            units.remove(at);
        }
        if step == 7 {
            units.clear();
        }
    }
    keys
}

/// A pool that was loaded from a file, or from rows of a store, assigns the same keys as the saved
/// one.
#[test]
fn a_loaded_pool_assigns_the_same_keys() -> Result {
    let all = |keys: &[u64], gone: &[u64]| -> Result<World> {
        let mut world = World::default();
        for key in keys {
            world.units.insert_at(*key, unit(*key as u16))?;
        }
        for key in gone {
            world.units.remove(Ref::new(*key));
        }
        Ok(world)
    };
    for world in [
        World::default(),
        all(&[1, 2, 3], &[2])?,
        all(&[1, 2, 3], &[1, 2, 3])?,
        all(&[5 << 32 | 3], &[])?,
        all(&[5 << 32 | 3, 1, 7 << 32 | 200], &[7 << 32 | 200])?,
        all(&[1, 1000, 2], &[1])?,
    ] {
        let keys = next(world.units.clone());
        for format in [Format::Json, Format::Binary, Format::MessagePack, Format::Blob] {
            let again: World = format.from_slice(&format.to_vec(&world)?)?;
            assert_eq!(next(again.units), keys, "{format:?} {world:?}");
        }
        let memory = Rc::new(Memory::new());
        let store = Store::over(memory.clone())?;
        store.save(&world)?;
        assert_eq!(next(load::<World>(memory)?.0.units), keys, "{world:?}");
        store.begin_load()?;
        assert_eq!(next(load_from::<World>(&store)?.0.units), keys, "{world:?}");
    }
    Ok(())
}
