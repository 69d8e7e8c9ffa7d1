//! The three modes of a load, filters, and saves of a part.

use archive::{Format, Options};
use archive_bevy::{Load, Save, SaveId, Scope, load, load_with, save_with};
use bevy_ecs::prelude::*;

use crate::common::*;

fn part(world: &mut World, scope: &Scope) -> String {
    let (bytes, _) = save_with(world, scope, Format::Json, &Options::new()).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn load_part(world: &mut World, how: &Load, file: &str) -> archive::Result<Vec<Entity>> {
    let report = load_with(world, how, Format::Json, file.as_bytes(), &Options::new())?;
    Ok(report.entities.clone())
}

#[test]
fn merge_overwrites_and_adds() {
    let mut app = app();
    let world = app.world_mut();
    world.insert_resource(Turn { number: 1 });
    let one = world.spawn((Save, Health { hp: 1 }, Player)).id();
    let two = world.spawn((Save, Target { who: one })).id();
    let file = to_json(world);
    world.entity_mut(one).insert(Health { hp: 50 }).insert(Unit::default());
    world.despawn(two);
    let three = world.spawn((Save, Health { hp: 3 })).id();
    let loaded = load_part(world, &Load::merge(), &file).unwrap();
    assert_eq!(loaded[0], one);
    assert_eq!(world.get::<Health>(one), Some(&Health { hp: 1 }));
    assert!(world.get::<Unit>(one).is_some() && world.get::<Player>(one).is_some());
    assert_eq!(world.get::<Target>(loaded[1]).unwrap().who, one);
    assert!(world.get_entity(three).is_ok());
}

#[test]
fn a_part_refers_to_the_rest() {
    let mut app = app();
    let world = app.world_mut();
    let one = world.spawn((Save, Health { hp: 1 })).id();
    let two = world.spawn((Save, Player, Target { who: one }, ChildOf(one))).id();
    let scope = Scope::all().with::<Player>().without_resources();
    let file = part(world, &scope);
    assert!(
        file.contains(r#""entities":[2]"#) && file.contains(r#""children":{"1":[2]}"#),
        "{file}"
    );

    world.despawn(two);
    let loaded = load_part(world, &Load::merge(), &file).unwrap();
    assert_eq!(world.get::<Target>(loaded[0]).unwrap().who, one);
    assert_eq!(world.get::<ChildOf>(loaded[0]).unwrap().parent(), one);

    // In the modes that do not look at other entities, it is an error.
    for how in [Load::replace(), Load::spawn()] {
        let before = describe(world);
        let error = load_part(world, &how, &file).unwrap_err().to_string();
        assert!(error.starts_with("components.target.2.who: the file has no entity 1"), "{error}");
        assert_eq!(describe(world), before);
    }
    // It is not an error if they are kept.
    let how = Load::replace().only(Scope::all().with::<Player>());
    let loaded = load_part(world, &how, &file).unwrap();
    assert_eq!(world.get::<ChildOf>(loaded[0]).unwrap().parent(), one);
}

#[test]
fn spawn_loads_a_scene_many_times() {
    let mut app = app();
    let world = app.world_mut();
    let root = world.spawn((Save, Player)).id();
    let arm = world.spawn((Save, Health { hp: 1 }, ChildOf(root))).id();
    world.spawn((Save, Target { who: root }, ChildOf(arm)));
    world.spawn((Save, Health { hp: 100 }));
    let scene = part(world, &Scope::all().roots([root]).without_resources());
    assert!(scene.contains(r#""entities":[1,2,3]"#), "{scene}");
    for round in 1..4 {
        let loaded = load_part(world, &Load::spawn(), &scene).unwrap();
        assert_eq!(world.get::<Target>(loaded[2]).unwrap().who, loaded[0]);
        let number = world.get::<SaveId>(loaded[0]).unwrap().number();
        assert_eq!(number, Some(4 + 3 * (round - 1) + 1));
    }
    assert_eq!(world.query::<&Player>().iter(world).count(), 4);
    let file = to_json(world);
    load(world, Format::Json, file.as_bytes()).unwrap();
    assert_eq!(to_json(world), file);
}

#[test]
fn replace_only_a_part() {
    let mut app = app();
    let world = app.world_mut();
    let stays = world.spawn((Save, Health { hp: 1 })).id();
    world.spawn((Save, Player));
    let scope = Scope::all().with::<Player>();
    let file = part(world, &scope.clone().without_resources());
    let all = to_json(world);
    world.spawn((Save, Player));
    load_part(world, &Load::replace().only(scope.clone()), &file).unwrap();
    assert_eq!(world.query::<&Player>().iter(world).count(), 1);
    assert!(world.get_entity(stays).is_ok());

    // The file has an entity that the load keeps.
    let before = describe(world);
    let error = load_part(world, &Load::replace().only(scope), &all).unwrap_err().to_string();
    assert!(error.starts_with("entities: entity 1 exists in the world"), "{error}");
    assert_eq!(describe(world), before);
}

#[test]
fn only_some_components() {
    let mut app = app();
    let world = app.world_mut();
    world.spawn((Save, Health { hp: 1 }, Player));
    let file = part(world, &Scope::all().components(["health"]).without_resources());
    assert!(file.contains("health") && !file.contains("player"), "{file}");
}

#[test]
fn cycles_with_the_world() {
    let mut app = app();
    let world = app.world_mut();
    let one = world.spawn(Save).id();
    let two = world.spawn((Save, ChildOf(one))).id();
    to_json(world);
    // The file has only entity 1, as a child of entity 2.
    let file = r#"{"entities":[1],"components":{},"relations":{"children":{"2":[1]}}}"#;
    let error = load_part(world, &Load::merge(), file).unwrap_err().to_string();
    assert!(error.starts_with("relations.children: the relationships form a cycle"), "{error}");
    assert_eq!(world.get::<ChildOf>(two).unwrap().parent(), one);
}
