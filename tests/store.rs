//! Store objects of derived types, and the format by itself. (The bodies of `types`, `pointers`,
//! `polymorphic`, `values` and the others run over it too, through `common`.)
#![cfg(feature = "blob")]

mod common;

use archive::blob::store::{self, Collection, Form, Header, Store, StoreObject};
use archive::{Backend, ErrorKind, Format, Options, Serialize, Value, json};
use common::round_trip;

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Base {
    x: u8,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Middle {
    base: Base,
    x: u16,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Top {
    #[archive(rename = "Middle")]
    middle: Middle,
    #[archive(flatten)]
    flat: Flat,
    x: u32,
    state: State,
    other: State,
    open: Value,
    path: Vec<(f32, f32)>,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Flat {
    inside: i8,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
enum State {
    #[default]
    Idle,
    Moving {
        to: [i16; 2],
    },
    Holding(u8, String),
}

fn top() -> Top {
    Top {
        middle: Middle { base: Base { x: 1 }, x: 2 },
        flat: Flat { inside: -1 },
        x: 3,
        state: State::Idle,
        other: State::Moving { to: [1, -1] },
        open: json::from_str(r#"{"any":[1,2.5,null]}"#).unwrap(),
        path: vec![(0.0, 1.0)],
    }
}

#[test]
fn derived_types() {
    round_trip(&top());
    round_trip(&vec![State::Idle, State::Holding(1, "x".into())]);
    let object = StoreObject::of(&top()).unwrap();
    let expected = "\
Top {
  Middle: Middle {
    base: Base {
      Base::x: u8 = 01
    }
    Middle::x: u16 = 02 00
  }
  Top::inside: i8 = ff
  Top::x: u32 = 03 00 00 00
  Top::state: String = 49 64 6c 65
  other: State {
    Moving: Moving {
      Moving::to: [i16; 2] = 01 00 ff ff
    }
  }
  open: object {
    any: list { // list
      i64 = 01 00 00 00 00 00 00 00
      f64 = 00 00 00 00 00 00 04 40
      () = nothing
    }
  }
  Top::path: Vec<(f32, f32)> = 00 00 00 00 00 00 80 3f
}";
    assert_eq!(format!("{object:?}"), expected);
    assert_eq!(object.to::<Top>().unwrap(), top());
}

/// A level of a game keeps its layout when its values change; a loader sees that from the header.
#[test]
fn signatures_of_types() {
    let signature = |top: &Top| Header::read(&store::to_vec(top).unwrap()).unwrap().signature;
    let mut other = top();
    (other.x, other.middle.base.x) = (77, 78);
    other.path.push((5.0, 6.0));
    assert_eq!(signature(&top()), signature(&other));
    other.other = State::Idle;
    assert_ne!(signature(&top()), signature(&other));
}

#[test]
fn as_a_format() {
    let format = Format::of::<Store>();
    assert_eq!((format.name(), format.extensions()), ("store", &["store"][..]));
    let bytes = format.to_vec(&top()).unwrap();
    assert!(Store::detect(&bytes) && !Store::detect(b"{}"));
    for built_in in Format::all() {
        // Through a tree, without the program.
        let tree: Value = format.from_slice(&bytes).unwrap();
        let there = built_in.to_vec(&tree).unwrap();
        let tree: Value = built_in.from_slice(&there).unwrap();
        let back: Top = format.from_slice(&format.to_vec(&tree).unwrap()).unwrap();
        assert_eq!(back, top(), "{built_in}");
    }
    let error = format.from_slice::<Top>(&json::to_vec(&top()).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    let mut options = Vec::new();
    store::to_writer_with(&mut options, &top(), &Options::new()).unwrap();
    assert_eq!(options, bytes);
}

/// Objects of several types in one file.
#[test]
fn a_collection_of_anything() {
    let mut file = Collection::new();
    file.push(StoreObject::of(&top()).unwrap().named("top"));
    file.push(StoreObject::of(&vec![1_u8, 2]).unwrap().named("numbers"));
    let mut bytes = file.to_bytes().unwrap();
    bytes.extend(store::to_vec(&State::Holding(1, "x".into())).unwrap());
    let read = Collection::from_bytes(&bytes).unwrap();
    assert_eq!(read.get("top").unwrap().to::<Top>().unwrap(), top());
    assert_eq!(read.get("numbers").unwrap().form(), Form::Value);
    assert_eq!(read.get("numbers").unwrap().to::<Vec<u8>>().unwrap(), [1, 2]);
    assert_eq!(read.objects[2].to::<State>().unwrap(), State::Holding(1, "x".into()));
}
