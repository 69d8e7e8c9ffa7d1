//! The bytes and the table that `docs/formats/blob.md` shows. They must never change.

use std::rc::Rc;

use archive_blob::{DataType, Reader, Writer};
use archive_core::{Archive, Value};
use archive_derive::Serialize;
use archive_test_support::dumps::{dump, hex};

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct Unit {
    name: String,
    hp: i32,
    scores: Vec<i32>,
    order: Order,
    home: Option<Rc<Place>>,
}

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
enum Order {
    #[default]
    Wait,
    Follow(u16, bool),
}

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core, version = 2)]
struct Place {
    x: f32,
}

const PAGE: &str = include_str!("../../docs/formats/blob.md");

#[test]
fn as_documented() {
    let mut unit = Unit {
        name: "Ann".into(),
        hp: -3,
        scores: vec![5],
        order: Order::Follow(7, true),
        home: Some(Rc::new(Place { x: 1.5 })),
    };
    let mut writer = Writer::new();
    writer.serialize("unit", &mut unit).unwrap();
    writer.serialize("level", &mut 4).unwrap();
    let file = writer.finish().unwrap();
    crate::common::walk(&file);
    assert_eq!(file, dump(PAGE, 0), "{}", hex(&file));

    let dump = dump(PAGE, 0);
    let mut reader = Reader::new(&dump).unwrap();
    assert_eq!(reader.load::<Unit>("unit").unwrap(), unit);
    assert_eq!(reader.load::<u8>("level").unwrap(), 4);
    reader.finish().unwrap();
    let tree: Value = archive_blob::from_slice(&dump).unwrap();
    assert_eq!(tree.get("unit").unwrap().get("scores").unwrap().as_array().unwrap().len(), 1);
}

/// Every type code has its line in the page's table, with its name and element size.
#[test]
fn every_type_is_documented() {
    let mut count = 0;
    for code in -1..200 {
        let kind = DataType::new(code);
        assert_eq!(kind.name().is_some(), kind.element_size().is_some());
        let Some(name) = kind.name() else { continue };
        let line = format!("| {code} | {name} | {} |", kind.element_size().unwrap());
        assert!(PAGE.contains(&line), "no {line:?}");
        count += 1;
    }
    assert_eq!(count, 21);
}
