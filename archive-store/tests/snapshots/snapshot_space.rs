//! The space that snapshots take.

use std::rc::Rc;

use archive::Result;
use archive::store::Store;
use archive::store::storage::{Memory, Storage};

use super::{World, all, assert_is_kept, rows};

fn size(storage: &dyn Storage) -> Result<usize> {
    Ok(all(storage)?.iter().map(|(key, value)| key.len() + value.len()).sum())
}

/// 200 snapshots, with 1 % of the rows changed after each, keep each row twice.
#[test]
fn snapshots_take_the_space_of_the_changes() -> Result {
    const UNITS: usize = 3000;
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut world = World::with_units(UNITS as u32);
    store.save(&world)?;
    let before = size(&*memory)?;
    let (first, mut middle) = (rows(&*memory)?, None);
    for number in 0..200_usize {
        store.snapshot(&number.to_string())?;
        if number == 100 {
            middle = Some(rows(&*memory)?);
        }
        let at: Vec<_> = world.units.iter().map(|(at, _)| at).collect();
        for index in 0..UNITS / 100 {
            world.units[at[(number * 30 + index) % UNITS]].hp += 1;
        }
        assert!(store.save(&world)?.written <= UNITS as u64 / 100 + 1);
    }
    let (after, now) = (size(&*memory)?, rows(&*memory)?);
    let snapshots = (after - before) as f64 / before as f64;
    assert!(snapshots <= 2.5, "{snapshots} times {before} bytes");
    assert_is_kept(&store, "0", &first)?;
    assert_is_kept(&store, "100", &middle.unwrap())?;

    (1..200).rev().try_for_each(|number| store.delete_snapshot(&number.to_string()))?;
    // The oldest one needs each row once.
    let kept = (size(&*memory)? - before) as f64 / before as f64;
    assert!(kept <= 1.25, "{kept} times {before} bytes");
    assert_is_kept(&store, "0", &first)?;
    store.delete_snapshot("0")?;
    assert_eq!((rows(&*memory)?, all(&*memory)?.keys().rfind(|key| key[0] > 3)), (now, None));
    Ok(())
}

/// A store without snapshots reads nothing in a save, and writes what it always wrote.
#[test]
fn a_store_without_snapshots_pays_nothing() -> Result {
    let (memory, disk, store) = crate::failing_storage::watched()?;
    let mut world = World::with_units(10);
    store.save(&world)?;
    store.snapshot("a")?;
    store.delete_snapshot("a")?;
    let reads = disk.reads.get();
    world.units.iter_mut().for_each(|(_, unit)| unit.hp += 1);
    store.save(&world)?;
    assert_eq!(disk.reads.get(), reads);

    let other = Rc::new(Memory::new());
    Store::over(other.clone())?.save(&world)?;
    assert_eq!(all(&*memory)?, all(&*other)?);
    Ok(())
}
