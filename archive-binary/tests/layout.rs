//! The bytes that `docs/formats/binary.md` shows. They change only with the format's version.

mod common;

use std::rc::Rc;

use archive_core::Backend;
use archive_derive::Serialize;
use common::Binary;

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Unit {
    name: String,
    hp: i16,
    state: State,
    home: Option<Rc<Place>>,
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
    },
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core, version = 2)]
struct Place {
    x: f32,
}

const PAGE: &str = include_str!("../../docs/formats/binary.md");

/// The bytes in the page's dump: in each line what stands before the two spaces.
fn dump() -> Vec<u8> {
    let start = PAGE.find("```hex\n").unwrap() + 7;
    let end = start + PAGE[start..].find("```").unwrap();
    PAGE[start..end]
        .lines()
        .flat_map(|line| line.split("  ").next().unwrap().split_whitespace())
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

#[test]
fn as_documented() {
    let home = Rc::new(Place { x: 1.5 });
    let units = vec![
        Unit {
            name: "Ann".into(),
            hp: -3,
            state: State::Attacking { target: 300 },
            home: Some(home.clone()),
        },
        Unit { name: "Bo".into(), hp: 100, state: State::Idle, home: Some(home) },
    ];
    let file = Binary::to_vec(&units).unwrap();
    let hex: Vec<String> = file.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(file, dump(), "{}", hex.join(" "));
    let loaded: Vec<Unit> = Binary::from_slice(&dump()).unwrap();
    assert_eq!(loaded[1].home.as_ref().unwrap().x, 1.5);
}
