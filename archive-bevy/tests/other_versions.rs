//! Programs of other versions: renamed, removed and added components and resources.

use archive::{Format, Options, Serialize, Value};
use archive_bevy::{Load, Save, SaveApp, SavePlugin, load, load_with, save};
use bevy_app::App;
use bevy_ecs::prelude::*;

use crate::common::to_json;

#[derive(Component, Serialize, Default, Debug, PartialEq)]
struct Health {
    hp: u16,
}

#[derive(Component, Serialize, Default, Debug, PartialEq)]
struct Mana {
    points: f32,
    #[archive(with = archive_bevy::entity)]
    source: Option<Entity>,
}

#[derive(Resource, Serialize, Default, Debug, PartialEq)]
struct Turn(u32);

#[derive(Resource, Serialize, Default, Debug, PartialEq)]
struct Weather {
    rain: bool,
}

/// The newer program has mana and weather.
fn newer() -> App {
    let mut app = older();
    app.save_component::<Mana>("mana").save_resource::<Weather>("weather");
    app
}

fn older() -> App {
    let mut app = App::new();
    app.add_plugins(SavePlugin).save_component::<Health>("health").save_resource::<Turn>("turn");
    app
}

fn fill(world: &mut World) {
    world.insert_resource(Turn(3));
    world.insert_resource(Weather { rain: true });
    let one = world.spawn((Save, Health { hp: 1 }, Mana { points: 0.5, source: None })).id();
    world.spawn((Save, Mana { points: 2.0, source: Some(one) }));
    world.spawn((Save, Health { hp: 3 }));
}

#[test]
fn an_older_program_keeps_unknown_data() {
    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        let mut new = newer();
        fill(new.world_mut());
        let file = save(new.world_mut(), format, &Options::new()).unwrap();

        let mut old = older();
        let world = old.world_mut();
        let report = load(world, format, &file).unwrap();
        assert_eq!(report.unknown_components, ["mana"]);
        assert_eq!(report.unknown_resources, ["weather"]);
        assert!(!report.is_clean() && report.absent.is_empty());
        // It spawns an entity and despawns another one, whose number is not used again.
        world.spawn((Save, Health { hp: 9 }));
        world.despawn(report.entities[2]);
        let played = save(world, format, &Options::new()).unwrap();

        let mut new = newer();
        let world = new.world_mut();
        let report = load(world, format, &played).unwrap();
        assert!(report.is_clean(), "{format}: {report}");
        assert_eq!(report.numbers, [1, 2, 4]);
        assert_eq!(*world.resource::<Weather>(), Weather { rain: true });
        let source = Some(report.entities[0]);
        assert_eq!(world.get::<Mana>(report.entities[1]), Some(&Mana { points: 2.0, source }));
    }
}

#[test]
fn text_is_the_same_after_an_older_program() {
    let mut new = newer();
    fill(new.world_mut());
    let file = to_json(new.world_mut());
    let mut old = older();
    load(old.world_mut(), Format::Json, file.as_bytes()).unwrap();
    let again = to_json(old.world_mut());
    let (file, again): (Value, Value) =
        (archive::json::from_str(&file).unwrap(), archive::json::from_str(&again).unwrap());
    assert_eq!(file, again);
}

#[test]
fn a_newer_program_adds_defaults() {
    let mut old = older();
    old.world_mut().insert_resource(Turn(3));
    old.world_mut().spawn((Save, Health { hp: 1 }));
    let file = to_json(old.world_mut());
    let mut new = newer();
    new.world_mut().insert_resource(Weather { rain: true });
    let report = load(new.world_mut(), Format::Json, file.as_bytes()).unwrap();
    assert_eq!(report.absent, ["components.mana", "resources.weather"]);
    // A resource that the file lacks keeps its value.
    assert!(new.world().resource::<Weather>().rain);
}

#[test]
fn members_come_and_go() {
    let mut app = newer();
    let file =
        r#"{"entities":[1],"components":{"mana":{"1":{"points":1,"color":"blue"}},"health":{}}}"#;
    let report = load(app.world_mut(), Format::Json, file.as_bytes()).unwrap();
    assert_eq!(app.world().get::<Mana>(report.entities[0]).unwrap().points, 1.0);
    assert!(report.values.unknown().eq(["components.mana.1.color"]), "{report}");
    let mut absent = report.values.absent();
    assert!(absent.any(|it| it == "components.mana.1.source"), "{report}");
}

#[test]
fn renamed_components_and_resources() {
    let mut app = newer();
    app.save_alias("health", "hp").save_alias("turn", "round");
    let file = r#"{"entities":[1],"resources":{"round":8},"components":{"hp":{"1":{"hp":4}}}}"#;
    let report = load(app.world_mut(), Format::Json, file.as_bytes()).unwrap();
    assert_eq!(app.world().get::<Health>(report.entities[0]), Some(&Health { hp: 4 }));
    assert_eq!(app.world().resource::<Turn>().0, 8);
    assert!(report.unknown_components.is_empty());
    assert_eq!(report.absent, ["components.mana", "resources.weather"]);
    let file = to_json(app.world_mut());
    assert!(file.contains(r#""health":{"1":"#) && !file.contains(r#""hp":{"1""#), "{file}");

    let both = r#"{"entities":[1],"components":{"hp":{"1":{"hp":4}},"health":{"1":{"hp":5}}}}"#;
    let error = load(app.world_mut(), Format::Json, both.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("components.health: `components.health` occurs twice"), "{error}");
}

#[test]
fn kept_components_go_with_their_entities() {
    let mut new = newer();
    fill(new.world_mut());
    let file = to_json(new.world_mut());
    let mut old = older();
    let world = old.world_mut();
    let report = load(world, Format::Json, file.as_bytes()).unwrap();
    world.despawn(report.entities[0]);
    world.despawn(report.entities[1]);
    assert!(!to_json(world).contains("mana"));
    // The loaded entities get new numbers, so references to the old ones are not kept.
    load_with(world, &Load::spawn(), Format::Json, file.as_bytes(), &Options::new()).unwrap();
    assert!(!to_json(world).contains("mana"));
}
