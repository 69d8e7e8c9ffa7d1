//! Objects of made types are saved byte for byte as those of compiled types, in lists with other compiled
//! ones, in all kinds of pointers. Without the schema they are kept.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};

use archive::types::{Made, Methods, RegisterSchema, Schema};
use archive::{
    ErrorKind, Format, Options, Polymorphic, Registry, Serialize, Unknown, Value, register,
};
use proptest::prelude::*;

use crate::common::damage::damaged;
use crate::common::serde_formats::serde_formats;
use crate::common::{formats, of_library, search, text};
use crate::random_values::Random;
use crate::twins::{Derived, Element, Numbers, Position, SCHEMA, Unit};

trait Thing: Polymorphic {}
archive::polymorphic!(dyn Thing);

/// A compiled type in both programs.
#[derive(Default, Serialize)]
struct Plain {
    text: String,
    at: Option<Position>,
}

/// A compiled type that refers to others.
#[derive(Serialize)]
struct Link {
    next: Option<Rc<RefCell<dyn Thing>>>,
    back: Weak<RefCell<dyn Thing>>,
    own: Option<Box<dyn Thing>>,
}

/// A type with trait objects, which is compiled or made.
#[derive(Serialize)]
struct Book {
    title: String,
    first: Box<dyn Thing>,
    maybe: Option<Box<dyn Thing>>,
    pages: Vec<Box<dyn Thing>>,
    by_name: BTreeMap<String, Box<dyn Thing>>,
    last: Bound,
}

/// A variant with a trait object.
#[derive(Default, Serialize)]
enum Bound {
    #[default]
    Loose,
    In(Box<dyn Thing>),
    Between(Box<dyn Thing>, u8, Box<dyn Thing>),
}

const BOOK: &str = r#"{"types":{
    "Book":  { "members": [
        { "name": "title", "type": "String" }, { "name": "first", "type": "Box<dyn Thing>" },
        { "name": "maybe", "type": "Option<Box<dyn Thing>>" }, { "name": "pages", "type": "Vec<Box<dyn Thing>>" },
        { "name": "by_name", "type": "BTreeMap<String, Box<dyn Thing>>" }, { "name": "last", "type": "Bound" }] },
    "Bound": { "variants": [{ "name": "Loose" }, { "name": "In", "items": ["Box<dyn Thing>"] },
        { "name": "Between", "items": ["Box<dyn Thing>", "u8", "Box<dyn Thing>"] }] }
}}"#;

impl Thing for Book {}
impl Thing for Plain {}
impl Thing for Link {}
impl Thing for Unit {}
impl Thing for Derived {}
impl Thing for Position {}
impl Thing for Numbers {}
impl Thing for Element {}
impl Thing for Made {}
impl Thing for Unknown {}

#[derive(Serialize)]
struct World {
    weak: Vec<Weak<RefCell<dyn Thing>>>,
    own: Vec<Box<dyn Thing>>,
    shared: Vec<Rc<RefCell<dyn Thing>>>,
    bare: Vec<Arc<dyn Thing>>,
    locked: Vec<Arc<Mutex<dyn Thing>>>,
}

/// The types that are compiled or made.
const TWINS: [&str; 6] = ["Unit", "Derived", "Position", "Numbers", "Element", "Book"];

fn schema() -> Schema {
    let mut file = Schema::from_slice(SCHEMA.as_bytes()).unwrap().file().clone();
    let books = Schema::from_slice(BOOK.as_bytes()).unwrap().file();
    file.types.extend(books.types.iter().map(|(name, ty)| (name.clone(), ty.clone())));
    for name in TWINS {
        file.types.get_mut(name).unwrap().implements.push("Thing".into());
    }
    Schema::new(file).unwrap()
}

fn compiled() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Thing {
        Plain as "plain", Link as "link", Unit, Derived, Position, Numbers, Element, Book
    })
    .unwrap();
    registry
}

fn made() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Plain as "plain", Link as "link" }).unwrap();
    registry.schema::<dyn Thing>(schema(), &Methods::new()).unwrap();
    registry
}

/// A program that knows none of the twins.
fn neither() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Plain as "plain", Link as "link", Unknown }).unwrap();
    registry
}

fn object(members: Vec<(&str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Makes random worlds, as trees.
struct Worlds {
    random: Random,
    schema: Schema,
    /// The number of objects with an id in cells.
    shared: usize,
    /// How deep books may be in each other.
    depth: usize,
}

impl Worlds {
    /// The id and the content of a random object. References are to objects up to `shared`.
    fn content(&mut self, links: bool) -> (&'static str, Value) {
        match self.random.below(if links { 10 } else { 8 }) {
            0 | 1 => ("plain", object(vec![("text", "a".into())])),
            7 if self.depth == 0 => ("plain", object(vec![("text", "b".into())])),
            7 => {
                self.depth -= 1;
                let book = self.book();
                self.depth += 1;
                ("Book", book)
            }
            kind @ 2..7 => {
                let name = TWINS[kind - 2];
                let ty = self.schema.get(name).unwrap();
                (name, self.random.value(ty.shape(), 2))
            }
            _ => {
                let own = self.own(false);
                let next = object(vec![("$id", self.any_shared())]);
                let back = object(vec![("$weak", self.any_shared())]);
                ("link", object(vec![("next", next), ("back", back), ("own", own)]))
            }
        }
    }

    fn book(&mut self) -> Value {
        let maybe = if self.random.below(2) == 0 { Value::Null } else { self.own(false) };
        let pages = (0..self.random.below(3)).map(|_| self.own(false)).collect();
        let by_name = (0..self.random.below(3)).map(|index| (index.to_string(), self.own(false)));
        let by_name = by_name.collect();
        let last = match self.random.below(3) {
            0 => "Loose".into(),
            1 => object(vec![("In", self.own(false))]),
            _ => {
                let parts = vec![self.own(false), 7_u64.into(), self.own(false)];
                object(vec![("Between", Value::Array(parts))])
            }
        };
        object(vec![
            ("title", "On things".into()),
            ("first", self.own(false)),
            ("maybe", maybe),
            ("pages", Value::Array(pages)),
            ("by_name", Value::Object(by_name)),
            ("last", last),
        ])
    }

    fn any_shared(&mut self) -> Value {
        let id = 1 + self.random.below(self.shared);
        (id as u64).into()
    }

    fn own(&mut self, links: bool) -> Value {
        let (id, value) = self.content(links);
        object(vec![("$type", id.into()), ("$value", value)])
    }

    fn stored(&mut self, id: usize, links: bool) -> Value {
        let (name, value) = self.content(links);
        object(vec![("$id", (id as u64).into()), ("$type", name.into()), ("$value", value)])
    }

    fn world(&mut self) -> Value {
        let count = self.random.below(4);
        let own = (0..count).map(|_| self.own(true)).collect();
        let mut shared = Vec::new();
        for id in 1..=self.shared {
            if self.random.below(3) == 0 {
                shared.push(object(vec![("$id", self.any_shared())]));
            }
            shared.push(self.stored(id, true));
        }
        let weak = (0..self.random.below(3)).map(|_| object(vec![("$weak", self.any_shared())]));
        let weak = weak.collect();
        let (mut bare, mut locked) = (Vec::new(), Vec::new());
        for list in [&mut bare, &mut locked] {
            self.shared += 1;
            let id = self.shared;
            list.push(self.stored(id, false));
            list.push(object(vec![("$id", (id as u64).into())]));
        }
        object(vec![
            ("weak", Value::Array(weak)),
            ("own", Value::Array(own)),
            ("shared", Value::Array(shared)),
            ("bare", Value::Array(bare)),
            ("locked", Value::Array(locked)),
        ])
    }
}

fn all() -> Vec<Format> {
    of_library(formats()).chain(serde_formats()).collect()
}

fn check(tree: &Value) -> Result<(), TestCaseError> {
    let registries = [compiled(), made(), neither()];
    let [compiled, made, neither] = registries.each_ref().map(|it| Options::new().registry(it));
    let neither = neither.keep_unknown(true);
    let (one, other) = match (tree.to_with::<World>(&compiled), tree.to_with::<World>(&made)) {
        (Ok(one), Ok(other)) => (one, other),
        (one, other) => {
            let errors = (one.map(drop), other.map(drop));
            let shown = format!("{errors:?} in {tree}");
            prop_assert_eq!(
                errors.0.map_err(|it| it.to_string()),
                errors.1.map_err(|it| it.to_string()),
                "{}",
                shown
            );
            return Ok(());
        }
    };
    for format in all() {
        let fail =
            |error: archive::Error| TestCaseError::fail(format!("{format}: {error}, {tree}"));
        let saved = (format.to_vec_with(&one, &compiled), format.to_vec_with(&other, &made));
        let bytes = match saved {
            (Ok(bytes), Ok(of_made)) => {
                prop_assert_eq!(text(&of_made), text(&bytes), "{}: {}", format, tree);
                bytes
            }
            (Err(one), Err(other)) => {
                prop_assert_eq!(one.to_string(), other.to_string(), "{}", format);
                continue;
            }
            (one, other) => {
                let texts = (one.map(|it| text(&it)), other.map(|it| text(&it)));
                return Err(TestCaseError::fail(format!("{format}: {texts:?}")));
            }
        };
        // Each loads the file.
        for options in [&compiled, &made] {
            let loaded: World = format.from_slice_with(&bytes, options).map_err(fail)?;
            let again = format.to_vec_with(&loaded, options).map_err(fail)?;
            prop_assert_eq!(text(&again), text(&bytes), "{}: loaded", format);
        }
        // A program without the types gives them back.
        let Ok(kept) = format.from_slice_with::<World>(&bytes, &neither) else {
            // A format that does not describe its values cannot be read without their types.
            prop_assert_eq!(format.name(), "postcard", "not kept, {}", tree);
            continue;
        };
        let again = format.to_vec_with(&kept, &neither).map_err(fail)?;
        if ["JSON", "MessagePack"].contains(&format.name()) {
            prop_assert_eq!(text(&again), text(&bytes), "{}: kept", format);
        }
        let loaded: World = format.from_slice_with(&again, &made).map_err(fail)?;
        let again = format.to_vec_with(&loaded, &made).map_err(fail)?;
        prop_assert_eq!(text(&again), text(&bytes), "{}: given back", format);
    }
    Ok(())
}

#[test]
fn lists_of_made_and_compiled_objects() {
    let schema = schema();
    proptest!(search::config(300), |(seed in any::<u64>())| {
        let mut random = Random::new(seed);
        let shared = 1 + random.below(4);
        check(&Worlds { random, schema, shared, depth: 0 }.world())?;
    });
}

/// Trait objects in made types, in made types.
#[test]
fn books_of_objects() {
    let (schema, registry) = (schema(), compiled());
    let options = Options::new().registry(&registry);
    proptest!(search::config(60), |(seed in any::<u64>())| {
        let mut random = Random::new(seed);
        let shared = 1 + random.below(4);
        let tree = Worlds { random, schema, shared, depth: 2 }.world();
        // A tree does not have the sign of a zero that is a default.
        check(&Value::of_with(&tree.to_with::<World>(&options)?, &options)?)?;
    });
}

/// Books in which one value is another one: the errors are those of compiled types.
#[test]
fn damaged_books() {
    let (schema, registry) = (schema(), compiled());
    let options = Options::new().registry(&registry);
    proptest!(search::config(300), |(seed in any::<u64>())| {
        let worlds = Worlds { random: Random::new(seed), schema, shared: 1, depth: 1 };
        let mut worlds = worlds;
        let own = object(vec![("$type", "Book".into()), ("$value", worlds.book())]);
        let tree = object(vec![("own", Value::Array(vec![own]))]);
        let mut tree = Value::of_with(&tree.to_with::<World>(&options)?, &options)?;
        let count = parts(&mut tree, usize::MAX, &Value::Null);
        let others = [
            Value::Null, Value::Bool(true), (-1).into(), "nothing".into(), Value::Array(vec![1.into()]),
            object(vec![("$type", "plain".into()), ("$value", object(vec![]))]),
            object(vec![("$type", "Nobody".into()), ("$value", object(vec![]))]),
            object(vec![("$id", 1.into())]),
        ];
        parts(&mut tree, worlds.random.below(count), &others[worlds.random.below(others.len())]);
        // An object of a made type cannot tell that its content has the id of another one: all of them are one
        // type. A member without an object has other words for it.
        let reported_otherwise = [ErrorKind::BadPointer, ErrorKind::MissingMember];
        let loaded = tree.to_with::<World>(&options);
        if !loaded.is_err_and(|error| reported_otherwise.contains(&error.kind())) {
            check(&tree)?;
        }
    });
}

/// Files of books that are cut short, or have other bytes: nothing panics, and what is an error for a compiled
/// type is one for a made type.
#[test]
fn damaged_files_of_books() {
    let (schema, registries) = (schema(), [compiled(), made()]);
    let [compiled, made] = registries.each_ref().map(|it| Options::new().registry(it));
    let flips = prop::collection::vec((any::<usize>(), any::<u8>()), 1..4);
    proptest!(search::config(60), |(seed in any::<u64>(), flips in flips, cut in any::<usize>())| {
        let mut worlds = Worlds { random: Random::new(seed), schema, shared: 1, depth: 1 };
        let own = object(vec![("$type", "Book".into()), ("$value", worlds.book())]);
        let tree = object(vec![("own", Value::Array(vec![own]))]);
        let world: World = tree.to_with(&compiled)?;
        for format in of_library(formats()) {
            let bytes = format.to_vec_with(&world, &compiled)?;
            for bytes in damaged(&bytes, &flips, cut) {
                let load = |options| match format.from_slice_with::<World>(&bytes, options) {
                    Ok(world) => Value::of_with(&world, options).map(|tree| tree.to_string()),
                    Err(error) => Err(error),
                };
                match (load(&compiled), load(&made)) {
                    // Paths differ: only a compiled list of numbers is a block.
                    // A compiled member has a blank object then, and may have shared ones.
                    (_, Err(error))
                        if [ErrorKind::MissingMember, ErrorKind::Unsupported].contains(&error.kind()) => {}
                    (one, other) => prop_assert_eq!(
                        other.map_err(|it| it.kind()),
                        one.map_err(|it| it.kind()),
                        "{}: {}", format, text(&bytes)
                    ),
                }
            }
        }
    });
}

/// Counts the values in a tree, and replaces the one with that number.
fn parts(tree: &mut Value, at: usize, by: &Value) -> usize {
    if at == 0 {
        *tree = by.clone();
    }
    let mut count = 1;
    let mut visit = |part: &mut Value| count += parts(part, at.wrapping_sub(count), by);
    match tree {
        Value::Array(items) => items.iter_mut().for_each(&mut visit),
        Value::Object(members) => members.iter_mut().for_each(|(_, member)| visit(member)),
        _ => {}
    }
    count
}

/// Objects at the end of long chains are stored at the end of the pointer that they are in.
#[test]
fn long_chains() {
    for length in [1, 8, 16, 24, 32, 48, 64, 100, 200_u64] {
        let link = |id: u64| {
            let next = object(vec![("$id", (id + 1).into())]);
            let link = object(vec![("next", next)]);
            object(vec![("$id", id.into()), ("$type", "link".into()), ("$value", link)])
        };
        let end = object(vec![("x", 3_u64.into()), ("y", 4_u64.into())]);
        let end = vec![("$id", (length + 1).into()), ("$type", "Position".into()), ("$value", end)];
        let chain = (1..=length).map(link).chain([object(end)]);
        check(&object(vec![("shared", Value::Array(chain.collect()))])).unwrap();
    }
}
