//! References in containers.

use std::collections::{BTreeMap, HashMap, HashSet};

use archive::{Format, Options, Serialize};
use archive_bevy::{Save, SaveApp, SaveId, SavePlugin, load, save};
use bevy_app::App;
use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::prelude::*;

#[derive(Component, Serialize, Default)]
struct All {
    #[archive(with = archive_bevy::entity)]
    list: Vec<Entity>,
    #[archive(with = archive_bevy::entity)]
    none: Option<Entity>,
    #[archive(with = archive_bevy::entity)]
    set: HashSet<Entity>,
    #[archive(with = archive_bevy::entity)]
    bevy_set: EntityHashSet,
    #[archive(with = archive_bevy::entity)]
    by_entity: HashMap<Entity, f32>,
    #[archive(with = archive_bevy::entity)]
    bevy_map: EntityHashMap<Vec<Entity>>,
    #[archive(with = archive_bevy::entity)]
    by_name: BTreeMap<String, Entity>,
    #[archive(with = archive_bevy::entity)]
    pairs: Vec<(Entity, u32)>,
    #[archive(with = archive_bevy::entity)]
    slots: [Option<Entity>; 3],
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SavePlugin).save_component::<All>("all");
    app
}

#[test]
fn all_containers() {
    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        let mut first = app();
        let world = first.world_mut();
        let others: Vec<Entity> = (0..20).map(|_| world.spawn(Save).id()).collect();
        let (one, two) = (others[3], others[7]);
        world.spawn((
            Save,
            All {
                list: vec![two, one, two],
                none: None,
                set: others.iter().copied().collect(),
                bevy_set: others.iter().copied().collect(),
                by_entity: others.iter().map(|it| (*it, 0.5)).collect(),
                bevy_map: [(one, vec![two])].into_iter().collect(),
                by_name: [("x".to_owned(), two)].into(),
                pairs: vec![(two, 4)],
                slots: [None, Some(one), None],
            },
        ));
        let file = save(world, format, &Options::new()).unwrap();
        let mut second = app();
        let other = second.world_mut();
        // The entities of this world have other indices.
        let waste: Vec<Entity> = (0..9).map(|_| other.spawn_empty().id()).collect();
        waste.iter().step_by(3).for_each(|it| {
            other.despawn(*it);
        });
        let report = load(other, format, &file).unwrap();
        let [one, two] = [4, 8].map(|number| report.entity(number).unwrap());
        let all = other.query::<&All>().single(other).unwrap();
        assert_eq!(all.list, [two, one, two]);
        assert_eq!((all.set.len(), all.bevy_set.len(), all.by_entity.len()), (20, 20, 20));
        assert!(all.set.contains(&one) && all.bevy_set.contains(&two));
        assert_eq!(all.bevy_map[&one], [two]);
        assert_eq!((all.by_name["x"], all.pairs[0]), (two, (two, 4)));
        assert_eq!(all.slots, [None, Some(one), None]);
        assert_eq!(save(other, format, &Options::new()).unwrap(), file);
    }
}

/// Resources refer to entities, too.
#[derive(Resource, Serialize)]
struct Selected(#[archive(with = archive_bevy::entity)] Option<Entity>);

#[test]
fn resources_refer_to_entities() {
    let make = || {
        let mut app = app();
        app.save_resource::<Selected>("selected");
        app
    };
    let mut first = make();
    let world = first.world_mut();
    world.spawn(Save);
    let two = world.spawn(Save).id();
    world.insert_resource(Selected(Some(two)));
    let file = save(world, Format::Json, &Options::new()).unwrap();
    let mut second = make();
    let report = load(second.world_mut(), Format::Json, &file).unwrap();
    assert_eq!(second.world().resource::<Selected>().0, Some(report.entities[1]));
    let id = second.world().get::<SaveId>(report.entities[1]).unwrap();
    assert_eq!(id.number(), Some(2));
}
