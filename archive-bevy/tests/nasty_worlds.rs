//! What games do while they are saved and loaded.

use archive::{Format, Options, Serialize};
use archive_bevy::{Load, Loaded, Save, SaveApp, Saved, Scope, load, load_with, save, save_with};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;

use crate::common::*;

/// A component that removes itself when it is inserted.
#[derive(Component, Serialize, Default)]
#[component(on_insert = vanish)]
struct Once(u8);

fn vanish(mut world: DeferredWorld<'_>, context: HookContext) {
    world.commands().entity(context.entity).remove::<Once>();
}

/// A component whose hook despawns its entity.
#[derive(Component, Serialize, Default)]
#[component(on_add = die)]
struct Cursed(u8);

fn die(mut world: DeferredWorld<'_>, context: HookContext) {
    world.commands().entity(context.entity).despawn();
}

#[test]
fn hooks_remove_components_and_despawn_entities() {
    let mut app = app();
    app.save_component::<Once>("once").save_component::<Cursed>("cursed");
    let world = app.world_mut();
    let file = r#"{"entities":[1,2,3,4],"components":{"health":{"1":{"hp":1},"2":{"hp":2},"4":{"hp":4}},
        "once":{"1":7},"cursed":{"2":1,"3":2},"target":{"4":{"who":3}}},
        "relations":{"children":{"2":[4],"4":[1]},"likes":{"3":[1]}}}"#;
    for format in ["as it is", "again"] {
        let report = load(world, Format::Json, file.as_bytes()).unwrap();
        // Entity 2 takes its children with it, as it does in Bevy.
        let left: Vec<bool> =
            report.entities.iter().map(|it| world.get_entity(*it).is_ok()).collect();
        assert_eq!(left, [true, false, false, true], "{format}");
        assert!(!world.entity(report.entities[0]).contains::<Once>());
        assert!(!world.entity(report.entities[0]).contains::<Likes>());
        // The reference to an entity that is gone is the game's own fault, and an error with a path.
        let error = save(world, Format::Json, &Options::new()).unwrap_err().to_string();
        assert!(error.starts_with("components.target.4.who: refers to "), "{error}");
        world.entity_mut(report.entities[3]).remove::<Target>();
        assert!(to_json(world).contains(r#""entities":[1,4]"#));
    }
}

/// The world is saved and loaded in one frame, with what commands did in between.
#[test]
fn despawned_between_a_save_and_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app();
    app.insert_resource(archive_bevy::Slots::in_folder(folder.path()).unwrap());
    app.insert_resource(Turn { number: 0 });
    let world = app.world_mut();
    let all: Vec<Entity> = (0..9).map(|hp| world.spawn((Save, Health { hp })).id()).collect();
    app.add_observer(|_: On<'_, '_, Saved>, mut turn: ResMut<'_, Turn>| turn.number += 1);
    let world = app.world_mut();
    world.commands().trigger(archive_bevy::SaveGame::slot("a").in_background());
    world.flush();
    // The values were encoded, so what is despawned now is in the file.
    all.iter().for_each(|it| _ = world.despawn(*it));
    while app.world().resource::<Turn>().number == 0 {
        app.update();
    }
    app.world_mut().commands().trigger(archive_bevy::LoadGame::slot("a"));
    app.update();
    let world = app.world_mut();
    assert_eq!(world.query::<&Health>().iter(world).count(), 9);
}

/// An observer that despawns while the world is saved cannot exist: a save has the world alone. One
/// that saves while a world is loaded gets the whole world.
#[test]
fn observers_that_save_and_load() {
    #[derive(Resource, Default)]
    struct Copies(Vec<Vec<u8>>);

    let mut app = app();
    app.init_resource::<Copies>();
    app.world_mut().spawn((Save, Health { hp: 1 }, Player));
    let file = save(app.world_mut(), Format::Binary, &Options::new()).unwrap();
    app.add_observer(|_: On<'_, '_, Loaded>, mut commands: Commands<'_, '_>| {
        commands.queue(|world: &mut World| {
            let copy = save(world, Format::Binary, &Options::new()).unwrap();
            world.resource_mut::<Copies>().0.push(copy.clone());
            if world.resource::<Copies>().0.len() < 3 {
                load(world, Format::Binary, &copy).unwrap();
            }
        });
    });
    load(app.world_mut(), Format::Binary, &file).unwrap();
    app.world_mut().flush();
    assert_eq!(app.world().resource::<Copies>().0, [file.clone(), file.clone(), file]);
}

/// Each `SubApp` has a world. A file of one loads in the other, and neither knows the other's numbers.
#[test]
fn two_worlds() {
    let mut first = app();
    let mut sub = bevy_app::SubApp::new();
    std::mem::swap(sub.world_mut(), app().world_mut());
    first.insert_sub_app(Simulation, sub);
    let main = first.world_mut();
    main.spawn((Save, Health { hp: 1 }));
    let file = to_json(main);
    let sub = first.sub_app_mut(Simulation).world_mut();
    for hp in 0..3 {
        sub.spawn((Save, Health { hp: 10 + hp }));
    }
    let other = to_json(sub);
    load_with(sub, &Load::spawn(), Format::Json, file.as_bytes(), &Options::new()).unwrap();
    assert!(to_json(sub).contains(r#""entities":[1,2,3,4]"#));
    load(first.world_mut(), Format::Json, other.as_bytes()).unwrap();
    assert_eq!(to_json(first.world_mut()), other);
}

/// Observers of what a load despawns and inserts save and load the world, which is half loaded: an
/// error, and the outer load continues.
#[test]
fn saves_and_loads_inside_a_load() {
    #[derive(Resource, Default)]
    struct Errors(Vec<String>);

    let mut app = app();
    app.init_resource::<Errors>();
    let world = app.world_mut();
    for hp in 0..3 {
        world.spawn((Save, Health { hp }));
    }
    let file = save(world, Format::Binary, &Options::new()).unwrap();
    let copy = file.clone();
    app.add_observer(move |_: On<'_, '_, Remove<Health>>, mut commands: Commands<'_, '_>| {
        let copy = copy.clone();
        commands.queue(move |world: &mut World| {
            let error = load(world, Format::Binary, &copy).unwrap_err().to_string();
            world.resource_mut::<Errors>().0.push(error);
        });
    });
    app.add_observer(|_: On<'_, '_, Add<Health>>, mut commands: Commands<'_, '_>| {
        commands.queue(|world: &mut World| {
            let error = save(world, Format::Binary, &Options::new()).unwrap_err().to_string();
            world.resource_mut::<Errors>().0.push(error);
        });
    });
    let world = app.world_mut();
    load(world, Format::Binary, &file).unwrap();
    let errors = std::mem::take(&mut world.resource_mut::<Errors>().0);
    assert_eq!(errors.len(), 6);
    assert!(errors.iter().all(|it| it.starts_with("the world is being loaded")), "{errors:?}");
    assert_eq!(world.query::<&Health>().iter(world).count(), 3);
    assert_eq!(save(world, Format::Binary, &Options::new()).unwrap(), file);
}

#[derive(bevy_app::AppLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Simulation;

/// The children of an entity that is not saved: saved without their parent, which the report says. A
/// child that is not saved, of a saved one that is replaced, goes with it.
#[test]
fn children_of_unsaved_parents() {
    let mut app = app();
    let world = app.world_mut();
    let root = world.spawn_empty().id();
    let middle = world.spawn((Save, Health { hp: 1 }, ChildOf(root))).id();
    let hidden = world.spawn(ChildOf(middle)).id();
    let leaf = world.spawn((Save, Health { hp: 2 }, ChildOf(hidden))).id();
    let (file, report) = save_with(world, &Scope::all(), Format::Json, &Options::new()).unwrap();
    let unsaved: Vec<_> = report.unsaved.iter().map(|it| (it.source, it.target)).collect();
    assert_eq!(unsaved, [(middle, root), (leaf, hidden)]);
    // `leaf` is replaced although it is despawned with `middle` first.
    let report = load(world, Format::Json, &file).unwrap();
    assert_eq!(report.despawned, 2);
    assert!(world.get_entity(root).is_ok() && world.get_entity(hidden).is_err());
    assert!(world.get::<Children>(root).is_none());
    assert_eq!(world.query::<&Health>().iter(world).count(), 2);
    assert_eq!(save(world, Format::Json, &Options::new()).unwrap(), file);
}

/// An index is used again and again, until its generation wraps around.
#[test]
fn generations_overflow() {
    let mut app = app();
    let world = app.world_mut();
    let one = world.spawn((Save, Health { hp: 1 })).id();
    world.spawn((Save, Target { who: one }));
    let file = to_json(world);
    // Bevy frees an entity with the next generation, whichever it has.
    let last = bevy_ecs::entity::EntityGeneration::from_bits(u32::MAX);
    let old = world.spawn_empty().id();
    world.entity_mut(old).despawn_no_free();
    let high = Entity::from_index_and_generation(old.index(), last);
    world.entity_allocator_mut().free(high);
    for _ in 0..4 {
        let report = load(world, Format::Json, file.as_bytes()).unwrap();
        let who = world.get::<Target>(report.entities[1]).unwrap().who;
        assert_eq!(who, report.entities[0]);
        assert_eq!(world.get::<Health>(who), Some(&Health { hp: 1 }));
        assert_eq!(to_json(world), file);
    }
}

/// The numbers of entities in files end: that is an error of the save, and changes nothing.
#[test]
fn numbers_run_out() {
    let mut app = app();
    let world = app.world_mut();
    let file = r#"{"next":4294967295,"entities":[1],"components":{}}"#;
    load(world, Format::Json, file.as_bytes()).unwrap();
    world.spawn((Save, Health { hp: 1 }));
    let error = save(world, Format::Json, &Options::new()).unwrap_err().to_string();
    assert!(error.contains("no number is left for an entity"), "{error}");
    let how = Load::spawn();
    let error = load_with(world, &how, Format::Json, file.as_bytes(), &Options::new()).unwrap_err();
    assert!(error.to_string().contains("no number is left"), "{error}");
}
