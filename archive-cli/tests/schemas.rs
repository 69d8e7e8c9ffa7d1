//! Files whose types are in a schema.

use archive::Serialize;

use crate::run_command::{fails, folder, ok, run};

const SCHEMA: &str = r#"{ "root": "Unit", "types": { "Unit": { "members": [
    { "name": "name", "type": "String", "default": "Orc" },
    { "name": "hp", "type": "u16", "default": 40, "range": [0, 99] },
    { "name": "orders", "type": "Vec<Order>" } ] },
  "Order": { "variants": [{ "name": "Hold" }, { "name": "Walk", "items": ["[f32; 2]"] }] } } }"#;

/// A folder with the schema, and the path of a name in it.
fn files() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = folder();
    let root = folder.path().to_owned();
    let path = move |name: &str| root.join(name).to_str().unwrap().to_owned();
    std::fs::write(path("schema.json"), SCHEMA).unwrap();
    (folder, path)
}

#[test]
fn new_files_have_the_defaults() {
    let (_folder, path) = files();
    let schema = path("schema.json");
    ok(&["new", &path("orc.json"), "Unit", "--schema", &schema]);
    let text = std::fs::read_to_string(path("orc.json")).unwrap();
    assert_eq!(text, "{\n  \"name\": \"Orc\",\n  \"hp\": 40,\n  \"orders\": []\n}\n");
    ok(&["new", &path("units.bin"), "Vec<Unit>", "--schema", &schema]);
    assert_eq!(ok(&["get", &path("units.bin")]), "[]\n");
    // Nothing is lost.
    let error = fails(&["new", &path("orc.json"), "Unit", "--schema", &schema], 2);
    assert!(error.contains("exists"), "{error}");
    let error = fails(&["new", &path("b.json"), "Unti", "--schema", &schema], 2);
    assert!(error.contains("did you mean `Unit`"), "{error}");
    assert!(!std::fs::exists(path("b.json")).unwrap());
}

#[test]
fn values_are_verified() {
    let (_folder, path) = files();
    let (schema, file) = (path("schema.json"), path("a.json"));
    std::fs::write(&file, r#"{"name":"Ann","hp":3,"orders":["Hold",{"Walk":[1,2]}]}"#).unwrap();
    ok(&["verify", &file, "--schema", &schema]);
    std::fs::write(&file, r#"{"name":"Ann","hp":70000,"order":[],"orders":["Hide"]}"#).unwrap();
    ok(&["verify", &file]);
    let errors = fails(&["verify", &file, "--schema", &schema], 1);
    for part in [
        "hp: 70000 does not fit u16",
        "order: the type has no such member",
        "Hide",
        "line 1 column",
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let error = fails(&["verify", &file, "--schema", &schema, "--type", "Vec<Unit>"], 1);
    assert!(error.contains("expected a sequence"), "{error}");
}

#[test]
fn new_values_are_checked() {
    let (_folder, path) = files();
    let (schema, file) = (path("schema.json"), path("a.json"));
    let text = r#"{ "name": "Ann",  "hp": 3, "orders": ["Hold"] }"#;
    std::fs::write(&file, text).unwrap();
    for (at, value, part) in [
        ("hp", "100", "100 is not in the range from 0 to 99"),
        ("hp", "\"x\"", "expected u16"),
        ("orders[0]", "\"Hide\"", "Hide"),
        ("orders[*]", "{\"Walk\":[1]}", "expected 2 items"),
    ] {
        let error = fails(&["set", &file, at, value, "--schema", &schema], 2);
        assert!(error.contains(part), "{at}: {error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
    ok(&["set", &file, "hp", "70", "--schema", &schema]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text.replace("3,", "70,"));
}

#[test]
fn errors_of_the_schema() {
    let (_folder, path) = files();
    let text = SCHEMA.replace("u16", "u61").replace("[f32; 2]", "[f32; 2");
    std::fs::write(path("wrong.json"), text).unwrap();
    let errors = fails(&["new", &path("a.json"), "Unit", "--schema", &path("wrong.json")], 2);
    for part in ["wrong.json: ", "there is no type `u61`", "expected `]`", "line 3 column"] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let error = fails(&["new", &path("a.json"), "Unit", "--schema", &path("none.json")], 2);
    assert!(error.contains("none.json"), "{error}");
}

/// Trait objects, whose types are those of the program, are kept as they are.
#[test]
fn trait_objects() {
    let (_folder, path) = files();
    let schema = path("orders.json");
    let text = r#"{ "root": "Plan", "types": { "Plan": { "members": [
        { "name": "first", "type": "Box<dyn Order>", "default": {"$type":"wait","$value":{"ticks":7}} },
        { "name": "steps", "type": "Vec<Box<dyn Order>>" }, { "name": "hp", "type": "u8" } ] } } }"#;
    std::fs::write(&schema, text).unwrap();
    let plan = r#"{"first":{"$type":"wait","$value":{"ticks":7}},"steps":[],"hp":0}"#;
    for name in ["a.json", "a.bin", "a.msgpack", "a.blob"] {
        let file = path(name);
        ok(&["new", &file, "Plan", "--schema", &schema]);
        assert_eq!(ok(&["get", &file, "--compact"]).trim_end(), plan, "{name}");
        ok(&["verify", &file, "--schema", &schema]);
    }
    let file = path("a.json");
    ok(&["set", &file, "first.ticks", "8", "--schema", &schema]);
    assert_eq!(ok(&["get", &file, "first.ticks"]), "8\n");
    let error = fails(&["set", &file, "hp", "300", "--schema", &schema], 2);
    assert!(error.contains("300 does not fit u8"), "{error}");
}

#[derive(Default, Serialize)]
struct Level {
    title: String,
    doors: Vec<(u8, f32)>,
}

/// The types of a binary file are a schema, which accepts the file.
#[test]
fn types_of_a_binary_file() {
    let (_folder, path) = files();
    let file = path("a.bin");
    let level = Level { title: "Hall".into(), doors: vec![(1, 0.5)] };
    std::fs::write(&file, archive::binary::to_vec(&level).unwrap()).unwrap();
    let schema = ok(&["schema", &file, "--types"]);
    std::fs::write(path("level.json"), &schema).unwrap();
    ok(&["verify", &file, "--schema", &path("level.json")]);
    ok(&["new", &path("b.bin"), "Level", "--schema", &path("level.json")]);
    assert_eq!(ok(&["get", &path("b.bin"), "--compact"]), "{\"title\":\"\",\"doors\":[]}\n");
    let output = run(&["schema", &path("level.json"), "--types"]);
    assert_eq!(output.status.code(), Some(2));
}
