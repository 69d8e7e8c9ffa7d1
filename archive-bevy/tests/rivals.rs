//! Loads that fail with other libraries.

use archive::{Format, Options, Serialize};
use archive_bevy::{Load, Save, SaveApp, Scope, load, load_with, save, save_with};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;

use crate::common::*;

#[test]
fn one_half_of_a_relationship_is_saved() {
    let mut first = app();
    let world = first.world_mut();
    let root = world.spawn_empty().id();
    let child = world.spawn((Save, Health { hp: 1 }, ChildOf(root))).id();
    // The other half: a child that is only drawn.
    let drawn = world.spawn(ChildOf(child)).id();
    let (file, report) = save_with(world, &Scope::all(), Format::Json, &Options::new()).unwrap();
    assert_eq!(report.unsaved.len(), 1);
    let expected = format!("relations.children: {child} is saved, its target {root} is not");
    assert_eq!(report.unsaved[0].to_string(), expected);

    let mut second = app();
    let report = load(second.world_mut(), Format::Json, &file).unwrap();
    let loaded = second.world().entity(report.entities[0]);
    assert!(loaded.get::<ChildOf>().is_none() && loaded.get::<Children>().is_none());
    assert_eq!(save(second.world_mut(), Format::Json, &Options::new()).unwrap(), file);

    // A load over the world despawns the visuals together with their owners.
    load(world, Format::Json, &file).unwrap();
    assert!(world.get_entity(drawn).is_err() && world.get_entity(root).is_ok());
}

#[test]
fn the_target_comes_later_in_the_file() {
    let mut first = app();
    let world = first.world_mut();
    let source = world.spawn(Save).id();
    let target = world.spawn((Save, Health { hp: 5 })).id();
    world.entity_mut(source).insert((Target { who: target }, ChildOf(target), Likes(target)));
    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        let file = save(world, format, &Options::new()).unwrap();
        let mut second = app();
        let report = load(second.world_mut(), format, &file).unwrap();
        let source = second.world().entity(report.entities[0]);
        let target = report.entities[1];
        assert_eq!(source.get::<Target>().unwrap().who, target);
        assert_eq!(source.get::<ChildOf>().unwrap().parent(), target);
        assert_eq!(source.get::<Likes>().unwrap().0, target);
    }
}

/// A building belongs to a city. The target world has other cities and buildings, whose entities
/// have the same indices.
#[test]
fn buildings_join_their_own_city() {
    let mut first = app();
    let world = first.world_mut();
    let city = world.spawn((Save, Unit { name: "Rome".into(), job: Job::Idle })).id();
    let building = world.spawn((Save, ChildOf(city), Target { who: city })).id();
    let file = save(world, Format::Binary, &Options::new()).unwrap();

    for how in [Load::replace().only(Scope::all().with::<Player>()), Load::spawn()] {
        let mut second = app();
        let other = second.world_mut();
        let athens = other.spawn((Save, Unit { name: "Athens".into(), job: Job::Idle })).id();
        let old = other.spawn((Save, ChildOf(athens), Target { who: athens })).id();
        assert_eq!((athens, old), (city, building));
        let report = load_with(other, &how, Format::Binary, &file, &Options::new()).unwrap();
        let [new_city, new_building] = [0, 1].map(|it| report.entities[it]);
        assert_eq!(other.get::<Unit>(new_city).unwrap().name, "Rome");
        assert_eq!(other.get::<ChildOf>(new_building).unwrap().parent(), new_city);
        assert_eq!(other.get::<Target>(new_building).unwrap().who, new_city);
        assert_eq!(other.get::<ChildOf>(old).unwrap().parent(), athens);
        assert_eq!(other.get::<Children>(athens).unwrap().len(), 1);
    }
}

#[test]
fn despawned_entities_and_later_generations() {
    let mut app = app();
    let world = app.world_mut();
    let one = world.spawn((Save, Health { hp: 1 })).id();
    world.spawn((Save, Target { who: one }));
    let file = save(world, Format::Json, &Options::new()).unwrap();
    for round in 0..20 {
        // All old entities are despawned, some of them before the load. Their indices are reused.
        let all: Vec<Entity> = world.query_filtered::<Entity, With<Save>>().iter(world).collect();
        world.despawn(all[round % 2]);
        world.spawn(Health { hp: 1000 });
        let report = load(world, Format::Json, &file).unwrap();
        let target = world.get::<Target>(report.entities[1]).unwrap().who;
        assert_eq!(target, report.entities[0]);
        assert_eq!(world.get::<Health>(target), Some(&Health { hp: 1 }));
        assert_eq!(save(world, Format::Json, &Options::new()).unwrap(), file);
    }
}

/// A component that cannot be saved, and has neither `Serialize` nor `Reflect`.
#[derive(Component)]
struct Socket(#[expect(dead_code, reason = "it is only there")] std::sync::mpsc::Sender<u8>);

#[test]
fn a_component_that_cannot_be_saved_beside_those_that_can() {
    let mut first = app();
    let world = first.world_mut();
    let (sender, _receiver) = std::sync::mpsc::channel();
    world.spawn((Save, Health { hp: 3 }, Socket(sender)));
    let file = to_json(world);
    let mut second = app();
    let report = load(second.world_mut(), Format::Json, file.as_bytes()).unwrap();
    assert_eq!(second.world().get::<Health>(report.entities[0]), Some(&Health { hp: 3 }));
}

#[test]
fn disabled_entities_are_saved() {
    let mut first = app();
    first.save_component_with("disabled", |_: &Disabled| Ok(()), |()| Ok(Disabled));
    let world = first.world_mut();
    let one = world.spawn((Save, Health { hp: 3 }, Disabled)).id();
    world.spawn((Save, Target { who: one }));
    let file = to_json(world);
    assert!(file.contains(r#""health":{"1":{"hp":3}}"#), "{file}");
    load(world, Format::Json, file.as_bytes()).unwrap();
    assert!(world.get_entity(one).is_err());
    assert_eq!(to_json(world), file);
}

#[test]
fn an_entity_without_components_is_saved() {
    let mut app = app();
    let world = app.world_mut();
    let bare = world.spawn(Save).id();
    world.spawn((Save, Target { who: bare }));
    let file = to_json(world);
    let report = load(world, Format::Json, file.as_bytes()).unwrap();
    assert_eq!(world.get::<Target>(report.entities[1]).unwrap().who, report.entities[0]);
}

/// The program is closed and opened again. The test starts itself twice: as a program that saves
/// and as one that loads.
#[test]
fn the_program_is_closed_and_opened_again() {
    const STEP: &str = "ARCHIVE_BEVY_STEP";
    const FILE: &str = "ARCHIVE_BEVY_FILE";
    if let (Ok(step), Ok(path)) = (std::env::var(STEP), std::env::var(FILE)) {
        let mut app = app();
        let world = app.world_mut();
        if step == "0" {
            world.insert_resource(Turn { number: 0 });
            let one = world.spawn((Save, Health { hp: 1 })).id();
            world.spawn((Save, Target { who: one }, ChildOf(one)));
        } else {
            load(world, Format::Binary, &std::fs::read(&path).unwrap()).unwrap();
            world.resource_mut::<Turn>().number += 1;
            let target = world.query::<&Target>().iter(world).next().unwrap().who;
            world.get_mut::<Health>(target).unwrap().hp += 1;
            world.spawn((Save, Likes(target)));
        }
        std::fs::write(&path, save(world, Format::Binary, &Options::new()).unwrap()).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.bin");
    for step in 0..4 {
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "rivals::the_program_is_closed_and_opened_again"])
            .env(STEP, step.to_string())
            .env(FILE, &path)
            .output()
            .unwrap();
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
    }
    let mut app = app();
    let world = app.world_mut();
    let report = load(world, Format::Binary, &std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(world.resource::<Turn>().number, 3);
    let one = report.entity(1).unwrap();
    assert_eq!(world.get::<Health>(one), Some(&Health { hp: 4 }));
    assert_eq!(
        bevy_ecs::relationship::RelationshipTarget::len(world.get::<Likers>(one).unwrap()),
        3
    );
    assert_eq!(report.numbers, [1, 2, 3, 4, 5]);
}

#[derive(Component, Serialize)]
struct Checked(#[archive(with = archive_bevy::entity, default = Entity::PLACEHOLDER)] Entity);

/// A reference outside of a world is an error, and never a number of the process. That a field without
/// the attribute does not compile is on the page of `archive_bevy::entity`.
#[test]
fn references_outside_of_a_world() {
    let error = archive::json::to_string(&Checked(Entity::PLACEHOLDER)).unwrap_err();
    assert_eq!(error.kind(), archive::ErrorKind::MissingContext);
    let error = archive::json::from_str::<Checked>("7").err().unwrap();
    assert_eq!(error.kind(), archive::ErrorKind::MissingContext);
}
