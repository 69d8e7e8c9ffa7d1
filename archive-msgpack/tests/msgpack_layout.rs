//! The bytes that `docs/formats/messagepack.md` shows.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::{MessagePack, bytes, hex};
use archive_core::Backend;
use archive_derive::Serialize;
use archive_test_support::dumps::dump;

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Unit {
    name: String,
    hp: i16,
    state: State,
    home: Option<Rc<Place>>,
    bag: BTreeMap<u32, f32>,
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

const PAGE: &str = include_str!("../../docs/formats/messagepack.md");

#[test]
fn as_documented() {
    let home = Rc::new(Place { x: 1.5 });
    let units = vec![
        Unit {
            name: "Ann".into(),
            hp: -300,
            state: State::Attacking { target: 300 },
            home: Some(home.clone()),
            bag: [(7, 0.5)].into(),
        },
        Unit { name: "Bo".into(), hp: 100, home: Some(home), ..Unit::default() },
    ];
    let file = MessagePack::to_vec(&units).unwrap();
    assert_eq!(file, dump(PAGE, 0), "{}", hex(&file));
    let loaded: Vec<Unit> = MessagePack::from_slice(&dump(PAGE, 0)).unwrap();
    assert_eq!(loaded[1].home.as_ref().unwrap().x, 1.5);
    assert_eq!(loaded[0].bag[&7], 0.5);
}

/// Each line of the page's list of errors: the bytes and their message.
#[test]
fn errors_as_documented() {
    #[derive(Default, Debug, Serialize)]
    #[archive(crate = archive_core)]
    struct Small {
        hp: u8,
    }
    let start = PAGE.find("```text\n").unwrap() + 8;
    let end = start + PAGE[start..].find("```").unwrap();
    for line in PAGE[start..end].lines() {
        let (input, message) = line.split_once("  ").unwrap();
        let error = MessagePack::from_slice::<Small>(&bytes(input)).unwrap_err();
        assert_eq!(error.to_string(), message.trim(), "{input}");
    }
    assert_eq!(MessagePack::from_slice::<Small>(&bytes("81 a2 68 70 07")).unwrap().hp, 7);
}
