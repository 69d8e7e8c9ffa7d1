//! `set`: everything else is kept byte for byte.

use archive::path::Path;
use archive::save::{Relation, SaveFile, relation};
use archive::value::Number;
use archive::{Format, Value, json};

use crate::run_command::{Golden, fails, folder, golden, ok, places, run};

/// The places of a file that can be set: the members of pointers have no paths of their own.
fn settable(file: &Golden, most: usize) -> Vec<(Path, Value)> {
    let mut all = Vec::new();
    places(&file.value(), &Path::new(), &mut all);
    all.retain(|(path, _)| !path.to_string().contains('$'));
    let step = all.len() / most + 1;
    all.into_iter().step_by(step).collect()
}

/// The value of a place to itself, as `get` prints it.
#[test]
fn a_value_that_is_set_to_itself_changes_no_byte() {
    let folder = folder();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for file in golden() {
        for (path, _) in settable(&file, 3) {
            let path = path.to_string();
            let value = ok(&["get", file.text(), &path]);
            let value = value.trim_end();
            ok(&["set", file.text(), &path, value, "-o", out]);
            assert!(std::fs::read(out).unwrap() == file.bytes(), "{} {path} {value}", file.text());
        }
    }
}

/// Another value of the same kind.
fn other(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Bool(value) => Value::Bool(!value),
        Value::Number(Number::Int(value)) => Value::from(if *value == 7 { 8 } else { 7 }),
        Value::Number(Number::F32(value)) => Value::from(if *value == 0.5 { 0.25 } else { 0.5 }),
        Value::Number(Number::F64(value)) => Value::from(if *value == 0.5 { 0.25 } else { 0.5 }),
        Value::Str(_) => Value::from("Zed"),
        _ => return None,
    })
}

/// The tree with one value replaced.
fn with(tree: &Value, path: &Path, value: &Value) -> Value {
    let mut tree = tree.clone();
    let mut at = &mut tree;
    for step in path.steps() {
        at = match step {
            archive::path::Step::Name(name) => at.get_mut(name).unwrap(),
            archive::path::Step::Index(index) => at.item_mut(*index).unwrap(),
            archive::path::Step::Object(_) => unreachable!("there is none in a tree"),
        };
    }
    *at = value.clone();
    tree
}

/// One scalar is set: no other value of the tree changes. If the new value takes as many bytes as
/// the old one, no other byte changes.
#[test]
fn a_scalar_that_is_set_changes_its_bytes_alone() {
    let folder = folder();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let (mut count, mut refused) = (0, 0);
    for file in golden() {
        for (path, old) in settable(&file, 6) {
            let Some(new) = other(&old) else { continue };
            let (text, value) = (path.to_string(), json::to_string(&new).unwrap());
            let output = run(&["set", file.text(), &text, &value, "-o", out]);
            if !output.status.success() {
                // The name of a variant is not text.
                let errors = String::from_utf8(output.stderr).unwrap();
                let types = file.format == Format::Binary || file.format == Format::Blob;
                assert!(
                    types && errors.contains(&text),
                    "{} {text} {value}: {errors}",
                    file.text()
                );
                refused += 1;
                continue;
            }
            count += 1;
            let bytes = std::fs::read(out).unwrap();
            let changed = Golden { path: out.into(), format: file.format }.value();
            let expected = with(&file.value(), &path, &changed_value(&changed, &path));
            assert_eq!(changed.to_string(), expected.to_string(), "{} {text}", file.text());
            assert_eq!(ok(&["get", out, &text]), value + "\n", "{} {text}", file.text());
            let before = file.bytes();
            // These are written in the present layout, in which short lists have no columns.
            let is_other = ["binary/v1", "columns/v1"].iter().any(|of| file.text().contains(of));
            if bytes.len() == before.len() && !is_other && file.format != bins() {
                let differs: Vec<usize> =
                    (0..bytes.len()).filter(|at| bytes[*at] != before[*at]).collect();
                assert!(!differs.is_empty(), "{} {text}", file.text());
                let span = differs[differs.len() - 1] - differs[0];
                assert!(span < 16, "{} {text}: {differs:?}", file.text());
            }
        }
    }
    assert!(count > 100 && refused < count / 5, "{count} were set and {refused} refused");
}

fn bins() -> Format {
    Format::of::<archive::bins::Bins>()
}

fn changed_value(tree: &Value, path: &Path) -> Value {
    let mut found = Vec::new();
    places(tree, &Path::new(), &mut found);
    found.into_iter().find(|(other, _)| other == path).unwrap().1
}

/// Comments, spaces and the spelling of numbers are kept.
#[test]
fn the_style_of_text_is_kept() {
    let folder = folder();
    let path = folder.path().join("level.json");
    let text = "{\n  // the units\n  \"units\": [ {\"hp\": 7, \"at\": [1.0, 2.50]},\n   \
                {\"hp\":  12 , \"at\": [3, 4e0],} ],\n\t\"seed\": 1461819000922140955\n}\n";
    let path = path.to_str().unwrap();
    for (at, value, old, new) in [
        ("units[1].hp", "99", "\"hp\":  12 ,", "\"hp\":  99 ,"),
        ("units[0].at[1]", "0.25", "2.50]", "0.25]"),
        ("units[1].at[1]", "-4e0", "4e0", "-4e0"),
        ("seed", "18446744073709551615", "1461819000922140955", "18446744073709551615"),
        ("units[0]", "{ \"hp\" : 1 }", "{\"hp\": 7, \"at\": [1.0, 2.50]}", "{ \"hp\" : 1 }"),
    ] {
        std::fs::write(path, text).unwrap();
        ok(&["set", path, at, value]);
        assert_eq!(std::fs::read_to_string(path).unwrap(), text.replace(old, new));
    }
    std::fs::write(path, text).unwrap();
    ok(&["set", path, "units[*].hp", "5"]);
    let expected = text.replace("\"hp\": 7", "\"hp\": 5").replace("12 ,", "5 ,");
    assert_eq!(std::fs::read_to_string(path).unwrap(), expected);
    // The spelling of a number whose value is unchanged is kept.
    ok(&["set", path, "units[0].at[1]", "2.5"]);
    assert_eq!(std::fs::read_to_string(path).unwrap(), expected);
    ok(&["set", path, "seed", "--text", "a seed"]);
    assert_eq!(ok(&["get", path, "seed", "-r"]), "a seed\n");
    let message = fails(&["set", path, "seed", "a seed"], 2);
    let text = if cfg!(windows) { "seed --text \"a seed\"" } else { "seed --text 'a seed'" };
    assert!(message.contains("is not JSON") && message.contains(text), "{message}");
    let message = fails(&["set", path, "units[2].hp", "1"], 2);
    assert!(message.contains("there are 2 items, and the last one is [1]"), "{message}");
    let message = fails(&["set", path, "units[0].hq", "1"], 2);
    assert!(message.contains("it has `hp`"), "{message}");
}

#[derive(Default, archive::Serialize)]
struct Unit {
    name: String,
    hp: u16,
    seed: u64,
}

/// A value that the types of a file do not allow is refused, and the file is unchanged.
#[test]
fn types_of_a_file_are_kept() {
    let folder = folder();
    let units = vec![Unit { name: "Ann".into(), hp: 7, seed: u64::MAX }];
    for format in [Format::Binary, Format::Blob] {
        let path = folder.path().join("units");
        let bytes = format.to_vec(&units).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let path = path.to_str().unwrap();
        for (at, value, part) in [
            ("[0].hp", "70000", "70000"),
            ("[0].hp", "-1", "-1"),
            ("[0].hp", "1.5", "1.5"),
            ("[0].hp", "\"much\"", "much"),
            ("[0].name", "7", "7"),
            ("[0].hp", "null", "null"),
        ] {
            let message = fails(&["set", path, at, value], 2);
            assert!(message.contains(at) && message.contains(part), "{format}: {message}");
            assert_eq!(std::fs::read(path).unwrap(), bytes);
        }
        assert_eq!(ok(&["get", path, "[0].seed"]), "18446744073709551615\n");
        ok(&["set", path, "[0].seed", "18446744073709551614"]);
        ok(&["set", path, "[0].name", "--text", "Bob"]);
        let changed: Vec<Unit> = format.from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!((&*changed[0].name, changed[0].hp, changed[0].seed), ("Bob", 7, u64::MAX - 1));
    }
}

/// A save file is saved again, with its metadata, a backup, and its lineage.
#[test]
fn save_files_are_saved_again() {
    let folder = folder();
    for format in Format::all() {
        let path = folder.path().join(format!("{format}.sav"));
        let game = || SaveFile::new(&path).game("skirmish").game_version(3).title("The harbour");
        let units = vec![Unit { name: "Ann".into(), hp: 7, seed: 1 }];
        let first =
            game().thumbnail(*b"\x89PNG").metadata(&7).unwrap().save(&units, format).unwrap();
        let before = std::fs::read(&path).unwrap();
        let file = path.to_str().unwrap();
        ok(&["set", file, "[0].hp", "7"]);
        assert_eq!(std::fs::read(&path).unwrap(), before, "nothing is saved where nothing changes");
        ok(&["set", file, "[0].hp", "100"]);
        let loaded = game().load::<Vec<Unit>>().unwrap();
        assert_eq!((loaded.value[0].hp, loaded.fell_back), (100, None));
        let meta = loaded.meta;
        assert_eq!(relation(&meta.lineage, &first.lineage), Relation::Ahead);
        assert_eq!((&*meta.title, meta.signature), (&*first.title, first.signature));
        assert_eq!((meta.thumbnail, meta.created), (first.thumbnail, first.created));
        let backup = std::fs::read(format!("{file}.1")).unwrap();
        assert_eq!(backup, before, "{format}");
        ok(&["set", file, "[0].hp", "8", "--backups", "3"]);
        assert_eq!(std::fs::read(format!("{file}.2")).unwrap(), before, "{format}");
    }
}

/// The objects of a collection are changed one by one.
#[test]
fn collections_keep_their_other_objects() {
    let folder = folder();
    let path = folder.path().join("objects.bins");
    let unit = |hp| Unit { name: "Ann".into(), hp, seed: 1 };
    let objects: Vec<Vec<u8>> =
        (0..3).map(|hp| archive::bins::to_vec(&unit(hp)).unwrap()).collect();
    std::fs::write(&path, objects.concat()).unwrap();
    let file = path.to_str().unwrap();
    assert_eq!(ok(&["get", file, "[*].hp"]), "0\n1\n2\n");
    ok(&["set", file, "[1].hp", "1"]);
    assert_eq!(std::fs::read(&path).unwrap(), objects.concat());
    ok(&["set", file, "[1].hp", "100"]);
    let changed = archive::bins::to_vec(&unit(100)).unwrap();
    assert_eq!(
        std::fs::read(&path).unwrap(),
        [&objects[0], &changed, &objects[2]].map(|part| &**part).concat()
    );
    assert!(fails(&["set", file, "[1].hp", "70000"], 2).contains("hp: 70000 does not fit u16"));
}

#[derive(Default, archive::Serialize)]
struct World {
    tick: u64,
    units: archive::store::Pool<Unit>,
}
archive::store::persistent!(World = "world", Unit = "unit");

/// Rows are changed in their store, in one transaction.
#[test]
fn rows_keep_their_types_and_the_other_rows() {
    use archive::store::Store;
    let folder = folder();
    let path = folder.path().join("campaign.store");
    let mut world = World { tick: 7, ..World::default() };
    for hp in 0..3 {
        world.units.insert(Unit { name: "Ann".into(), hp, seed: u64::MAX });
    }
    let store = Store::open(&path).unwrap();
    store.save(&world).unwrap();
    drop(store);
    let file = path.to_str().unwrap();
    let before = ok(&["convert", file, "-"]);
    ok(&["set", file, "unit[2].hp", "1"]);
    assert_eq!(ok(&["convert", file, "-"]), before);
    assert!(
        fails(&["set", file, "unit[*].hp", "70000"], 2)
            .contains("unit 1: hp: 70000 does not fit u16")
    );
    assert!(fails(&["set", file, "unit[7].hp", "7"], 2).contains("no item 7"));
    assert_eq!(ok(&["convert", file, "-"]), before);
    ok(&["set", file, "unit[*].hp", "9"]);
    ok(&["set", file, "unit.2.name", "--text", "Bob"]);
    let copy = folder.path().join("copy.store");
    ok(&["set", file, "world[1].tick", "8", "-o", copy.to_str().unwrap()]);
    assert_eq!(ok(&["get", file, "world[1].tick"]), "7\n");
    assert_eq!(ok(&["get", copy.to_str().unwrap(), "world[1].tick"]), "8\n");

    let store = Store::open(&path).unwrap();
    let mut world = World::default();
    store.attach(&mut world).unwrap();
    assert!(store.finish_load().unwrap().is_clean());
    let units: Vec<_> =
        world.units.values().map(|unit| (&*unit.name, unit.hp, unit.seed)).collect();
    assert_eq!(units, [("Ann", 9, u64::MAX), ("Bob", 9, u64::MAX), ("Ann", 9, u64::MAX)]);
}

#[test]
fn standard_input_is_changed_to_standard_output() {
    let output = crate::run_command::piped(&["set", "-", "hp", "8"], b"{ \"hp\": 7 }");
    assert_eq!(output.stdout, b"{ \"hp\": 8 }");
    let folder = folder();
    let path = folder.path().join("a.sav");
    SaveFile::new(&path).title("A title").save(&vec![7], Format::Binary).unwrap();
    let output =
        crate::run_command::piped(&["set", "-", "[0]", "8"], &std::fs::read(&path).unwrap()).stdout;
    std::fs::write(&path, output).unwrap();
    let loaded = SaveFile::new(&path).load::<Vec<i32>>().unwrap();
    assert_eq!((loaded.value, &*loaded.meta.title), (vec![8], "A title"));
}
