//! Snapshots with more rows than one page of a scan has.

use std::rc::Rc;

use archive::Result;
use archive::store::Store;
use archive::store::storage::{Memory, Storage};
use archive_test_support::search::config;
use proptest::prelude::*;

use super::{Bytes, Unit, World, assert_is_kept, range, rows};

/// Changes every unit in a range, in steps. Part of them are removed.
fn change(world: &mut World, from: usize, count: usize, step: usize, removes: bool) {
    let at: Vec<_> = world.units.iter().map(|(at, _)| at).collect();
    for at in at.into_iter().skip(from).step_by(step).take(count) {
        if removes {
            world.units.remove(at);
        } else {
            world.units[at].hp += 1;
        }
    }
}

/// Compares parts of the rows of a snapshot.
fn assert_ranges(past: &dyn Storage, then: &Bytes, keys: &[u64]) -> Result {
    let key = |unit: &u64| [&[3, 0, 0, 0, 3][..], &unit.to_be_bytes()].concat();
    for keys in keys.windows(2) {
        let (from, to) = (key(&keys[0]), key(&keys[1]));
        let expected: Bytes = match from < to {
            true => {
                then.range(from.clone()..to.clone()).map(|(k, v)| (k.clone(), v.clone())).collect()
            }
            false => Bytes::new(),
        };
        assert_eq!(range(past, &from, &to)?, expected);
        let first = expected.first_key_value().map(|(key, _)| key.clone());
        let mut found = None;
        past.keys(&from, &to, &mut |key| {
            assert_eq!(found.replace(key.to_vec()), None, "it ends after the first");
            Ok(false)
        })?;
        assert_eq!(found, first);
    }
    Ok(())
}

#[test]
fn pages_have_all_rows_once() {
    let round = (0..1500_usize, 0..1200_usize, 1..4_usize, any::<bool>(), 0..700_u32);
    let keys = prop::collection::vec(0..2500_u64, 2..6);
    let rounds = prop::collection::vec((round, keys), 1..5);
    proptest!(config(30), |(rounds in rounds)| {
        let store = Store::over(Rc::new(Memory::new()))?;
        let mut world = World::default();
        (0..1000).for_each(|hp| _ = world.units.insert(Unit { hp, ..Unit::default() }));
        store.save(&world)?;
        let mut taken = Vec::new();
        for (number, ((from, count, step, removes, inserts), keys)) in rounds.iter().enumerate() {
            let name = number.to_string();
            store.snapshot(&name)?;
            taken.push((name, rows(store.storage())?));
            change(&mut world, *from, *count, *step, *removes);
            (0..*inserts).for_each(|hp| _ = world.units.insert(Unit { hp, ..Unit::default() }));
            store.save(&world)?;
            for (name, then) in &taken {
                assert_is_kept(&store, name, then)?;
                assert_ranges(store.open_snapshot(name)?.storage(), then, keys)?;
            }
        }
        store.check()?;
    });
}
