//! Pointers that were written by hand and lack a member.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::{ErrorKind, Options, Registry, Serialize, Value, json};

use crate::common::{forgiving, has_position};

trait Monster: archive::Polymorphic {}
archive::polymorphic!(dyn Monster);

#[derive(Debug, Default, Serialize)]
struct Orc {
    hp: u8,
}

impl Monster for Orc {}

#[derive(Serialize)]
struct Level {
    boss: Box<dyn Monster>,
    guard: Option<Rc<RefCell<dyn Monster>>>,
    bare: Option<Rc<Orc>>,
    weak: Weak<RefCell<Orc>>,
}

#[test]
fn missing_members_are_named() {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Monster { Orc }).unwrap();
    let options = Options::new().registry(&registry);
    let boss = r#""boss":{"$type":"Orc","$value":{"hp":7}}"#;
    let level = |member: &str| format!("{{{boss},{member}}}");
    let needs = "an owned trait object needs `$value`, a shared one `$id`";
    let no_value = format!("`$type` \"Orc\" has no `$value`: {needs}");
    let neither = format!("a pointer without `$id` and `$value`: {needs}");
    let later = "`$later` requires `$id`";
    let cases = [
        (r#"{"boss":{"$type":"Orc"}}"#.to_owned(), "boss", &*no_value),
        (r#"{"boss":{"$type":"Orc","hp":7}}"#.to_owned(), "boss", &no_value),
        (level(r#""guard":{"$type":"Orc"}"#), "guard", &no_value),
        (level(r#""guard":{"$type":"Orc","hp":7}"#), "guard", &no_value),
        (level(r#""bare":{"$type":"Orc"}"#), "bare", &no_value),
        (level(r#""weak":{"$type":"Orc"}"#), "weak", &no_value),
        (level(r#""guard":{"$deferred":[]}"#), "guard", &neither),
        (level(r#""guard":{"$later":true}"#), "guard", later),
        (level(r#""guard":{"$type":"Orc","$later":true}"#), "guard", later),
    ];
    for format in forgiving() {
        for (text, path, message) in &cases {
            let tree: Value = json::from_str(text).unwrap();
            let file = format.to_vec(&tree).unwrap();
            let error = format.from_slice_with::<Level>(&file, &options).err();
            let error = error.unwrap_or_else(|| panic!("{format}: loaded {text}"));
            let found = (error.kind(), error.path(), error.message());
            assert_eq!(found, (ErrorKind::BadPointer, *path, *message), "{format}: {text}");
            assert!(has_position(format, &error), "{format}: {error}");
        }
        let file = format.to_vec(&json::from_str::<Value>(&level("\"x\":0")).unwrap()).unwrap();
        format.from_slice_with::<Level>(&file, &options).unwrap();
    }
}

/// The place is that of the pointer.
#[test]
fn positions_are_those_of_the_pointers() {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Monster { Orc }).unwrap();
    let text = "{\"boss\":\n  {\"$type\": \"Orc\"}}";
    let error = json::from_str_with::<Level>(text, &Options::new().registry(&registry));
    let error = error.err().unwrap();
    assert_eq!(error.position().unwrap().to_string(), "line 2 column 3");
}
