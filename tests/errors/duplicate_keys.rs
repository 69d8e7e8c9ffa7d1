//! The error of a duplicate key names the key.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use archive::{Element, ErrorKind, Save, Serialize};
use indexmap::IndexMap;

use crate::common::{forgiving, has_position};

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
enum Slot {
    #[default]
    Head,
    Hand(u8),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
struct Id(u64);

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
struct Cell {
    x: u8,
}

/// Loads three pairs as a map. The last has the key of the first.
fn twice<K: Element + Save + Clone + Ord + std::hash::Hash>([key, other]: [K; 2], shown: &str) {
    #[derive(Serialize)]
    struct Bag<M> {
        bag: M,
    }
    let pairs = vec![(key.clone(), 1_u8), (other, 2), (key, 3)];
    let message = format!("duplicate map key{shown}");
    for format in forgiving() {
        let file = format.to_vec(&Bag { bag: pairs.clone() }).unwrap();
        let errors = [
            format.from_slice::<Bag<BTreeMap<K, u8>>>(&file).err(),
            format.from_slice::<Bag<HashMap<K, u8>>>(&file).err(),
            format.from_slice::<Bag<IndexMap<K, u8>>>(&file).err(),
        ];
        for error in errors {
            let error = error.unwrap_or_else(|| panic!("{format}: loaded"));
            let found = (error.kind(), error.path(), error.message());
            assert_eq!(found, (ErrorKind::DuplicateMember, "bag[2]", &*message), "{format}");
            assert!(has_position(format, &error), "{format}: {error}");
        }
    }
}

#[test]
fn keys_are_named() {
    twice(["ann", "bob"].map(str::to_owned), " \"ann\"");
    twice(["$\n", ""].map(str::to_owned), " \"$\\n\"");
    twice(['x', 'y'], " \"x\"");
    twice([-7_i32, 7], " -7");
    twice([u128::MAX, 0], " 340282366920938463463374607431768211455");
    twice([true, false], " true");
    twice([Id(5), Id(6)], " 5");
    twice([Slot::Head, Slot::Hand(1)], " \"Head\"");
    // Long ones are cut short.
    let long = "x".repeat(10_000);
    twice([long, String::new()], &format!(" {:?} and more", "x".repeat(40)));
}

/// Keys without a short text are not shown.
#[test]
fn other_keys_are_not() {
    twice([(1_u8, 2_u8), (2, 1)], "");
    twice([vec![1_u8], vec![]], "");
    twice([Cell { x: 1 }, Cell { x: 2 }], "");
    twice([Slot::Hand(1), Slot::Head], "");
}
