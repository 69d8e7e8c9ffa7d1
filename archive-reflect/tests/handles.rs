//! Handles: random histories against a plain map, saved and loaded in between, and forged slots.

use std::collections::BTreeMap;

use archive::reflect::{Handle, HandleMap, stale_handles};
use archive::{Options, Serialize, Value};
use archive_test_support::{formats, search};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Insert(u16),
    Remove(usize),
    Replace(usize, u16),
    Change(usize, u16),
    Retain(u16),
    Clear,
    Load,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any::<u16>().prop_map(Step::Insert),
        4 => any::<usize>().prop_map(Step::Remove),
        2 => (any::<usize>(), any::<u16>()).prop_map(|(which, hp)| Step::Replace(which, hp)),
        2 => (any::<usize>(), any::<u16>()).prop_map(|(which, hp)| Step::Change(which, hp)),
        1 => any::<u16>().prop_map(Step::Retain),
        1 => Just(Step::Clear),
        2 => Just(Step::Load),
    ]
}

/// A world that has its handles before the map, so that they are loaded first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct World {
    all: Vec<Handle<u16>>,
    units: HandleMap<u16>,
}

proptest! {
    #![proptest_config(search::config(1000))]

    /// Every handle that was ever returned refers to its own value, or to none.
    #[test]
    fn handles_refer_to_their_own_values(history in prop::collection::vec(step(), 1..60)) {
        let mut world = World::default();
        let mut model: BTreeMap<Handle<u16>, u16> = BTreeMap::new();
        for step in history {
            let pick = |which: usize| match world.all.len() {
                0 => Handle::NULL,
                len => world.all[which % len],
            };
            match step {
                Step::Insert(hp) => {
                    let before = model.len();
                    let handle = world.units.insert(hp);
                    prop_assert!(!world.all.contains(&handle), "{handle} was given twice");
                    world.all.push(handle);
                    model.insert(handle, hp);
                    prop_assert_eq!(model.len(), before + 1);
                }
                Step::Remove(which) => {
                    let handle = pick(which);
                    prop_assert_eq!(world.units.remove(handle), model.remove(&handle));
                }
                Step::Replace(which, hp) => {
                    let handle = pick(which);
                    let old = model.get_mut(&handle).map(|old| std::mem::replace(old, hp));
                    prop_assert_eq!(world.units.replace(handle, hp), old.ok_or(hp));
                }
                Step::Change(which, hp) => {
                    let handle = pick(which);
                    if let Some(old) = world.units.get_mut(handle) {
                        *old = hp;
                    }
                    model.entry(handle).and_modify(|old| *old = hp);
                }
                Step::Retain(least) => {
                    world.units.retain(|_, hp| *hp >= least);
                    model.retain(|_, hp| *hp >= least);
                }
                Step::Clear => {
                    world.units.clear();
                    model.clear();
                }
                Step::Load => {
                    for format in formats() {
                        let bytes = format.to_vec(&world)?;
                        let loaded: World = format.from_slice(&bytes)?;
                        prop_assert_eq!(&loaded, &world, "{}", format.name());
                        prop_assert_eq!(format.to_vec(&loaded)?, bytes);
                        // The next values get the same handles.
                        let (mut one, mut other) = (world.units.clone(), loaded.units);
                        for hp in 0..4 {
                            prop_assert_eq!(one.insert(hp), other.insert(hp));
                        }
                    }
                }
            }
            prop_assert_eq!(world.units.len(), model.len());
            let values = world.units.iter().map(|(handle, hp)| (handle, *hp));
            prop_assert_eq!(values.len(), model.len());
            prop_assert_eq!(values.collect::<BTreeMap<_, _>>(), model.clone());
            for handle in &world.all {
                prop_assert_eq!(world.units.get(*handle), model.get(handle));
                prop_assert_eq!(Handle::from_raw(handle.to_raw()), Some(*handle));
            }
        }
    }

    /// A map that was loaded from any slots never returns a handle twice.
    #[test]
    fn forged_slots_never_give_a_handle_twice(
        slots in prop::collection::vec((prop_oneof![0..3_u32, u32::MAX - 2..=u32::MAX], any::<bool>()), 0..5),
        removals in prop::collection::vec(0..8_usize, 0..30),
    ) {
        let slots = slots.iter().map(|(generation, full)| {
            let value = if *full { "1" } else { "null" };
            format!(r#"{{"generation":{generation},"value":{value}}}"#)
        });
        let text = format!("[{}]", slots.collect::<Vec<_>>().join(","));
        let mut map: HandleMap<u16> = archive::json::from_str(&text)?;
        let mut given: Vec<_> = map.handles().collect();
        for which in removals {
            if let Some(handle) = given.get(which) {
                map.remove(*handle);
                prop_assert!(!map.contains(*handle));
            }
            let new = map.insert(2);
            prop_assert!(!given.contains(&new), "{new} was given twice");
            given.push(new);
        }
    }
}

#[test]
fn numbers_without_a_slot_are_refused_with_their_path() {
    let text = r#"{"all":[1,4294967296],"units":[]}"#;
    let error = archive::json::from_str::<World>(text).unwrap_err();
    assert_eq!(error.path(), "all[1]");
    assert_eq!(error.message(), "4294967296 is not a handle: it has a generation but no slot");
}

#[test]
fn a_failed_load_leaves_a_map_that_works() {
    let mut world = World::default();
    world.units.insert(7);
    let text = r#"{"units":[{"value":1},{"value":null},{"value":"no number"}]}"#;
    archive::json::load_into(&mut world, text.as_bytes()).unwrap_err();
    let counted = world.units.iter().count();
    assert_eq!(world.units.len(), counted);
    let handle = world.units.insert(9);
    assert_eq!(world.units[handle], 9);
}

#[test]
fn trait_objects_are_owned_by_a_map() -> archive::Result {
    trait Thing: archive::Polymorphic {
        fn name(&self) -> String;
    }
    archive::polymorphic!(dyn Thing);
    #[derive(Default, Serialize)]
    struct Tank {
        number: u8,
    }
    impl Thing for Tank {
        fn name(&self) -> String {
            format!("tank {}", self.number)
        }
    }
    let mut registry = archive::Registry::new();
    archive::register!(registry, dyn Thing { Tank })?;
    let options = Options::new().registry(&registry);

    let mut things: HandleMap<Box<dyn Thing>> = HandleMap::new();
    let tank = things.insert(Box::new(Tank { number: 3 }));
    let saved = Value::of_with(&things, &options)?;
    let loaded: HandleMap<Box<dyn Thing>> = saved.to_with(&options)?;
    assert_eq!(loaded[tank].name(), "tank 3");
    Ok(())
}

#[test]
#[should_panic(expected = "the handle #2 refers to no value")]
fn indexing_without_a_value_panics() {
    let map: HandleMap<u8> = [1].into_iter().collect();
    let other = Handle::from_raw(2).unwrap();
    let _ = map[other];
}

#[test]
fn stale_handles_are_found_in_files() -> archive::Result {
    #[derive(Default, Serialize)]
    struct Mixed {
        first: Option<Handle<u16>>,
        others: std::collections::BTreeMap<Handle<u16>, Vec<Handle<u16>>>,
        elsewhere: Handle<String>,
        one: HandleMap<u16>,
        two: HandleMap<u16>,
        tick: u64,
    }
    let text = r#"{"first":3,"others":[[1,[2,0,4294967297]],[9,[0]]],"elsewhere":5,
        "one":[{"value":1},{"generation":1,"value":null}],"two":[{"value":1},{"value":2}],"tick":9}"#;
    let mixed: Mixed = archive::json::from_str(text)?;
    let stale = stale_handles(&mixed, &Options::new())?;
    let stale: Vec<_> =
        stale.iter().map(|stale| (stale.path().to_string(), stale.to_raw())).collect();
    let expected = [("first", 3), ("others.1[2]", 4294967297), ("others.9", 9)];
    assert_eq!(stale, expected.map(|(path, raw)| (path.to_owned(), raw)));
    Ok(())
}
