//! Random worlds: what is saved is loaded, in every format, and the next save has the same bytes.

use archive::{Format, Options};
use archive_bevy::{Load, Save, SaveId, load, load_with, save};
use bevy_ecs::prelude::*;
use proptest::prelude::*;

use crate::common::*;

/// The components of an entity. References are indices in the list of all entities.
#[derive(Debug, Clone)]
struct Plan {
    is_saved: bool,
    health: Option<u16>,
    unit: Option<(String, Option<u32>)>,
    target: Option<usize>,
    squad: Option<(Vec<usize>, Option<usize>)>,
    is_player: bool,
    parent: Option<usize>,
    likes: Option<usize>,
}

fn plan() -> impl Strategy<Value = Plan> {
    let unit = (any::<String>(), any::<Option<u32>>());
    let squad = (prop::collection::vec(any::<usize>(), 0..4), any::<Option<usize>>());
    (
        prop::bool::weighted(0.8),
        any::<Option<u16>>(),
        prop::option::of(unit),
        any::<Option<usize>>(),
        prop::option::of(squad),
        any::<bool>(),
        (any::<Option<usize>>(), any::<Option<usize>>()),
    )
        .prop_map(|(is_saved, health, unit, target, squad, is_player, (parent, likes))| Plan {
            is_saved,
            health,
            unit,
            target,
            squad,
            is_player,
            parent,
            likes,
        })
}

/// Spawns the entities in a world. References are to saved entities only.
fn build(world: &mut World, plans: &[Plan]) {
    let all: Vec<Entity> = plans.iter().map(|_| world.spawn_empty().id()).collect();
    let saved: Vec<Entity> =
        all.iter().zip(plans).filter(|(_, it)| it.is_saved).map(|(entity, _)| *entity).collect();
    let one = |place: usize| saved.get(place % saved.len().max(1)).copied();
    for (index, (entity, plan)) in all.iter().zip(plans).enumerate() {
        let mut it = world.entity_mut(*entity);
        if plan.is_saved {
            it.insert(Save);
        }
        if let Some(hp) = plan.health {
            it.insert(Health { hp });
        }
        if let Some((name, damage)) = &plan.unit {
            let job = damage.map_or(Job::Idle, |damage| Job::Attack { damage });
            it.insert(Unit { name: name.clone(), job });
        }
        if let Some(who) = plan.target.and_then(one) {
            it.insert(Target { who });
        }
        if let Some((members, leader)) = &plan.squad {
            let members = members.iter().filter_map(|it| one(*it)).collect();
            it.insert(Squad { members, leader: leader.and_then(one) });
        }
        if plan.is_player {
            it.insert(Player);
        }
        // The parent comes before or after the child. It is nearer to the end, so there are no
        // cycles.
        if let Some(place) = plan.parent
            && let Some(parent) = all.get(index + 1 + place % 3)
        {
            it.insert(ChildOf(*parent));
        }
        if let Some(liked) = plan.likes.and_then(one).filter(|liked| liked != entity) {
            it.insert(Likes(liked));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn worlds_come_back(plans in prop::collection::vec(plan(), 0..24), turn: u64, gone in 0usize..40) {
        let mut first = app();
        let world = first.world_mut();
        world.insert_resource(Turn { number: turn });
        // Numbers of entities that are free again, and of later generations.
        let dead: Vec<Entity> = (0..gone).map(|_| world.spawn_empty().id()).collect();
        dead.into_iter().step_by(2).for_each(|it| { world.despawn(it); });
        build(world, &plans);
        for format in [Format::Json, Format::Binary, Format::MessagePack] {
            let bytes = save(world, format, &Options::new()).unwrap();
            let expected = describe(world);

            // In another world, which is not empty.
            let mut second = app();
            let other = second.world_mut();
            for hp in 0..7 {
                other.spawn((Save, Health { hp }));
            }
            load(other, format, &bytes).unwrap();
            prop_assert_eq!(&describe(other), &expected);
            prop_assert_eq!(&save(other, format, &Options::new()).unwrap(), &bytes);

            // In the same world.
            load(world, format, &bytes).unwrap();
            prop_assert_eq!(&describe(world), &expected);
            prop_assert_eq!(&save(world, format, &Options::new()).unwrap(), &bytes);

            // Over itself, twice.
            load_with(world, &Load::merge(), format, &bytes, &Options::new()).unwrap();
            prop_assert_eq!(&describe(world), &expected);
            prop_assert_eq!(&save(world, format, &Options::new()).unwrap(), &bytes);
        }
    }

    /// Any change of a file is an error, or a world that can be saved.
    #[test]
    fn damaged_files(plans in prop::collection::vec(plan(), 1..6), at: prop::sample::Index, byte: u8) {
        let mut first = app();
        let world = first.world_mut();
        world.insert_resource(Turn { number: 1 });
        build(world, &plans);
        for format in [Format::Json, Format::Binary, Format::MessagePack] {
            let mut bytes = save(world, format, &Options::new()).unwrap();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let mut second = app();
            let other = second.world_mut();
            other.spawn((Save, Health { hp: 5 }));
            let before = describe(other);
            let spawned = other.entities().count_spawned();
            if load(other, format, &bytes).is_err() {
                prop_assert_eq!(describe(other), before);
                prop_assert_eq!(other.entities().count_spawned(), spawned);
            }
        }
    }
}

#[test]
fn numbers_stay_and_are_not_used_again() {
    let mut app = app();
    let world = app.world_mut();
    let number = |world: &World, entity| world.get::<SaveId>(entity).unwrap().number();
    let [one, two] = [0; 2].map(|_| world.spawn(Save).id());
    save(world, Format::Json, &Options::new()).unwrap();
    assert_eq!((number(world, one), number(world, two)), (Some(1), Some(2)));
    world.despawn(two);
    let three = world.spawn(Save).id();
    let file = save(world, Format::Json, &Options::new()).unwrap();
    assert_eq!((number(world, one), number(world, three)), (Some(1), Some(3)));

    // This is also true after a load, even if the last entity is gone.
    world.despawn(three);
    let file_without = save(world, Format::Json, &Options::new()).unwrap();
    let mut second = crate::common::app();
    let other = second.world_mut();
    load(other, Format::Json, &file_without).unwrap();
    let four = other.spawn(Save).id();
    save(other, Format::Json, &Options::new()).unwrap();
    assert_eq!(number(other, four), Some(4));
    assert_ne!(file, file_without);
}

/// The mark of an entity is removed, a file is loaded, and the mark is there again.
#[test]
fn entities_never_share_a_number() {
    let mut app = app();
    let world = app.world_mut();
    let one = world.spawn((Save, Health { hp: 1 })).id();
    let file = to_json(world);
    for how in [Load::replace(), Load::merge()] {
        world.entity_mut(one).remove::<Save>();
        load_with(world, &how, Format::Json, file.as_bytes(), &Options::new()).unwrap();
        world.entity_mut(one).insert(Save);
        to_json(world);
        let mut numbers: Vec<_> =
            world.query::<&SaveId>().iter(world).map(SaveId::number).collect();
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
    }
}

#[test]
fn a_clone_gets_a_number_of_its_own() {
    let mut app = app();
    let world = app.world_mut();
    let one = world.spawn((Save, Health { hp: 3 })).id();
    save(world, Format::Json, &Options::new()).unwrap();
    let two = world.entity_mut(one).clone_and_spawn();
    assert_eq!(world.get::<Health>(two), Some(&Health { hp: 3 }));
    let file = to_json(world);
    assert!(file.contains(r#""entities":[1,2]"#), "{file}");
}
