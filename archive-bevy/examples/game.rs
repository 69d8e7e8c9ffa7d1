//! A game without a window: two armies fight. It is saved in the middle, loaded in another app and
//! played to the end, with the same outcome as without the save.
//!
//! `cargo run --example game`

use archive::{Format, Options, Serialize};
use archive_bevy::{Save, SaveApp, SavePlugin, load, save};
use bevy_app::{App, Update};
use bevy_ecs::prelude::*;

/// The order of entities in a query may be another one after a load. What decides goes by this number.
#[derive(Component, Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Soldier {
    number: u32,
    army: Army,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Army {
    Red,
    Blue,
}

#[derive(Component, Serialize, Clone, Copy, PartialEq, Debug)]
struct Position(f32);

#[derive(Component, Serialize, Clone, Copy, PartialEq, Debug)]
struct Health(i32);

/// Whom the soldier attacks.
#[derive(Component, Serialize, Clone, Copy, PartialEq, Debug)]
struct Target(#[archive(with = archive_bevy::entity, default = Entity::PLACEHOLDER)] Entity);

/// What a soldier carries is a child of the soldier.
#[derive(Component, Serialize, Clone, Copy, PartialEq, Debug)]
struct Weapon {
    damage: i32,
    reach: f32,
}

#[derive(Resource, Serialize, Clone, Copy, PartialEq, Debug)]
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[derive(Resource, Serialize, Clone, Copy, PartialEq, Debug)]
struct Tick(u32);

/// The app of the game, in which nothing has begun yet.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SavePlugin)
        .save_component::<Soldier>("soldier")
        .save_component::<Position>("position")
        .save_component::<Health>("health")
        .save_component::<Target>("target")
        .save_component::<Weapon>("weapon")
        .save_resource::<Dice>("dice")
        .save_resource::<Tick>("tick");
    app.add_systems(Update, (choose, march, fight, bury, reinforce).chain());
    app
}

fn begin(world: &mut World) {
    world.insert_resource(Dice(7));
    world.insert_resource(Tick(0));
    for number in 0..60 {
        let army = if number % 2 == 0 { Army::Red } else { Army::Blue };
        recruit(world, Soldier { number, army });
    }
}

fn recruit(world: &mut World, soldier: Soldier) {
    let mut dice = world.resource_mut::<Dice>();
    let place = dice.roll(100) as f32 / 10.0;
    let weapon = Weapon { damage: 1 + dice.roll(6) as i32, reach: 1.0 + dice.roll(3) as f32 };
    let place = if soldier.army == Army::Red { place } else { 30.0 - place };
    world.spawn((Save, soldier, Position(place), Health(20))).with_children(|carried| {
        carried.spawn((Save, weapon));
    });
}

/// Soldiers without a target attack the nearest enemy.
fn choose(
    mut commands: Commands<'_, '_>,
    idle: Query<'_, '_, (Entity, &Soldier, &Position), Without<Target>>,
    all: Query<'_, '_, (Entity, &Soldier, &Position)>,
) {
    for (entity, soldier, position) in &idle {
        let enemies = all.iter().filter(|(_, other, _)| other.army != soldier.army);
        let distance = |at: &Position| (at.0 - position.0).abs();
        let nearest = enemies.min_by(|one, other| {
            distance(one.2).total_cmp(&distance(other.2)).then(one.1.cmp(other.1))
        });
        if let Some((enemy, ..)) = nearest {
            commands.entity(entity).insert(Target(enemy));
        }
    }
}

/// All soldiers go towards their targets at once.
fn march(mut all: Query<'_, '_, (Entity, &mut Position, Option<&Target>)>) {
    let places: std::collections::HashMap<Entity, f32> =
        all.iter().map(|(entity, position, _)| (entity, position.0)).collect();
    for (_, mut position, target) in &mut all {
        if let Some(there) = target.and_then(|target| places.get(&target.0)) {
            let way = there - position.0;
            position.0 += way.clamp(-0.5, 0.5) * 0.9;
        }
    }
}

/// The soldiers strike in the order of their numbers, since each rolls the dice.
fn fight(
    attackers: Query<'_, '_, (&Soldier, &Position, &Target, &Children)>,
    weapons: Query<'_, '_, &Weapon>,
    positions: Query<'_, '_, &Position>,
    mut healths: Query<'_, '_, &mut Health>,
    mut dice: ResMut<'_, Dice>,
) {
    let mut order: Vec<_> = attackers.iter().collect();
    order.sort_by_key(|it| it.0);
    for (_, position, target, carried) in order {
        let Some(weapon) = carried.iter().find_map(|it| weapons.get(it).ok()) else { continue };
        let Ok(there) = positions.get(target.0) else { continue };
        if (there.0 - position.0).abs() <= weapon.reach
            && let Ok(mut health) = healths.get_mut(target.0)
        {
            health.0 -= dice.roll(weapon.damage as u64 + 1) as i32;
        }
    }
}

/// The dead are gone, and nobody's targets.
fn bury(
    mut commands: Commands<'_, '_>,
    all: Query<'_, '_, (Entity, &Health)>,
    attackers: Query<'_, '_, (Entity, &Target)>,
) {
    let dead: Vec<Entity> = all.iter().filter(|it| it.1.0 <= 0).map(|it| it.0).collect();
    for (entity, target) in &attackers {
        if dead.contains(&target.0) {
            commands.entity(entity).remove::<Target>();
        }
    }
    dead.into_iter().for_each(|it| commands.entity(it).despawn());
}

fn reinforce(world: &mut World) {
    let mut tick = world.resource_mut::<Tick>();
    tick.0 += 1;
    let number = 1000 + tick.0;
    if number.is_multiple_of(5) {
        let army = if number.is_multiple_of(2) { Army::Red } else { Army::Blue };
        recruit(world, Soldier { number, army });
    }
}

/// The state of the battle, as text.
fn state(world: &mut World) -> String {
    let mut soldiers: Vec<_> = world
        .query::<(&Soldier, &Position, &Health, Option<&Target>)>()
        .iter(world)
        .map(|(soldier, position, health, target)| {
            let target = target.map(|it| world.get::<Soldier>(it.0).copied());
            (*soldier, *position, *health, target)
        })
        .collect();
    soldiers.sort_by_key(|it| it.0);
    format!("{:?} {:?} {soldiers:?}", world.resource::<Tick>(), world.resource::<Dice>())
}

fn main() -> archive::Result {
    const TICKS: u32 = 300;
    let mut whole = app();
    begin(whole.world_mut());
    (0..TICKS).for_each(|_| whole.update());
    let expected = state(whole.world_mut());

    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        for middle in [1, 60, 150, 299] {
            let mut first = app();
            begin(first.world_mut());
            (0..middle).for_each(|_| first.update());
            let file = save(first.world_mut(), format, &Options::new())?;

            let mut second = app();
            let report = load(second.world_mut(), format, &file)?;
            (middle..TICKS).for_each(|_| second.update());
            assert_eq!(state(second.world_mut()), expected, "{format}, saved at {middle}");
            println!(
                "{format}, saved at tick {middle}: {} entities, {} bytes, same outcome",
                report.entities.len(),
                file.len()
            );
        }
    }
    Ok(())
}
