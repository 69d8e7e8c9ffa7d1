//! Types by id and by name.

use archive::reflect::{Meta, Metas};
use archive::{ErrorKind, Registry, Serialize};

trait Object: archive::Polymorphic {}
archive::polymorphic!(dyn Object);

#[derive(Default, Serialize)]
struct Orc {
    hp: u16,
}
impl Object for Orc {}

#[derive(Default, Serialize)]
struct Elf {
    hp: u32,
}
impl Object for Elf {}

#[derive(Default, Serialize)]
struct Settings {
    volume: f32,
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Object { Orc, Elf as "elf" }).unwrap();
    registry.alias("goblin", "Orc").unwrap();
    registry.register_type::<Settings>("Settings").unwrap();
    registry
}

#[test]
fn ids_aliases_and_names_find_types() {
    let registry = registry();
    assert_eq!(registry.meta("Orc").unwrap(), Meta::of::<Orc>());
    assert_eq!(registry.meta("goblin").unwrap(), Meta::of::<Orc>());
    assert_eq!(registry.meta("elf").unwrap().member("hp").unwrap().size(), Some(4));
    assert_eq!(registry.meta("Settings").unwrap().size(), Some(size_of::<Settings>()));
}

#[test]
fn all_types_are_listed() {
    let registry = registry();
    let all: Vec<_> = registry.metas().into_iter().map(|(id, meta)| (id, meta.name())).collect();
    let expected = [("Orc", "Orc"), ("Settings", "Settings"), ("elf", "Elf"), ("goblin", "Orc")];
    assert_eq!(all, expected.map(|(id, name)| (id, name.to_owned())));
}

#[test]
fn unknown_ids_name_the_nearest() {
    let error = registry().meta("Setting").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    assert!(error.to_string().contains("did you mean `Settings`"), "{error}");
}

#[test]
fn a_name_denotes_one_type() {
    let mut registry = registry();
    let error = registry.register_type::<Settings>("Orc").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateType);
    registry.register_type::<Orc>("Orc").unwrap();
    registry.register_type::<Settings>("Settings").unwrap();
    assert!(registry.register::<dyn Object, u8>("Settings").is_err());
    // Another name of a type is allowed: files do not have it.
    registry.register_type::<Settings>("Options").unwrap();
}

impl Object for u8 {}

#[test]
fn files_cannot_name_types_of_tools() {
    let registry = registry();
    let options = archive::Options::new().registry(&registry);
    let text = r#"{"$type":"Settings","$value":{"volume":1.0}}"#;
    let loaded = archive::json::from_str_with::<Box<dyn Object>>(text, &options);
    assert_eq!(loaded.err().map(|error| error.kind()), Some(ErrorKind::UnknownType));
    assert_eq!(registry.ids().collect::<Vec<_>>(), ["Orc", "elf", "goblin"]);
}

#[test]
fn objects_have_the_types_that_they_are_of() {
    let objects: Vec<Box<dyn Object>> = vec![Box::new(Orc { hp: 1 }), Box::new(Elf { hp: 2 })];
    let names: Vec<_> = objects.iter().map(|object| Meta::of_value(&**object).name()).collect();
    assert_eq!(names, ["Orc", "Elf"]);
    assert_eq!(archive::reflect::AnyValue::new(Orc { hp: 1 }).meta(), Meta::of::<Orc>());
    let object: &dyn archive::Polymorphic = &Orc::default();
    assert_eq!(Meta::of_value(object), Meta::of::<Orc>());
}
