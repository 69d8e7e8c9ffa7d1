//! Every kind of type in columns.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::Serialize;
use archive::format::Backend;
use archive::{Archive, Result, Value};

use super::{all_lists, check};
use archive::binary::Binary;
use archive::binary::columns::Columns;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Tree {
    name: String,
    kids: Vec<Tree>,
}

/// The type contains itself, so its own lists are rows inside of its columns.
#[test]
fn types_that_contain_themselves() {
    let tree = |at: usize| Tree { name: format!("tree {at}"), kids: vec![Tree::default(); at % 3] };
    let mut forest: Vec<Tree> = (0..200).map(tree).collect();
    forest[7].kids = forest.clone();
    forest[8].kids[0].kids[0..].clone_from_slice(&[]);
    check(&forest);
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Nest<T> {
    at: u16,
    inner: Vec<T>,
}

macro_rules! nested {
    ($T:ty;) => { $T };
    ($T:ty; $_:tt $($rest:tt)*) => { nested!(Nest<$T>; $($rest)*) };
}

/// More levels than are split.
#[test]
fn deep_types() {
    type Deep =
        nested!(u32; . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .);
    let mut value: Vec<Deep> = vec![Deep::default(); 70];
    value[3].inner = vec![Default::default(); 70];
    value[3].inner[4].inner = vec![Default::default(); 5];
    check(&value);
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    leader: Option<Rc<RefCell<Unit>>>,
    follower: Weak<RefCell<Unit>>,
    tree: Value,
    big: u128,
    order: Order,
    skills: BTreeMap<String, Vec<i64>>,
    by_hand: ByHand,
}

#[derive(Default, Serialize)]
enum Order {
    #[default]
    Wait,
    Go(i32, f32),
    Say {
        text: String,
    },
    Units(Vec<Unit>),
}

#[derive(Clone, Default)]
struct ByHand(Vec<u16>);

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("numbers", &mut self.0)
    }
}

archive::save_by_clone!(ByHand);

/// Objects are stored inside of the first pointer to them, wherever that is.
#[test]
fn pointers_and_what_is_not_split() {
    let unit = |at: u32| Unit {
        name: format!("unit {at}"),
        big: u128::from(at) << (at % 90),
        tree: if at.is_multiple_of(7) { vec![at; 3].into_iter().collect() } else { Value::Null },
        order: match at % 5 {
            0 => Order::Wait,
            1 => Order::Go(-(at as i32), at as f32),
            2 => Order::Say { text: "x".repeat(at as usize % 300) },
            _ => Order::Units((0..at % 4).map(|_| Unit::default()).collect()),
        },
        skills: (0..at % 3).map(|skill| (skill.to_string(), vec![i64::MIN, at.into()])).collect(),
        by_hand: ByHand(vec![at as u16; at as usize % 5]),
        ..Unit::default()
    };
    let mut units: Vec<Unit> = (0..150).map(unit).collect();
    let shared: Vec<_> = (0..20).map(|at| Rc::new(RefCell::new(unit(at)))).collect();
    for (at, unit) in units.iter_mut().enumerate() {
        unit.leader = (at % 3 == 0).then(|| shared[at % 20].clone());
        unit.follower = Rc::downgrade(&shared[at * 7 % 20]);
    }
    for (at, one) in shared.iter().enumerate() {
        one.borrow_mut().follower = Rc::downgrade(&shared[(at + 1) % 20]);
    }
    let rows = Binary::to_vec(&mut units).unwrap();
    let columns = archive::binary::columns::Columns::to_vec(&mut units).unwrap();
    for file in [columns, all_lists(&rows)] {
        assert!(archive::binary::columns::to_rows(&file).unwrap() == rows);
        let mut loaded: Vec<Unit> = Binary::from_slice(&file).unwrap();
        assert!(Binary::to_vec(&mut loaded).unwrap() == rows);
        let leader = |at: usize| loaded[at].leader.as_ref().unwrap();
        assert!(Rc::ptr_eq(leader(0), leader(60)));
        assert_eq!(leader(3).borrow().name, "unit 3");
    }
}

#[derive(Default, Serialize)]
struct Link {
    at: u32,
    texts: Vec<String>,
    next: Option<Rc<RefCell<Link>>>,
}

/// Most objects of a long chain come after the root. They have lists as well.
#[test]
fn objects_after_the_root() {
    let mut chain = None;
    for at in 0..3000 {
        let texts = vec![at.to_string(); if at % 100 == 0 { 80 } else { 2 }];
        chain = Some(Rc::new(RefCell::new(Link { at, texts, next: chain })));
    }
    let rows = Binary::to_vec(&mut chain).unwrap();
    let file = archive::binary::columns::Columns::to_vec(&mut chain).unwrap();
    assert!(archive::binary::columns::to_rows(&file).unwrap() == rows);
    assert!(file.len() < rows.len());
    all_lists(&rows);
}

/// Other names of classes give the file other types, and the columns are the same.
#[test]
fn classes_with_another_name() {
    #[derive(Clone, Debug, PartialEq, Serialize)]
    struct Unit {
        name: String,
        at: (u16, Option<i32>),
    }
    #[derive(Clone, Debug, PartialEq, Serialize)]
    struct Soldier {
        name: String,
        at: (u16, Option<i32>),
    }
    let unit = |at: u16| Unit { name: format!("unit {at}"), at: (at, (at > 30).then_some(-7)) };
    let units: (u8, Vec<Unit>) = (1, (0..100).map(unit).collect());
    let file = check(&units);
    let (_, soldiers) = Columns::from_slice::<(u8, Vec<Soldier>)>(&file).unwrap();
    let names = |at: usize| (&units.1[at].name, units.1[at].at);
    assert!(soldiers.iter().enumerate().all(|(at, it)| names(at) == (&it.name, it.at)));
}
