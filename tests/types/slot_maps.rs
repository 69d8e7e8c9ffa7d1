//! Slot maps in every format: keys are as valid after a load as before.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::common::{Format, forgiving, formats, has_position, round_trip};
use allocation_counter::measure;
use archive::{
    Archive, Blank, Element, ErrorKind, Limits, Options, Result, Save, Serialize, Value, json,
};
use proptest::prelude::*;
use slotmap::{DefaultKey, DenseSlotMap, Key, KeyData, SecondaryMap, SlotMap, SparseSecondaryMap};

slotmap::new_key_type! {
    struct UnitKey;
    struct SquadKey;
}
archive::slotmap_keys!(UnitKey, SquadKey);

/// The common functions of both kinds of slot map.
trait Map<K, V>: Clone {
    fn put(&mut self, value: V) -> K;
    fn take(&mut self, key: K) -> Option<V>;
    fn at(&self, key: K) -> Option<&V>;
    fn list(&self) -> Vec<(K, V)>;
}

macro_rules! map {
    ($($Map:ident),*) => { $(
        impl<K: Key, V: Clone> Map<K, V> for $Map<K, V> {
            fn put(&mut self, value: V) -> K {
                self.insert(value)
            }
            fn take(&mut self, key: K) -> Option<V> {
                self.remove(key)
            }
            fn at(&self, key: K) -> Option<&V> {
                self.get(key)
            }
            fn list(&self) -> Vec<(K, V)> {
                self.iter().map(|(key, value)| (key, value.clone())).collect()
            }
        }
    )* };
}
map!(SlotMap, DenseSlotMap);

/// A map that is equal if its entries are, and the keys of its next inserts.
#[derive(Clone, Serialize)]
struct Exact<M>(M);

impl<M: Map<K, V>, K: Key, V: PartialEq + Default> PartialEq for View<'_, M, K, V> {
    fn eq(&self, other: &Self) -> bool {
        let next = |map: &M| {
            let mut map = map.clone();
            (0..40).map(|_| map.put(V::default())).collect::<Vec<_>>()
        };
        self.0.list() == other.0.list() && next(self.0) == next(other.0)
    }
}

struct View<'a, M, K, V>(&'a M, std::marker::PhantomData<(K, V)>);

macro_rules! exact {
    ($($Map:ident),*) => { $(
        impl<K: Key, V: Clone + PartialEq + Default> PartialEq for Exact<$Map<K, V>> {
            fn eq(&self, other: &Self) -> bool {
                View(&self.0, Default::default()) == View(&other.0, Default::default())
            }
        }
        impl<K: Key, V: Clone + Debug> Debug for Exact<$Map<K, V>> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                Debug::fmt(&self.0, f)
            }
        }
    )* };
}
exact!(SlotMap, DenseSlotMap);

/// Runs code for both kinds of map.
macro_rules! both {
    (|$map:ident: $Map:ident| $code:block) => {{
        {
            #[allow(dead_code)] // each test uses its part
            type $Map<K, V> = SlotMap<K, V>;
            #[allow(unused_mut)] // as above
            let mut $map = SlotMap::<UnitKey, String>::with_key();
            $code
        }
        {
            #[allow(dead_code)] // each test uses its part
            type $Map<K, V> = DenseSlotMap<K, V>;
            #[allow(unused_mut)] // as above
            let mut $map = DenseSlotMap::<UnitKey, String>::with_key();
            $code
        }
    }};
}

#[test]
fn keys() {
    let mut map = SlotMap::new();
    let first = map.insert(());
    map.remove(first);
    let second = map.insert(());
    round_trip(&vec![first, second, DefaultKey::null()]);
    round_trip(&(first.data(), Some(UnitKey::null()), Box::new(SquadKey::from(second.data()))));
    round_trip(&BTreeMap::from([(first, 1_u8), (second, 2)]));
    assert_eq!(json::to_string(&second).unwrap(), r#"{"idx":1,"version":3}"#);
    for (text, path) in [
        (r#"[{"idx":1,"version":2}]"#, "[0]"),
        (r#"[{"idx":4294967295,"version":3}]"#, "[0]"),
        (r#"[{"idx":-1,"version":1}]"#, "[0].idx"),
    ] {
        let error = json::from_str::<Vec<UnitKey>>(text).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, path), "{error}");
        assert!(error.position().is_some(), "{error}");
    }
}

#[test]
fn empty_and_full() {
    both!(|map: Map| {
        round_trip(&Exact(map.clone()));
        for name in ["a", "b", "c"] {
            map.insert(name.to_owned());
        }
        round_trip(&Exact(map.clone()));
        round_trip(&vec![Some(Box::new(Exact(map.clone()))), None]);
        let text = json::to_string(&map).unwrap();
        assert_eq!(
            text,
            r#"{"entries":[[{"idx":1,"version":1},"a"],[{"idx":2,"version":1},"b"],[{"idx":3,"version":1},"c"]],"free":[],"detached":[]}"#
        );
        // Everything removed: the slots still exist.
        map.clear();
        round_trip(&Exact(map));
    });
}

/// Keys across containers, stale keys, and the next inserts.
#[test]
fn a_world_continues_as_if_it_had_not_been_saved() {
    #[derive(Default, Serialize)]
    struct World<U, S> {
        selected: Vec<UnitKey>,
        units: U,
        squads: S,
        stale: Vec<UnitKey>,
        leader_of: BTreeMap<SquadKey, UnitKey>,
    }
    macro_rules! scenario {
        ($Map:ident) => {{
            type Units = $Map<UnitKey, String>;
            type Squads = $Map<SquadKey, Vec<UnitKey>>;
            let mut units = Units::with_key();
            let mut squads = Squads::with_key();
            let keys: Vec<UnitKey> = (0..10).map(|i| units.insert(format!("u{i}"))).collect();
            let red = squads.insert(vec![keys[1], keys[4]]);
            let mut stale = vec![];
            // Several generations of slots, freed in an order that is not theirs.
            for round in 0..3 {
                for at in [7, 2, 9] {
                    let old: Vec<UnitKey> = units.keys().collect();
                    let key = old[at % old.len()];
                    units.remove(key);
                    stale.push(key);
                }
                if round < 2 {
                    units.insert(format!("again {round}"));
                }
            }
            let selected = units.keys().collect();
            let mut world = World::<Units, Squads> {
                selected,
                units,
                leader_of: [(red, keys[4])].into(),
                squads,
                stale,
            };
            for format in formats() {
                let bytes = format.to_vec(&world).unwrap();
                let through_mut = format.to_vec(&mut world).unwrap();
                assert_eq!(bytes, through_mut, "{format}");
                let mut loaded: World<Units, Squads> = format.from_slice(&bytes).unwrap();
                let mut original = World {
                    selected: vec![],
                    units: world.units.clone(),
                    squads: world.squads.clone(),
                    stale: vec![],
                    leader_of: BTreeMap::new(),
                };
                assert_eq!(loaded.selected.len(), world.units.len());
                for key in &loaded.selected {
                    assert_eq!(loaded.units[*key], world.units[*key], "{format}");
                }
                assert_eq!(loaded.squads[red], world.squads[red]);
                assert_eq!(loaded.units.get(loaded.leader_of[&red]), world.units.get(keys[4]));
                let order = |map: &Units| map.keys().collect::<Vec<_>>();
                assert_eq!(order(&loaded.units), order(&world.units), "{format}");
                for round in 0..30 {
                    for key in &loaded.stale {
                        assert!(!loaded.units.contains_key(*key), "{format}: {key:?} came alive");
                    }
                    let (a, b) =
                        (loaded.units.insert("n".into()), original.units.insert("n".into()));
                    assert_eq!(a, b, "{format}: insert {round}");
                    if round % 3 == 0 {
                        loaded.units.remove(a);
                        original.units.remove(b);
                    }
                }
            }
        }};
    }
    scenario!(SlotMap);
    scenario!(DenseSlotMap);
}

/// Values that are not `Clone` are saved through `&mut`, and the map does not change.
#[test]
fn values_without_clone() {
    #[derive(Default, Debug, PartialEq, Serialize)]
    struct NotClone(u8);
    #[derive(Default, Serialize)]
    #[archive(mut_only)]
    struct World {
        units: DenseSlotMap<UnitKey, NotClone>,
        more: SlotMap<UnitKey, Box<NotClone>>,
    }
    let mut world = World { units: DenseSlotMap::with_key(), more: SlotMap::with_key() };
    let keys: Vec<UnitKey> = (0..6).map(|i| world.units.insert(NotClone(i))).collect();
    let more: Vec<UnitKey> = (0..6).map(|i| world.more.insert(Box::new(NotClone(i)))).collect();
    for at in [4, 0, 2] {
        world.units.remove(keys[at]);
        world.more.remove(more[at]);
    }
    let order: Vec<UnitKey> = world.units.keys().collect();
    for format in formats() {
        let bytes = format.to_vec(&mut world).unwrap();
        assert_eq!(format.to_vec(&mut world).unwrap(), bytes, "{format}");
        assert_eq!(world.units.keys().collect::<Vec<_>>(), order, "{format}");
        let mut loaded: World = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded.units.keys().collect::<Vec<_>>(), order, "{format}");
        for at in 0..6_usize {
            assert_eq!(loaded.units.get(keys[at]), world.units.get(keys[at]), "{format}");
            assert_eq!(loaded.more.get(more[at]), world.more.get(more[at]), "{format}");
        }
        let next = (loaded.units.insert(NotClone(9)), loaded.more.insert(Default::default()));
        assert_eq!(next.0.data().as_ffi(), 3 << 32 | 3, "{format}");
        assert_eq!(next.1.data().as_ffi(), 3 << 32 | 3, "{format}");
    }
}

#[test]
fn detached_slots_are_retired() {
    both!(|map: Map| {
        let keys: Vec<UnitKey> = (0..5).map(|i| map.insert(i.to_string())).collect();
        map.detach(keys[1]);
        map.detach(keys[4]);
        map.remove(keys[3]);
        let mut twin = map.clone();
        for format in formats() {
            let bytes = format.to_vec(&map).unwrap();
            let mut loaded: Map<UnitKey, String> = format.from_slice(&bytes).unwrap();
            assert_eq!(loaded.len(), 2);
            assert!(keys.iter().all(|key| loaded.get(*key) == map.get(*key)));
            let mut next = map.clone();
            for _ in 0..5 {
                assert_eq!(loaded.insert("x".into()), next.insert("x".into()), "{format}");
            }
            assert!(!loaded.contains_key(keys[1]) && !loaded.contains_key(keys[4]), "{format}");
            // Saved in place; detached values can still be attached again.
            let bytes = format.to_vec(&mut twin).unwrap();
            let mut loaded: Map<UnitKey, String> = format.from_slice(&bytes).unwrap();
            assert_eq!(loaded.insert("x".into()), twin.clone().insert("x".into()), "{format}");
        }
        twin.reattach(keys[1], "back".into());
        assert_eq!(twin[keys[1]], "back");
    });
}

#[test]
fn secondary_maps() {
    let mut units = SlotMap::<UnitKey, u8>::with_key();
    let keys: Vec<UnitKey> = (0..20).map(|i| units.insert(i)).collect();
    units.remove(keys[7]);
    let again = units.insert(7);
    let mut dense = SecondaryMap::<UnitKey, String>::new();
    let mut sparse = SparseSecondaryMap::<UnitKey, Option<u8>>::new();
    for key in [keys[15], again, keys[0]] {
        dense.insert(key, format!("{key:?}"));
        sparse.insert(key, None);
    }
    dense.remove(keys[0]);
    round_trip(&dense);
    round_trip(&sparse);
    round_trip(&vec![(dense.clone(), Some(sparse.clone()))]);
    round_trip(&(SecondaryMap::<UnitKey, u8>::new(), SparseSecondaryMap::<UnitKey, u8>::new()));
    assert_eq!(
        json::to_string(&dense).unwrap(),
        r#"[[{"idx":8,"version":3},"UnitKey(8v3)"],[{"idx":16,"version":1},"UnitKey(16v1)"]]"#
    );
    let order = json::to_string(&sparse).unwrap();
    assert_eq!(order.matches("idx").count(), 3);
    assert!(order.starts_with(r#"[[{"idx":1,"#), "{order}");
}

/// Any number of inserts and removals.
fn steps() -> impl Strategy<Value = Vec<(bool, u8)>> {
    proptest::collection::vec((any::<bool>(), any::<u8>()), 0..60)
}

fn play<M: Map<UnitKey, String>>(map: &mut M, steps: &[(bool, u8)]) -> Vec<UnitKey> {
    let (mut live, mut dead) = (Vec::new(), Vec::new());
    for (insert, at) in steps {
        if *insert || live.is_empty() {
            live.push(map.put(at.to_string()));
        } else {
            let key = live.swap_remove(usize::from(*at) % live.len());
            map.take(key);
            dead.push(key);
        }
    }
    dead
}

proptest! {
    #![proptest_config(crate::common::search::config(48))]

    #[test]
    fn any_history(before in steps(), after in steps()) {
        both!(|map: Map| {
            let dead = play(&mut map, &before);
            round_trip(&Exact(map.clone()));
            for format in formats() {
                let bytes = format.to_vec(&map).unwrap();
                let mut loaded: Map<UnitKey, String> = format.from_slice(&bytes).unwrap();
                let mut original = map.clone();
                prop_assert_eq!(play(&mut loaded, &after), play(&mut original, &after));
                prop_assert_eq!(loaded.list(), original.list());
                prop_assert!(dead.iter().all(|key| loaded.at(*key).is_none()));
            }
        });
    }
}

#[test]
fn trees_between_formats() {
    both!(|map: Map| {
        play(&mut map, &[(true, 1), (true, 2), (true, 3), (false, 0), (true, 4), (false, 1)]);
        let mut secondary = SecondaryMap::<UnitKey, i32>::new();
        secondary.extend(map.keys().map(|key| (key, 5)));
        let value = (Exact(map), secondary);
        for from in forgiving() {
            let tree: Value = from.from_slice(&from.to_vec(&value).unwrap()).unwrap();
            for to in forgiving() {
                let bytes = to.to_vec(&tree).unwrap();
                let loaded: (Exact<Map<UnitKey, String>>, SecondaryMap<UnitKey, i32>) =
                    to.from_slice(&bytes).unwrap_or_else(|e| panic!("{from} to {to}: {e}"));
                assert_eq!(loaded, value, "{from} to {to}");
            }
        }
    });
}

/// Data that no slot map could have written, in every format: its text goes through `Value`.
#[test]
fn forged_slots() {
    let cases = [
        // (the map, kind, path, part of the message)
        (r#"[[[1,1],0],[[1,1],0]] [] []"#, ErrorKind::DuplicateMember, "map.entries[1]", "slot 1"),
        (
            r#"[[[1,1],0],[[1,3],0]] [] []"#,
            ErrorKind::DuplicateMember,
            "map.entries[1]",
            "duplicate",
        ),
        (r#"[[[1,1],0]] [[1,3]] []"#, ErrorKind::DuplicateMember, "map.free[0]", "duplicate"),
        (r#"[[[1,1],0]] [] [1]"#, ErrorKind::DuplicateMember, "map.detached[0]", "duplicate"),
        (r#"[[[0,1],0]] [] []"#, ErrorKind::OutOfRange, "map.entries[0]", "found 0"),
        (r#"[[[2,1],0]] [] []"#, ErrorKind::OutOfRange, "map.entries[0]", "found slot 2"),
        (r#"[[[4294967295,1],0]] [] []"#, ErrorKind::OutOfRange, "map.entries[0]", "4294967295"),
        (r#"[[[1,1],0]] [[4000000000,3]] []"#, ErrorKind::OutOfRange, "map.free[0]", "4000000000"),
        (r#"[] [] [4000000000]"#, ErrorKind::OutOfRange, "map.detached[0]", "4000000000"),
        (r#"[] [[1,1]] []"#, ErrorKind::OutOfRange, "map.free[0]", "never used"),
        (r#"[[[1,2],0]] [] []"#, ErrorKind::OutOfRange, "map.entries[0][0]", "found 2"),
        (r#"[] [[1,4]] []"#, ErrorKind::OutOfRange, "map.free[0]", "found 4"),
        (r#"[[[1,4294967295],0]] [] []"#, ErrorKind::SizeLimit, "map", "Options::max_generations"),
        (r#"[] [[1,4294967295]] []"#, ErrorKind::SizeLimit, "map", "Options::max_generations"),
    ];
    #[derive(Serialize)]
    struct Holder<M> {
        map: M,
    }
    for (parts, kind, path, message) in cases {
        let key = |text: &str| {
            let value: Value = json::from_str(text).unwrap();
            let [idx, version] = value.as_array().unwrap() else { panic!("{text}") };
            format!(
                r#"{{"idx":{},"version":{}}}"#,
                json::to_string(idx).unwrap(),
                json::to_string(version).unwrap()
            )
        };
        let parts: Vec<Value> =
            parts.split(' ').map(|part| json::from_str(part).unwrap()).collect();
        let items = |value: &Value, each: &dyn Fn(&Value) -> String| {
            let items: Vec<String> = value.as_array().unwrap().iter().map(each).collect();
            format!("[{}]", items.join(","))
        };
        let as_key = |value: &Value| key(&json::to_string(value).unwrap());
        let entry = |value: &Value| format!("[{},0]", as_key(value.item(0).unwrap()));
        let text = format!(
            r#"{{"map":{{"entries":{},"free":{},"detached":{}}}}}"#,
            items(&parts[0], &entry),
            items(&parts[1], &as_key),
            json::to_string(&parts[2]).unwrap()
        );
        let tree: Value = json::from_str(&text).unwrap();
        for format in forgiving() {
            let bytes = format.to_vec(&tree).unwrap();
            for error in [
                format.from_slice::<Holder<SlotMap<UnitKey, u8>>>(&bytes).err().unwrap(),
                format.from_slice::<Holder<DenseSlotMap<UnitKey, u8>>>(&bytes).err().unwrap(),
            ] {
                assert_eq!((error.kind(), error.path()), (kind, path), "{format}: {text}: {error}");
                assert!(error.to_string().contains(message), "{format}: {error}");
                assert!(has_position(format, &error), "{format}: {error}");
            }
        }
    }
}

#[test]
fn forged_secondary_maps() {
    for (entries, kind, path) in [
        (
            r#"[[{"idx":1,"version":1},0],[{"idx":1,"version":3},0]]"#,
            ErrorKind::DuplicateMember,
            "[0][1]",
        ),
        (
            r#"[[{"idx":1,"version":3},0],[{"idx":1,"version":1},0]]"#,
            ErrorKind::DuplicateMember,
            "[0][1]",
        ),
        (r#"[[{"idx":4294967295,"version":1},0]]"#, ErrorKind::OutOfRange, "[0][0]"),
    ] {
        let tree: Value = json::from_str(&format!("[{entries}]")).unwrap();
        for format in forgiving() {
            let bytes = format.to_vec(&tree).unwrap();
            for error in [
                format.from_slice::<Vec<SecondaryMap<UnitKey, u8>>>(&bytes).unwrap_err(),
                format.from_slice::<Vec<SparseSecondaryMap<UnitKey, u8>>>(&bytes).unwrap_err(),
            ] {
                assert_eq!((error.kind(), error.path()), (kind, path), "{format}: {error}");
                let is_named = error.message().contains("duplicate slot 1");
                assert_eq!(is_named, kind == ErrorKind::DuplicateMember, "{format}: {error}");
            }
        }
    }
    // A key far away costs nothing in a sparse map, and no memory in the other one.
    let far = br#"[[{"idx":4000000000,"version":1},7]]"#;
    let sparse: SparseSecondaryMap<UnitKey, u8> = json::from_slice(far).unwrap();
    assert_eq!(sparse.len(), 1);
    let error = json::from_slice::<SecondaryMap<UnitKey, u8>>(far).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
}

/// The limits count over the whole file, and can be raised.
#[test]
fn limits() {
    let mut limits = Limits::default();
    limits.generations = 10;
    limits.padding = 1000;
    let options = Options::new().limits(limits);
    let one = r#"{"entries":[[{"idx":1,"version":13},0]],"free":[],"detached":[]}"#;
    type Maps = Vec<SlotMap<UnitKey, u8>>;
    let load = |text: String| json::from_slice_with::<Maps>(text.as_bytes(), &options);
    assert_eq!(load(format!("[{one}]")).unwrap()[0].len(), 1);
    let error = load(format!("[{one},{one}]")).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::SizeLimit, "[1]"), "{error}");

    let far = br#"[[{"idx":200,"version":1},7]]"#;
    let error = json::from_slice_with::<SecondaryMap<UnitKey, u8>>(far, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    assert_eq!(json::from_slice::<SecondaryMap<UnitKey, u8>>(far).unwrap().len(), 1);
}

/// A value that makes a slot large.
type Large = [u64; 30];

/// The text of a slot map as a file of the format.
fn forged(format: Format, entries: &str, free: &str, detached: &str) -> Vec<u8> {
    let text = format!(r#"{{"entries":[{entries}],"free":[{free}],"detached":[{detached}]}}"#);
    format.to_vec(&json::from_str::<Value>(&text).unwrap()).unwrap()
}

/// Slots that a file only implies are counted with their size before they are created.
#[test]
fn vacant_slots_take_no_memory_before_they_are_counted() {
    const SLOTS: usize = 20_000;
    let list = |each: &dyn Fn(usize) -> String| (1..=SLOTS).map(each).collect::<Vec<_>>().join(",");
    let detached = list(&|index| index.to_string());
    let free = list(&|index| format!(r#"{{"idx":{index},"version":3}}"#));
    fn check<M: Element>(format: Format, file: &[u8], slot: usize) {
        let load = |padding: usize| {
            let options = Options::new().max_padding(padding as u64);
            format.from_slice_with::<M>(file, &options).map(drop)
        };
        let built = SLOTS * slot;
        let mut result = Ok(());
        let refused = measure(|| result = load(built - 1)).bytes_max as usize;
        assert_eq!(result.unwrap_err().kind(), ErrorKind::SizeLimit, "{format}");
        let loaded = measure(|| load(built).unwrap()).bytes_max as usize;
        // The size of the lists that are read first; the slots come after them.
        let input = 64 * file.len() + (64 << 10);
        assert!(refused <= input, "{format}: {refused} bytes for {}", file.len());
        assert!(loaded <= input + built, "{format}: {loaded} bytes for {}", file.len());
    }
    for format in forgiving() {
        for (free, detached) in [("", &*detached), (&*free, "")] {
            let file = forged(format, "", free, detached);
            check::<SlotMap<UnitKey, Large>>(format, &file, size_of::<Large>() + 8);
            check::<SlotMap<UnitKey, u8>>(format, &file, 8);
            check::<DenseSlotMap<UnitKey, Large>>(format, &file, 8);
        }
        let far = format!(r#"[[{{"idx":{},"version":1}},{:?}]]"#, SLOTS + 1, Large::default());
        let far = format.to_vec(&json::from_str::<Value>(&far).unwrap()).unwrap();
        check::<SecondaryMap<UnitKey, Large>>(format, &far, size_of::<Large>() + 8);
    }
}

/// Removals of large values count by the bytes that they move.
#[test]
fn removals_count_with_the_size_of_the_values() {
    type Huge = [u64; 512];
    fn check<M: Element>(format: Format, file: &[u8], removals: u64) {
        let load = |most: u64| {
            let options = Options::new().max_generations(most);
            format.from_slice_with::<M>(file, &options).map(drop)
        };
        load(removals).unwrap();
        assert_eq!(load(removals - 1).unwrap_err().kind(), ErrorKind::SizeLimit, "{format}");
    }
    for format in forgiving() {
        let entry = |version: u32, value: &str| {
            let entry = format!(r#"[{{"idx":1,"version":{version}}},{value}]"#);
            forged(format, &entry, "", "")
        };
        check::<SlotMap<UnitKey, u8>>(format, &entry(201, "1"), 100);
        check::<DenseSlotMap<UnitKey, u8>>(format, &entry(201, "1"), 100);
        let huge = format!("{:?}", [1_u64; 512]);
        check::<SlotMap<UnitKey, Huge>>(format, &entry(201, &huge), 100 * 64);
        check::<DenseSlotMap<UnitKey, Huge>>(format, &entry(201, &huge), 100 * 64);
        let free = forged(format, "", r#"{"idx":1,"version":201}"#, "");
        check::<SlotMap<UnitKey, Huge>>(format, &free, 100 * 64);
        // The maximum number for small values is too many for large ones.
        let worn = entry(134_217_727, &huge);
        let error = format.from_slice::<SlotMap<UnitKey, Huge>>(&worn).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{format}");
    }
}

/// With equal options, a saved map loads; and a map that is refused has not changed.
#[test]
fn limits_apply_to_saving() {
    both!(|_names: Map| {
        let mut map = Map::<UnitKey, Large>::with_key();
        let keys: Vec<UnitKey> = (0..50).map(|_| map.insert([1; 30])).collect();
        for key in &keys[10..] {
            map.remove(*key);
        }
        let mut second = SecondaryMap::<UnitKey, Large>::new();
        second.insert(keys[40], [2; 30]);
        let options =
            |padding, removals| Options::new().max_padding(padding).max_generations(removals);
        for format in formats() {
            let saves = |map: &mut Map<UnitKey, Large>, options: &Options<'_>| {
                let next = map.clone().insert([3; 30]);
                let bytes = format.to_vec_with(&*map, options);
                let again = format.to_vec_with(&mut *map, options);
                assert_eq!(bytes.as_ref().ok(), again.as_ref().ok(), "{format}");
                assert_eq!(map.clone().insert([3; 30]), next, "{format}");
                let loads = |bytes: &Vec<u8>| {
                    format.from_slice_with::<Map<UnitKey, Large>>(bytes, options).unwrap();
                };
                bytes.iter().for_each(loads);
                bytes.map(drop)
            };
            let slot = (0..300).find(|slot| saves(&mut map, &options(slot * 40, 1000)).is_ok());
            assert!([Some(8), Some(size_of::<Large>() as u64 + 8)].contains(&slot), "{slot:?}");
            // 240 bytes are four pieces.
            saves(&mut map, &options(1 << 20, 160)).unwrap();
            let error = saves(&mut map, &options(1 << 20, 159)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::SizeLimit, "{format}");
            let error = format.to_vec_with(&second, &options(40 * 248 - 1, 0)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::SizeLimit, "{format}");
            let bytes = format.to_vec_with(&second, &options(40 * 248, 0)).unwrap();
            let loaded: SecondaryMap<UnitKey, Large> =
                format.from_slice_with(&bytes, &options(40 * 248, 0)).unwrap();
            assert_eq!(loaded[keys[40]], [2; 30]);
        }
    });
}

/// A borrowed cell is an error, although saving clones.
#[test]
fn borrowed_cells() {
    let mut map = SlotMap::<UnitKey, RefCell<u8>>::with_key();
    let keys = [1, 2, 3].map(|value| map.insert(RefCell::new(value)));
    map.remove(keys[0]);
    for format in formats() {
        let bytes = format.to_vec(&map).unwrap();
        let loaded: SlotMap<UnitKey, RefCell<u8>> = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded[keys[1]], RefCell::new(2), "{format}");
        let borrowed = map[keys[2]].borrow_mut();
        let error = format.to_vec(&map).unwrap_err();
        let expected = (ErrorKind::Borrowed, "entries[1][1]");
        assert_eq!((error.kind(), error.path()), expected, "{format}: {error}");
        drop(borrowed);
    }
}

/// A map that loads with errors keeps its old values, and nothing panics.
#[test]
fn keep_going_after_errors() {
    #[derive(Default, Serialize)]
    struct World {
        name: String,
        units: SlotMap<UnitKey, u8>,
    }
    let text = br#"{"name":"n","units":{"entries":[[{"idx":1,"version":1},"x"],[{"idx":2,"version":1},5]],"free":[],"detached":[]}}"#;
    let options = Options::new().keep_going(true);
    let (world, report): (World, _) = json::from_slice_report(text, &options).unwrap();
    assert_eq!((world.name.as_str(), world.units.len()), ("n", 0));
    assert_eq!(report.errors()[0].path(), "units.entries[0][1]");
}

/// A type that contains slot maps and has a hand-written function.
#[test]
fn by_hand() {
    #[derive(Default, Clone)]
    struct Pool(SlotMap<DefaultKey, u16>);
    impl Serialize for Pool {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("pool", &mut self.0)
        }
    }
    archive::save_by_clone!(Pool);
    archive::blank!(Pool);
    fn bounds<T: Serialize + Save + Blank>() {}
    bounds::<Pool>();
    let mut pool = Pool::default();
    let key = pool.0.insert(7);
    for format in formats() {
        let loaded: Pool = format.from_slice(&format.to_vec(&pool).unwrap()).unwrap();
        assert_eq!(loaded.0.get(key), Some(&7));
    }
    assert_eq!(KeyData::from_ffi(key.data().as_ffi()), key.data());
}
