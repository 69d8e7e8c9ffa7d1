//! `binary::Document`: unchanged values are saved unchanged, for any types of the file.
//! `tests/evolution/schema` checks it with files of random types.

mod long_names_and_chains;
mod search;
mod wrongly_saved_changes;

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::{Rc, Weak};

use super::fast_path::world_of_pointers::now::{World, registries};
use crate::common::damage::damaged;
use crate::common::everything::{Everything, sample};
use archive::binary::{self, Document};
use archive::{Error, ErrorKind, Options, Serialize, Value, dismantle, json};
use proptest::collection::vec;
use proptest::prelude::*;

fn unchanged(file: &[u8]) {
    let document = Document::from_slice(file).unwrap();
    let saved = document.to_vec().unwrap_or_else(|error| panic!("{error}: {}", show(file)));
    assert!(saved == file, "{}\n\n{}", show(file), show(&saved));
}

fn show(file: &[u8]) -> String {
    binary::inspect(file).map_or_else(|error| error.to_string(), |seen| seen.to_string())
}

#[test]
fn golden_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/binary/v2");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let file = fs::read(entry.unwrap().path()).unwrap();
        if archive::Format::detect(&file).is_ok() {
            unchanged(&file);
            files += 1;
        }
    }
    assert!(files > 4, "{files}");
}

/// Files of the first version of the format are saved in the current one.
#[test]
fn golden_files_of_the_first_version() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/binary/v1");
    for entry in fs::read_dir(folder).unwrap() {
        let file = fs::read(entry.unwrap().path()).unwrap();
        let document = Document::from_slice(&file).unwrap();
        let saved = document.to_vec().unwrap();
        assert!(document.value == binary::from_slice::<Value>(&saved).unwrap(), "{}", show(&file));
        unchanged(&saved);
    }
}

#[test]
fn every_type_of_the_standard_library() {
    let file = binary::to_vec(&sample()).unwrap();
    unchanged(&file);
    let mut document = Document::from_slice(&file).unwrap();
    assert!(document.value["numbers"].as_object().is_some());
    document.value["numbers"]["duration"] = Value::Null;
    assert_eq!(document.to_vec().unwrap_err().kind(), ErrorKind::WrongType);
    assert_eq!(binary::from_slice::<Everything>(&file).unwrap(), sample());
}

#[derive(Default, Serialize)]
struct Link {
    id: u32,
    next: Option<Rc<RefCell<Link>>>,
    back: Weak<RefCell<Link>>,
}

/// The pointers of a text format are members of objects, and remain so next to pointers of the
/// binary format.
#[test]
fn pointers_of_a_text_format() {
    #[derive(Default, Serialize)]
    struct Mixed {
        any: Value,
        link: Option<Rc<RefCell<Link>>>,
        again: Value,
    }
    let second = Rc::new(RefCell::new(Link { id: 2, next: None, back: Weak::new() }));
    let first = Rc::new(RefCell::new(Link { id: 1, next: Some(second), back: Weak::new() }));
    let next = first.borrow().next.clone().unwrap();
    next.borrow_mut().back = Rc::downgrade(&first);
    let text: Value = json::from_str(&json::to_string(&first).unwrap()).unwrap();
    let owned = json::from_str(r#"{"$type":"unit","$value":{"hp":3}}"#).unwrap();
    let any = Value::Array(vec![text.clone(), text.clone(), owned]);
    unchanged(&binary::to_vec(&any).unwrap());
    unchanged(&binary::to_vec(&Mixed { any, link: Some(first), again: text }).unwrap());
}

/// Objects that were deferred to the end of the outermost pointer are deferred again.
#[test]
fn a_long_chain() {
    let mut first = None;
    for id in 0..10_000 {
        first = Some(Rc::new(RefCell::new(Link { id, next: first, back: Weak::new() })));
    }
    let file = binary::to_vec(&first).unwrap();
    dismantle(first);
    unchanged(&file);
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    at: [f32; 2],
    log: Vec<u32>,
    order: Order,
    spare: Option<Option<i8>>,
}

#[derive(Default, Serialize)]
enum Order {
    #[default]
    Wait,
    Walk {
        to: [f32; 2],
        steps: u8,
    },
    Guard(String, u16),
}

fn units() -> Vec<Unit> {
    let walk = Order::Walk { to: [3.0, 4.0], steps: 9 };
    vec![
        Unit { name: "Ann".into(), hp: 70, at: [1.0, 2.0], order: walk, ..Unit::default() },
        Unit { log: vec![1, 2, 3], order: Order::Guard("gate".into(), 3), ..Unit::default() },
        Unit { spare: Some(None), ..Unit::default() },
    ]
}

#[test]
fn named_roots_and_values_without_types() {
    let mut writer = binary::Writer::new();
    writer.save("units", &units()).unwrap();
    writer.save("seed", &7_u64).unwrap();
    writer.save("any", &Value::Array(vec![Value::Null, 3.into(), "text".into()])).unwrap();
    unchanged(&writer.finish().unwrap());
    for value in [Value::Null, 7.into(), units_as_value()] {
        unchanged(&binary::to_vec(&value).unwrap());
    }
}

fn units_as_value() -> Value {
    binary::from_slice(&binary::to_vec(&units()).unwrap()).unwrap()
}

/// A type that is a part of itself, and one in which types nest deeply: tables that no program
/// writes.
#[test]
fn types_that_have_no_values() {
    #[derive(Default, Serialize)]
    struct Pair {
        first: [u8; 2],
        second: Vec<u16>,
    }
    let file = binary::to_vec(&Pair::default()).unwrap();
    unchanged(&file);
    // Any type of any table is any other one.
    for at in 0..file.len() {
        for byte in 0..64 {
            let mut forged = file.clone();
            forged[at] = byte;
            if let Ok(document) = Document::from_slice(&forged) {
                let _ = document.to_vec();
            }
        }
    }
}

#[derive(Default, Serialize)]
#[archive(version = 2)]
struct Versioned {
    hp: u16,
    parts: Vec<ByHand>,
}

#[derive(Clone, Default)]
struct ByHand {
    hp: u16,
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

impl Serialize for ByHand {
    const VERSION: u32 = 3;

    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
        ar.serialize("hp", &mut self.hp)
    }
}

#[test]
fn classes_with_versions() {
    let value = vec![Versioned { hp: 7, parts: vec![ByHand { hp: 3 }, ByHand { hp: 300 }] }];
    let file = binary::to_vec(&value).unwrap();
    unchanged(&file);
    let mut document = Document::from_slice(&file).unwrap();
    document.value[0]["$version"] = 1.into();
    assert_eq!(document.to_vec().unwrap_err().kind(), ErrorKind::NewerVersion);
}

/// An option of itself, in a table that no program writes, accepts only null.
#[test]
fn an_option_of_itself() {
    let file = binary::to_vec(&Some(None::<u16>)).unwrap();
    let mut saved = 0;
    for at in 0..file.len() {
        for byte in 32..36 {
            let mut forged = file.clone();
            forged[at] = byte;
            let Ok(mut document) = Document::from_slice(&forged) else { continue };
            document.value = 5.into();
            saved += u32::from(document.to_vec().is_ok());
        }
    }
    assert!(saved > 0);
}

/// The offsets of changed bytes.
fn changed(one: &[u8], other: &[u8]) -> Vec<usize> {
    assert_eq!(one.len(), other.len());
    (0..one.len()).filter(|at| one[*at] != other[*at]).collect()
}

#[test]
fn only_one_number_is_changed() {
    let file = binary::to_vec(&units()).unwrap();
    unchanged(&file);
    let change = |change: fn(&mut Value)| {
        let mut document = Document::from_slice(&file).unwrap();
        change(&mut document.value);
        document.to_vec()
    };
    let hp = change(|units| units[0]["hp"] = 71.into()).unwrap();
    assert_eq!(changed(&file, &hp).len(), 1);
    assert_eq!(binary::from_slice::<Vec<Unit>>(&hp).unwrap()[0].hp, 71);
    // 1.0 is 3f800000, and -1.0 is bf800000.
    let at = change(|units| units[0]["at"][0] = (-1.0).into()).unwrap();
    assert_eq!(changed(&file, &at).len(), 1);
    let log = change(|units| units[1]["log"][2] = 4.into()).unwrap();
    assert_eq!(changed(&file, &log).len(), 1);
    let steps = change(|units| units[0]["order"]["Walk"]["steps"] = 10.into()).unwrap();
    assert_eq!(changed(&file, &steps).len(), 1);
    // A longer value moves the data after it.
    let name = change(|units| units[0]["name"] = "Anna".into()).unwrap();
    assert_eq!(binary::from_slice::<Vec<Unit>>(&name).unwrap()[0].name, "Anna");
    let order = change(|units| units[0]["order"] = "Wait".into()).unwrap();
    assert!(matches!(binary::from_slice::<Vec<Unit>>(&order).unwrap()[0].order, Order::Wait));
}

#[test]
fn values_of_another_type_are_refused() {
    let refused = |change: fn(&mut Value)| {
        let mut document = Document::from_slice(&binary::to_vec(&units()).unwrap()).unwrap();
        change(&mut document.value);
        let error: Error = document.to_vec().unwrap_err();
        (error.kind(), error.to_string())
    };
    assert_eq!(
        refused(|units| units[0]["hp"] = 70_000.into()),
        (ErrorKind::OutOfRange, "[0].hp: 70000 does not fit u16".to_owned())
    );
    assert_eq!(
        refused(|units| units[0]["at"] = vec![Value::from(1.0)].into()),
        (ErrorKind::WrongLength, "[0].at: expected 2 items, found 1".to_owned())
    );
    assert_eq!(
        refused(|units| units[2]["order"] = "Flee".into()),
        (ErrorKind::UnknownVariant, "[2].order: `Order` has no variant `Flee`".to_owned())
    );
    let without = |units: &mut Value| units[1] = Value::Object(Vec::new());
    assert_eq!(refused(without).0, ErrorKind::MissingMember);
    let with = |units: &mut Value| {
        let Value::Array(units) = units else { return };
        let Value::Object(members) = &mut units[1] else { return };
        members.push(("mana".into(), 1.into()));
    };
    assert_eq!(refused(with).0, ErrorKind::UnknownMember);
    assert_eq!(
        refused(|units| units[2]["order"] = json::from_str(r#"{"Wait":3}"#).unwrap()).1,
        "[2].order.Wait: expected `Wait`, which has no data, found 3"
    );
    let spare = |units: &mut Value| {
        units[2]["spare"] = json::from_str(r#"{"$some":null,"more":3}"#).unwrap();
    };
    assert_eq!(refused(spare).0, ErrorKind::WrongType);
    let twice = |units: &mut Value| {
        let Value::Array(units) = units else { return };
        let Value::Object(members) = &mut units[1] else { return };
        members.push(("hp".into(), 1.into()));
    };
    assert_eq!(refused(twice).0, ErrorKind::UnknownMember);
}

#[test]
fn members_are_saved_in_the_order_of_their_class() {
    let file = binary::to_vec(&units()).unwrap();
    let mut document = Document::from_slice(&file).unwrap();
    let Value::Array(units) = &mut document.value else { unreachable!() };
    for unit in units {
        let Value::Object(members) = unit else { unreachable!() };
        members.reverse();
    }
    assert_eq!(document.to_vec().unwrap(), file);
}

#[test]
fn a_pointer_has_no_other_members() {
    let file = binary::to_vec(&Some(Rc::new(RefCell::new(Link::default())))).unwrap();
    let mut document = Document::from_slice(&file).unwrap();
    let Value::Object(members) = &mut document.value else { unreachable!() };
    members.push(("hp".into(), 3.into()));
    assert_eq!(document.to_vec().unwrap_err().kind(), ErrorKind::UnknownMember);
}

proptest! {
    #![proptest_config(crate::common::search::config(100))]

    /// Pointers, trait objects, hand-written functions, deferred objects: files are saved
    /// unchanged. Damaged files are loaded or not, and saved or not, without a panic.
    #[test]
    fn worlds_are_saved_as_they_were(
        recipe in vec(any::<u8>(), 0..200),
        flips in vec((any::<usize>(), any::<u8>()), 1..4),
        cut in any::<usize>(),
    ) {
        let [known, _] = registries().unwrap();
        let world = World::of(&recipe);
        let saved = binary::to_vec_with(&world, &Options::new().registry(&known));
        dismantle(world);
        let Ok(file) = saved else { return Ok(()) };
        unchanged(&file);
        for damaged in damaged(&file, &flips, cut) {
            if let Ok(document) = Document::from_slice(&damaged) {
                let _ = document.to_vec();
            }
        }
    }
}
