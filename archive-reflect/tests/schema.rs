//! JSON Schemas. A validator in `archive-reflect/schema-check` checks that they accept written
//! values.

use std::rc::Rc;

use archive::reflect::Meta;
use archive::{Registry, Serialize, Value, json};

#[derive(Default, Serialize)]
struct Node {
    /// Shown to players.
    #[archive(label = "Name", alias = "title", required)]
    name: String,
    #[archive(unit = "kg", range = 0.0..=5.5)]
    weight: f32,
    children: Vec<Node>,
    next: Option<Rc<Node>>,
}

fn parsed(schema: &str) -> Value {
    json::from_str(schema).unwrap()
}

fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter().fold(value, |value, name| value.get(name).unwrap_or_else(|| panic!("no {name}")))
}

#[test]
fn recursive_types_are_definitions() {
    let schema = parsed(&Meta::of::<Vec<Node>>().json_schema());
    // The list is a definition as well if the compiler has one constant for it and for the member.
    let list = match schema.get("$ref").and_then(Value::as_str) {
        Some(place) => at(&schema, &["$defs", place.trim_start_matches("#/$defs/")]),
        None => &schema,
    };
    let items = at(list, &["items", "$ref"]);
    assert_eq!(items.as_str(), Some("#/$defs/Node"));
    let properties = at(&schema, &["$defs", "Node", "properties"]);
    let children = at(properties, &["children"]);
    let children = match children.get("$ref").and_then(Value::as_str) {
        Some(place) => at(&schema, &["$defs", place.trim_start_matches("#/$defs/")]),
        None => children,
    };
    assert_eq!(at(children, &["items", "$ref"]), items);
}

#[test]
fn schemas_describe_members() {
    let schema = parsed(&Meta::of::<Node>().json_schema());
    let node = at(&schema, &["$defs", "Node"]);
    let properties = at(node, &["properties"]);
    assert_eq!(at(properties, &["name", "title"]).as_str(), Some("Name"));
    assert_eq!(at(properties, &["name", "description"]).as_str(), Some("Shown to players."));
    assert_eq!(at(properties, &["title", "deprecated"]), &Value::Bool(true));
    assert_eq!(at(properties, &["weight", "description"]).as_str(), Some("In kg."));
    let bounds = at(properties, &["weight", "allOf"]).item(0).unwrap();
    assert_eq!(
        (bounds.get("minimum"), bounds.get("maximum")),
        (Some(&Value::from(0)), Some(&Value::from(5.5)))
    );
    // The alias is accepted as well, so the name is not required.
    assert_eq!(node.get("required"), None);
    assert_eq!(node.get("additionalProperties"), Some(&Value::Bool(false)));
}

trait Object: archive::Polymorphic {}
archive::polymorphic!(dyn Object);
impl Object for Node {}
impl Object for u8 {}

#[test]
fn trait_objects_are_of_the_registered_types() {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Object { Node, u8 as "number" }).unwrap();
    registry.register_type::<String>("Text").unwrap();
    let schema = parsed(&Meta::of::<Vec<Box<dyn Object>>>().json_schema_with(&registry));
    let either = at(&schema, &["items", "anyOf"]).as_array().unwrap();
    let ids: Vec<_> = either
        .iter()
        .map(|it| at(it, &["properties", "$type", "const"]).as_str().unwrap())
        .collect();
    assert_eq!(ids, ["Node", "number"]);
    let open = parsed(&Meta::of::<Box<dyn Object>>().json_schema_with(&Registry::new()));
    assert_eq!(at(&open, &["properties", "$type", "type"]).as_str(), Some("string"));
}

#[test]
fn types_of_one_name_are_two_definitions() {
    mod other {
        #[derive(Default, archive::Serialize)]
        pub struct Node {
            _x: u8,
        }
    }
    let schema = parsed(&Meta::of::<(Node, other::Node)>().json_schema());
    let names: Vec<_> =
        at(&schema, &["$defs"]).as_object().unwrap().iter().map(|it| it.0.as_str()).collect();
    assert_eq!(names, ["Node", "Node_2"]);
}

#[test]
fn variants_have_descriptions() {
    #[derive(Default, Serialize)]
    enum State {
        #[default]
        Idle,
        /// Over land.
        Walking,
        /// At somebody.
        Aiming(u8),
    }
    let schema = parsed(&Meta::of::<State>().json_schema());
    let either = at(&schema, &["$defs", "State", "anyOf"]);
    let told = |index: usize| {
        either.item(index).unwrap().get("description").map(|it| it.as_str().unwrap())
    };
    assert_eq!((told(0), told(1)), (None, Some("Over land.")));
    let aiming = at(either.item(2).unwrap(), &["properties", "Aiming", "description"]);
    assert_eq!(aiming.as_str(), Some("At somebody."));
}

/// `prefixItems` must not be empty in a schema.
#[test]
fn a_tuple_without_items_has_no_list_of_them() {
    #[derive(Default, Serialize)]
    struct Nothing();
    let schema = parsed(&Meta::of::<Nothing>().json_schema());
    assert_eq!((schema.get("prefixItems"), schema.get("maxItems")), (None, Some(&Value::from(0))));
}

#[test]
fn types_without_names_may_contain_themselves() {
    #[derive(Default, Serialize)]
    struct List(Vec<List>);
    #[derive(Default, Serialize)]
    struct Pair(u8, Option<Box<Pair>>);
    for meta in [Meta::of::<List>(), Meta::of::<Pair>()] {
        let schema = meta.json_schema();
        let definitions = parsed(&schema);
        let (name, _) = &at(&definitions, &["$defs"]).as_object().unwrap()[0];
        assert!(schema.contains(&format!("\"$ref\": \"#/$defs/{name}\"")), "{schema}");
    }
}

#[test]
fn generic_types_have_their_arguments_in_their_names() {
    #[derive(Default, Serialize)]
    struct Slot<T> {
        value: T,
    }
    let schema = parsed(&Meta::of::<(Slot<u8>, Box<Slot<String>>)>().json_schema());
    let names: Vec<_> =
        at(&schema, &["$defs"]).as_object().unwrap().iter().map(|it| it.0.as_str()).collect();
    assert_eq!(names, ["Slot_u8", "Slot_String"]);
}

/// An object in a schema has each keyword once: the member says more than its type.
#[test]
fn a_member_replaces_the_description_of_its_type() {
    #[derive(Default, Serialize)]
    struct Server {
        host: Option<std::path::PathBuf>,
        /// Where it listens.
        path: std::path::PathBuf,
    }
    let schema = Meta::of::<Server>().json_schema();
    assert_eq!(schema.matches("description").count(), 2, "{schema}");
    assert!(schema.contains("Where it listens.") && schema.contains("a path"), "{schema}");
}

/// Editors show a text with this format as a color.
#[test]
fn colors_have_a_format() {
    #[derive(Default, Serialize)]
    struct Lamp {
        #[archive(color)]
        text: Option<String>,
        #[archive(color)]
        number: u32,
    }
    let schema = parsed(&Meta::of::<Lamp>().json_schema());
    let properties = at(&schema, &["$defs", "Lamp", "properties"]);
    assert_eq!(at(properties, &["text", "format"]).as_str(), Some("color"));
    assert_eq!(at(properties, &["number"]).get("format"), None);
}
