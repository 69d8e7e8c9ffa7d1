//! Schemas refuse common mistakes, and values that a load refuses.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::{Registry, Serialize, Value, json};

use crate::judged::validator;

trait Order: archive::Polymorphic {}
archive::polymorphic!(dyn Order);

#[derive(Default, Serialize)]
struct MoveTo {
    to: [f32; 2],
}
impl Order for MoveTo {}

#[derive(Default, Serialize)]
enum State {
    #[default]
    Idle,
    Walking {
        speed: f32,
    },
    #[archive(alias = "Hit")]
    Attack(u8),
}

#[derive(Default, Serialize)]
#[archive(tag = "type")]
enum Shape {
    #[default]
    Point,
    Circle {
        radius: f32,
    },
}

#[derive(Default, Serialize)]
struct Extra {
    left: u8,
}

#[derive(Default, Serialize)]
#[archive(version = 2)]
struct Unit {
    #[archive(required)]
    name: String,
    #[archive(range = 0..=100)]
    hp: u8,
    state: State,
    shape: Shape,
    #[archive(flatten)]
    extra: Extra,
    bag: BTreeMap<String, u16>,
    orders: Vec<Box<dyn Order>>,
    leader: Option<Rc<RefCell<Unit>>>,
    #[archive(alias = "colour")]
    color: Option<Option<u8>>,
}

#[derive(Default, Serialize)]
struct Open {
    known: u8,
    #[archive(unknown)]
    others: Value,
}

/// Returns whether the schema accepts the text. A schema may refuse a value that a load accepts,
/// but not the other way round.
fn accepts(text: &str) -> bool {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Order { MoveTo }).unwrap();
    let accepts = validator::<Unit>(&registry).is_valid(&serde_json::from_str(text).unwrap());
    let options = archive::Options::new().registry(&registry);
    let loads = json::from_str_with::<Unit>(text, &options);
    assert!(!accepts || loads.is_ok(), "{text}: {:?}", loads.err());
    accepts
}

#[test]
fn values_that_people_write() {
    for text in [
        r#"{"name":"Ann"}"#,
        r#"{"$schema":"unit.json","name":"Ann","$version":1}"#,
        r#"{"name":"Ann","hp":100,"state":"Idle"}"#,
        r#"{"name":"Ann","state":{"Walking":{"speed":1}}}"#,
        r#"{"name":"Ann","state":{"Hit":7}}"#,
        r#"{"name":"Ann","shape":{"type":"Circle","radius":1}}"#,
        r#"{"name":"Ann","left":7,"bag":{"rope":1}}"#,
        r#"{"name":"Ann","bag":[["rope",1]]}"#,
        r#"{"name":"Ann","orders":[{"$type":"MoveTo","$value":{"to":[1,2]}}]}"#,
        r#"{"name":"Ann","leader":{"name":"Bo"}}"#,
        r#"{"name":"Ann","leader":{"$id":1,"$value":{"name":"Bo"}}}"#,
        r#"{"name":"Ann","colour":{"$some":null}}"#,
    ] {
        assert!(accepts(text), "{text}");
    }
}

#[test]
fn common_mistakes() {
    for text in [
        r#"{}"#,
        r#"{"name":"Ann","nmae":"Bo"}"#,
        r#"{"name":7}"#,
        r#"{"name":"Ann","hp":101}"#,
        r#"{"name":"Ann","hp":1.5}"#,
        r#"{"name":"Ann","hp":-1}"#,
        r#"{"name":"Ann","state":"Idel"}"#,
        r#"{"name":"Ann","state":{"Walking":{"sped":1}}}"#,
        r#"{"name":"Ann","state":{"Attack":"x"}}"#,
        r#"{"name":"Ann","shape":{"type":"Circel"}}"#,
        r#"{"name":"Ann","shape":{"type":"Point","radius":1}}"#,
        r#"{"name":"Ann","bag":{"rope":"x"}}"#,
        r#"{"name":"Ann","orders":[{"$type":"MoveFrom","$value":{}}]}"#,
        r#"{"name":"Ann","orders":[{"$type":"MoveTo","$value":{"to":[1]}}]}"#,
        r#"{"name":"Ann","leader":{"nmae":"Bo"}}"#,
        r#"{"name":"Ann","$version":3}"#,
    ] {
        assert!(!accepts(text), "{text}");
    }
}

#[test]
fn types_that_keep_unknown_members_accept_them() {
    let validator = validator::<Open>(&Registry::new());
    assert!(validator.is_valid(&serde_json::json!({"known": 1, "other": [1]})));
    assert!(!validator.is_valid(&serde_json::json!({"known": "x"})));
}

#[derive(Default, Serialize)]
struct Tree(u8, Vec<Tree>);

#[test]
fn types_that_contain_themselves_have_schemas_at_every_depth() {
    let validator = validator::<Tree>(&Registry::new());
    let nested = |leaf: &str| {
        let text = (0..9).fold(leaf.to_owned(), |inner, depth| format!("[{depth},[{inner}]]"));
        serde_json::from_str(&text).unwrap()
    };
    assert!(validator.is_valid(&nested("[7,[]]")));
    assert!(!validator.is_valid(&nested("[\"7\",[]]")));
    assert!(!validator.is_valid(&nested("[7]")));
}
