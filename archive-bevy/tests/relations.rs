//! Children in their order, other relationships, and relationships that no world can have.

use archive::{Format, Options, Serialize};
use archive_bevy::{Save, SaveApp, load, save};
use bevy_ecs::prelude::*;

use crate::common::*;

#[test]
fn children_keep_their_order() {
    let mut first = app();
    let world = first.world_mut();
    let [parent, one, two, three] = [0; 4].map(|_| world.spawn(Save).id());
    world.entity_mut(parent).add_children(&[three, one]);
    world.entity_mut(parent).insert_children(1, &[two]);
    let file = to_json(world);
    assert!(file.contains(r#""children":{"1":[4,3,2]}"#), "{file}");

    let mut second = app();
    let other = second.world_mut();
    let report = load(other, Format::Json, file.as_bytes()).unwrap();
    let children: Vec<Entity> = other.get::<Children>(report.entities[0]).unwrap().iter().collect();
    assert_eq!(children, [3, 2, 1].map(|it| report.entities[it]));
    assert_eq!(to_json(other), file);
}

#[test]
fn other_relationships_keep_their_order() {
    let mut first = app();
    let world = first.world_mut();
    let [liked, one, two] = [0; 3].map(|_| world.spawn(Save).id());
    world.entity_mut(two).insert(Likes(liked));
    world.entity_mut(one).insert(Likes(liked));
    world.entity_mut(liked).insert(Likes(two)); // a cycle, which is allowed here
    let file = to_json(world);
    assert!(file.contains(r#""likes":{"1":[3,2],"3":[1]}"#), "{file}");
    let mut second = app();
    load(second.world_mut(), Format::Json, file.as_bytes()).unwrap();
    assert_eq!(to_json(second.world_mut()), file);
}

#[test]
fn relationships_that_cannot_be() {
    let mut app = app();
    let file = |relations: &str| {
        format!(r#"{{"entities":[1,2,3],"components":{{}},"relations":{{{relations}}}}}"#)
    };
    for (relations, expected) in [
        (r#""children":{"1":[2],"3":[2]}"#, "relations.children.3: entity 2 has two of these"),
        (r#""children":{"1":[2,2]}"#, "relations.children.1: entity 2 has two of these"),
        (r#""children":{"1":[1]}"#, "relations.children: the relationship of "),
        (r#""children":{"1":[2],"2":[3],"3":[1]}"#, "relations.children: the relationships form"),
        (r#""children":{"7":[2]}"#, "relations.children.7: the file has no entity 7"),
        (r#""children":{"1":[7]}"#, "relations.children.1: the file has no entity 7"),
        (r#""likes":{"1":[7]}"#, "relations.likes.1: the file has no entity 7"),
    ] {
        let error = refused(&mut app, &file(relations));
        assert!(error.starts_with(expected), "{relations}: {error}");
    }
}

/// A relationship of one source and one target.
#[derive(Component)]
#[relationship(relationship_target = Rider)]
struct Rides(Entity);

#[derive(Component)]
#[relationship_target(relationship = Rides)]
struct Rider(Entity);

/// A relationship whose sources have no order.
#[derive(Component)]
#[relationship(relationship_target = Fans)]
struct Admires(Entity);

#[derive(Component)]
#[relationship_target(relationship = Admires)]
struct Fans(bevy_ecs::entity::EntityHashSet);

#[test]
fn one_to_one_and_without_order() {
    let make = || {
        let mut app = app();
        app.save_relationship::<Rides>("rides").save_relationship::<Admires>("admires");
        app
    };
    let mut first = make();
    let world = first.world_mut();
    let horse = world.spawn(Save).id();
    world.spawn((Save, Rides(horse)));
    for _ in 0..20 {
        world.spawn((Save, Admires(horse)));
    }
    let file = to_json(world);
    let mut second = make();
    let report = load(second.world_mut(), Format::Json, file.as_bytes()).unwrap();
    assert_eq!(second.world().get::<Rider>(report.entities[0]).unwrap().0, report.entities[1]);
    assert_eq!(second.world().get::<Fans>(report.entities[0]).unwrap().0.len(), 20);
    assert_eq!(to_json(second.world_mut()), file);

    let two = r#"{"entities":[1,2,3],"components":{},"relations":{"rides":{"1":[2,3]}}}"#;
    let error = refused(&mut second, two);
    assert!(error.starts_with("relations.rides.1: a one-to-one relationship with 2"), "{error}");
}

/// A relationship with data is a component.
#[derive(Component, Serialize)]
#[relationship(relationship_target = Debtors)]
struct Owes {
    #[relationship]
    #[archive(with = archive_bevy::entity, default = Entity::PLACEHOLDER)]
    whom: Entity,
    gold: u32,
}

#[derive(Component)]
#[relationship_target(relationship = Owes)]
struct Debtors(Vec<Entity>);

#[test]
fn relationships_with_data() {
    let make = || {
        let mut app = app();
        app.save_component::<Owes>("owes");
        app
    };
    let mut first = make();
    let world = first.world_mut();
    // The target has the higher number, so it comes later in the file.
    let poor = world.spawn(Save).id();
    let rich = world.spawn(Save).id();
    world.entity_mut(poor).insert(Owes { whom: rich, gold: 7 });
    let file = save(world, Format::Binary, &Options::new()).unwrap();
    let mut second = make();
    let report = load(second.world_mut(), Format::Binary, &file).unwrap();
    let world = second.world();
    assert_eq!(world.get::<Owes>(report.entities[0]).unwrap().gold, 7);
    assert_eq!(world.get::<Debtors>(report.entities[1]).unwrap().0, [report.entities[0]]);
}
