//! A law of tables: for all types of a save, each value is in a cell, and a row has the values of the object at
//! its path and no others.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::rc::Rc;

use archive::path::{Path as ValuePath, Step};
use archive::{Format, Options, Registry, Serialize, Value, json};
use archive_test_support::search;
use proptest::prelude::*;

use crate::random_saves::{Around, Cased, Chest, Color, Make, Order, Random, Thing, Tree, Unit};
use crate::read_tables::{SINKS, read};
use crate::run_command::{folder, ok};

/// The leaves of a value: its numbers and texts, and perhaps the keys of its maps and its variants. A pointer is its key.
fn leaves(value: &Value, names: bool, is_whole: bool, all: &mut Vec<String>) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => leaves(&number.to_string().into(), names, is_whole, all),
        Value::Str(text) => {
            // A float may be an integer elsewhere, and has two texts.
            let float = text.parse::<f64>().ok().filter(|_| text.contains(['.', 'e']));
            let text = float.map_or(text.clone(), |float| format!("{float:?}"));
            all.push(text.strip_suffix(".0").unwrap_or(&text).to_owned());
        }
        Value::Bytes(bytes) => all.push(format!("{bytes:?}")),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, names, is_whole, all)),
        Value::Object(members) => {
            let id = value.get("$id").or(value.get("$weak"));
            if let Some(id) = id.filter(|_| !is_whole) {
                return leaves(id, names, false, all);
            }
            for (name, value) in members {
                let is_key = name.starts_with(|c: char| c == 't' || c == '-' || c.is_ascii_digit());
                let is_variant = name.starts_with('V') && value_of(members, "variant").is_none();
                all.extend((names && (is_key || is_variant)).then(|| name.clone()));
                if name == "$id" || name == "$weak" {
                    continue;
                }
                leaves(value, names, is_whole, all);
            }
        }
    }
}

fn value_of<'v>(members: &'v [(String, Value)], name: &str) -> Option<&'v Value> {
    members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

fn sorted(value: &Value, names: bool, is_whole: bool) -> Vec<String> {
    let mut all = Vec::new();
    leaves(value, names, is_whole, &mut all);
    // SQLite has these for `true` and `false`.
    all.retain(|leaf| leaf != "0" && leaf != "1");
    all.sort();
    all
}

/// The objects of a save by their ids.
fn objects<'v>(value: &'v Value, all: &mut HashMap<u64, &'v Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| objects(item, all)),
        Value::Object(members) => {
            if let (Some(id), Some(of)) = (value.get("$id"), value.get("$value")) {
                all.insert(id.as_u64().unwrap(), of);
            }
            members.iter().for_each(|(_, value)| objects(value, all));
        }
        _ => {}
    }
}

/// The value at the path of a row.
fn at<'v>(root: &'v Value, path: &str, all: &HashMap<u64, &'v Value>) -> &'v Value {
    let inside = |value: &'v Value| value.get("$value").unwrap_or(value);
    if path.is_empty() {
        return root;
    }
    let mut value = root;
    for step in path.parse::<ValuePath>().unwrap().steps() {
        value = match (step, inside(value)) {
            (Step::Object(id), _) => all[id],
            (Step::Index(index), Value::Array(items)) => &items[*index],
            // A map of a binary file.
            (Step::Name(name), Value::Array(pairs)) => {
                let is_it = |pair: &&Value| match pair.item(0).unwrap() {
                    Value::Str(text) => text == name.as_str(),
                    key => key.to_string() == name.as_str(),
                };
                let pair = pairs.iter().find(is_it);
                pair.unwrap_or_else(|| panic!("{path}: {pairs:?}")).item(1).unwrap()
            }
            (Step::Name(name), object) => object.get(name.as_str()).unwrap(),
            (step, value) => panic!("{step:?} of {path} in {value}"),
        };
    }
    inside(value)
}

/// Exports a value in several formats, compares each row, and returns what differs.
fn check_type<T: Serialize + Make>(seed: u64, folder: &Path, options: &Options<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    // Whether values without a stated type are in it, whose keys are names of columns as well.
    let has_open = std::any::type_name::<T>().contains("Value");
    let mut random = Random::new(seed);
    let mut saves: HashMap<String, Value> = HashMap::new();
    for (at, format) in [
        Format::Binary,
        Format::Binary,
        Format::Json,
        Format::MessagePack,
        Format::from_name("blob").unwrap(),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.join(format!("{at}"));
        let mut root = T::make(&mut random);
        let bytes = format.to_vec_with(&mut root, options).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let path = path.to_str().unwrap().to_owned();
        saves.insert(path, format.from_slice(&bytes).unwrap());
    }
    let files: Vec<&str> = saves.keys().map(String::as_str).collect();
    for sink in SINKS {
        let output = folder.join(format!("out{sink}"));
        ok(&[&["export"], &files[..], &[*sink, output.to_str().unwrap()]].concat());
        let mut found: HashMap<&str, Vec<String>> = HashMap::new();
        let tables = read(sink, &output).into_iter();
        for (table, row) in
            tables.flat_map(|(name, rows)| rows.into_iter().map(move |row| (name.clone(), row)))
        {
            let save = row["save"].as_str().unwrap();
            let save = *files.iter().find(|name| **name == save).unwrap();
            let path = row["path"].as_str().unwrap().to_owned();
            // Without types, keys and variants are names of columns.
            let is_typed = save.ends_with(['0', '1']);
            let names = is_typed && !has_open;
            let cells = row.iter().filter(|(name, _)| !["save", "key", "path"].contains(&&***name));
            let cells: Vec<Value> = cells.map(|(_, cell)| parsed(cell)).collect();
            let row_cells = Value::Array(cells);
            let cells = sorted(&row_cells, names, false);
            let root = &saves[save];
            let mut all = HashMap::new();
            objects(root, &mut all);
            let expected = sorted(at(root, &path, &all), names, false);
            // The root may leave out lists, whose objects are rows.
            let is_same = match path.is_empty() {
                true => cells.iter().all(|cell| expected.contains(cell)),
                false => cells == expected || is_typed && has_open,
            };
            if !is_same {
                faults.push(format!("{sink} {table} {save} `{path}`: {cells:?} of {root}"));
            }
            let found = found.entry(save).or_default();
            found.extend(sorted(&row_cells, true, false));
            // A table has the name of the type, and a path the keys of the maps around the object.
            found.push(table);
            for step in path.parse::<ValuePath>().unwrap().steps() {
                if let Step::Name(name) = step {
                    found.push(name.as_str().to_owned());
                }
            }
        }
        for (save, root) in &saves {
            let found = found.remove(&**save).unwrap_or_default();
            let mut lost = sorted(root, false, true);
            lost.retain(|leaf| !found.contains(leaf));
            if !lost.is_empty() {
                faults.push(format!("{sink} {save}: no {lost:?} of {root}"));
            }
        }
    }
    faults
}

/// A cell, whose text may be JSON.
fn parsed(cell: &Value) -> Value {
    match cell {
        Value::Str(text) if text == "null" => Value::Null,
        Value::Str(text) if text.starts_with(['[', '{', '"']) => json::from_str(text).unwrap(),
        Value::Array(items) => items.iter().map(parsed).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, of)| (name.clone(), parsed(of))).collect())
        }
        other => other.clone(),
    }
}

type Check = fn(u64, &Path, &Options<'_>) -> Vec<String>;

macro_rules! types {
    ($($ty:ty,)*) => {
        fn check_all(seed: u64) {
            let folder = folder();
            let mut registry = Registry::new();
            archive::register!(registry, dyn Thing { Chest, Order }).unwrap();
            let options = Options::new().registry(&registry);
            let mut faults = Vec::new();
            let mut shape = seed as usize % 8;
            let mut check = |name: &str, of: [Check; 4]| {
                // Half of the types, each in one shape.
                shape = shape.wrapping_add(1);
                if shape / 4 % 2 == 1 {
                    return;
                }
                let of_type = of[shape % of.len()](seed, folder.path(), &options);
                faults.extend(of_type.iter().map(|fault| format!("{name}: {fault}")));
            };
            $(check(stringify!($ty), [
                check_type::<$ty>,
                check_type::<Around<$ty>>,
                check_type::<Vec<Around<$ty>>>,
                check_type::<Option<Around<$ty>>>,
            ]);)*
            assert!(faults.is_empty(), "{}", faults.join("\n"));
        }
    };
}
types! {
    u32, i64, u64, i128, u128, f32, f64, String, bool, Color, Cased, Tree,
    Option<u64>, Option<Option<u32>>, Vec<Option<f32>>, Vec<Vec<u32>>, (u32, Option<f64>),
    Order, Vec<Order>, Option<Order>, BTreeMap<Color, Vec<Order>>, (Order, Order),
    Unit, Vec<Unit>, Vec<Option<Unit>>, Vec<Vec<Unit>>, Option<Vec<Unit>>, (u32, Vec<Unit>),
    BTreeMap<String, Unit>, BTreeMap<u64, Unit>, BTreeMap<String, Option<Unit>>,
    BTreeMap<u32, Vec<Unit>>, BTreeMap<String, BTreeMap<String, u32>>,
    Rc<Unit>, Vec<Rc<Unit>>, Option<Rc<Unit>>, Option<Option<Rc<Unit>>>, Option<Option<Box<dyn Thing>>>, Option<Option<Vec<Unit>>>, Rc<Option<Unit>>,
    Rc<String>, BTreeMap<String, Rc<Unit>>, Vec<Rc<Option<Unit>>>,
    Box<dyn Thing>, Vec<Box<dyn Thing>>, Option<Box<dyn Thing>>, Vec<Option<Box<dyn Thing>>>,
    Rc<RefCell<dyn Thing>>, Vec<Rc<RefCell<dyn Thing>>>, BTreeMap<String, Box<dyn Thing>>,
    Value, Vec<Value>, BTreeMap<String, Value>, Option<Value>, Option<Box<Tree>>, Vec<Cased>,
}

proptest! {
    // The seeds of other searches would take long.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..search::config(10) })]
    #[test]
    fn every_value_is_in_a_cell(seed: u64) {
        check_all(seed);
    }
}
