//! Errors of the functions for snapshots, and what their views refuse.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use archive::store::Store;
use archive::store::storage::{Changes, Memory, Storage};
use archive::{Error, ErrorKind, Result};

use super::{World, all, assert_is_kept, rows};
use crate::failing_storage::{load_from, watched};

#[test]
fn names_are_unique_and_not_empty() -> Result {
    let (memory, _, store) = watched()?;
    let taken = store.snapshot("a")?;
    assert_eq!(taken.name(), "a");
    let age = SystemTime::now().duration_since(taken.created()).unwrap();
    assert!(age < Duration::from_secs(600), "{age:?}");
    let before = all(&*memory)?;
    assert_eq!(store.snapshot("a").unwrap_err().kind(), ErrorKind::DuplicateMember);
    assert_eq!(store.snapshot("").unwrap_err().kind(), ErrorKind::Custom);
    assert_eq!(all(&*memory)?, before);
    assert_eq!(Store::over(memory)?.snapshots()?, [taken]);
    Ok(())
}

#[test]
fn a_missing_snapshot_is_named() -> Result {
    let (_, _, store) = watched()?;
    let errors = [
        store.compare("a").unwrap_err(),
        store.restore("a").unwrap_err(),
        store.delete_snapshot("a").unwrap_err(),
        store.open_snapshot("a").unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(error.to_string(), "the store has no snapshot `a`");
    }
    Ok(())
}

#[test]
fn a_view_is_read_only() -> Result {
    let (_, _, store) = watched()?;
    let world = World::with_units(3);
    store.save(&world)?;
    store.snapshot("a")?;
    let past = store.open_snapshot("a")?;
    assert_eq!(past.clear().unwrap_err().kind(), ErrorKind::ReadOnly);
    assert_eq!(past.snapshot("b").unwrap_err().kind(), ErrorKind::ReadOnly);
    assert_eq!(past.snapshots()?, []);
    let (mut loaded, report) = load_from::<World>(&past)?;
    assert!(report.is_clean(), "{report}");
    loaded.tick = 5;
    assert_eq!(past.save(&loaded).unwrap_err().kind(), ErrorKind::ReadOnly);
    past.check()?;
    Ok(())
}

/// The exported file is a store without snapshots.
#[test]
fn a_view_is_exported() -> Result {
    let (_, _, store) = watched()?;
    let mut world = World::with_units(300);
    store.save(&world)?;
    let then = all(store.storage())?;
    store.snapshot("a")?;
    world.units.iter_mut().for_each(|(_, unit)| unit.hp += 1);
    world.towns.push(Default::default());
    store.save(&world)?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    store.open_snapshot("a")?.export(&path)?;
    let exported = Store::open(&path)?;
    assert_eq!(rows(exported.storage())?, rows(store.open_snapshot("a")?.storage())?);
    let mut left = all(exported.storage())?;
    // The class of towns came later. It has no rows.
    left.retain(|key, _| then.contains_key(key));
    assert_eq!(left.keys().collect::<Vec<_>>(), then.keys().collect::<Vec<_>>());
    assert_eq!(exported.classes().iter().map(|class| class.rows).sum::<u64>(), 302);
    let (loaded, report) = load_from::<World>(&exported)?;
    assert!(loaded.units.values().zip(0..).all(|(unit, hp)| unit.hp == hp), "{report}");
    Ok(())
}

/// A view of a deleted snapshot does not show the next one of that name.
#[test]
fn a_view_is_of_one_snapshot() -> Result {
    let (_, _, store) = watched()?;
    let mut world = World::with_units(3);
    store.save(&world)?;
    store.snapshot("a")?;
    let past = store.open_snapshot("a")?;
    store.delete_snapshot("a")?;
    world.tick = 1;
    store.save(&world)?;
    store.snapshot("a")?;
    assert_eq!(past.value("world", 1).unwrap_err().kind(), ErrorKind::NotFound);
    let tick = &store.open_snapshot("a")?.value("world", 1)?.unwrap()["tick"];
    assert_eq!(tick.to_string(), "1");
    Ok(())
}

/// Keys are not assigned again after a restore.
#[test]
fn a_restore_keeps_the_next_keys() -> Result {
    let (_, _, store) = watched()?;
    let mut world = World::with_units(2);
    store.save(&world)?;
    store.snapshot("a")?;
    let third = world.units.insert(Default::default());
    world.units.remove(third);
    let fourth = world.units.insert(Default::default());
    store.save(&world)?;
    let saved = store.restore("a")?;
    assert_eq!((saved.written, saved.deleted), (0, 1));
    assert!(store.is_loading());
    let (mut world, _) = load_from::<World>(&store)?;
    let new = world.units.insert(Default::default());
    assert!(new != third && new != fourth, "{new:?}");
    assert_eq!(new.key(), 2 << 32 | 3);
    Ok(())
}

/// After the newest snapshot is deleted, a save keeps rows for the one before it.
#[test]
fn the_older_snapshot_keeps_its_rows() -> Result {
    let (_, _, store) = watched()?;
    let mut world = World::with_units(2);
    store.save(&world)?;
    store.snapshot("older")?;
    let then = rows(store.storage())?;
    let units: Vec<_> = world.units.iter().map(|(at, _)| at).collect();
    world.units[units[0]].hp = 10;
    store.save(&world)?;
    store.snapshot("newest")?;
    world.units[units[1]].hp = 11;
    store.save(&world)?;
    store.delete_snapshot("newest")?;
    assert_is_kept(&store, "older", &then)?;
    units.iter().for_each(|at| world.units[*at].hp = 12);
    store.save(&world)?;
    assert_is_kept(&store, "older", &then)
}

/// A storage whose commits are made, but whose answers are lost.
struct Remote {
    memory: Rc<Memory>,
    loses: Rc<Cell<bool>>,
}

impl Storage for Remote {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        self.memory.get(key, found)
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        self.memory.scan(from, to, each)
    }

    fn commit(&self, changes: &Changes) -> Result {
        self.memory.commit(changes)?;
        match self.loses.replace(false) {
            true => Err(Error::new(ErrorKind::Io, "the connection is lost")),
            false => Ok(()),
        }
    }

    fn name(&self) -> String {
        "remote".into()
    }
}

#[test]
fn lost_answers_change_no_snapshot() -> Result {
    let (memory, loses) = (Rc::new(Memory::new()), Rc::new(Cell::new(false)));
    let store = Store::over(Remote { memory: memory.clone(), loses: loses.clone() })?;
    let mut world = World::with_units(3);
    store.save(&world)?;
    let then = rows(&*memory)?;
    loses.set(true);
    assert!(store.snapshot("a").is_err());
    assert_eq!(store.snapshots()?.len(), 1);
    for _ in 0..3 {
        world.units.iter_mut().for_each(|(_, unit)| unit.hp += 1);
        loses.set(true);
        assert!(store.save(&world).is_err());
        assert_is_kept(&store, "a", &then)?;
    }
    store.save(&world)?;
    assert_is_kept(&store, "a", &then)?;
    loses.set(true);
    assert!(store.delete_snapshot("a").is_err());
    assert_eq!(store.snapshots()?, []);
    store.save(&world)?;
    store.check()
}

/// The commit that was made has other classes and other numbers of rows than the store knew.
#[test]
fn a_world_is_loaded_after_a_lost_answer() -> Result {
    let (memory, loses) = (Rc::new(Memory::new()), Rc::new(Cell::new(false)));
    let store = Store::over(Remote { memory: memory.clone(), loses: loses.clone() })?;
    let world = World::with_units(3);
    let load = || -> Result<usize> {
        let mut world = World::default();
        assert!(store.attach(&mut world)?);
        store.finish_load()?;
        Ok(world.units.len())
    };
    loses.set(true);
    assert!(store.save(&world).is_err());
    store.check()?;
    store.begin_load()?;
    assert_eq!(load()?, 3);

    store.snapshot("a")?;
    store.clear()?;
    loses.set(true);
    assert!(store.save(&World::with_units(1)).is_err());
    let mut view = World::default();
    assert!(store.open_snapshot("a")?.attach(&mut view)?);
    assert_eq!(view.units.len(), 3);
    store.restore("a")?;
    assert_eq!(load()?, 3);

    let mut world = World::with_units(9);
    loses.set(true);
    assert!(store.save_all(&world).is_err());
    store.clear()?;
    world.tick = 7;
    store.save(&world)?;
    store.begin_load()?;
    assert_eq!(load()?, 9);
    store.check()
}
