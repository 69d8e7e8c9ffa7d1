//! Hooks, required components and observers see whole entities.

use archive::{Format, Options, Serialize};
use archive_bevy::{Loaded, Save, SaveApp, SaveId, load, save};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;

use crate::common::*;

/// The events that observers received while a world was loaded.
#[derive(Resource, Default)]
struct Seen(Vec<String>);

#[derive(Component, Serialize, Default)]
#[component(on_add = hook)]
struct Hooked(u8);

fn hook(mut world: DeferredWorld<'_>, context: HookContext) {
    let it = world.entity(context.entity);
    let seen = format!("hook: {:?} {:?}", it.get::<Health>(), it.get::<ChildOf>().is_some());
    if let Some(mut list) = world.get_resource_mut::<Seen>() {
        list.0.push(seen);
    }
}

#[test]
fn hooks_and_observers_see_all_components() {
    let make = || {
        let mut app = app();
        app.save_component::<Hooked>("hooked");
        app
    };
    let mut first = make();
    let world = first.world_mut();
    world.insert_resource(Turn { number: 9 });
    let child = world.spawn((Save, Unit::default(), Health { hp: 7 }, Hooked(1))).id();
    let parent = world.spawn((Save, Player)).id();
    world.entity_mut(parent).add_child(child);
    let file = save(world, Format::Binary, &Options::new()).unwrap();

    let mut second = make();
    second.init_resource::<Seen>();
    // `Unit` requires `Health`, whose default has 0 hit points.
    second.add_observer(
        |event: On<'_, '_, Add<Unit>>,
         all: Query<'_, '_, (&Health, &Hooked, &ChildOf, &SaveId, &Save)>,
         turn: Res<'_, Turn>,
         mut seen: ResMut<'_, Seen>| {
            let (health, hooked, ..) = all.get(event.entity).unwrap();
            seen.0.push(format!("add: {} {} turn {}", health.hp, hooked.0, turn.number));
        },
    );
    second.add_observer(
        |event: On<'_, '_, Add<Health>>,
         all: Query<'_, '_, &Health>,
         mut seen: ResMut<'_, Seen>| {
            seen.0.push(format!("health: {}", all.get(event.entity).unwrap().hp));
        },
    );
    second.add_observer(|event: On<'_, '_, Loaded>, mut seen: ResMut<'_, Seen>| {
        seen.0.push(format!("loaded: {}", event.report.entities.len()));
    });
    load(second.world_mut(), Format::Binary, &file).unwrap();
    let mut seen = second.world().resource::<Seen>().0.clone();
    assert_eq!(seen.pop().unwrap(), "loaded: 2");
    seen.sort();
    assert_eq!(seen, ["add: 7 1 turn 9", "health: 7", "hook: Some(Health { hp: 7 }) true"]);
}

/// An observer despawns another entity of the file, before or after it got its components.
#[test]
fn observers_may_despawn_what_is_loaded() {
    let mut first = app();
    let all: Vec<Entity> =
        (0..6).map(|hp| first.world_mut().spawn((Save, Health { hp })).id()).collect();
    for (one, other) in [(1, 4), (4, 1)] {
        first.world_mut().entity_mut(all[one]).insert(Target { who: all[other] });
    }
    let file = save(first.world_mut(), Format::Binary, &Options::new()).unwrap();
    let mut second = app();
    second.add_observer(
        |event: On<'_, '_, Add<Target>>,
         all: Query<'_, '_, &Target>,
         mut commands: Commands<'_, '_>| {
            commands.entity(all.get(event.entity).unwrap().who).try_despawn();
        },
    );
    let report = load(second.world_mut(), Format::Binary, &file).unwrap();
    let world = second.world();
    let hp = |it: &Entity| Some(world.get::<Health>(*it)?.hp);
    let hps: Vec<Option<u16>> = report.entities.iter().map(hp).collect();
    assert_eq!(hps, [Some(0), Some(1), Some(2), Some(3), None, Some(5)]);
}

#[test]
fn required_components_that_the_file_lacks_are_added() {
    let mut app = app();
    let file = r#"{"entities":[1],"components":{"unit":{"1":{"name":"Ann"}}}}"#;
    let report = load(app.world_mut(), Format::Json, file.as_bytes()).unwrap();
    assert_eq!(app.world().get::<Health>(report.entities[0]), Some(&Health { hp: 0 }));
}
