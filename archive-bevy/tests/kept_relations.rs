//! Relationships that the program does not know are saved again.

use archive::{Format, Options, Serialize};
use archive_bevy::{Load, Save, SaveApp, SavePlugin, Scope, load, load_with, save, save_with};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_ecs::relationship::RelationshipTarget;

use crate::common::{Likers, Likes, to_json};

#[derive(Component, Serialize)]
struct Health {
    hp: u16,
}

/// The older program has no relationship but `children`.
fn older() -> App {
    let mut app = App::new();
    app.add_plugins(SavePlugin).save_component::<Health>("health");
    app
}

fn knows() -> App {
    let mut app = older();
    app.save_relationship::<Likes>("likes");
    app
}

/// Three entities. The second and the third like the first one.
fn fill(world: &mut World) -> [Entity; 3] {
    let all = [0; 3].map(|_| world.spawn((Save, Health { hp: 1 })).id());
    world.entity_mut(all[2]).insert(Likes(all[0]));
    world.entity_mut(all[1]).insert(Likes(all[0]));
    all
}

fn likers(world: &World, entity: Entity) -> Vec<Entity> {
    world.get::<Likers>(entity).map_or_else(Vec::new, |it| it.iter().collect())
}

#[test]
fn are_saved_again() {
    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        let mut new = knows();
        fill(new.world_mut());
        let file = save(new.world_mut(), format, &Options::new()).unwrap();
        let mut old = older();
        let world = old.world_mut();
        let report = load(world, format, &file).unwrap();
        assert_eq!(report.unknown_relations, ["likes"]);
        let scope = Scope::all();
        let (again, saved) = save_with(world, &scope, format, &Options::new()).unwrap();
        assert_eq!(saved.kept_relations, ["likes"]);
        // Another entity, and one less.
        world.despawn(report.entities[1]);
        world.spawn(Save);
        let played = save(world, format, &Options::new()).unwrap();

        let mut new = knows();
        let world = new.world_mut();
        let report = load(world, format, &again).unwrap();
        assert_eq!(likers(world, report.entities[0]), [report.entities[2], report.entities[1]]);
        assert_eq!(save(world, format, &Options::new()).unwrap(), file);
        let report = load(world, format, &played).unwrap();
        assert_eq!(report.numbers, [1, 3, 4]);
        assert_eq!(likers(world, report.entities[0]), [report.entities[1]]);
    }
}

#[test]
fn go_with_their_targets() {
    let mut new = knows();
    fill(new.world_mut());
    let file = to_json(new.world_mut());
    let mut old = older();
    let report = load(old.world_mut(), Format::Json, file.as_bytes()).unwrap();
    old.world_mut().despawn(report.entities[0]);
    assert!(!to_json(old.world_mut()).contains("likes"));
}

/// A scene that is spawned twice: the relationships are those of the new entities.
#[test]
fn get_new_numbers() {
    let mut new = knows();
    fill(new.world_mut());
    let file = to_json(new.world_mut());
    let mut old = older();
    let world = old.world_mut();
    for _ in 0..2 {
        load_with(world, &Load::spawn(), Format::Json, file.as_bytes(), &Options::new()).unwrap();
    }
    assert!(to_json(world).contains(r#""likes":{"1":[3,2],"4":[6,5]}"#), "{}", to_json(world));
}

/// A part of another program: what it says of its entities replaces what was kept of them.
#[test]
fn are_merged() {
    let mut old = older();
    let world = old.world_mut();
    let all = r#"{"entities":[1,2,3,4],"relations":{"likes":{"1":[2,3],"2":[4]}}}"#;
    load(world, Format::Json, all.as_bytes()).unwrap();
    let part = r#"{"entities":[3,4],"relations":{"likes":{"1":[4],"3":[3]}}}"#;
    load_with(world, &Load::merge(), Format::Json, part.as_bytes(), &Options::new()).unwrap();
    assert!(to_json(world).contains(r#""likes":{"1":[4,2],"3":[3]}"#), "{}", to_json(world));
}

#[test]
fn wrong_ones_are_refused() {
    let mut old = older();
    for (likes, expected) in [
        (r#"{"7":[1]}"#, "relations.likes.7: the file has no entity 7"),
        (r#"{"1":[7]}"#, "relations.likes.1: the file has no entity 7"),
        (r#"{"1":[2],"2":[2]}"#, "relations.likes.2: entity 2 has two of these"),
        (r#"{"1":2}"#, "relations.likes.1: expected a sequence"),
    ] {
        let file = format!(r#"{{"entities":[1,2],"relations":{{"likes":{likes}}}}}"#);
        let error = load(old.world_mut(), Format::Json, file.as_bytes()).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
