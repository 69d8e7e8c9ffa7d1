//! `archive export` loses no value: numbers between integers and floats, lists that are not only objects, objects whose
//! only owner has no stated type, and roots of any type.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use archive::{Format, Options, Polymorphic, Registry, Serialize, Value, json};

use crate::read_tables::{Rows, SINKS, read, text};
use crate::run_command::{fails, folder, ok};

/// Writes a file, and returns its path.
fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Exports files to each kind of output, and returns the rows of each.
fn exported(folder: &Path, files: &[&str]) -> Vec<BTreeMap<String, Rows>> {
    let export = |sink: &&str| {
        let output = folder.join(format!("output{sink}"));
        let args = [&["export"], files, &[*sink, output.to_str().unwrap()]].concat();
        ok(&args);
        read(sink, &output)
    };
    SINKS.iter().map(export).collect()
}

fn typed<T: Serialize>(mut root: T) -> Vec<BTreeMap<String, Rows>> {
    let folder = folder();
    let mut registry = Registry::new();
    archive::register!(registry, dyn Thing { Chest, Trap }).unwrap();
    let options = Options::new().registry(&registry);
    let bytes = Format::Binary.to_vec_with(&mut root, &options).unwrap();
    let save = file(folder.path(), "a.bin", bytes);
    exported(folder.path(), &[&save])
}

/// The cells of a column as text, for comparison over all kinds of outputs.
fn column(rows: &Rows, name: &str) -> Vec<String> {
    let cell = |row: &BTreeMap<String, Value>| match row.get(name) {
        Some(value) => text(value),
        None => panic!("no column `{name}` in {row:?}"),
    };
    rows.iter().map(cell).collect()
}

/// A float and an integer that is not exact as a float are in two columns, whichever comes first.
#[test]
fn integers_are_not_rounded_to_floats() {
    let big = "9007199254740993";
    for numbers in [["0.5", big, "7"], [big, "0.5", "7"], ["7", "0.5", big], [big, "7", "0.5"]] {
        let folder = folder();
        let rows: Vec<String> =
            numbers.iter().map(|n| format!("{{\"n\":{n},\"l\":[{n}]}}")).collect();
        let save = file(folder.path(), "a.json", format!("[{}]", rows.join(",")));
        for tables in exported(folder.path(), &[&save]) {
            let rows = &tables["root"];
            for (row, number) in rows.iter().zip(numbers) {
                let of_number: Vec<String> = row
                    .iter()
                    .filter(|(name, _)| name.starts_with('n'))
                    .map(|(_, value)| text(value))
                    .filter(|value| value != "null")
                    .collect();
                assert_eq!(of_number, [number], "{row:?}");
                assert_eq!(text(&row["l"]).replace('"', ""), format!("[{number}]"), "{row:?}");
            }
        }
    }
    // Exact integers are in the column of floats.
    let folder = folder();
    let save = file(folder.path(), "a.json", "[{\"n\":7},{\"n\":0.5}]");
    for tables in exported(folder.path(), &[&save]) {
        assert_eq!(column(&tables["root"], "n"), ["7.0", "0.5"]);
    }
}

/// Integers of 64 and 128 bits of several saves.
#[test]
fn integers_of_all_sizes_are_exact() {
    let numbers =
        ["-170141183460469231731687303715884105728", "340282366920938463463374607431768211455"];
    let numbers = [&numbers[..], &["18446744073709551615", "-1", "-9223372036854775808"]].concat();
    for count in 1..=numbers.len() {
        let folder = folder();
        let files: Vec<String> = numbers[numbers.len() - count..]
            .iter()
            .enumerate()
            .map(|(at, n)| file(folder.path(), &format!("{at}.json"), format!("[{{\"n\":{n}}}]")))
            .collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        for tables in exported(folder.path(), &files) {
            let found = column(&tables["root"], "n");
            let found: Vec<&str> = found.iter().map(|text| text.trim_matches('"')).collect();
            assert_eq!(found, numbers[numbers.len() - count..]);
        }
    }
}

#[derive(Clone, Default, Serialize)]
struct Unit {
    hp: u8,
}

fn unit(hp: u8) -> Unit {
    Unit { hp }
}

#[derive(Default, Serialize)]
struct Lists {
    only: Vec<Unit>,
    maybe: Vec<Option<Unit>>,
    nested: Vec<Vec<Unit>>,
    absent: Option<Vec<Unit>>,
    present: Option<Vec<Unit>>,
    by_name: BTreeMap<String, Option<Unit>>,
    some: Option<Option<u8>>,
    none: Option<Option<u8>>,
    units: Option<()>,
}

/// Lists of the root that are not only objects are columns. Their objects are rows, too.
#[test]
fn lists_that_are_not_only_objects_are_columns() {
    let root = Lists {
        only: vec![unit(1)],
        maybe: vec![Some(unit(2)), None],
        nested: vec![vec![unit(3)], vec![]],
        absent: None,
        present: Some(vec![unit(4)]),
        by_name: [("a".to_owned(), None), ("b".to_owned(), Some(unit(5)))].into(),
        some: Some(None),
        none: None,
        units: Some(()),
    };
    for tables in typed(root) {
        assert_eq!(column(&tables["Unit"], "hp"), ["1", "2", "3", "4", "5"]);
        let root = &tables["Lists"][0];
        let json = |name: &str| text(&root[name]);
        assert_eq!(json("maybe"), "[{\"hp\":2},null]");
        assert_eq!(json("nested"), "[[{\"hp\":3}],[]]");
        assert_eq!(json("absent"), "null");
        assert_eq!(json("present"), "[{\"hp\":4}]");
        assert_eq!(json("by_name"), "{\"a\":null,\"b\":{\"hp\":5}}");
        assert_eq!(json("some"), "{\"$some\":null}");
        assert_eq!(json("none"), "null");
        assert_eq!(json("units"), "{\"$some\":null}");
        assert!(!root.contains_key("only"), "{root:?}");
    }
    // A root that is an option, and one that is shared.
    for tables in typed(Some(unit(7))) {
        assert_eq!(column(&tables["Unit"], "hp"), ["7"]);
    }
    for tables in typed(None::<Unit>) {
        assert_eq!(column(&tables["root"], "value"), ["null"]);
    }
    for tables in typed(vec![Rc::new(Some(unit(7))), Rc::new(None)]) {
        assert_eq!(column(&tables["Unit"], "hp"), ["7"]);
        assert_eq!(column(&tables["Unit"], "key"), ["1"]);
        assert_eq!(column(&tables["Option<Unit>"], "key"), ["2"]);
        assert_eq!(column(&tables["root"], "value"), ["[1,2]"]);
    }
    for tables in typed(None::<Vec<Unit>>) {
        assert_eq!(column(&tables["root"], "value"), ["null"]);
    }
}

/// A map of values without a stated type has its values.
#[test]
fn values_without_a_type_are_in_maps() {
    let one = json::from_str::<Value>("{\"x\":[{\"y\":1}]}").unwrap();
    let root: BTreeMap<String, Value> = [("a".to_owned(), one), ("b".to_owned(), 2.into())].into();
    for tables in typed(root) {
        // In a map of Parquet, each value is a text with JSON.
        let value = text(&tables["root"][0]["value"]).replace('\\', "");
        let value = value.replace("\"{", "{").replace("}\",", "},").replace("\"2\"", "2");
        assert_eq!(value, "{\"a\":{\"x\":[{\"y\":1}]},\"b\":2}");
    }
}

#[derive(Default, Serialize)]
struct Item {
    name: String,
}

trait Thing: Polymorphic {}
archive::polymorphic!(dyn Thing);

#[derive(Default, Serialize)]
struct Chest {
    item: Rc<RefCell<Item>>,
}
impl Thing for Chest {}

#[derive(Default, Serialize)]
enum Trap {
    #[default]
    Pit,
    Spikes(Rc<RefCell<Item>>),
}
impl Thing for Trap {}

#[derive(Default, Serialize)]
struct Room {
    things: Vec<Box<dyn Thing>>,
    maybe: Option<Box<dyn Thing>>,
    nested: Option<Option<Rc<RefCell<Item>>>>,
    keys: Vec<Rc<RefCell<Item>>>,
    open: BTreeMap<String, Value>,
}

/// A shared object has a row wherever its owner is.
#[test]
fn shared_objects_have_rows_inside_of_values_without_types() {
    let items: Vec<Rc<RefCell<Item>>> = ["a", "b", "c", "d"]
        .iter()
        .map(|name| Rc::new(RefCell::new(Item { name: (*name).into() })))
        .collect();
    let open = json::from_str("[{\"$id\":1,\"$value\":{\"name\":\"e\"}},{\"$id\":1}]").unwrap();
    let room = Room {
        things: vec![
            Box::new(Chest { item: items[0].clone() }),
            Box::new(Trap::Spikes(items[1].clone())),
            Box::new(Trap::Pit),
        ],
        maybe: Some(Box::new(Chest { item: items[2].clone() })),
        nested: Some(Some(items[3].clone())),
        keys: items.clone(),
        open: [("x".to_owned(), open)].into(),
    };
    for tables in typed(room) {
        let names: BTreeSet<String> = tables
            .values()
            .flatten()
            .filter(|row| row.get("key").is_some_and(|key| *key != Value::Null))
            .map(|row| text(&row["name"]))
            .collect();
        assert_eq!(names.len(), 5, "{tables:?}");
        let room = &tables["Room"][0];
        assert_eq!(text(&room["keys"]), "[1,2,3,4]");
        assert!(text(&room["open"]).contains("[5,5]"), "{room:?}");
        let things = text(&room["things"]);
        assert!(things.contains("Spikes") && things.contains("Pit"), "{things}");
        assert_eq!(column(&tables["Chest"], "item"), ["1"], "only items of lists are rows");
    }
}

#[derive(Default, Serialize)]
struct Branch {
    any: Value,
    next: Option<Box<Branch>>,
}

/// A class inside of itself is one column of JSON, also if the file has values without stated types.
#[test]
fn a_class_inside_of_itself_is_one_column() {
    let last = Branch { any: "x".into(), next: None };
    let root = Branch { any: 7.into(), next: Some(Box::new(last)) };
    for tables in typed(vec![root]) {
        let row = &tables["Branch"][0];
        let names: Vec<&str> = row.keys().map(String::as_str).collect();
        assert_eq!(names, ["any", "key", "next", "path", "save"]);
        assert_eq!(text(&row["next"]), "{\"any\":\"x\",\"next\":null}");
    }
}

/// An object with very many names is a map, and the lists in it are one table.
#[test]
fn dictionaries_are_one_table() {
    let folder = folder();
    let entry = |at: u32| {
        format!(
            "\"id {at}\":{{\"hp\":{at},\"items\":[{{\"n\":{at}}}],\"x\":{{\"y\":[{{\"z\":1}}]}}}}"
        )
    };
    let entries: Vec<String> = (0..3000).map(entry).collect();
    let text = format!("{{\"units\":{{{}}}}}", entries.join(","));
    let save = file(folder.path(), "a.json", text);
    for tables in exported(folder.path(), &[&save]) {
        let names: Vec<&str> = tables.keys().map(String::as_str).collect();
        assert_eq!(names, ["root", "units.items", "units.x.y"]);
        assert_eq!(tables["units.items"].len(), 3000);
        assert_eq!(crate::read_tables::text(&tables["units.items"][2999]["n"]), "2999");
    }
    // A row may be one.
    let entries: Vec<String> = (0..3000).map(|at| format!("\"id {at}\":{at}")).collect();
    let save = file(folder.path(), "b.json", format!("{{{}}}", entries.join(",")));
    for tables in exported(folder.path(), &[&save]) {
        let value = crate::read_tables::text(&tables["root"][0]["value"]);
        assert_eq!(value.matches(":2999").count(), 1);
        assert_eq!(value, format!("{{{}}}", entries.join(",")));
    }
}

/// Names that SQLite has for itself, and that of a class that the format has.
#[test]
fn reserved_names_are_tables() {
    let folder = folder();
    let save =
        file(folder.path(), "a.json", "{\"sqlite_master\":[{\"a\":1}],\"SQLITE_x\":[{\"a\":2}]}");
    for tables in exported(folder.path(), &[&save]) {
        assert_eq!(column(&tables["_sqlite_master"], "a"), ["1"]);
        assert_eq!(column(&tables["_SQLITE_x"], "a"), ["2"]);
    }
    mod own {
        #[derive(Default, archive::Serialize)]
        pub struct Weak {
            pub hp: u8,
        }
        #[derive(Default, archive::Serialize)]
        pub struct Root {
            pub name: std::string::String,
            pub weak: Vec<Weak>,
            pub rc: std::rc::Weak<u8>,
        }
    }
    let weak = vec![own::Weak { hp: 7 }];
    for tables in typed(own::Root { name: "x".into(), weak, ..Default::default() }) {
        let table = tables.keys().find(|name| name.starts_with("Weak")).unwrap();
        assert_eq!(column(&tables[table], "hp"), ["7"]);
        assert_eq!(column(&tables["Root"], "name"), ["\"x\""]);
        assert_eq!(column(&tables["Root"], "rc"), ["null"]);
    }
}

/// A save in the folder that would be replaced is kept.
#[test]
fn saves_in_the_output_are_kept() {
    let folder = folder();
    let save = file(folder.path(), "a.json", "[{\"a\":1}]");
    let output = folder.path().join("tables");
    let output = output.to_str().unwrap();
    ok(&["export", &save, "--csv", output]);
    let inside = format!("{output}/root.csv");
    std::fs::write(&inside, "[{\"a\":1}]").unwrap();
    let message = fails(&["export", &inside, "--csv", output], 2);
    assert!(message.contains("would replace the folder of"), "{message}");
    assert!(Path::new(&inside).exists());
}
