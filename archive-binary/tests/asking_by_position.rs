//! Hand-written functions load by position as long as they request members in the stored order, and
//! with the same results if they do not. A load with a report looks up every name, so both must
//! agree.

use archive_test_support::search::{cases, seed};
use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::common::Binary;
use archive_core::{Archive, Backend, Blank, Error, ErrorKind, Options, Result, Serialize, Value};

/// An object whose function gets its list of members from a thread-local.
#[derive(Clone, Debug, Default, PartialEq)]
struct Scripted(Vec<(String, Field)>);

#[derive(Clone, Debug, PartialEq)]
enum Field {
    Byte(u8),
    Number(i64),
    Text(String),
    Numbers(Vec<u16>),
    One(Box<Scripted>),
    List(Vec<Scripted>),
    Map(BTreeMap<String, Scripted>),
    /// Requested only if the byte before it is odd. The result does not matter.
    Perhaps(Option<String>),
}

impl Serialize for Scripted {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut odd = true;
        for (name, field) in &mut self.0 {
            // New objects request the members that were saved.
            let inner = match field {
                Field::One(value) => Some(&**value),
                Field::List(value) => value.first(),
                Field::Map(value) => value.values().next(),
                _ => None,
            };
            let outer = BLANK.replace(inner.cloned().unwrap_or_default());
            match field {
                Field::Byte(value) => {
                    ar.serialize(name, value)?;
                    odd = *value % 2 == 1;
                }
                Field::Number(value) => ar.serialize(name, value)?,
                Field::Text(value) => ar.serialize(name, value)?,
                Field::Numbers(value) => ar.serialize(name, value)?,
                Field::One(value) => ar.serialize(name, value)?,
                Field::List(value) => ar.serialize(name, value)?,
                Field::Map(value) => ar.serialize(name, value)?,
                Field::Perhaps(value) if odd => ar.serialize(name, value)?,
                Field::Perhaps(_) => {}
            }
            BLANK.set(outer);
        }
        Ok(())
    }
}

thread_local! {
    /// The members that the function of a new object requests.
    static BLANK: RefCell<Scripted> = RefCell::default();
}

impl Blank for Scripted {
    fn blank(_: &Options<'_>) -> Self {
        BLANK.with(|blank| blank.borrow().clone())
    }
}
archive_core::save_by_clone!(Scripted);

const NAMES: [&str; 9] = [
    "a",
    "hp",
    "",
    "position",
    "fifteen letters",
    "sixteen letters.",
    "sixteen letters,",
    "more letters than are compared at once",
    "more letters than are compared at once!",
];

struct Dice(u64);

impl Dice {
    fn upto(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % sides
    }

    fn field(&mut self, depth: usize, inner: &Scripted) -> Field {
        let mut some = |most: usize| (0..self.upto(most + 1)).map(|_| inner.clone()).collect();
        let list: Vec<Scripted> = some(3);
        match self.upto(if depth > 0 { 8 } else { 5 }) {
            0 => Field::Byte(self.upto(256) as u8),
            1 => Field::Number(self.upto(1 << 20) as i64 - 1000),
            2 => Field::Text("text".repeat(self.upto(4))),
            3 => Field::Numbers((0..self.upto(4) as u16).collect()),
            4 => Field::Perhaps((self.upto(2) == 1).then(|| "perhaps".to_owned())),
            5 => Field::One(Box::new(inner.clone())),
            6 => Field::List(list),
            _ => {
                Field::Map(list.into_iter().map(|item| (self.upto(9).to_string(), item)).collect())
            }
        }
    }

    /// Members of different names.
    fn script(&mut self, depth: usize) -> Scripted {
        let inner = if depth > 0 { self.script(depth - 1) } else { Scripted::default() };
        let mut fields = Vec::new();
        for name in NAMES {
            if self.upto(3) > 0 {
                let place = self.upto(fields.len() + 1);
                fields.insert(place, (name.to_owned(), self.field(depth, &inner)));
            }
        }
        Scripted(fields)
    }

    /// The same script with other bytes, so that other members are present.
    fn vary(&mut self, script: &mut Scripted) {
        for (_, field) in &mut script.0 {
            match field {
                Field::Byte(value) => *value = self.upto(256) as u8,
                Field::One(inner) => self.vary(inner),
                Field::List(list) => list.iter_mut().for_each(|inner| self.vary(inner)),
                Field::Map(map) => map.values_mut().for_each(|inner| self.vary(inner)),
                _ => {}
            }
        }
    }

    /// The same script with random changes.
    fn change(&mut self, script: &mut Scripted) {
        let fields = &mut script.0;
        let inner = Scripted::default();
        match self.upto(8) {
            0 if !fields.is_empty() => drop(fields.remove(self.upto(fields.len()))),
            1 if !fields.is_empty() => {
                let field = fields.remove(self.upto(fields.len()));
                fields.insert(self.upto(fields.len() + 1), field);
            }
            2 => fields.push(("new".to_owned(), self.field(0, &inner))),
            3 => fields.insert(0, ("new".to_owned(), self.field(0, &inner))),
            4 if !fields.is_empty() => {
                let place = self.upto(fields.len());
                fields[place].1 = self.field(0, &inner);
            }
            5 if !fields.is_empty() => {
                let again = fields[self.upto(fields.len())].clone();
                fields.push(again);
            }
            _ => {}
        }
        for (_, field) in &mut script.0 {
            match field {
                Field::One(inner) => self.change(inner),
                Field::List(list) => list.iter_mut().for_each(|inner| self.change(inner)),
                _ => {}
            }
        }
    }
}

fn told(error: &Error) -> (ErrorKind, String) {
    (error.kind(), error.path().to_owned())
}

#[test]
fn any_requests() {
    let (mut loads, mut errors, mut equal) = (0, 0, 0);
    let first = seed();
    for seed in first..first + u64::from(cases(4000)) {
        let mut dice = Dice(seed);
        let script = dice.script(2);
        let mut saved: Vec<Scripted> = vec![script.clone(); 1 + dice.upto(4)];
        saved.iter_mut().for_each(|script| dice.vary(script));
        let bytes = Binary::to_vec(&mut saved).unwrap();
        let mut asked = script;
        if seed % 4 > 0 {
            dice.change(&mut asked);
        }
        let options = Options::new().strict(seed % 3 == 0);
        BLANK.set(asked.clone());
        let fast = Binary::from_slice_with::<Vec<Scripted>>(&bytes, &options);
        BLANK.set(asked);
        let general = Binary::from_slice_report::<Vec<Scripted>>(&bytes, &options);
        match (fast, general) {
            (Ok(fast), Ok((general, _))) => {
                assert_eq!(fast, general, "seed {seed}");
                equal += usize::from(fast == saved);
                loads += 1;
            }
            (Err(fast), Err(general)) => {
                assert_eq!(told(&fast), told(&general), "seed {seed}: {fast}; {general}");
                errors += 1;
            }
            (fast, general) => panic!("seed {seed}: {fast:?}, {general:?}"),
        }
    }
    assert!(loads > 200 && errors > 50 && equal > 50, "{loads} {errors} {equal}");
}

/// Data saved with members of one more layout loads into a type that keeps them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Keeps {
    a: u8,
    rest: BTreeMap<String, Value>,
}

impl Serialize for Keeps {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("a", &mut self.a)?;
        archive_core::keep_unknown(ar, &["a"], &mut self.rest)
    }
}
archive_core::save_by_clone!(Keeps);
archive_core::blank!(Keeps);

#[test]
fn members_that_are_kept() {
    let text = ("hp".to_owned(), Field::Text("strong".to_owned()));
    let mut saved = vec![
        Scripted(vec![("a".to_owned(), Field::Byte(7)), text]),
        Scripted(vec![("a".to_owned(), Field::Byte(8))]),
    ];
    let bytes = Binary::to_vec(&mut saved).unwrap();
    let kept: Vec<Keeps> = Binary::from_slice(&bytes).unwrap();
    assert_eq!(kept[0].rest["hp"], Value::from("strong"));
    assert_eq!((kept[0].a, kept[1].a, kept[1].rest.len()), (7, 8, 0));
    assert_eq!(Binary::from_slice_report::<Vec<Keeps>>(&bytes, &Options::new()).unwrap().0, kept);
}

/// An error that a function ignores does not end the load.
#[derive(Clone, Debug, Default, PartialEq)]
struct Forgiving {
    hp: i8,
    name: String,
    mana: u8,
}

impl Serialize for Forgiving {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("hp", &mut self.hp).or_else(|error| match error.kind() {
            ErrorKind::OutOfRange => Ok(()),
            _ => Err(error),
        })?;
        ar.serialize("name", &mut self.name)?;
        ar.serialize("mana", &mut self.mana)
    }
}
archive_core::save_by_clone!(Forgiving);
archive_core::blank!(Forgiving);

#[test]
fn an_error_that_was_forgiven() {
    let field = |name: &str, field| (name.to_owned(), field);
    let object = |hp| {
        Scripted(vec![
            field("hp", Field::Number(hp)),
            field("name", Field::Text("ann".to_owned())),
            field("mana", Field::Byte(3)),
        ])
    };
    let bytes = Binary::to_vec(&mut vec![object(5), object(5000), object(6)]).unwrap();
    let loaded: Vec<Forgiving> = Binary::from_slice(&bytes).unwrap();
    let names: Vec<_> = loaded.iter().map(|one| (one.hp, &*one.name, one.mana)).collect();
    assert_eq!(names, [(5, "ann", 3), (0, "ann", 3), (6, "ann", 3)]);
}

/// A tree that is deeper than everything loaded before.
#[test]
fn objects_in_objects_of_the_same_class() {
    let leaf = |n| vec![("a".to_owned(), Field::Byte(n))];
    let mut tree = Scripted(leaf(0));
    for n in 1..60 {
        let mut members = leaf(n);
        members.insert(usize::from(n % 2), ("hp".to_owned(), Field::One(Box::new(tree))));
        tree = Scripted(members);
    }
    let bytes = Binary::to_vec(&mut tree.clone()).unwrap();
    let mut loaded = tree.clone();
    Binary::load_into(&mut loaded, &bytes, &Options::new()).unwrap();
    assert_eq!(loaded, tree);
    let deep = Options::new().max_depth(30);
    let error = Binary::load_into(&mut loaded, &bytes, &deep).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    assert_eq!(error.path().matches("hp").count(), 30, "{error}");
}
