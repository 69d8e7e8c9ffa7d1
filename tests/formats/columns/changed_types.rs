//! Columns of types that have changed give what their rows give: the same value or the same error.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;

use archive::format::Backend;
use archive::{Element, Save, Serialize, binary};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::Columns;
use crate::common::columns::AllColumns;
use crate::common::search::config;

/// Loads a value of an old type as one of a new type, from columns and from rows.
#[track_caller]
pub(super) fn check<Old: Save, New: Element + PartialEq + Debug>(
    old: &Old,
) -> archive::Result<New> {
    let rows = binary::from_slice::<New>(&binary::to_vec(old).unwrap());
    for file in [AllColumns::to_vec(old).unwrap(), Columns::to_vec(old).unwrap()] {
        let columns = Columns::from_slice::<New>(&file);
        match (&rows, &columns) {
            (Ok(rows), Ok(columns)) => assert_eq!(columns, rows),
            (Err(rows), Err(columns)) => {
                assert_eq!((columns.kind(), columns.path()), (rows.kind(), rows.path()));
            }
            _ => panic!("{columns:?} from columns, but {rows:?} from rows"),
        }
    }
    rows
}

mod old {
    use archive::Serialize;

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Unit {
        pub id: u64,
        pub name: String,
        pub hp: u16,
        pub offset: i64,
        pub gone: Vec<(u8, String)>,
        pub place: (f32, Option<f64>),
        pub kind: Kind,
        pub items: Vec<Item>,
        pub held: Option<Item>,
        pub worn: Item,
        pub heights: Vec<i16>,
        pub color: [u8; 3],
        pub gone_too: Option<Kind>,
        pub note: String,
    }

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Item {
        pub name: String,
        pub uses: u8,
    }

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub enum Kind {
        Idle,
        Named(String),
        Attacking { target: u32, since: f32 },
        Holding(Item),
    }
}

mod new {
    use archive::Serialize;

    /// Members in another order, renamed, removed, of other types, and new.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    #[archive(version = 3)]
    pub struct Unit {
        pub name: Option<String>,
        pub id: u32,
        pub hp: i64,
        pub offset: i8,
        pub is_new: bool,
        #[archive(default = -7)]
        pub rank: i32,
        #[archive(default = "nobody".to_owned())]
        pub owner: String,
        #[archive(default = 1.5)]
        pub speed: f32,
        pub place: (f32, Option<f64>),
        pub kind: Kind,
        pub last: Kind,
        pub items: Vec<Item>,
        pub held: Option<Item>,
        #[archive(default = Item { uses: 9, weight: 8, owner: Some("worn".into()), ..Item::default() })]
        pub worn: Item,
        #[archive(alias = "heights")]
        pub depths: Vec<i64>,
        #[archive(default = Some(3))]
        pub level: Option<u8>,
        pub more: Vec<Item>,
        pub nested: (u8, (String, ())),
        pub spare: Option<Item>,
        pub color: [u8; 3],
        pub note: Option<Option<String>>,
    }

    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct Item {
        #[archive(default = 5)]
        pub weight: u64,
        pub uses: u16,
        pub name: String,
        pub owner: Option<String>,
    }

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub enum Kind {
        Idle,
        Named(String),
        Attacking { since: f32, target: u64 },
        Holding(Item),
        Fleeing { from: u8, to: String },
    }
}

/// Variants in another order, renamed and new.
mod reordered {
    use super::new::Item;
    use archive::Serialize;

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Unit {
        pub kind: Kind,
        pub last: Kind,
        pub name: String,
        #[archive(alias = "gone_too")]
        pub next: Option<Kind>,
    }

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub enum Kind {
        Fleeing {
            from: u8,
            to: String,
        },
        Holding(Item),
        Resting,
        Idle,
        #[archive(alias = "Named")]
        Called(String),
        Attacking {
            since: f32,
            target: u64,
        },
    }
}

/// Changes that only rows can follow.
mod other {
    use std::collections::{BTreeMap, VecDeque};

    use archive::Serialize;

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Unit {
        pub id: f64,
        pub hp: u16,
        pub place: (f64, Option<f64>),
        pub kind: Kind,
        pub items: VecDeque<Item>,
        pub color: Vec<u8>,
        pub heights: BTreeMap<u8, u8>,
        pub held: Box<Item>,
    }

    /// The variant has a new field.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Fighter {
        pub kind: Fight,
        pub name: String,
    }

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub enum Fight {
        Idle,
        Named(String),
        Attacking {
            since: f32,
            target: u64,
            #[archive(default = 4)]
            by: u8,
        },
        Holding(Item),
    }

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Item {
        pub uses: Box<u8>,
        pub weight: u128,
    }

    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub enum Kind {
        Fleeing,
        Named(String),
        Attacking { target: u32 },
        Idle,
    }
}

/// Each part has a type that columns follow or one that they do not.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Mixed {
    id: u32,
    items: Vec<other::Item>,
    worn: new::Item,
    heights: Vec<i32>,
}

prop_compose! {
    fn item()(name in ".{0,5}", uses in any::<u8>()) -> old::Item {
        old::Item { name, uses }
    }
}

fn kind() -> impl Strategy<Value = old::Kind> {
    prop_oneof![
        Just(old::Kind::Idle),
        ".{0,4}".prop_map(old::Kind::Named),
        (any::<u32>(), -9_i8..9)
            .prop_map(|(target, since)| old::Kind::Attacking { target, since: since.into() }),
        item().prop_map(old::Kind::Holding),
    ]
}

/// Numbers that the new types can store, but for some.
fn id(limits: bool) -> BoxedStrategy<u64> {
    if limits {
        prop_oneof![0..=u64::from(u32::MAX), Just(u64::from(u32::MAX) + 1), any::<u64>()].boxed()
    } else {
        (0..=u64::from(u32::MAX)).boxed()
    }
}

prop_compose! {
    fn unit(limits: bool)(
        id in id(limits),
        name in ".{0,6}",
        hp in any::<u16>(),
        offset in if limits { -130..130_i64 } else { -128..128 },
        gone in vec((any::<u8>(), ".{0,3}"), 0..3),
        place in (-9_i8..9, option::of(-9_i8..9)),
        kind in kind(),
        items in vec(item(), 0..4),
        held in option::of(item()),
        worn in item(),
        (heights, color) in (vec(any::<i16>(), 0..4), any::<[u8; 3]>()),
        (gone_too, note) in (option::of(self::kind()), ".{0,4}"),
    ) -> old::Unit {
        let place = (place.0.into(), place.1.map(f64::from));
        old::Unit {
            id, name, hp, offset, gone, place, kind, items, held, worn, heights, color, gone_too, note,
        }
    }
}

#[derive(Clone, Serialize)]
struct Armies {
    gone: Vec<old::Unit>,
    first: Vec<old::Unit>,
    count: u8,
    second: Vec<old::Unit>,
    third: Vec<old::Unit>,
}

/// Members in another order, removed, new, and with different types for the same type of the file.
#[derive(Debug, PartialEq, Serialize)]
struct NewArmies<T: Element, U: Element> {
    third: Vec<T>,
    new: Vec<u8>,
    second: VecDeque<U>,
    #[archive(alias = "first")]
    renamed: Option<Vec<T>>,
    count: u16,
}

/// The kinds of roots that contain units.
fn check_all<New: Element + Clone + PartialEq + Debug>(units: &[old::Unit]) {
    let all = units.to_vec();
    let _ = check::<_, Vec<New>>(&all);
    let _ = check::<_, Vec<Option<New>>>(&all);
    let _ = check::<_, (Vec<Vec<New>>, u8)>(&(vec![all.clone(), all[1..].to_vec()], 7_u8));
    let (gone, first, third) = (all.clone(), all.clone(), all[1..].to_vec());
    let armies = Armies { gone, first, count: 3, second: all[..1].to_vec(), third };
    let _ = check::<_, NewArmies<New, New>>(&armies);
    let _ = check::<_, NewArmies<New, new::Item>>(&armies);
    let map: BTreeMap<u16, _> = (0..).zip(vec![all.clone(), all]).collect();
    let _ = check::<_, BTreeMap<u32, Vec<New>>>(&map);
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn columns_give_what_rows_give(
        units in any::<bool>().prop_flat_map(|limits| vec(unit(limits), 1..90)),
    ) {
        check_all::<new::Unit>(&units);
        check_all::<reordered::Unit>(&units);
        check_all::<other::Unit>(&units);
        check_all::<other::Fighter>(&units);
        check_all::<Mixed>(&units);
    }
}

/// Variants without payloads, so that no column shows which one is meant.
#[test]
fn plain_variants_in_another_order() {
    #[derive(Serialize)]
    enum Old {
        Low,
        Middle,
        High,
    }
    #[derive(Debug, PartialEq, Serialize)]
    enum New {
        None,
        High,
        #[archive(alias = "Middle")]
        Center,
        Low,
    }
    let old = |at: u8| match at % 3 {
        0 => (Old::Low, at),
        1 => (Old::Middle, at),
        _ => (Old::High, at),
    };
    let loaded = check::<_, Vec<(New, u16)>>(&(0..80).map(old).collect::<Vec<_>>()).unwrap();
    assert_eq!(loaded[..3], [(New::Low, 0), (New::Center, 1), (New::High, 2)]);
}

/// A type whose values show how many were created.
#[derive(Debug, PartialEq, Serialize)]
struct Counted {
    #[archive(default = count())]
    number: u32,
    name: String,
}

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
    static GROWS: Cell<bool> = const { Cell::new(true) };
}

fn count() -> u32 {
    COUNT.set(COUNT.get() + 1);
    if GROWS.get() { COUNT.get() } else { 9 }
}

#[derive(Serialize)]
struct Uncounted {
    name: String,
    gone: String,
}

fn uncounted() -> Vec<Uncounted> {
    (0..100).map(|at| Uncounted { name: format!("{at}"), gone: "gone".into() }).collect()
}

/// Defaults that differ from value to value are not repeated.
#[test]
fn each_new_value_has_its_own_default() {
    COUNT.set(0);
    let loaded = Columns::from_slice::<Vec<Counted>>(&Columns::to_vec(&uncounted()).unwrap());
    let loaded = loaded.unwrap();
    let start = loaded[0].number;
    assert!((start..).zip(&loaded).all(|(number, value)| value.number == number), "{loaded:?}");
}

/// The columns were used, if the types are compiled for the format.
#[test]
fn new_members_are_created_once() {
    GROWS.set(false);
    let file = Columns::to_vec(&[uncounted(), uncounted()]).unwrap();
    COUNT.set(0);
    let loaded = Columns::from_slice::<[Vec<Counted>; 2]>(&file).unwrap();
    assert!(loaded.iter().flatten().all(|value| value.number == 9));
    assert_eq!(loaded.map(|list| list.len()), [100, 100]);
    let uses_columns = cfg!(all(feature = "static-formats", feature = "columns"));
    let most = if uses_columns { 3 } else { 400 };
    assert!(COUNT.get() <= most, "{} values were created", COUNT.get());
}

proptest! {
    #![proptest_config(config(60))]

    /// A damaged file is an error or another value.
    #[test]
    fn damaged_files(
        units in vec(unit(false), 1..20),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut file = AllColumns::to_vec(&units).unwrap();
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let _ = Columns::from_slice::<Vec<new::Unit>>(&file);
        let _ = Columns::from_slice::<Vec<Mixed>>(&file);
    }
}
