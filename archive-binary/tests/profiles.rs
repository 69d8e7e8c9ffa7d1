//! The profiles without tables: `fingerprint` and `bare`.

use archive_test_support::search::some_of;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::{Rc, Weak};

use crate::common::Binary;
use archive_binary::bare::Bare;
use archive_binary::fingerprint::Fingerprint;
use archive_binary::{bare, fingerprint};
use archive_core::{
    Archive, Backend, Element, ErrorKind, Options, Reader, Registry, Result, Save, Serialize,
    Value, Writer,
};
use archive_derive::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct Moved {
    unit: u32,
    at: [f32; 2],
    running: bool,
    state: State,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
    },
}

fn moved() -> Moved {
    Moved { unit: 300, at: [1.5, -2.0], running: true, state: State::Idle }
}

#[test]
fn a_packet_is_little_longer_than_its_data() {
    let data = [0xac, 0x02, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0, 1, 0];
    assert_eq!(crate::common::data(&Binary::to_vec(&moved()).unwrap()), data);
    let bytes = bare::to_vec(&moved()).unwrap();
    assert_eq!((bytes[0], &bytes[1..]), (0, &data[..]));
    assert_eq!(bare::from_slice::<Moved>(&bytes).unwrap(), moved());
    let bytes = fingerprint::to_vec(&moved()).unwrap();
    assert_eq!((bytes[8], &bytes[9..]), (0, &data[..]));
    assert_eq!(fingerprint::from_slice::<Moved>(&bytes).unwrap(), moved());
    // Scalars and self-describing values have no types to hash, but they are packets, too.
    for value in [Value::Null, Value::from(vec![Value::from("x"), Value::from(1.5)])] {
        let bytes = bare::to_vec(&value).unwrap();
        assert_eq!((bytes[0], bare::from_slice::<Value>(&bytes).unwrap()), (0, value.clone()));
        let bytes = fingerprint::to_vec(&value).unwrap();
        assert_eq!(fingerprint::from_slice::<Value>(&bytes).unwrap(), value);
    }
    assert_eq!(bare::to_vec(&300_u16).unwrap(), [0, 0xac, 0x02]);
}

fn print_of<T: Save + Default>() -> u64 {
    let bytes = fingerprint::to_vec(&T::default()).unwrap();
    u64::from_le_bytes(bytes[..8].try_into().unwrap())
}

/// FNV-1a of 64 bits.
fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn the_fingerprint_is_the_documented_hash() {
    let text = [
        // Version 2, 4 types: class 32, version 0, four members.
        &b"\x02\x04\x06\x00\x04\x04unit\x04\x02at\x21\x07running\x01\x05state\x22"[..],
        // 33: array of 2 f32.
        b"\x02\x0c\x02",
        // 34: an enum of two variants, the second with a 35, counted from 1.
        b"\x07\x02\x04Idle\x00\x09Attacking\x24",
        // 35: a class with one member. The root is a 32.
        b"\x06\x00\x01\x06target\x04\x20",
    ];
    assert_eq!(print_of::<Moved>(), fnv1a(&text.concat()));
    assert_eq!(print_of::<u32>(), fnv1a(&[2, 0, 4]));
}

/// A type that differs from another one in one detail.
macro_rules! changed {
    ($($name:ident { $($body:tt)* })*) => { $(
        mod $name {
            #[derive(Debug, Default, archive_derive::Serialize)]
            #[archive(crate = archive_core)]
            $($body)*
        }
    )* };
}
changed! {
    first { pub struct Unit { hp: u16, at: [f32; 2], name: String } }
    renamed_type { pub struct Hero { hp: u16, at: [f32; 2], name: String } }
    added { pub struct Unit { hp: u16, at: [f32; 2], name: String, more: () } }
    removed { pub struct Unit { hp: u16, at: [f32; 2] } }
    renamed { pub struct Unit { hp: u16, place: [f32; 2], name: String } }
    moved { pub struct Unit { at: [f32; 2], hp: u16, name: String } }
    wider { pub struct Unit { hp: u32, at: [f32; 2], name: String } }
    longer { pub struct Unit { hp: u16, at: [f32; 3], name: String } }
    optional { pub struct Unit { hp: u16, at: [f32; 2], name: Option<String> } }
    versioned { #[archive(version = 1)] pub struct Unit { hp: u16, at: [f32; 2], name: String } }
    variants { pub enum State { #[default] Idle, Walking, Hit(u8) } }
    variants_moved { pub enum State { #[default] Idle, Hit(u8), Walking } }
    variants_renamed { pub enum State { #[default] Idle, Walks, Hit(u8) } }
    variants_changed { pub enum State { #[default] Idle, Walking, Hit(u16) } }
    shared { #[derive(Clone)] pub struct Unit { next: Option<std::rc::Rc<super::wider::Unit>> } }
    shared_changed { #[derive(Clone)] pub struct Unit { next: Option<std::rc::Rc<super::first::Unit>> } }
}

fn refused<A: Save + Default, B: Element + Debug>() {
    let bytes = fingerprint::to_vec(&A::default()).unwrap();
    let error = fingerprint::from_slice::<B>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
    let text = error.to_string();
    for part in ["expected the layout of ", "both sides must be built with the same types"] {
        assert!(text.contains(part), "{text}");
    }
    // Without a fingerprint the load may have any result except a panic.
    let bytes = bare::to_vec(&A::default()).unwrap();
    let _ = bare::from_slice::<B>(&bytes);
}

#[test]
fn another_layout_is_refused() {
    refused::<first::Unit, added::Unit>();
    refused::<added::Unit, first::Unit>();
    refused::<first::Unit, removed::Unit>();
    refused::<first::Unit, renamed::Unit>();
    refused::<first::Unit, moved::Unit>();
    refused::<first::Unit, wider::Unit>();
    refused::<first::Unit, longer::Unit>();
    refused::<first::Unit, optional::Unit>();
    refused::<first::Unit, versioned::Unit>();
    refused::<variants::State, variants_moved::State>();
    refused::<variants::State, variants_renamed::State>();
    refused::<variants::State, variants_changed::State>();
    // At any depth, also in a pointer.
    refused::<Vec<first::Unit>, Vec<added::Unit>>();
    refused::<Option<Box<first::Unit>>, Option<Box<wider::Unit>>>();
    refused::<shared::Unit, shared_changed::Unit>();
    refused::<u32, u64>();
    refused::<Moved, Value>();

    let bytes = fingerprint::to_vec(&first::Unit::default()).unwrap();
    assert!(fingerprint::from_slice::<renamed_type::Hero>(&bytes).is_ok());
    // An existing value is not changed, either.
    let mut hp = 7_u32;
    assert!(fingerprint::load_into(&mut hp, &bytes).is_err());
    assert_eq!(hp, 7);
}

#[test]
fn files_for_an_older_program() {
    let options = Options::new().target_version::<versioned::Unit>(0);
    let value = versioned::Unit::default();
    let bytes = fingerprint::to_vec_with(&value, &options).unwrap();
    assert!(fingerprint::from_slice::<first::Unit>(&bytes).is_ok());
    let error = fingerprint::from_slice::<versioned::Unit>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
}

/// A type that branches.
#[derive(Clone, Debug, Default, PartialEq)]
struct ByHand {
    which: u8,
    text: String,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("which", &mut self.which)?;
        if self.which > 0 {
            ar.serialize("text", &mut self.text)?;
        }
        Ok(())
    }
}
archive_core::save_by_clone!(ByHand);
archive_core::blank!(ByHand);

trait Command: archive_core::Polymorphic {
    fn target(&self) -> u32;
}
archive_core::polymorphic!(dyn Command);

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct MoveTo {
    steps: Vec<(u8, u8)>,
    target: u32,
}
impl Command for MoveTo {
    fn target(&self) -> u32 {
        self.target
    }
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Node {
    value: u32,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct World {
    hand: Vec<ByHand>,
    commands: Vec<Box<dyn Command>>,
    shared: Vec<Rc<dyn Command>>,
    first: Option<Rc<RefCell<Node>>>,
    notes: Value,
    map: BTreeMap<String, Option<u64>>,
}

fn world(nodes: u32) -> World {
    let first = Rc::new(RefCell::new(Node::default()));
    let mut last = first.clone();
    for value in 1..nodes {
        let next = Rc::new(RefCell::new(Node { value, next: None, back: Rc::downgrade(&last) }));
        last.borrow_mut().next = Some(next.clone());
        last = next;
    }
    last.borrow_mut().next = Some(first.clone());
    let shared: Rc<dyn Command> = Rc::new(MoveTo { steps: vec![(1, 2)], target: 7 });
    World {
        hand: [0, 1, 0, 2].map(|which| ByHand { which, text: "x".into() }).into(),
        commands: vec![Box::new(MoveTo { steps: vec![], target: 9 })],
        shared: vec![shared.clone(), shared],
        first: Some(first),
        notes: Value::from(vec![Value::from("a note")]),
        map: [("a".to_owned(), None), ("b".to_owned(), Some(300))].into(),
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    archive_core::register!(registry, dyn Command { MoveTo }).unwrap();
    registry
}

fn unlink(world: &World) {
    let mut next = world.first.clone();
    while let Some(node) = next {
        next = node.borrow_mut().next.take();
    }
}

/// Shared and deferred objects, trait objects, functions written by hand, values of any type.
fn whole<F: Backend>() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    for nodes in [1, 2, 100, 5000] {
        let original = world(nodes);
        let bytes = F::to_vec_with(&original, &options).unwrap();
        assert!(bytes.len() < Binary::to_vec_with(&original, &options).unwrap().len());
        let loaded: World = F::from_slice_with(&bytes, &options).unwrap();
        assert_eq!(F::to_vec_with(&loaded, &options).unwrap(), bytes);
        assert!(Rc::ptr_eq(&loaded.shared[0], &loaded.shared[1]));
        assert_eq!((loaded.shared[0].target(), loaded.commands[0].target()), (7, 9));
        assert_eq!(loaded.hand[1], original.hand[1]);
        let first = loaded.first.clone().unwrap();
        let mut node = first.clone();
        for value in 1..nodes {
            let next = node.borrow().next.clone().unwrap();
            assert_eq!(next.borrow().value, value);
            assert!(Rc::ptr_eq(&next.borrow().back.upgrade().unwrap(), &node));
            node = next;
        }
        assert!(Rc::ptr_eq(node.borrow().next.as_ref().unwrap(), &first));
        unlink(&original);
        unlink(&loaded);
    }
}

#[test]
fn types_outside_of_the_root_are_described() {
    whole::<Fingerprint>();
    whole::<Bare>();
}

/// Differences between types in tables are tolerated in these profiles, too.
#[test]
fn named_roots_load_by_name() {
    fn check<F: Backend>() {
        let mut writer = Writer::<F>::new();
        writer.save("unit", &moved()).unwrap();
        writer.save("count", &7_u16).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = Reader::<F>::new(&file).unwrap();
        assert_eq!(reader.load::<u64>("count").unwrap(), 7);
        assert_eq!(reader.load::<Moved>("unit").unwrap(), moved());
        reader.finish().unwrap();
    }
    check::<Fingerprint>();
    check::<Bare>();
}

/// Types whose tables begin with those of the root, in packets with and without tables.
#[test]
fn types_are_numbered_alike_on_both_sides() {
    fn check<F: Backend, T: Save + Element + PartialEq + Debug>(value: T) {
        let bytes = F::to_vec(&value).unwrap();
        assert_eq!(F::from_slice::<T>(&bytes).unwrap(), value);
    }
    fn all<F: Backend>() {
        let hand = |which| ByHand { which, text: "x".into() };
        check::<F, _>(hand(1));
        check::<F, _>(vec![hand(1), hand(3)]);
        check::<F, _>((1_u8, Some(hand(1)), vec![vec![(2_u64, moved())]]));
        check::<F, _>(vec![Rc::new(RefCell::new(moved()))]);
        check::<F, _>((Rc::new(RefCell::new(hand(2))), Rc::new(moved())));
        check::<F, _>(vec![(Value::from(1), Rc::new(RefCell::new(hand(2))))]);
    }
    all::<Fingerprint>();
    all::<Bare>();
}

#[test]
fn a_class_with_two_members_of_one_name() {
    #[derive(Clone, Debug, Default)]
    struct Twice;
    impl Serialize for Twice {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("id", &mut 1_u8)?;
            ar.serialize("id", &mut 2_u8)
        }
    }
    archive_core::save_by_clone!(Twice);
    archive_core::blank!(Twice);
    for error in [bare::to_vec(&Twice).unwrap_err(), fingerprint::to_vec(&Twice).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::DuplicateMember);
    }
}

fn damage<F: Backend, T: Save + Element>(value: &T, options: &Options<'_>) {
    let bytes = F::to_vec_with(value, options).unwrap();
    for len in 0..bytes.len() {
        assert!(F::from_slice_with::<T>(&bytes[..len], options).is_err(), "{} {len}", F::NAME);
    }
    for more in [0, 1, 7, 0x78, 0xff] {
        let longer = [&bytes[..], &[more]].concat();
        assert!(F::from_slice_with::<T>(&longer, options).is_err(), "{} {more}", F::NAME);
    }
    for at in some_of(bytes.len()) {
        for byte in [0x00, 0x01, 0x02, 0x7f, 0x80, 0xff, bytes[at] ^ 1, bytes[at].wrapping_add(1)] {
            let mut damaged = bytes.clone();
            damaged[at] = byte;
            let _ = F::from_slice_with::<T>(&damaged, options);
            let _ = F::from_slice_with::<World>(&damaged, options).map(|world| unlink(&world));
            let _ = F::from_slice_with::<Value>(&damaged, options);
            let _ = F::from_slice_with::<Vec<(String, Moved)>>(&damaged, options);
            let _ = F::from_slice_report::<T>(&damaged, &options.clone().keep_going(true));
        }
    }
}

#[test]
fn damaged_packets_are_a_value_or_an_error() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    damage::<Bare, _>(&moved(), &options);
    damage::<Fingerprint, _>(&moved(), &options);
    let world = world(40);
    damage::<Bare, _>(&world, &options);
    damage::<Fingerprint, _>(&world, &options);
    unlink(&world);
}

#[test]
fn hostile_packets() {
    let kind = |bytes: &[u8]| bare::from_slice::<World>(bytes).map(drop).unwrap_err().kind();
    for (bytes, expected) in [
        (&[][..], ErrorKind::UnexpectedEnd),
        (&[2], ErrorKind::Syntax),
        (&[0], ErrorKind::UnexpectedEnd),
        (&[1], ErrorKind::UnexpectedEnd),
        // The ends of the root's data and of the data after it are outside of the file.
        (&[1, 200, 1, 0], ErrorKind::UnexpectedEnd),
        (
            &[1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
            ErrorKind::UnexpectedEnd,
        ),
        // A type that is neither implied nor described.
        (&[1, 0, 0, 0, 0, 1, 99], ErrorKind::Syntax),
        // A layout that is not a class.
        (&[1, 0, 0, 0, 0, 1, 4], ErrorKind::Syntax),
        // Data after the tables.
        (&[1, 0, 0, 0, 0, 0, 0, 0, 0], ErrorKind::Syntax),
        // An object before the data, and one after it.
        (&[1, 2, 0, 0, 0, 0, 0, 0, 1, 0, 4, 1, 1, 0], ErrorKind::BadPointer),
        (&[1, 2, 0, 0, 0, 0, 0, 0, 1, 0, 4, 1, 1, 6], ErrorKind::BadPointer),
    ] {
        assert_eq!(kind(bytes), expected, "{bytes:?}");
    }
    // Counts that the rest cannot hold, and elements that take no bytes.
    let error = bare::from_slice::<Vec<u64>>(&[0, 0xff, 0xff, 0xff, 0xff, 0x0f]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEnd);
    let error = bare::from_slice::<Vec<()>>(&[0, 0xff, 0xff, 0xff, 0xff, 0x0f]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit);
    let error = fingerprint::from_slice::<u8>(&[1, 2, 3, 4, 5, 6, 7]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEnd);
}

#[test]
fn nothing_detects_them() {
    for bytes in [bare::to_vec(&moved()).unwrap(), fingerprint::to_vec(&moved()).unwrap()] {
        assert!(!Bare::detect(&bytes) && !Fingerprint::detect(&bytes) && !Binary::detect(&bytes));
    }
}
