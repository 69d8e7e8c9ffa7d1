//! Types that exist twice: compiled, and in a schema.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use archive::types::Schema;
use archive::{Serialize, Value};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub x: i32,
    pub y: i32,
}

/// A key whose order is not that of the names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum Element {
    #[default]
    Fire,
    Ice(u8),
    Air {
        wind: i16,
        gust: bool,
    },
    Both(Option<u8>, String),
    Deep(Position),
    Still {},
}

/// Only numbers, which the binary format stores as a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Numbers {
    pub a: u8,
    pub b: [f32; 3],
    pub c: (i16, bool),
    pub d: Position,
    pub e: i128,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Look {
    pub color: [u8; 3],
    #[archive(default = 1.0)]
    pub size: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[archive(version = 2)]
pub struct Derived {
    #[archive(base)]
    pub position: Position,
    pub id: u64,
    #[archive(flatten)]
    pub look: Look,
    #[archive(required)]
    pub must: bool,
    #[archive(alias = "was", alias = "was_too", default = 7)]
    pub is: i8,
    #[archive(skip_if_default)]
    pub left_out: Vec<u16>,
    #[archive(skip_if_default, default = 2.5)]
    pub factor: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[archive(version = 2)]
pub struct Circle {
    pub radius: f32,
    #[archive(flatten)]
    pub look: Look,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(tag = "type")]
pub enum Figure {
    #[default]
    Nothing,
    Circle(Circle),
    Rect {
        width: f32,
        #[archive(skip_if_default)]
        height: f32,
    },
    #[archive(other)]
    Other(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[archive(tag = "t", content = "c")]
pub enum Message {
    #[default]
    Quit,
    Say(String),
    Move(i32, i32),
    At(Position),
    Both {
        a: u8,
        b: Option<Element>,
    },
    Still {},
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[archive(version = 3)]
pub struct Unit {
    #[archive(default = "Orc".into())]
    pub name: String,
    #[archive(default = 40)]
    pub hp: u16,
    #[archive(default = 1.5)]
    pub speed: f32,
    #[archive(default = true)]
    pub alive: bool,
    pub at: Position,
    pub trail: Vec<Position>,
    #[archive(default = BTreeMap::from([("rope".to_owned(), 1)]))]
    pub bag: BTreeMap<String, u32>,
    pub state: Element,
    pub target: Option<Box<Unit>>,
    pub maybe: Option<Option<i32>>,
    pub pair: (u8, String),
    pub grid: [[i16; 3]; 2],
    pub raw: Vec<u8>,
    #[archive(bytes)]
    pub blob: Vec<u8>,
    pub flags: Vec<(u8, bool)>,
    pub big: i128,
    pub wide: u128,
    #[archive(default = 'x')]
    pub letter: char,
    pub children: Vec<Unit>,
    pub moves: Vec<Element>,
    pub array: [Position; 2],
    pub extra: Value,
    pub keys: HashMap<Element, u8>,
    pub ordered: BTreeMap<Element, Vec<bool>>,
    pub set: BTreeSet<Element>,
    pub hashed: HashSet<(String, i64)>,
    pub by_number: HashMap<i64, String>,
    pub nothing: Option<()>,
    pub unit: (),
    pub derived: Option<Derived>,
    pub numbers: Vec<Numbers>,
    pub floats: Vec<f64>,
    pub figures: Vec<Figure>,
    pub figure: Figure,
    pub messages: Vec<Message>,
    pub by_message: BTreeMap<Message, Message>,
}

/// The same types.
pub const SCHEMA: &str = r#"{ "types": {
  "Position": { "members": [{ "name": "x", "type": "i32" }, { "name": "y", "type": "i32" }] },
  "Element": { "variants": [
    { "name": "Fire" },
    { "name": "Ice", "items": ["u8"] },
    { "name": "Air", "members": [{ "name": "wind", "type": "i16" }, { "name": "gust", "type": "bool" }] },
    { "name": "Both", "items": ["Option<u8>", "String"] },
    { "name": "Deep", "items": ["Position"] },
    { "name": "Still", "members": [] }
  ] },
  "Numbers": { "members": [
    { "name": "a", "type": "u8" }, { "name": "b", "type": "[f32; 3]" }, { "name": "c", "type": "(i16, bool)" },
    { "name": "d", "type": "Position" }, { "name": "e", "type": "i128" }
  ] },
  "Look": { "members": [
    { "name": "color", "type": "[u8; 3]" }, { "name": "size", "type": "f32", "default": 1.0 }
  ] },
  "Derived": { "version": 2, "members": [
    { "name": "Position", "type": "Position", "base": true },
    { "name": "id", "type": "u64" },
    { "name": "look", "type": "Look", "flatten": true },
    { "name": "must", "type": "bool", "required": true },
    { "name": "is", "type": "i8", "default": 7, "aliases": ["was", "was_too"] },
    { "name": "left_out", "type": "Vec<u16>", "skip_if_default": true },
    { "name": "factor", "type": "f64", "skip_if_default": true, "default": 2.5 }
  ] },
  "Circle": { "version": 2, "members": [
    { "name": "radius", "type": "f32" }, { "name": "look", "type": "Look", "flatten": true }
  ] },
  "Figure": { "tag": "type", "variants": [
    { "name": "Nothing" },
    { "name": "Circle", "items": ["Circle"] },
    { "name": "Rect", "members": [
      { "name": "width", "type": "f32" }, { "name": "height", "type": "f32", "skip_if_default": true }
    ] },
    { "name": "Other", "items": ["String"], "other": true }
  ] },
  "Message": { "tag": "t", "content": "c", "variants": [
    { "name": "Quit" },
    { "name": "Say", "items": ["String"] },
    { "name": "Move", "items": ["i32", "i32"] },
    { "name": "At", "items": ["Position"] },
    { "name": "Both", "members": [{ "name": "a", "type": "u8" }, { "name": "b", "type": "Option<Element>" }] },
    { "name": "Still", "members": [] }
  ] },
  "Unit": { "version": 3, "doc": "A unit of a mod.", "members": [
    { "name": "name", "type": "String", "default": "Orc" },
    { "name": "hp", "type": "u16", "default": 40, "unit": "hp", "range": [0, 999], "doc": "What is left." },
    { "name": "speed", "type": "f32", "default": 1.5 },
    { "name": "alive", "type": "bool", "default": true },
    { "name": "at", "type": "Position" },
    { "name": "trail", "type": "Vec<Position>" },
    { "name": "bag", "type": "BTreeMap<String, u32>", "default": [["rope", 1]] },
    { "name": "state", "type": "Element" },
    { "name": "target", "type": "Option<Box<Unit>>" },
    { "name": "maybe", "type": "Option<Option<i32>>" },
    { "name": "pair", "type": "(u8, String)" },
    { "name": "grid", "type": "[[i16; 3]; 2]" },
    { "name": "raw", "type": "Vec<u8>" },
    { "name": "blob", "type": "bytes" },
    { "name": "flags", "type": "Vec<(u8, bool)>" },
    { "name": "big", "type": "i128" },
    { "name": "wide", "type": "u128" },
    { "name": "letter", "type": "char", "default": "x" },
    { "name": "children", "type": "Vec<Unit>" },
    { "name": "moves", "type": "Vec<Element>" },
    { "name": "array", "type": "[Position; 2]" },
    { "name": "extra", "type": "Value" },
    { "name": "keys", "type": "HashMap<Element, u8>" },
    { "name": "ordered", "type": "BTreeMap<Element, Vec<bool>>" },
    { "name": "set", "type": "BTreeSet<Element>" },
    { "name": "hashed", "type": "HashSet<(String, i64)>" },
    { "name": "by_number", "type": "HashMap<i64, String>" },
    { "name": "nothing", "type": "Option<()>" },
    { "name": "unit", "type": "()" },
    { "name": "derived", "type": "Option<Derived>" },
    { "name": "numbers", "type": "Vec<Numbers>" },
    { "name": "floats", "type": "Vec<f64>" },
    { "name": "figures", "type": "Vec<Figure>" },
    { "name": "figure", "type": "Figure" },
    { "name": "messages", "type": "Vec<Message>" },
    { "name": "by_message", "type": "BTreeMap<Message, Message>" }
  ] }
} }"#;

pub fn schema() -> Schema {
    Schema::from_slice(SCHEMA.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
}
