//! Members of made types that are trait objects: `Box<dyn Order>`.

use std::cell::RefCell;
use std::rc::Rc;

use archive::reflect::{Edit, apply, get, get_as};
use archive::store::storage::Memory;
use archive::store::{Pool, Store};
use archive::types::{Made, Methods, Record, RegisterSchema, Schema};
use archive::{
    ErrorKind, Options, Polymorphic, Registry, Serialize, Unknown, Value, json, register,
};

use crate::common::{forgiving, of_library};

trait Order: Polymorphic {
    fn cost(&mut self) -> u32 {
        0
    }
}
archive::polymorphic!(dyn Order);
trait Other: Polymorphic {}
archive::polymorphic!(dyn Other);

#[derive(Serialize)]
struct Wait {
    #[archive(default = 2)]
    ticks: u8,
}
#[derive(Serialize)]
struct Attack {
    target: Rc<RefCell<u8>>,
}
#[derive(Serialize)]
struct Stone {
    weight: u8,
}
impl Order for Wait {
    fn cost(&mut self) -> u32 {
        self.ticks.into()
    }
}
impl Order for Attack {}
impl Order for Unknown {}
impl Order for Made {
    fn cost(&mut self) -> u32 {
        self.call("cost", &[]).and_then(|value| value.to()).unwrap_or(99)
    }
}
impl Other for Stone {}

const SCHEMA: &str = r#"{"types":{
    "Sing": { "implements": ["Order"], "members": [{ "name": "song", "type": "String" }] },
    "Plan": { "implements": ["Order"], "members": [
        { "name": "first", "type": "Box<dyn Order>", "default": {"$type":"wait","$value":{"ticks":7}} },
        { "name": "steps", "type": "Vec<Box<dyn game::Order + Send>>" },
        { "name": "last", "type": "Option<Box<dyn Order>>" }] },
    "Bare": { "members": [{ "name": "order", "type": "Box<dyn Order>" }] }
}}"#;

fn schema() -> Schema {
    Schema::from_slice(SCHEMA.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Order { Wait as "wait", Attack as "attack" }).unwrap();
    register!(registry, dyn Other { Stone as "stone" }).unwrap();
    registry.schema::<dyn Order>(schema(), &Methods::new()).unwrap();
    registry
}

fn record(ty: &str, text: &str, options: &Options<'_>) -> archive::Result<Record> {
    let options = options.clone().provide(schema().get(ty).unwrap());
    json::from_str_with(text, &options)
}

const PLAN: &str = r#"{"first":{"$type":"wait","$value":{"ticks":3}},"steps":[{"$type":"Sing","$value":{"song":"la"}},{"$type":"Plan","$value":{"first":{"$type":"wait","$value":{"ticks":7}},"steps":[],"last":null}}],"last":{"$type":"wait","$value":{"ticks":4}}}"#;

#[test]
fn every_format_brings_them_back() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let plan = record("Plan", PLAN, &options).unwrap();
    let provided = options.clone().provide(schema().get("Plan").unwrap());
    for format in of_library(forgiving()) {
        let bytes = format.to_vec_with(&plan, &options).unwrap();
        let loaded: Record = format.from_slice_with(&bytes, &provided).unwrap();
        assert_eq!(loaded, plan, "{format}");
        assert_eq!(json::to_string_with(&loaded, &options).unwrap(), PLAN, "{format}");
    }
}

#[test]
fn paths_and_edits() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let mut plan = record("Plan", PLAN, &options).unwrap();
    let before = plan.clone();
    let at = |path: &str| path.parse().unwrap();
    assert_eq!(get_as::<u8>(&plan, &at("first.ticks"), &options).unwrap(), 3);
    assert_eq!(get_as::<u8>(&plan, &at("steps[1].first.ticks"), &options).unwrap(), 7);
    let mut first: Box<dyn Order> = get_as(&plan, &at("first"), &options).unwrap();
    assert_eq!(first.cost(), 3);

    let edit = Edit::new().set(at("first.ticks"), 5).set(at("steps[1].first.ticks"), 6);
    let undo = apply(&mut plan, &edit, &options).unwrap();
    assert_eq!(get_as::<u8>(&plan, &at("steps[1].first.ticks"), &options).unwrap(), 6);
    assert_ne!(plan, before);
    apply(&mut plan, &undo, &options).unwrap();
    assert_eq!(plan, before);

    // Another object, as a tree.
    let sing = get(&plan, &at("steps[0]"), &options).unwrap();
    let edit = Edit::new().set(at("first"), sing.clone());
    apply(&mut plan, &edit, &options).unwrap();
    assert_eq!(get(&plan, &at("first"), &options).unwrap(), sing);
    // What was cloned has its own objects.
    assert_eq!(get_as::<u8>(&before, &at("first.ticks"), &options).unwrap(), 3);

    for (path, value, message) in [
        ("last.ticks", Value::from(300), "last.ticks: 300 does not fit u8"),
        ("last.pace", 1.into(), "last: there is no `pace`; there are: `ticks`"),
        ("steps[0].song", 1.into(), "steps[0].song: expected text, found 1"),
        (
            "last",
            1.into(),
            "last: expected `dyn types::trait_members::Order` with `$type`, found a value without it",
        ),
    ] {
        let before = plan.clone();
        let error = apply(&mut plan, &Edit::new().set(at(path), value), &options).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(plan, before, "{path}");
    }
}

#[test]
fn defaults_and_objects_that_are_not_there() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let plan = Record::new(schema().get("Plan").unwrap());
    assert_eq!(
        json::to_string_with(&plan, &options).unwrap(),
        r#"{"first":{"$type":"wait","$value":{"ticks":7}},"steps":[],"last":null}"#
    );
    let bare = Record::new(schema().get("Bare").unwrap());
    let error = json::to_string_with(&bare, &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "order: there is no `dyn Order` yet: set it, or give the member a default"
    );
    let error = record("Bare", "{}", &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingMember);
    assert!(record("Plan", "{}", &options).unwrap() == plan);
}

#[test]
fn ids_that_do_not_fit() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let of = |id: &str| format!(r#"{{"order":{{"$type":"{id}","$value":{{}}}}}}"#);
    for (id, kind, part) in [
        ("nobody", ErrorKind::UnknownType, "the type id \"nobody\" is not registered"),
        ("stone", ErrorKind::UnknownType, "the type id \"stone\" is not registered"),
    ] {
        let error = record("Bare", &of(id), &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(part), "{error}");
        assert!(error.to_string().starts_with("order"), "{error}");
    }
    // The program keeps objects that it does not know.
    let mut keeps = registry.clone();
    register!(keeps, dyn Order { Unknown }).unwrap();
    let keeps = Options::new().registry(&keeps).keep_unknown(true);
    let kept = record("Bare", &of("nobody"), &keeps).unwrap();
    assert_eq!(json::to_string_with(&kept, &keeps).unwrap(), of("nobody"));
}

#[test]
fn programs_without_the_trait() {
    let none = Options::new();
    let text = r#"{"order":{"$type":"wait","$value":{"ticks":1}}}"#;
    let error = record("Bare", text, &none).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    assert!(error.to_string().contains("`registry.schema::<dyn Order>` adds it"), "{error}");
    // Tools have no registry.
    let tool = Options::new().keep_unknown(true);
    let kept = record("Bare", text, &tool).unwrap();
    let (options, registry) = (tool.clone().provide(schema().get("Bare").unwrap()), registry());
    let program = Options::new().registry(&registry).provide(schema().get("Bare").unwrap());
    for format in of_library(forgiving()) {
        let bytes = format.to_vec_with(&kept, &tool).unwrap();
        let again: Record = format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(json::to_string_with(&again, &tool).unwrap(), text, "{format}");
        let loaded: Record = format.from_slice_with(&bytes, &program).unwrap();
        assert_eq!(json::to_string_with(&loaded, &program).unwrap(), text, "{format}");
        let bytes = format.to_vec_with(&loaded, &program).unwrap();
        let again: Record = format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(json::to_string_with(&again, &tool).unwrap(), text, "{format}");
    }
    let mut changed = kept.clone();
    let edit = Edit::new().set("order.ticks".parse().unwrap(), 5);
    apply(&mut changed, &edit, &tool).unwrap();
    assert_eq!(json::to_string_with(&changed, &tool).unwrap(), text.replace('1', "5"));
    let error = record("Bare", r#"{"order":5}"#, &tool).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
}

/// Defaults are checked when they are used, since a schema is read before its types are registered.
#[test]
fn defaults_that_are_wrong() {
    let schema = |default: &str| {
        let text = SCHEMA.replace(r#"{"$type":"wait","$value":{"ticks":7}}"#, default);
        Schema::from_slice(text.as_bytes())
    };
    let error = schema("5").unwrap_err().to_string();
    assert!(error.contains("expected `dyn Order` with `$type` and `$value`"), "{error}");
    let schema = schema(r#"{"$type":"wait","$value":{"ticks":700}}"#).unwrap();
    let registry = registry();
    let plan = Record::new(schema.get("Plan").unwrap());
    let error = json::to_string_with(&plan, &Options::new().registry(&registry)).unwrap_err();
    assert_eq!(error.to_string(), "first.ticks: 700 does not fit u8");
}

#[test]
fn shared_objects_are_refused() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let text = r#"{"order":{"$type":"attack","$value":{"target":{"$id":1,"$value":3}}}}"#;
    let error = record("Bare", text, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("cannot have shared pointers"), "{error}");
}

/// Each object in an object is loaded once, not twice for each one around it.
#[test]
fn objects_in_objects() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let nested = |depth: usize| {
        let (before, after) =
            (r#"{"first":{"$type":"Plan","$value":"#, r#"},"steps":[],"last":null}"#);
        format!("{}{PLAN}{}", before.repeat(depth), after.repeat(depth))
    };
    let text = nested(40);
    let plan = record("Plan", &text, &options).unwrap();
    for format in of_library(forgiving()) {
        let bytes = format.to_vec_with(&plan, &options).unwrap();
        let provided = options.clone().provide(schema().get("Plan").unwrap());
        let loaded: Record = format.from_slice_with(&bytes, &provided).unwrap();
        assert_eq!(loaded, plan, "{format}");
    }
    let deep = "first.".repeat(41) + "ticks";
    assert_eq!(get_as::<u8>(&plan, &deep.parse().unwrap(), &options).unwrap(), 3);
    let error = record("Plan", &nested(100_000), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
}

#[test]
fn spellings() {
    let parsed = |ty: &str| schema().get(ty).map(|ty| ty.to_string());
    assert_eq!(parsed("Vec<Box<dyn a::Order + Send + Sync>>").unwrap(), "Vec<Box<dyn Order>>");
    for (ty, part) in [
        ("Rc<RefCell<dyn Order>>", "in a `Box` only"),
        ("Vec<dyn Order>", "in a `Box` only"),
        ("Box<RefCell<dyn Order>>", "in a `Box` only"),
        ("Box<dyn>", "expected a type"),
        ("Box<dyn Order", "expected `>`"),
        ("BTreeMap<Box<dyn Order>, u8>", "cannot be a key"),
    ] {
        let error = parsed(ty).unwrap_err();
        assert!(error.to_string().contains(part), "{ty}: {error}");
    }
}

#[derive(Default, Serialize)]
struct Orders {
    #[archive(default = 3)]
    limit: u8,
    all: Vec<Box<dyn Order>>,
    last: Option<Box<dyn Order>>,
    by_name: std::collections::BTreeMap<String, Box<dyn Order>>,
}

#[derive(Serialize)]
struct One {
    order: Box<dyn Order>,
}

#[test]
fn schemas_of_compiled_types() {
    let ty = Schema::of::<Orders>().unwrap();
    assert_eq!(
        json::to_string(ty.schema().file()).unwrap(),
        r#"{"types":{"Orders":{"members":[{"name":"limit","type":"u8","default":3},{"name":"all","type":"Vec<Box<dyn Order>>"},{"name":"last","type":"Option<Box<dyn Order>>"},{"name":"by_name","type":"BTreeMap<String, Box<dyn Order>>"}]}},"root":"Orders"}"#
    );
    let registry = registry();
    let options = Options::new().registry(&registry);
    let text = r#"{"limit":4,"all":[{"$type":"wait","$value":{"ticks":1}}],"last":null,"by_name":{"a":{"$type":"Sing","$value":{"song":"la"}}}}"#;
    let orders: Orders = json::from_str_with(text, &options).unwrap();
    let record: Record = json::from_str_with(text, &options.clone().provide(ty)).unwrap();
    for format in of_library(forgiving()) {
        let (one, other) =
            (format.to_vec_with(&orders, &options), format.to_vec_with(&record, &options));
        assert_eq!(one.unwrap(), other.unwrap(), "{format}");
    }
    let error = Schema::of::<One>().unwrap_err().to_string();
    assert!(error.starts_with("order: "), "{error}");
    assert!(error.contains("not in an `Option` or a container"), "{error}");
}

#[derive(Default, Serialize)]
struct World {
    orders: Pool<Box<dyn Order>>,
}
archive::store::persistent!(World = "world", Box<dyn Order> = "order");

/// Objects of made types, with objects in them, have rows of their own.
#[test]
fn rows_of_a_store() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let text = format!(
        r#"[{{"$type":"Plan","$value":{PLAN}}},{{"$type":"wait","$value":{{"ticks":1}}}}]"#
    );
    let orders: Vec<Box<dyn Order>> = json::from_str_with(&text, &options).unwrap();
    let mut world = World::default();
    let keys: Vec<_> = orders.into_iter().map(|order| world.orders.insert(order)).collect();
    let store = Store::over_with(Memory::new(), &options).unwrap();
    assert_eq!(store.save(&world).unwrap().written, 3);
    let mut loaded = World::default();
    store.begin_load().unwrap();
    store.attach(&mut loaded).unwrap();
    assert!(store.finish_load().unwrap().is_clean());
    for key in &keys {
        let saved = |world: &World| json::to_string_with(world.orders.get(*key).unwrap(), &options);
        assert_eq!(saved(&loaded).unwrap(), saved(&world).unwrap());
    }
    // Only a changed order is written.
    assert_eq!(store.save(&loaded).unwrap().written, 0);
    let plan: Box<dyn Order> = registry.make("Plan", &options).unwrap();
    *loaded.orders.get_mut(keys[0]).unwrap() = plan;
    assert_eq!(store.save(&loaded).unwrap().written, 1);
    assert_eq!(loaded.orders.get_mut(keys[1]).unwrap().cost(), 1);
}
