//! The entry points save with an archive of their own. It writes the same bytes as the archive of
//! the core over an encoder.

use std::cell::RefCell;
use std::collections::{BTreeMap, LinkedList};
use std::rc::{Rc, Weak};

use crate::common::Binary;
use archive_core::{
    Archive, Backend, ErrorKind, Options, Registry, Result, Save, Saving, Serialize, Session, Value,
};
use archive_derive::Serialize;
use archive_test_support::uncounted::{TypedUncounted, Uncounted, UncountedMap};

trait Thing: archive_core::Polymorphic {}
archive_core::polymorphic!(dyn Thing);

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Stone {
    weight: u16,
    notes: Value,
}
impl Thing for Stone {}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Bag {
    things: Vec<Box<dyn Thing>>,
    pieces: Vec<Piece>,
}
impl Thing for Bag {}

#[derive(Clone, Default, Serialize)]
#[archive(crate = archive_core)]
enum Choice {
    #[default]
    Nothing,
    Any(Value),
    Both(u16, Value),
    Named {
        x: i64,
        any: Value,
        list: LinkedList<u16>,
    },
    Inner(Box<Piece>),
}

/// Its parts depend on its data.
#[derive(Clone, Default)]
struct Piece {
    number: u64,
    text: Option<String>,
    any: Option<Value>,
    choices: Vec<Choice>,
    by_name: BTreeMap<String, Value>,
    pairs: Vec<(u8, Value)>,
    fixed: [u32; 3],
    inner: Vec<Piece>,
    shared: Option<Rc<RefCell<Piece>>>,
    weak: Weak<RefCell<Piece>>,
    thing: Option<Rc<dyn Thing>>,
}

impl Serialize for Piece {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("number", &mut self.number)?;
        if self.number.is_multiple_of(2) {
            ar.serialize("text", &mut self.text)?;
            ar.serialize("any", &mut self.any)?;
        }
        if !self.number.is_multiple_of(3) {
            ar.serialize("choices", &mut self.choices)?;
            ar.serialize("by_name", &mut self.by_name)?;
        }
        if !self.number.is_multiple_of(5) {
            ar.serialize(&format!("pairs{}", self.number % 7), &mut self.pairs)?;
            ar.serialize("fixed", &mut self.fixed)?;
        }
        ar.serialize("inner", &mut self.inner)?;
        if !self.number.is_multiple_of(7) {
            ar.serialize("shared", &mut self.shared)?;
            ar.serialize("weak", &mut self.weak)?;
            ar.serialize("thing", &mut self.thing)?;
        }
        Ok(())
    }
}
archive_core::save_by_clone!(Piece);
archive_core::blank!(Piece);

/// Pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }

    fn some<T>(&mut self, most: u64, mut make: impl FnMut(&mut Dice) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    fn value(&mut self, depth: u64) -> Value {
        match self.below(if depth > 0 { 6 } else { 4 }) {
            0 => Value::Null,
            1 => Value::from(self.below(1 << 30)),
            2 => Value::from("text"),
            3 => Value::from(true),
            4 => Value::Array(self.some(3, |dice| dice.value(depth - 1))),
            _ => {
                let members = self.some(2, |dice| dice.value(depth - 1));
                let names = ["a", "b"].map(str::to_owned);
                Value::Object(names.into_iter().zip(members).collect())
            }
        }
    }

    fn choice(&mut self, known: &mut Vec<Rc<RefCell<Piece>>>, depth: u64) -> Choice {
        match self.below(5) {
            0 => Choice::Nothing,
            1 => Choice::Any(self.value(2)),
            2 => Choice::Both(self.below(70_000) as u16, self.value(1)),
            3 => Choice::Named {
                x: -(self.below(1000) as i64),
                any: self.value(1),
                list: (0..self.below(4)).map(|n| n as u16 * 300).collect(),
            },
            _ => Choice::Inner(Box::new(self.piece(known, depth))),
        }
    }

    fn piece(&mut self, known: &mut Vec<Rc<RefCell<Piece>>>, depth: u64) -> Piece {
        let mut piece = Piece { number: self.below(1000), ..Piece::default() };
        if depth == 0 {
            return piece;
        }
        piece.text = (self.below(2) == 0).then(|| "x".repeat(self.below(300) as usize));
        piece.any = (self.below(2) == 0).then(|| self.value(3));
        piece.choices = self.some(3, |dice| dice.choice(known, depth - 1));
        let values = self.some(3, |dice| dice.value(2));
        piece.by_name = ["k", "l", "m"].map(str::to_owned).into_iter().zip(values).collect();
        piece.pairs = self.some(2, |dice| (dice.below(256) as u8, dice.value(1)));
        piece.inner = self.some(2, |dice| dice.piece(known, depth - 1));
        let place = self.below(known.len() as u64 + 2) as usize;
        let shared = known.get(place).cloned().unwrap_or_else(|| {
            let new = Rc::new(RefCell::new(self.piece(known, depth - 1)));
            known.push(new.clone());
            new
        });
        piece.weak = Rc::downgrade(&shared);
        piece.shared = (self.below(3) > 0).then_some(shared);
        piece.thing = match self.below(4) {
            0 => Some(Rc::new(Stone { weight: self.below(999) as u16, notes: self.value(2) })),
            1 => Some(Rc::new(Bag {
                things: vec![Box::new(Stone::default()), Box::new(Bag::default())],
                pieces: self.some(2, |dice| dice.piece(known, depth - 1)),
            })),
            _ => None,
        };
        piece
    }
}

fn over_an_encoder<T: Save>(value: &T, options: &Options<'_>) -> Vec<u8> {
    let mut encoder = Binary::encoder(options, None);
    Saving::new(&mut encoder, &mut Session::new(), options).root_erased(&mut &*value).unwrap();
    Binary::finish(encoder).unwrap()
}

#[test]
fn the_same_bytes() {
    let mut registry = Registry::new();
    archive_core::register!(registry, dyn Thing { Stone, Bag }).unwrap();
    let options = Options::new().registry(&registry);
    let mut longest = 0;
    for seed in 0..300 {
        let (mut dice, mut known) = (Dice(seed), Vec::new());
        let value =
            (dice.piece(&mut known, 4), dice.choice(&mut known, 2), vec![dice.value(2)], known);
        let bytes = Binary::to_vec_with(&value, &options).unwrap();
        assert!(bytes == over_an_encoder(&value, &options), "seed {seed}");
        longest = longest.max(bytes.len());
        let loaded = Binary::from_slice_with(&bytes, &options);
        let loaded: (Piece, Choice, Vec<Value>, Vec<Rc<RefCell<Piece>>>) = loaded.unwrap();
        assert!(Binary::to_vec_with(&loaded, &options).unwrap() == bytes, "seed {seed}");
    }
    assert!(longest > 5_000, "{longest}");
}

#[test]
fn room_for_a_sequence_is_little_more_than_it_takes() {
    if archive_core::backend::ERASES {
        println!("skipped: holds for formats compiled for the type");
        return;
    }
    let records: Vec<(u64, String)> =
        (0..50_000).map(|n| (n, "x".repeat((n % 40) as usize))).collect();
    let bytes = Binary::to_vec(&records).unwrap();
    assert!(bytes.capacity() < bytes.len() * 11 / 10, "{} {}", bytes.capacity(), bytes.len());
    // The items of inner sequences do not show how long the output will be.
    let players: Vec<(Vec<String>, Vec<u32>)> =
        (0..3_000).map(|n| (vec!["item".into(); 40 + n % 7], (0..60).collect())).collect();
    let bytes = Binary::to_vec(&players).unwrap();
    assert!(bytes.capacity() < bytes.len() * 11 / 10, "{} {}", bytes.capacity(), bytes.len());
    // The first items do not show the types of the others.
    let mut odd: Vec<String> = vec!["x".repeat(1 << 20)];
    odd.extend((0..100_000).map(|n| n.to_string()));
    let bytes = Binary::to_vec(&odd).unwrap();
    assert!(bytes.capacity() <= bytes.len() * 2);
    odd.reverse();
    assert!(Binary::from_slice::<Vec<String>>(&Binary::to_vec(&odd).unwrap()).unwrap() == odd);
}

#[test]
fn the_same_errors() {
    let value = BTreeMap::from([(1_u8, BTreeMap::from([(2_u8, 3_u8)]))]);
    for depth in 0..5 {
        let options = Options::new().max_depth(depth);
        let mut encoder = Binary::encoder(&options, None);
        let general =
            Saving::new(&mut encoder, &mut Session::new(), &options).root_erased(&mut &value);
        let own = Binary::to_vec_with(&value, &options).map(drop);
        let told = |result: Result<()>| result.map_err(|error| error.to_string());
        assert_eq!(told(own), told(general), "{depth}");
    }
}

#[test]
fn typed_lists_of_unknown_length() {
    for len in [0, 1, 200] {
        let value = (TypedUncounted((0..len).collect()), 7_u8);
        let bytes = Binary::to_vec(&value).unwrap();
        assert!(bytes == over_an_encoder(&value, &Options::new()));
        let loaded: (Vec<u32>, u8) = Binary::from_slice(&bytes).unwrap();
        assert_eq!((loaded.0, loaded.1), (value.0.0, 7));
    }
}

#[test]
fn lists_of_unknown_length() {
    for len in [0, 1, 200] {
        let value = (Uncounted((0..len).collect()), 7_u8);
        let bytes = Binary::to_vec(&value).unwrap();
        assert!(bytes == over_an_encoder(&value, &Options::new()));
        let loaded: (Vec<u32>, u8) = Binary::from_slice(&bytes).unwrap();
        assert_eq!((loaded.0, loaded.1), (value.0.0, 7));
    }
}

#[test]
fn maps_of_unknown_length_are_refused() {
    let value = (UncountedMap(BTreeMap::from([(1_u32, 2_u8)])), 7_u8);
    let error = Binary::to_vec(&value).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "[0]"), "{error}");
    let mut encoder = Binary::encoder(&Options::new(), None);
    let (session, options) = (&mut Session::new(), Options::new());
    let general =
        Saving::new(&mut encoder, session, &options).root_erased(&mut &value).unwrap_err();
    assert_eq!(general.to_string(), error.to_string());
}

/// The length is inserted where the list begins, so no part of the list is written to the sink
/// before.
#[test]
fn lists_of_unknown_length_that_are_longer_than_a_part() {
    let value = (vec![7_u64; 20_000], Uncounted((0..50_000).collect()), vec![8_u64; 20_000]);
    let mut written = Vec::new();
    archive_binary::to_writer(&mut written, &value).unwrap();
    assert!(written == Binary::to_vec(&value).unwrap());
    let loaded: (Vec<u64>, Vec<u32>, Vec<u64>) = Binary::from_slice(&written).unwrap();
    assert!((loaded.0, loaded.1, loaded.2) == (value.0, value.1.0, value.2));
}

/// Such a value would be written as a self-describing one.
#[test]
fn a_root_of_a_known_type_is_not_saved_over_the_encoder_itself() {
    let (mut encoder, options) = (Binary::encoder(&Options::new(), None), Options::new());
    let mut session = Session::new();
    let error = Saving::new(&mut encoder, &mut session, &options).root(&mut &7_u8).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}
