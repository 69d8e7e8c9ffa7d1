//! Where an error is: the path and the position of every kind of error.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::{ErrorKind, Options, Registry, Serialize, Value, json, polymorphic, register};

use crate::common::{Format, forgiving, formats, has_position};

/// The file of a JSON text in a format.
fn file(format: Format, json: &str) -> Vec<u8> {
    format.to_vec(&json::from_str::<Value>(json).unwrap()).unwrap()
}

#[derive(Debug, Default, Serialize)]
struct Odd {
    #[archive(rename = "")]
    empty: Option<Box<Odd>>,
    #[archive(rename = "a.b")]
    dots: u8,
    #[archive(rename = "x y")]
    space: u8,
    #[archive(rename = "[0]")]
    brackets: u8,
    #[archive(rename = "max-hp")]
    dash: u8,
}

#[test]
fn names_with_a_meaning_are_quoted() {
    for format in forgiving() {
        for (text, path) in [
            (r#"{"a.b":"x"}"#, r#"["a.b"]"#),
            (r#"{"":{"":{"x y":"x"}}}"#, r#"[""][""]["x y"]"#),
            (r#"{"":{"[0]":"x"}}"#, r#"[""]["[0]"]"#),
            (r#"{"":{"max-hp":"x"}}"#, r#"[""].max-hp"#),
        ] {
            let error = format.from_slice::<Odd>(&file(format, text)).unwrap_err();
            assert_eq!(error.path(), path, "{format}: {error}");
        }
    }
}

#[derive(Debug, Default, Serialize)]
struct Names {
    #[archive(as_object)]
    map: BTreeMap<String, u8>,
}

#[test]
fn keys_of_maps_are_names() {
    for format in forgiving() {
        for key in ["a.b", "", "7", "$7", "[0]", "x\ny"] {
            let text = format!(r#"{{"map":{{{:?}:300}}}}"#, if key == "$7" { "$$7" } else { key });
            let error = format.from_slice::<Names>(&file(format, &text)).unwrap_err();
            let path = match key {
                // Maps are maps there.
                _ if format.name() == "msgpack" => "map[0][1]".to_owned(),
                "7" => "map.7".to_owned(),
                // As it is written in the file.
                "$7" => "map.$$7".to_owned(),
                key => format!("map[{key:?}]"),
            };
            assert_eq!(error.path(), path, "{format}: {error}");
        }
    }
}

/// The report has the same paths.
#[test]
fn notes_have_quoted_names() {
    for format in forgiving() {
        let text = r#"{"":{"a.b":1,"x":1},"not one.":2}"#;
        let (_, report) =
            format.from_slice_report::<Odd>(&file(format, text), &Options::new()).unwrap();
        let unknown: Vec<&str> = report.unknown().collect();
        assert_eq!(unknown, [r#"[""].x"#, r#"["not one."]"#], "{format}");
    }
}

#[derive(Debug, Default, Serialize)]
struct Known {
    known: u8,
    inner: Option<Box<Known>>,
}

/// Skipped values have the same limits and errors as loaded ones.
#[test]
fn depth_is_the_same_error_when_skipped() {
    let deep = format!("{}7{}", "[".repeat(100), "]".repeat(100));
    for format in forgiving() {
        // Bins and CBOR are read as a whole, and ObjectBlob is skipped by sizes.
        let whole = ["bins", "ciborium"].contains(&format.name());
        if format.name() == "blob" {
            continue;
        }
        let options = Options::new().max_depth(20);
        for text in [
            format!(r#"{{"known":1,"inner":{{"unknown":{deep},"known":1}}}}"#),
            format!(r#"{{"known":1,"inner":{{"known":1,"unknown":{deep}}}}}"#),
        ] {
            let file = file(format, &text);
            let error = format.from_slice_with::<Known>(&file, &options).unwrap_err();
            // In serde formats as many values may be open as there are levels, and ron has a limit.
            let messages = [
                "more than 60 values are nested",
                "nested deeper than 20 levels",
                "Exceeded recursion limit",
            ];
            let is_told = messages.iter().any(|message| error.message().starts_with(message));
            assert!(error.kind() == ErrorKind::DepthLimit && is_told, "{format}: {error}");
            assert!(error.position().is_some(), "{format}: {error}");
            // There the version is searched for in the whole object, as in trees of text.
            let skips_by_size = ["binary", "columns"].contains(&format.name());
            let path = if skips_by_size { "inner" } else { "inner.unknown" };
            assert!(whole || error.path() == path, "{format}: {error}");
            format.from_slice::<Known>(&file).unwrap();
        }
    }
}

trait Shape: archive::Polymorphic + std::fmt::Debug {}
polymorphic!(dyn Shape);

#[derive(Debug, Default, Serialize)]
struct Circle {
    radius: u32,
}
impl Shape for Circle {}

#[derive(Debug, Default, Serialize)]
struct Scene {
    title: String,
    shapes: Vec<Box<dyn Shape>>,
    shared: Vec<Rc<RefCell<dyn Shape>>>,
}

#[test]
fn missing_registries_have_a_path() {
    let mut registry = Registry::new();
    register!(registry, dyn Shape { Circle }).unwrap();
    let options = Options::new().registry(&registry);
    let shared: Rc<RefCell<dyn Shape>> = Rc::new(RefCell::new(Circle { radius: 2 }));
    let of = |boxes: usize| Scene {
        title: "a title".to_owned(),
        shapes: (0..boxes).map(|_| Box::new(Circle { radius: 1 }) as Box<dyn Shape>).collect(),
        shared: vec![shared.clone()],
    };
    let message =
        "the type id \"Circle\" needs a registry: `Options::registry` or `Registry::install`";
    for format in formats() {
        for (scene, path) in [(of(2), "shapes[0]"), (of(0), "shared[0]")] {
            let error = format.to_vec(&scene).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::Unregistered, path), "{format}");
            let file = format.to_vec_with(&scene, &options).unwrap();
            let error = format.from_slice::<Scene>(&file).unwrap_err();
            assert_eq!((error.path(), error.message()), (path, message), "{format}");
            let root = format.from_slice::<u8>(&file).unwrap_err();
            assert!(has_position(format, &error), "{format}: {error}");
            let differs = error.position() != root.position();
            assert!(differs || error.position().is_none(), "{format}: {error}");
        }
    }
}

/// Without a default: a blank one needs the registry before anything is read.
#[derive(Debug, Serialize)]
struct Owner {
    shape: Box<dyn Shape>,
}

#[test]
fn registries_that_are_missed_early_have_a_path() {
    for format in forgiving() {
        let text = r#"[{"shape":null},{"shape":null}]"#;
        let error = format.from_slice::<Vec<Owner>>(&file(format, text)).unwrap_err();
        assert_eq!(error.path(), "[0]", "{format}: {error}");
        let message = format!(
            "`dyn {}::Shape` needs a registry: `Options::registry` or `Registry::install`",
            module_path!()
        );
        assert_eq!(error.message(), message, "{format}");
        if format.name() == "json" {
            let position = archive::error::Position::Line { line: 1, column: 2 };
            assert_eq!(error.position(), Some(position));
        }
    }
}

#[derive(Debug, Default, Serialize)]
struct Chain {
    next: Option<Rc<RefCell<Chain>>>,
    other: Option<Weak<RefCell<Chain>>>,
    hp: u8,
}

#[test]
fn a_dangling_reference_names_its_object() {
    for format in forgiving() {
        let text = r#"{"next":{"$id":1}}"#;
        let error = format.from_slice::<Chain>(&file(format, text)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPointer, "{format}: {error}");
        assert_eq!(error.path(), "$1", "{format}: {error}");
        assert!(has_position(format, &error), "{format}: {error}");
    }
}

/// An object is stored in a member that is not loaded.
#[test]
fn an_object_elsewhere_is_called_by_its_id() {
    for format in forgiving() {
        let text = r#"{"next":{"$id":1},"gone":{"$id":1,"$value":{"hp":300}}}"#;
        let error = format.from_slice::<Chain>(&file(format, text)).unwrap_err();
        assert_eq!(error.path(), "$1.hp", "{format}: {error}");
        assert_eq!(error.class(), Some("Chain"), "{format}: {error}");
    }
}

#[derive(Debug, Default, Serialize)]
enum Old {
    #[default]
    A,
}

#[derive(Debug, Default, Serialize)]
struct Saved<T> {
    choice: T,
}

#[derive(Debug, Serialize)]
enum New {
    A { p: u8, q: u8 },
}

/// A variant that got members lacks all of them in old files.
#[test]
fn a_unit_variant_lacks_the_members() {
    for format in forgiving() {
        let file = format.to_vec(&Saved { choice: Old::A }).unwrap();
        let (_, report) = format.from_slice_report::<Saved<New>>(&file, &Options::new()).unwrap();
        let absent: Vec<&str> = report.absent().collect();
        assert_eq!(absent, ["choice.A.p", "choice.A.q"], "{format}");
    }
}
