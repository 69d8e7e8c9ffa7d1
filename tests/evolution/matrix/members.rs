//! Members of structs, and the attributes that change their form in the file.

use std::collections::BTreeMap;

use archive::ErrorKind::*;
use archive::Value;

use super::table::{Section, fails, loads, row};

pub fn section() -> Section {
    let ann = r#"Unit { name: "Ann" }"#;
    Section {
        title: "Members",
        intro: "Members are found by name. One that the file lacks keeps what a blank value has, and \
                one that the type lacks is skipped; the report has both.",
        rows: vec![
            row!("added":
                { struct Unit { name: String } } Unit = Unit { name: "Ann".into() },
                { struct Unit { name: String, level: u32 } } Unit,
                loads(r#"Unit { name: "Ann", level: 0 }"#).absent("level")),
            row!("added, with a default":
                { struct Unit { name: String } } Unit = Unit { name: "Ann".into() },
                { struct Unit { name: String, #[archive(default = 1)] level: u32 } } Unit,
                loads(r#"Unit { name: "Ann", level: 1 }"#).absent("level")),
            row!("removed":
                { struct Unit { name: String, mood: u8 } } Unit = Unit { name: "Ann".into(), mood: 3 },
                { struct Unit { name: String } } Unit,
                loads(ann).unknown("mood")),
            row!("removed, and kept by an `unknown` field":
                { struct Unit { name: String, mood: u8 } } Unit = Unit { name: "Ann".into(), mood: 3 },
                { struct Unit { name: String, #[archive(unknown)] rest: BTreeMap<String, Value> } } Unit,
                loads(r#"Unit { name: "Ann", rest: {"mood": Number(Int(3))} }"#)),
            row!("reordered":
                { struct Unit { name: String, hp: u8 } } Unit = Unit { name: "Ann".into(), hp: 9 },
                { struct Unit { hp: u8, name: String } } Unit,
                loads(r#"Unit { hp: 9, name: "Ann" }"#)),
            row!("renamed, with an alias":
                { struct Unit { health: u8 } } Unit = Unit { health: 9 },
                { struct Unit { #[archive(alias = "health")] hp: u8 } } Unit,
                loads("Unit { hp: 9 }")),
            row!("renamed, without":
                { struct Unit { health: u8 } } Unit = Unit { health: 9 },
                { struct Unit { hp: u8 } } Unit,
                loads("Unit { hp: 0 }").absent("hp").unknown("health")),
            row!("renamed, and the file has both names":
                { struct Unit { health: u8, hp: u8 } } Unit = Unit { health: 1, hp: 9 },
                { struct Unit { #[archive(alias = "health")] hp: u8 } } Unit,
                loads("Unit { hp: 9 }").unknown("health")),
            row!("renamed, both names, and an `unknown` field":
                { struct Unit { health: u8, hp: u8 } } Unit = Unit { health: 1, hp: 9 },
                { struct Unit { #[archive(alias = "health")] hp: u8, #[archive(unknown)] rest: BTreeMap<String, Value> } } Unit,
                loads(r#"Unit { hp: 9, rest: {"health": Number(Int(1))} }"#)),
            row!("made optional":
                { struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { struct Unit { hp: Option<u8> } } Unit,
                loads("Unit { hp: Some(9) }")),
            row!("no longer optional":
                { struct Unit { hp: Option<u8> } } Unit = Unit { hp: Some(9) },
                { struct Unit { hp: u8 } } Unit,
                loads("Unit { hp: 9 }")),
            row!("no longer optional, and it was `None`":
                { struct Unit { hp: Option<u8> } } Unit = Unit { hp: None },
                { struct Unit { hp: u8 } } Unit,
                fails(WrongType, "hp").keeps("Unit { hp: 0 }")),
            row!("an option in an option":
                Option<u8> = Some(5), Option<Option<u8>>,
                loads("Some(Some(5))")),
            row!("an option in an option, and it was `None`":
                Option<u8> = None, Option<Option<u8>>, loads("None")),
            row!("no longer an option in an option":
                Option<Option<u8>> = Some(Some(5)), Option<u8>,
                loads("Some(5)")),
            row!("no longer an option in an option, and it was `Some(None)`":
                Option<Option<u8>> = Some(None), Option<u8>,
                fails(WrongType, "").remark("`Some(None)` is `{\"$some\":null}`: its content is not a value")),
            row!("no option at all": Option<Option<u8>> = Some(Some(5)), u8, loads("5")),
            row!("a unit made optional": () = (), Option<()>, loads("None").remark("null read as an option is `None`")),
            row!("a unit no longer optional": Option<()> = Some(()), (), loads("()")),
            row!("any value made optional": Value = Value::from(5), Option<Value>, loads("Some(Number(Int(5)))")),
            row!("any value made optional, and it was null": Value = Value::Null, Option<Value>, loads("None")),
            row!("any value no longer optional": Option<Value> = Some(Value::from(5)), Value, loads("Number(Int(5))")),
            row!("of another type":
                { struct Unit { name: String, hp: u8 } } Unit = Unit { name: "Ann".into(), hp: 9 },
                { struct Unit { name: u32, hp: u8 } } Unit,
                fails(WrongType, "name").keeps("Unit { name: 0, hp: 9 }")),
            row!("a struct of its own, with another name":
                { struct Pos { x: i32 } struct Unit { at: Pos } } Unit = Unit { at: Pos { x: 3 } },
                { struct Place { x: i32 } struct Soldier { at: Place } } Soldier,
                loads("Soldier { at: Place { x: 3 } }").remark("modules do not matter either")),
            row!("a generic argument":
                { struct Slot<T> { item: T } struct Unit { bag: Slot<u8> } } Unit = Unit { bag: Slot { item: 4 } },
                { struct Slot<T> { item: T } struct Unit { bag: Slot<Option<u32>> } } Unit,
                loads("Unit { bag: Slot { item: Some(4) } }")),
            row!("a newtype around a value":
                { struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { struct Hp(u8); struct Unit { hp: Hp } } Unit,
                loads("Unit { hp: Hp(9) }")),
            row!("a newtype unwrapped":
                { struct Hp(u8); struct Unit { hp: Hp } } Unit = Unit { hp: Hp(9) },
                { struct Unit { hp: u8 } } Unit,
                loads("Unit { hp: 9 }")),
            row!("a newtype that gained a value":
                { struct Size(u8); } Size = Size(9),
                { struct Size(u8, u8); } Size,
                fails(WrongType, "")),
            row!("a newtype that became a struct":
                { struct Hp(u8); } Hp = Hp(9),
                { struct Hp { now: u8 } } Hp,
                fails(WrongType, "")),
            row!("a tuple that became a struct":
                (u8, u8) = (1, 2),
                { struct Pos { x: u8, y: u8 } } Pos,
                fails(WrongType, "").except(&["msgpack", "msgpack, converted"], loads("Pos { x: 1, y: 2 }"),
                    "other programs write structs as arrays")),
            row!("a struct that became a tuple":
                { struct Pos { x: u8, y: u8 } } Pos = Pos { x: 1, y: 2 },
                (u8, u8),
                fails(WrongType, "")),
            row!("a tuple that grew": (u8, u8) = (1, 2), (u8, u8, u8), fails(WrongLength, "").half("(1, 2, 0)")),
            row!("a tuple that shrank": (u8, u8, u8) = (1, 2, 3), (u8, u8), fails(WrongLength, "").half("(1, 2)")),
            row!("a struct without members that got one":
                { struct Mark; } Mark = Mark,
                { struct Mark { x: u8 } } Mark,
                fails(WrongType, "")),
            row!("a struct that lost its last member":
                { struct Mark { x: u8 } } Mark = Mark { x: 1 },
                { struct Mark {} } Mark,
                loads("Mark").unknown("x")),
        ],
    }
}

/// Saved as text.
mod as_text {
    pub fn save(value: &u32) -> archive::Result<String> {
        Ok(value.to_string())
    }
    pub fn load(text: String) -> archive::Result<u32> {
        text.parse().map_err(archive::Error::custom)
    }
}

pub fn attributes() -> Section {
    Section {
        title: "Attributes",
        intro: "What an attribute changes in the file, and what files from before it become. `as_text` saves a \
                number as text.",
        rows: vec![
            row!("`flatten` added":
                { struct Pos { x: u8, y: u8 } struct Unit { at: Pos, hp: u8 } } Unit = Unit { at: Pos { x: 1, y: 2 }, hp: 9 },
                { struct Pos { x: u8, y: u8 } struct Unit { #[archive(flatten)] at: Pos, hp: u8 } } Unit,
                loads("Unit { at: Pos { x: 0, y: 0 }, hp: 9 }").absent("x").absent("y").unknown("at")),
            row!("`flatten` removed":
                { struct Pos { x: u8, y: u8 } struct Unit { #[archive(flatten)] at: Pos, hp: u8 } } Unit = Unit { at: Pos { x: 1, y: 2 }, hp: 9 },
                { struct Pos { x: u8, y: u8 } struct Unit { at: Pos, hp: u8 } } Unit,
                loads("Unit { at: Pos { x: 0, y: 0 }, hp: 9 }").absent("at").unknown("x").unknown("y").strict(UnknownMember, "x")),
            row!("`skip_if_default` added":
                { struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { struct Unit { #[archive(skip_if_default)] hp: u8 } } Unit,
                loads("Unit { hp: 9 }")),
            row!("`skip_if_default` removed":
                { struct Unit { #[archive(skip_if_default)] hp: u8 } } Unit = Unit { hp: 9 },
                { struct Unit { hp: u8 } } Unit,
                loads("Unit { hp: 9 }")),
            row!("`skip_if_default` on a new member":
                { struct Unit { name: String } } Unit = Unit { name: "Ann".into() },
                { struct Unit { name: String, #[archive(skip_if_default)] hp: u8 } } Unit,
                loads(r#"Unit { name: "Ann", hp: 0 }"#).remark("nothing is noted: it may well have been the default")),
            row!("`skip` added":
                { struct Unit { name: String, hp: u8 } } Unit = Unit { name: "Ann".into(), hp: 9 },
                { struct Unit { name: String, #[archive(skip)] hp: u8 } } Unit,
                loads(r#"Unit { name: "Ann", hp: 0 }"#).unknown("hp")),
            row!("`with` added, the form in the file changed":
                { struct Unit { hp: u32 } } Unit = Unit { hp: 9 },
                { struct Unit { #[archive(with = as_text)] hp: u32 } } Unit,
                fails(WrongType, "hp").keeps("Unit { hp: 0 }")),
            row!("`with` added for the form that the file has":
                { struct Unit { hp: String } } Unit = Unit { hp: "9".into() },
                { struct Unit { #[archive(with = as_text)] hp: u32 } } Unit,
                loads("Unit { hp: 9 }")),
            row!("`with` added, a value that `load` refuses":
                { struct Unit { hp: String } } Unit = Unit { hp: "many".into() },
                { struct Unit { #[archive(with = as_text)] hp: u32 } } Unit,
                fails(Custom, "hp").keeps("Unit { hp: 0 }")),
            row!("`transparent` added":
                { struct Handle { index: u32 } } Handle = Handle { index: 7 },
                { #[archive(transparent)] struct Handle { index: u32 } } Handle,
                fails(WrongType, "")),
            row!("`transparent` removed":
                { #[archive(transparent)] struct Handle { index: u32 } } Handle = Handle { index: 7 },
                { struct Handle { index: u32 } } Handle,
                fails(WrongType, "")),
            row!("`transparent` around a struct":
                { struct Pos { x: u8 } } Pos = Pos { x: 1 },
                { struct Pos { x: u8 } #[archive(transparent)] struct Place { pos: Pos } } Place,
                loads("Place { pos: Pos { x: 1 } }")),
            row!("`bytes` added":
                { struct Image { pixels: Vec<u8> } } Image = Image { pixels: vec![0, 255] },
                { struct Image { #[archive(bytes)] pixels: Vec<u8> } } Image,
                loads("Image { pixels: [0, 255] }")),
            row!("`bytes` removed":
                { struct Image { #[archive(bytes)] pixels: Vec<u8> } } Image = Image { pixels: vec![0, 255] },
                { struct Image { pixels: Vec<u8> } } Image,
                loads("Image { pixels: [0, 255] }")),
            row!("`bytes` removed, and numbers widened":
                { struct Image { #[archive(bytes)] pixels: Vec<u8> } } Image = Image { pixels: vec![0, 161, 255] },
                { struct Image { pixels: Vec<u32> } } Image,
                loads("Image { pixels: [0, 161, 255] }")),
            row!("the same, to 128 bits":
                { struct Image { #[archive(bytes)] pixels: Vec<u8> } } Image = Image { pixels: vec![0, 161, 255] },
                { struct Image { pixels: Vec<i128> } } Image,
                loads("Image { pixels: [0, 161, 255] }")),
            row!("`bytes` removed, and numbers made something else":
                { struct Image { #[archive(bytes)] pixels: Vec<u8> } } Image = Image { pixels: vec![195] },
                { struct Image { pixels: Vec<bool> } } Image,
                fails(WrongType, "pixels[0]").keeps("Image { pixels: [] }")),
            row!("`bytes` removed, and numbers made optional":
                { struct Image { #[archive(bytes)] pixels: Vec<u8> } } Image = Image { pixels: vec![161, 192, 195] },
                { struct Image { pixels: Vec<Option<u8>> } } Image,
                loads("Image { pixels: [Some(161), Some(192), Some(195)] }")),
            row!("`bytes` removed, and numbers made floats":
                { struct Image { #[archive(bytes)] pixels: Vec<u8> } } Image = Image { pixels: vec![0, 202, 203] },
                { struct Image { pixels: Vec<f32> } } Image,
                loads("Image { pixels: [0.0, 202.0, 203.0] }")),
            row!("`bytes` added, and a number is none":
                { struct Image { pixels: Vec<u32> } } Image = Image { pixels: vec![0, 256] },
                { struct Image { #[archive(bytes)] pixels: Vec<u8> } } Image,
                fails(OutOfRange, "pixels").keeps("Image { pixels: [] }")),
            row!("`as_object` added":
                { struct Bag { items: BTreeMap<String, u8> } } Bag = Bag { items: [("rope".into(), 1)].into() },
                { struct Bag { #[archive(as_object)] items: BTreeMap<String, u8> } } Bag,
                loads(r#"Bag { items: {"rope": 1} }"#)),
            row!("`as_object` removed":
                { struct Bag { #[archive(as_object)] items: BTreeMap<u8, u8> } } Bag = Bag { items: [(5, 1)].into() },
                { struct Bag { items: BTreeMap<u8, u8> } } Bag,
                loads("Bag { items: {5: 1} }")),
        ],
    }
}
