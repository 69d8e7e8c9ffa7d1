//! Equality, differences and hashes of whole values.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::{Rc, Weak};

use archive::reflect::{deep_clone, difference, equal, hash};
use archive::{ErrorKind, Options, Serialize, Value};
use archive_test_support::everything::{
    Addresses, Cells, Choices, Containers, Everything, Numbers, Ranges, Texts, sample,
};
use archive_test_support::{formats, search};
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

fn options() -> Options<'static> {
    Options::new()
}

#[derive(Default, Serialize)]
struct Unit {
    hp: u16,
    leader: Weak<RefCell<Unit>>,
    squad: Vec<Rc<RefCell<Unit>>>,
}

/// The fields that `Everything` had when its hash was pinned.
#[derive(Serialize)]
struct Pinned {
    numbers: Numbers,
    texts: Texts,
    addresses: Addresses,
    containers: Containers,
    choices: Choices,
    ranges: Ranges,
    cells: Cells,
}

impl Pinned {
    fn sample() -> Self {
        let Everything { numbers, texts, addresses, containers, choices, ranges, cells, .. } =
            sample();
        Pinned { numbers, texts, addresses, containers, choices, ranges, cells }
    }
}

#[test]
fn the_hash_is_that_of_the_documented_bytes() -> archive::Result {
    let value = (1_u8, -1_i32, true, "ab".to_owned(), 1.5_f32, Unit { hp: 7, ..Unit::default() });
    let number = |number: i64| number.to_le_bytes();
    let text = |text: &[u8]| [&number(text.len() as i64), text].concat();
    let form = [
        b"[u",
        &number(1)[..],
        b"i",
        &number(-1),
        b"ts",
        &text(b"ab"),
        b"d",
        &1.5_f64.to_bits().to_le_bytes(),
        b"{m",
        &text(b"hp"),
        b"u",
        &number(7),
        b"m",
        &text(b"leader"),
        b"nm",
        &text(b"squad"),
        b"[]}]",
    ];
    assert_eq!(hash(&value, &options())?, xxh3_64(&form.concat()));
    assert_eq!(
        hash(&Pinned::sample(), &options())?,
        10_947_038_144_577_208_224,
        "the hash of a value has changed"
    );
    Ok(())
}

/// A copy through a format is equal, and so is its hash.
#[test]
fn copies_of_everything_are_equal() -> archive::Result {
    let value = sample();
    for format in formats() {
        let copy: Everything = format.from_slice(&format.to_vec(&value)?)?;
        assert_eq!(difference(&value, &copy, &options())?, None, "{}", format.name());
        assert_eq!(hash(&value, &options())?, hash(&copy, &options())?);
    }
    Ok(())
}

#[test]
fn deep_clones_are_equal_and_share_nothing() -> archive::Result {
    let value = sample();
    let copy = deep_clone(&value, &options())?;
    assert_eq!(difference(&value, &copy, &options())?, None);

    let leader = Rc::new(RefCell::new(Unit { hp: 9, ..Unit::default() }));
    let unit = Rc::new(RefCell::new(Unit { leader: Rc::downgrade(&leader), ..Unit::default() }));
    leader.borrow_mut().squad = vec![unit.clone(), unit];
    let copy = deep_clone(&leader, &options())?;
    assert!(equal(&leader, &copy, &options())?);
    let squad = copy.borrow().squad.clone();
    assert!(Rc::ptr_eq(&squad[0], &squad[1]));
    assert!(squad[0].borrow().leader.ptr_eq(&Rc::downgrade(&copy)));
    squad[0].borrow_mut().hp = 3;
    assert_eq!(leader.borrow().squad[0].borrow().hp, 0);
    Ok(())
}

#[test]
fn graphs_are_compared_with_their_sharing() -> archive::Result {
    let squad = || {
        let leader = Rc::new(RefCell::new(Unit { hp: 9, ..Unit::default() }));
        for hp in [4, 5] {
            let unit = Unit { hp, leader: Rc::downgrade(&leader), squad: Vec::new() };
            leader.borrow_mut().squad.push(Rc::new(RefCell::new(unit)));
        }
        leader
    };
    let (one, other) = (squad(), squad());
    assert!(equal(&one, &other, &options())?);
    assert_eq!(hash(&one, &options())?, hash(&other, &options())?);

    let first = other.borrow().squad[0].clone();
    other.borrow_mut().squad[1] = first;
    let found = difference(&one, &other, &options())?.unwrap();
    assert_eq!(found.path(), "squad[1]");
    assert_ne!(hash(&one, &options())?, hash(&other, &options())?);
    Ok(())
}

#[test]
fn neighbours_of_a_difference_are_named() -> archive::Result {
    let found = |left: &dyn archive::Polymorphic, right: &dyn archive::Polymorphic| {
        difference(left, right, &options()).map(|found| found.map(|found| found.to_string()))
    };
    assert_eq!(found(&vec![1], &vec![1, 2])?.unwrap(), "[1]: nothing and 2");
    assert_eq!(found(&vec![1, 2], &vec![1])?.unwrap(), "2 and nothing");
    assert_eq!(found(&Some(1), &None::<u8>)?.unwrap(), "1 and null");
    assert_eq!(found(&-1, &1.5)?.unwrap(), "-1 and 1.5");
    assert_eq!(found(&f32::NAN, &f64::NAN)?, None);
    assert_eq!(found(&0.0, &-0.0)?.unwrap(), "0.0 and -0.0");
    let long = "a".repeat(1000);
    assert!(found(&long, &String::new())?.unwrap().len() < 60);
    Ok(())
}

#[test]
fn chains_of_any_length_are_compared() -> archive::Result {
    #[derive(Default, Serialize)]
    struct Link {
        next: Option<Rc<RefCell<Link>>>,
    }
    let chain = |len: usize| {
        let links = (0..len).map(|_| Rc::new(RefCell::new(Link::default()))).collect::<Vec<_>>();
        for pair in links.windows(2) {
            pair[0].borrow_mut().next = Some(pair[1].clone());
        }
        links
    };
    let [one, other, longer] = [100_000, 100_000, 100_001].map(chain);
    assert!(equal(&one[0], &other[0], &options())?);
    assert!(!equal(&one[0], &longer[0], &options())?);
    assert_ne!(hash(&one[0], &options())?, hash(&longer[0], &options())?);
    Ok(())
}

#[test]
fn a_borrowed_cell_is_an_error() {
    let unit = Rc::new(RefCell::new(Unit::default()));
    let _borrowed = unit.borrow_mut();
    let error = hash(&unit, &options()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Borrowed);
}

#[derive(Default, Serialize)]
struct Unordered {
    #[archive(unordered)]
    map: HashMap<u32, u32>,
    #[archive(unordered)]
    set: Option<HashSet<u32>>,
}

proptest! {
    #![proptest_config(search::config(1000))]

    #[test]
    fn unordered_containers_count_in_their_order(
        entries in prop::collection::btree_map(any::<u32>(), any::<u32>(), 0..20),
    ) {
        let unordered = |entries: &mut dyn Iterator<Item = (u32, u32)>| {
            let map: HashMap<u32, u32> = entries.collect();
            Unordered { set: Some(map.keys().copied().collect()), map }
        };
        let one = unordered(&mut entries.clone().into_iter());
        let other = unordered(&mut entries.clone().into_iter().rev());
        prop_assert!(equal(&one, &other, &options())?);
        prop_assert_eq!(hash(&one, &options())?, hash(&other, &options())?);
    }

    /// Two values are equal if and only if their trees are, and then their hashes are equal.
    #[test]
    fn values_are_equal_as_their_trees_are(
        left in tree(), right in tree(), same in any::<bool>(),
    ) {
        let right = if same { left.clone() } else { right };
        let trees = [Value::of(&left)?, Value::of(&right)?];
        let found = difference(&left, &right, &options())?;
        prop_assert_eq!(found.is_none(), trees[0] == trees[1], "{:?}", found);
        prop_assert_eq!(hash(&left, &options())? == hash(&right, &options())?, found.is_none());
    }
}

type Tree = BTreeMap<String, (Option<i16>, Vec<Option<String>>)>;

/// Few different trees, so that two are often nearly equal.
fn tree() -> impl Strategy<Value = Tree> {
    let text = "[ab]?";
    let items = prop::collection::vec(prop::option::of(text), 0..3);
    prop::collection::btree_map(text, (prop::option::of(-1..1_i16), items), 0..3)
}
