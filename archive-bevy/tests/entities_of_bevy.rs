//! Entities that belong to Bevy or to the app: in resources, resources and observers themselves, and what is not an
//! entity.

use archive::{Format, Options, Serialize};
use archive_bevy::{Save, SaveApp, load, save};
use bevy_ecs::prelude::*;

use crate::common::*;

/// An entity in a resource that is not saved dangles after a load, as any `Entity` does. One in a saved
/// resource is the loaded entity.
#[test]
fn entities_in_resources() {
    #[derive(Resource)]
    struct Cache(Entity);
    #[derive(Resource, Serialize)]
    struct Selected(#[archive(with = archive_bevy::entity)] Vec<Entity>);

    let mut app = app();
    app.save_resource::<Selected>("selected");
    let world = app.world_mut();
    let one = world.spawn((Save, Health { hp: 1 })).id();
    world.insert_resource(Cache(one));
    world.insert_resource(Selected(vec![one, one]));
    let file = to_json(world);
    let report = load(world, Format::Json, file.as_bytes()).unwrap();
    assert!(world.get_entity(world.resource::<Cache>().0).is_err());
    assert_eq!(world.resource::<Selected>().0, [report.entities[0]; 2]);

    // The resource survives the entity, and the next save says where it is.
    world.despawn(report.entities[0]);
    let error = save(world, Format::Json, &Options::new()).unwrap_err().to_string();
    assert!(error.starts_with("resources.selected: refers to "), "{error}");
}

/// Observers and resources are entities in Bevy. They have no mark, so they are not saved, and a load
/// leaves them alone. Non-send resources are left alone, too.
#[test]
fn observers_and_resources_are_entities() {
    struct OnThisThread(std::rc::Rc<u8>);

    let mut app = app();
    let world = app.world_mut();
    world.insert_non_send(OnThisThread(std::rc::Rc::new(7)));
    world.insert_resource(Turn { number: 1 });
    let watched = world.spawn((Save, Health { hp: 1 })).id();
    world.entity_mut(watched).observe(
        |_: On<'_, '_, Remove<Health>>, mut turn: ResMut<'_, Turn>| {
            turn.number = 77;
        },
    );
    world.add_observer(|_: On<'_, '_, Add<Player>>, mut turn: ResMut<'_, Turn>| turn.number += 10);
    world.spawn((Save, Player));
    assert_eq!(world.resource::<Turn>().number, 11);
    let file = to_json(world);
    assert!(file.contains(r#""entities":[1,2]"#), "{file}");
    load(world, Format::Json, file.as_bytes()).unwrap();
    // The observer of the old entity ran when it was despawned, before the resource was loaded.
    assert_eq!(world.resource::<Turn>().number, 21);
    assert_eq!(*world.non_send::<OnThisThread>().0, 7);
    world.spawn(Player);
    assert_eq!(world.resource::<Turn>().number, 31);
}

/// An observer that is marked by mistake is an entity without registered components. A load replaces
/// it by an empty entity: observers are code, and belong to the app.
#[test]
fn a_marked_observer_is_an_empty_entity() {
    let mut app = app();
    let world = app.world_mut();
    world.insert_resource(Turn { number: 0 });
    let observer = Observer::new(|_: On<'_, '_, Add<Player>>, mut turn: ResMut<'_, Turn>| {
        turn.number += 1;
    });
    let observer = world.spawn((Save, observer)).id();
    let file = to_json(world);
    let report = load(world, Format::Json, file.as_bytes()).unwrap();
    assert!(world.get_entity(observer).is_err());
    world.spawn(Player);
    assert_eq!(world.resource::<Turn>().number, 0);
    assert_eq!(report.entities.len(), 1);
}
