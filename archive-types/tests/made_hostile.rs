//! Made types whose ids or traits are wrong, and methods that fail.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::{Rc, Weak};

use archive::types::{Made, Methods, RegisterSchema, Schema};
use archive::{
    ErrorKind, Options, Polymorphic, Registry, Serialize, Unknown, Value, json, msgpack, register,
};

trait Thing: Polymorphic {
    fn run(&mut self) -> archive::Result<Value>;
}
archive::polymorphic!(dyn Thing);
trait Other: Polymorphic {}
archive::polymorphic!(dyn Other);

#[derive(Debug, Default, PartialEq, Serialize)]
struct Compiled {
    a: u8,
}
impl Thing for Compiled {
    fn run(&mut self) -> archive::Result<Value> {
        Ok(self.a.into())
    }
}
impl Thing for Unknown {
    fn run(&mut self) -> archive::Result<Value> {
        Ok(Value::Null)
    }
}
impl Thing for Made {
    fn run(&mut self) -> archive::Result<Value> {
        self.call("run", &["argument".into()])
    }
}
impl Other for Made {}

const SCHEMA: &str = r#"{"types":{
    "Spell":  { "implements": ["Thing"], "members": [{ "name": "a", "type": "u8", "default": 5 }] },
    "Gadget": { "implements": ["Other"], "members": [{ "name": "b", "type": "u8" }] },
    "Both":   { "implements": ["Thing", "Other"], "members": [{ "name": "Spell", "type": "Spell", "base": true }] }
}}"#;

fn schema(text: &str) -> Schema {
    Schema::from_slice(text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn registry(methods: &Methods) -> Registry {
    let mut registry = Registry::new();
    registry.schema::<dyn Thing>(schema(SCHEMA), methods).unwrap();
    registry.schema::<dyn Other>(schema(SCHEMA), methods).unwrap();
    registry
}

fn make(methods: &Methods, id: &str) -> Box<dyn Thing> {
    registry(methods).make(id, &Options::new()).unwrap()
}

fn made(thing: &mut dyn Thing) -> &mut Made {
    (thing as &mut dyn std::any::Any).downcast_mut().unwrap()
}

#[test]
fn ids_are_those_of_one_type() {
    let methods = Methods::new();
    let mut registry = registry(&methods);
    assert_eq!(registry.ids_of::<dyn Thing>().collect::<Vec<_>>(), ["Both", "Spell"]);
    assert_eq!(registry.ids_of::<dyn Other>().collect::<Vec<_>>(), ["Both", "Gadget"]);
    let both = registry.make::<dyn Other>("Both", &Options::new()).unwrap();
    assert_eq!(registry.id(&*both), Some("Both"));

    let error = register!(registry, dyn Thing { Compiled as "Spell" }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateType);
    assert!(error.to_string().contains("\"Spell\""), "{error}");
    let mut compiled = Registry::new();
    register!(compiled, dyn Thing { Compiled as "Spell" }).unwrap();
    let error = compiled.schema::<dyn Thing>(schema(SCHEMA), &Methods::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateType);
    assert!(error.to_string().contains("Compiled"), "{error}");
    assert_eq!(compiled.ids().collect::<Vec<_>>(), ["Spell"], "nothing of it is registered");

    // Twice, with other methods, and as another type.
    for methods in [methods, Methods::new()] {
        let error = registry.schema::<dyn Thing>(schema(SCHEMA), &methods).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateType, "{error}");
    }
    let other = schema(r#"{"types":{"Spell":{"implements":["Thing"]}}}"#);
    let error = registry.schema::<dyn Thing>(other, &Methods::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateType, "{error}");

    registry.alias("Old", "Spell").unwrap();
    let error = registry.alias("Gadget", "Spell").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateType, "{error}");
    let options = Options::new().registry(&registry);
    let spell: Box<dyn Thing> =
        json::from_str_with(r#"{"$type":"Old","$value":{"a":6}}"#, &options).unwrap();
    let text = json::to_string_with(&spell, &options).unwrap();
    assert_eq!(text, r#"{"$type":"Spell","$value":{"a":6}}"#);
}

/// An object of a type of this name in another registry is not saved under the id.
#[test]
fn the_id_of_another_type() {
    let other = schema(
        r#"{"types":{"Spell":{"implements":["Thing"],"members":[{"name":"c","type":"u8"}]}}}"#,
    );
    let mut registry = Registry::new();
    registry.schema::<dyn Thing>(other, &Methods::new()).unwrap();
    let spell = make(&Methods::new(), "Spell");
    for registry in [registry, Registry::new()] {
        let error = json::to_string_with(&spell, &Options::new().registry(&registry)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unregistered, "{error}");
    }
}

#[derive(Serialize)]
struct World {
    things: Vec<Rc<RefCell<dyn Thing>>>,
    others: Vec<Rc<RefCell<dyn Other>>>,
    weak: Weak<RefCell<dyn Thing>>,
}

#[test]
fn an_id_of_another_trait() {
    let registry = registry(&Methods::new());
    for keep in [false, true] {
        let options = Options::new().registry(&registry).keep_unknown(keep);
        let text = r#"{"$type":"Gadget","$value":{"b":1}}"#;
        let error = json::from_str_with::<Box<dyn Thing>>(text, &options).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::UnknownType, "{error}");
        for text in [
            r#"{"things":[{"$id":1,"$type":"Spell","$value":{}}],"others":[{"$id":1}]}"#,
            r#"{"things":[{"$id":1}],"others":[{"$id":1,"$type":"Gadget","$value":{}}]}"#,
            r#"{"others":[{"$id":1}],"things":[{"$id":1,"$type":"Spell","$value":{}}]}"#,
            r#"{"others":[{"$id":1,"$type":"Gadget","$value":{}}],"weak":{"$weak":1}}"#,
            r#"{"weak":{"$weak":1},"others":[{"$id":1,"$type":"Gadget","$value":{}}]}"#,
            r#"{"weak":{"$id":1,"$later":true,"$type":"Spell"},"others":[{"$id":1,"$type":"Gadget","$value":{}}]}"#,
        ] {
            let error = json::from_str_with::<World>(text, &options).err();
            let error = error.unwrap_or_else(|| panic!("{text}"));
            let kinds = [ErrorKind::BadPointer, ErrorKind::UnknownType];
            assert!(kinds.contains(&error.kind()), "{error}: {text}");
            let tree: Value = json::from_str(text).unwrap();
            let bytes = msgpack::to_vec(&tree).unwrap();
            assert!(msgpack::from_slice_with::<World>(&bytes, &options).is_err(), "{text}");
        }
        // An object of both traits.
        let text = r#"{"things":[{"$id":1,"$type":"Both","$value":{"Spell":{"a":5}}}],"others":[{"$id":1}],"weak":{"$weak":1}}"#;
        let world: World = json::from_str_with(text, &options).unwrap();
        assert_eq!(json::to_string_with(&world, &options).unwrap(), text);
    }
}

#[derive(Serialize)]
struct Holder {
    thing: Box<dyn Thing>,
    shared: Rc<RefCell<dyn Thing>>,
}
impl Other for Holder {}

#[test]
fn blank_objects() {
    // The types of the trait are all made.
    let mut registry = registry(&Methods::new());
    register!(registry, dyn Other { Holder as "holder" }).unwrap();
    let options = Options::new().registry(&registry);
    let holder: Box<dyn Other> = registry.make("holder", &options).unwrap();
    let text = json::to_string_with(&holder, &options).unwrap();
    let both = r#""$type":"Both","$value":{"Spell":{"a":5}}}"#;
    assert_eq!(text.matches(both).count(), 2, "{text}");
    // A made object alone has no type.
    let error = json::from_str_with::<Made>(r#"{"a":6}"#, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownType, "{error}");
}

#[test]
fn a_schema_that_extends_itself() {
    for text in [
        r#"{"types":{"A":{"members":[{"name":"A","type":"A","base":true}]}}}"#,
        r#"{"types":{"A":{"members":[{"name":"B","type":"B","base":true}]},
            "B":{"members":[{"name":"A","type":"A","base":true}]}}}"#,
    ] {
        let errors = Schema::from_slice(text.as_bytes()).unwrap_err();
        assert_eq!(errors.first().kind(), ErrorKind::Endless, "{errors}");
    }
}

#[test]
fn methods() {
    let methods = Methods::new()
        .add("Spell", "run", |this, call| {
            let text: String = call.argument(0)?;
            let a: u8 = this.get_as(if this.id() == "Both" { "Spell.a" } else { "a" })?;
            Ok(format!("{text} {a}").into())
        })
        .add("Gadget", "count", |_, call| {
            let count = call.host::<u32>()?;
            *count += 1;
            Ok((*count).into())
        });
    assert_eq!(make(&methods, "Spell").run().unwrap(), "argument 5".into());
    // A method of the type that it extends.
    let mut both = make(&methods, "Both");
    assert_eq!(both.run().unwrap(), "argument 5".into());
    assert!(made(&mut *both).has_method("run") && !made(&mut *both).has_method("count"));
    let own =
        methods.clone().add("Both", "run", |_, call| Ok((call.arguments().len() as u64).into()));
    assert_eq!(make(&own, "Both").run().unwrap(), 1_u64.into());

    let registry = registry(&methods);
    let mut gadget: Box<dyn Other> = registry.make("Gadget", &Options::new()).unwrap();
    let gadget: &mut Made = (&mut *gadget as &mut dyn std::any::Any).downcast_mut().unwrap();
    let mut host = 7_u32;
    assert_eq!(gadget.call_with("count", &[], &mut host).unwrap(), 8_u64.into());
    let error = gadget.call("count", &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingContext, "{error}");
    let error = gadget.call("cuont", &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the type `Gadget` has no method `cuont`, did you mean `count`? There are: `count`"
    );
    let error = make(&Methods::new(), "Spell").run().unwrap_err();
    assert_eq!(error.to_string(), "the type `Spell` has no method `run`; there are: none");
}

#[test]
fn a_compiled_part() {
    let mut file = archive::types::SchemaFile::default();
    file.add::<Compiled>().unwrap();
    let text = br#"{"types":{"More":{"implements":["Thing"],"members":[
        {"name":"Compiled","type":"Compiled","base":true}, {"name":"c","type":"u8"}]}}}"#;
    let schema = Schema::from_slice_with(text, archive::Format::Json, &file).unwrap();
    let methods = Methods::new().add("Compiled", "run", |this, _| {
        this.with("Compiled", |base: &mut Compiled| {
            base.a += 1;
            base.run()
        })?
    });
    let mut registry = Registry::new();
    registry.schema::<dyn Thing>(schema, &methods).unwrap();
    let mut more: Box<dyn Thing> = registry.make("More", &Options::new()).unwrap();
    assert_eq!(more.run().unwrap(), 1_u64.into());
    assert_eq!(more.run().unwrap(), 2_u64.into());
    let text = json::to_string_with(&more, &Options::new().registry(&registry)).unwrap();
    assert_eq!(text, r#"{"$type":"More","$value":{"Compiled":{"a":2},"c":0}}"#);
}

#[test]
fn a_method_that_panics() {
    let methods = Methods::new().add("Spell", "run", |this, _| {
        this.set("a", 7)?;
        panic!("a method")
    });
    let mut spell = make(&methods, "Spell");
    assert!(catch_unwind(AssertUnwindSafe(|| spell.run())).is_err());
    let text = json::to_string_with(&spell, &Options::new().registry(&registry(&methods))).unwrap();
    assert_eq!(text, r#"{"$type":"Spell","$value":{"a":7}}"#);
}
