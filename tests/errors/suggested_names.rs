//! An unknown name: the suggested name, and the known ones.

use archive::{
    Archive, ErrorKind, Options, Registry, Result, Serialize, Value, json, polymorphic, register,
};

use crate::common::{Format, forgiving};

fn file(format: Format, json: &str) -> Vec<u8> {
    format.to_vec(&json::from_str::<Value>(json).unwrap()).unwrap()
}

#[derive(Debug, Default, Serialize)]
struct Unit {
    name: String,
    hp: u8,
    #[archive(flatten)]
    place: Place,
}

#[derive(Debug, Default, Serialize)]
struct Place {
    position_x: i32,
}

#[derive(Debug, Default)]
struct ByHand {
    name: String,
    hp: u8,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("name", &mut self.name)?;
        ar.serialize("health", &mut self.hp)
    }
}
archive::blank!(ByHand);

#[test]
fn members_under_strict() {
    let strict = Options::new().strict(true);
    for format in forgiving() {
        let load = |text: &str| {
            let error =
                format.from_slice_with::<Vec<Unit>>(&file(format, text), &strict).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnknownMember, "{format}");
            (error.path().to_owned(), error.message().to_owned())
        };
        let has = "`name`, `hp`, `position_x`";
        let (path, message) = load(r#"[{"nmae":"Ann","hp":7,"position_x":1}]"#);
        assert_eq!(path, "[0].nmae", "{format}");
        let meant = format!("`Unit` has no such member, did you mean `name`? It has {has}");
        assert_eq!(message, meant, "{format}");
        let (_, message) = load(r#"[{"positionX":1}]"#);
        let meant = format!("`Unit` has no such member, did you mean `position_x`? It has {has}");
        assert_eq!(message, meant, "{format}");
        let (_, message) = load(r#"[{"mana":1}]"#);
        assert_eq!(message, format!("`Unit` has no such member; it has {has}"), "{format}");

        let by_hand = |text: &str| {
            let error = format.from_slice_with::<Vec<ByHand>>(&file(format, text), &strict);
            error.unwrap_err().message().to_owned()
        };
        let message = by_hand(r#"[{"health":1,"name":""},{"helth":1,"name":""}]"#);
        assert_eq!(message, "`ByHand` has no such member, did you mean `health`?", "{format}");
        // Absent in another object: nothing says that this one lacks it.
        let message = by_hand(r#"[{"name":""},{"health":1,"helth":1,"name":""}]"#);
        assert_eq!(message, "`ByHand` has no such member", "{format}");
    }
}

trait Command: archive::Polymorphic + std::fmt::Debug {}
polymorphic!(dyn Command);

#[derive(Debug, Default, Serialize)]
struct MoveTo {
    x: i32,
}
impl Command for MoveTo {}

#[derive(Debug, Default, Serialize)]
struct Attack {
    target: u32,
}
impl Command for Attack {}

fn registry() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Command { MoveTo, Attack as "attack" }).unwrap();
    registry
}

#[test]
fn type_ids() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    for format in forgiving() {
        for (id, after) in [
            ("Moveto", ", did you mean `MoveTo`? Registered: `MoveTo`, `attack`"),
            ("atack", ", did you mean `attack`? Registered: `MoveTo`, `attack`"),
            ("Heal", "; registered: `MoveTo`, `attack`"),
        ] {
            let text = format!(r#"[{{"$type":"{id}","$value":{{}}}}]"#);
            let loaded =
                format.from_slice_with::<Vec<Box<dyn Command>>>(&file(format, &text), &options);
            let error = loaded.unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownType, "[0]"), "{format}");
            let message = format!("the type id \"{id}\" is not registered{after}");
            assert_eq!(error.message(), message, "{format}");
        }
    }
}

#[test]
fn targets_of_aliases() {
    let error = registry().alias("walk", "moveTo").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the type id \"moveTo\" is not registered, did you mean `MoveTo`? \
         Registered: `MoveTo`, `attack`"
    );
}

#[test]
fn formats_by_name() {
    let error = archive::Format::from_name("jsn").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no format is called \"jsn\", did you mean `json`? \
         There are: `json`, `msgpack`, `binary`, `blob`"
    );
    let error = archive::Format::from_name("yaml").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no format is called \"yaml\"; there are: `json`, `msgpack`, `binary`, `blob`"
    );
    let error = archive::Format::from_path("save.jsno").unwrap_err();
    let message = error.to_string();
    let start = "no format for \"save.jsno\", did you mean `json`? Known extensions: `json`, ";
    assert!(message.starts_with(start), "{message}");
    let message = archive::Format::from_path("save").unwrap_err().to_string();
    assert!(message.starts_with("no format for \"save\"; known extensions: `json`, "), "{message}");
    assert_eq!(archive::Format::from_name("ObjectBlob").unwrap(), archive::Format::Blob);
    assert_eq!(archive::Format::from_name("MessagePack").unwrap(), archive::Format::MessagePack);
}

#[derive(Debug, Default, Serialize)]
enum State {
    #[default]
    Idle,
    Walking,
}

/// Names from a file are cut.
#[test]
fn long_names_are_cut() {
    let long = "Walking".repeat(10_000);
    let registry = registry();
    let options = Options::new().registry(&registry);
    for format in forgiving() {
        let error = format.from_slice::<State>(&format.to_vec(&long).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownVariant, "{format}");
        assert!(error.message().len() < 200, "{format}: {error}");
        let text = format!(r#"{{"$type":"{long}","$value":{{}}}}"#);
        let loaded = format.from_slice_with::<Box<dyn Command>>(&file(format, &text), &options);
        let error = loaded.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownType, "{format}");
        assert!(error.message().len() < 200, "{format}: {error}");
    }
}
