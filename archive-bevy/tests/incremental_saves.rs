//! Incremental saves.

use archive::store::{Store, storage::Memory};
use archive::{Options, Serialize};
use archive_bevy::store::{StoreApp, WorldStore};
use archive_bevy::{Save, SaveApp, SavePlugin};
use bevy_app::App;
use bevy_ecs::prelude::*;

// Neither is `Clone`.
#[derive(Component, Serialize, Debug, PartialEq)]
struct Health(u16);

#[derive(Component, Serialize, Debug, PartialEq)]
struct Target(#[archive(with = archive_bevy::entity, default = Entity::PLACEHOLDER)] Entity);

archive::store::persistent!(Health = "health", Target = "target");

#[derive(Resource, Serialize, Clone, Debug, PartialEq)]
struct Turn(u64);

fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SavePlugin).save_resource::<Turn>("turn");
    app.store_component::<Health>().store_component::<Target>();
    app
}

#[test]
fn changes_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.store");
    let mut app = app();
    let world = app.world_mut();
    let mut store = WorldStore::new(Store::open(&path).unwrap());
    assert!(store.load(world, &Options::new()).unwrap().is_none());
    world.insert_resource(Turn(1));
    let all: Vec<Entity> = (0..50).map(|hp| world.spawn((Save, Health(hp))).id()).collect();
    world.entity_mut(all[1]).insert((Target(all[0]), ChildOf(all[0])));
    let options = Options::new();
    assert_eq!(store.save(world, &options).unwrap().written, 52);
    let saved = store.save(world, &options).unwrap();
    assert_eq!((saved.written, saved.deleted), (0, 0));
    world.get_mut::<Health>(all[7]).unwrap().0 = 1000;
    world.despawn(all[9]);
    world.entity_mut(all[3]).remove::<Health>();
    let saved = store.save(world, &options).unwrap();
    assert_eq!((saved.written, saved.deleted), (2, 2));
    world.entity_mut(all[3]).insert(Health(3));
    store.save(world, &options).unwrap();
    drop(store);

    let mut second = self::app();
    let world = second.world_mut();
    let mut store = WorldStore::new(Store::open(&path).unwrap());
    let report = store.load(world, &options).unwrap().unwrap();
    assert_eq!((report.entities.len(), world.resource::<Turn>()), (49, &Turn(1)));
    let [one, two] = [1, 2].map(|number| report.entity(number).unwrap());
    assert_eq!(world.get::<Target>(two), Some(&Target(one)));
    assert_eq!(world.get::<ChildOf>(two).unwrap().parent(), one);
    assert_eq!(world.get::<Health>(report.entity(8).unwrap()), Some(&Health(1000)));
    assert_eq!(world.get::<Health>(report.entity(4).unwrap()), Some(&Health(3)));
    assert!(report.entity(10).is_none());
    // The game continues.
    world.get_mut::<Health>(two).unwrap().0 = 5;
    assert_eq!(store.save(world, &options).unwrap().written, 1);
}

/// A hook changes what was loaded: the next save writes the change, and nothing else.
#[test]
fn what_a_hook_changes_in_a_load_is_written() {
    let mut app = app();
    let mut store = WorldStore::new(Store::over(Memory::new()).unwrap());
    let world = app.world_mut();
    let all: Vec<Entity> = (0..9).map(|hp| world.spawn((Save, Health(hp))).id()).collect();
    world.entity_mut(all[1]).insert(Target(all[0]));
    let options = Options::new();
    assert_eq!(store.save(world, &options).unwrap().written, 11);
    app.add_observer(|event: On<'_, '_, Add<Health>>, mut all: Query<'_, '_, &mut Health>| {
        let mut health = all.get_mut(event.entity).unwrap();
        health.0 += u16::from(health.0 == 4);
    });
    let world = app.world_mut();
    let report = store.load(world, &options).unwrap().unwrap();
    assert_eq!(world.get::<Health>(report.entities[4]), Some(&Health(5)));
    let saved = store.save(world, &options).unwrap();
    assert_eq!((saved.written, saved.deleted), (1, 0));
    let report = store.load(world, &options).unwrap().unwrap();
    let target = world.get::<Target>(report.entities[1]).unwrap();
    assert_eq!(target, &Target(report.entities[0]));
    assert_eq!(world.get::<Health>(report.entities[4]), Some(&Health(5)));
}

#[test]
fn a_reference_that_is_not_saved_changes_nothing() {
    let mut app = app();
    let world = app.world_mut();
    let mut store = WorldStore::new(Store::over(Memory::new()).unwrap());
    let ghost = world.spawn_empty().id();
    let one = world.spawn((Save, Target(ghost))).id();
    let error = store.save(world, &Options::new()).unwrap_err().to_string();
    assert!(error.contains("which is not saved"), "{error}");
    world.entity_mut(one).insert(Target(one));
    store.save(world, &Options::new()).unwrap();
    let report = store.load(world, &Options::new()).unwrap().unwrap();
    assert_eq!(world.get::<Target>(report.entities[0]), Some(&Target(report.entities[0])));
}
