//! Every error comes before the world changes, and has a path.

use archive::{ErrorKind, Format, Options};
use archive_bevy::{Save, load, load_with, save};
use bevy_ecs::prelude::*;

use crate::common::*;

fn text(components: &str) -> String {
    format!(r#"{{"entities":[1,2],"components":{{{components}}}}}"#)
}

#[test]
fn wrong_files_change_nothing() {
    let mut app = app();
    app.world_mut().insert_resource(Turn { number: 4 });
    let one = app.world_mut().spawn((Save, Health { hp: 1 })).id();
    app.world_mut().spawn((Save, Target { who: one }));
    save(app.world_mut(), Format::Json, &Options::new()).unwrap();

    let cases = [
        (text(r#""health":{"1":{"hp":-5}}"#), "components.health.1.hp: -5 does not fit u16"),
        (text(r#""health":{"1":{"hp":"x"}}"#), "components.health.1.hp: expected u16"),
        (text(r#""health":{"9":{"hp":5}}"#), "components.health.9: the file has no entity 9"),
        (text(r#""health":{"1":{"hp":5},"1":{"hp":6}}"#), "components.health"),
        (text(r#""target":{"2":{"who":9}}"#), "components.target.2.who: the file has no entity 9"),
        (text(r#""unit":{"2":{"job":"Fly"}}"#), "components.unit.2.job: "),
        (text(r#""health":{"1":{"$version":3,"hp":1}}"#), "components.health.1: "),
        (r#"{"entities":[1,1],"components":{}}"#.into(), "entities: entity 1 occurs twice"),
        (r#"{"entities":[0],"components":{}}"#.into(), "entities: the number 0 is not an entity"),
        (
            r#"{"entities":[1],"resources":{"turn":{"number":-1}}}"#.into(),
            "resources.turn.number: ",
        ),
        ("{}".into(), "not the save of a world: it has no list `entities`"),
        ("[]".into(), ""),
        (r#"{"entities":[1"#.into(), ""),
    ];
    for (file, expected) in cases {
        let error = refused(&mut app, &file);
        assert!(error.starts_with(expected), "{file}: {error}");
    }
    assert_eq!(app.world().resource::<Turn>().number, 4);
}

#[test]
fn newer_versions_are_named() {
    let mut app = app();
    let file = text(r#""health":{"1":{"$version":3,"hp":1}}"#);
    let error = load(app.world_mut(), Format::Json, file.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
}

#[test]
fn references_to_unsaved_entities() {
    let mut app = app();
    let world = app.world_mut();
    let ghost = world.spawn_empty().id();
    let one = world.spawn((Save, Target { who: ghost })).id();
    let error = save(world, Format::Json, &Options::new()).unwrap_err();
    let expected = format!("components.target.1.who: refers to {ghost}, which is not saved");
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.kind(), ErrorKind::BadPointer);

    world.despawn(ghost);
    let error = save(world, Format::Json, &Options::new()).unwrap_err().to_string();
    assert!(error.ends_with("which does not exist"), "{error}");

    world.entity_mut(one).insert(Target { who: Entity::PLACEHOLDER });
    let error = save(world, Format::Json, &Options::new()).unwrap_err().to_string();
    assert!(error.contains("use an `Option<Entity>`"), "{error}");
}

#[test]
fn nothing_marked_is_an_error() {
    let mut app = app();
    app.world_mut().spawn(Health { hp: 3 });
    let error = save(app.world_mut(), Format::Json, &Options::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("no entity has the component `Save`"), "{error}");

    // A resource alone can be saved.
    app.world_mut().insert_resource(Turn { number: 3 });
    assert!(to_json(app.world_mut()).contains(r#""turn":{"number":3}"#));
}

#[test]
fn strict_refuses_unregistered_components() {
    let mut app = app();
    for (file, expected) in [
        (text(r#""mana":{"1":5}"#), "components.mana: no component is registered as `mana`"),
        (
            r#"{"entities":[],"resources":{"year":5}}"#.into(),
            "resources.year: no resource is registered as `year`",
        ),
    ] {
        let options = Options::new().strict(true);
        let how = archive_bevy::Load::replace();
        let error =
            load_with(app.world_mut(), &how, Format::Json, file.as_bytes(), &options).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

#[test]
#[should_panic(expected = "`health` is registered twice")]
fn a_name_is_registered_once() {
    use archive_bevy::SaveApp;
    app().save_component::<Player>("health");
}
