//! The world: six components, a third of the entities with references, a fifth with a parent, one resource.

use archive::Serialize;
use archive_bevy::{SaveApp, SavePlugin};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;

#[derive(Component, Reflect, Serialize, Default, Clone, PartialEq, Debug)]
#[reflect(Component)]
pub struct Health {
    hp: u16,
    max: u16,
}

#[derive(Component, Reflect, Serialize, Default, Clone, PartialEq, Debug)]
#[reflect(Component)]
pub struct Position {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Reflect, Serialize, Default, Clone, PartialEq, Debug)]
enum Job {
    #[default]
    Idle,
    Attack {
        damage: u32,
    },
}

#[derive(Component, Reflect, Serialize, Default, Clone, PartialEq, Debug)]
#[reflect(Component)]
#[require(Health)]
pub struct Unit {
    name: String,
    level: u32,
    job: Job,
}

#[derive(Reflect, Serialize, Default, Clone, PartialEq, Debug)]
struct Item {
    id: u32,
    count: u16,
}

#[derive(Component, Reflect, Serialize, Default, Clone, PartialEq, Debug)]
#[reflect(Component)]
pub struct Inventory {
    items: Vec<Item>,
}

#[derive(Component, Reflect, Serialize, Clone, PartialEq, Debug)]
#[reflect(Component)]
pub struct Target {
    #[entities]
    #[archive(with = archive_bevy::entity, default = Entity::PLACEHOLDER)]
    who: Entity,
}

#[derive(Component, Reflect, Serialize, Default, Clone, PartialEq, Debug)]
#[reflect(Component)]
pub struct Player;

#[derive(Resource, Reflect, Serialize, Default, Clone, PartialEq, Debug)]
#[reflect(Resource)]
pub struct Turn {
    number: u64,
}

/// An app in which all libraries know all types.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((bevy_app::TaskPoolPlugin::default(), bevy_asset::AssetPlugin::default()));
    app.register_type::<Health>()
        .register_type::<Position>()
        .register_type::<Unit>()
        .register_type::<Inventory>()
        .register_type::<Target>()
        .register_type::<Player>()
        .register_type::<Turn>()
        .register_type::<ChildOf>()
        .register_type::<Children>();
    app.add_plugins(SavePlugin)
        .save_component::<Health>("health")
        .save_component::<Position>("position")
        .save_component::<Unit>("unit")
        .save_component::<Inventory>("inventory")
        .save_component::<Target>("target")
        .save_component::<Player>("player")
        .save_resource::<Turn>("turn");
    app.add_observer(moonshine_save::save::save_on_default_event);
    app.add_observer(moonshine_save::load::load_on_default_event);
    app
}

/// Spawns the entities. `mark` marks each for a library.
pub fn fill(world: &mut World, count: u32, mark: impl Fn(&mut EntityWorldMut<'_>)) {
    world.insert_resource(Turn { number: 7 });
    let mut all: Vec<Entity> = Vec::new();
    for index in 0..count {
        let random = index.wrapping_mul(2_654_435_761) >> 8;
        let mut entity = world.spawn((
            Health { hp: (random % 100) as u16, max: 100 },
            Position { x: random as f32 * 0.01, y: index as f32 * 0.5, z: (random % 77) as f32 },
        ));
        mark(&mut entity);
        if index % 2 == 0 {
            let job = match index % 3 {
                0 => Job::Idle,
                _ => Job::Attack { damage: random % 50 },
            };
            entity.insert(Unit { name: format!("unit {index}"), level: random % 30, job });
        }
        if index % 4 == 0 {
            let items = (0..random % 6).map(|id| Item { id: id * 7, count: (random % 9) as u16 });
            entity.insert(Inventory { items: items.collect() });
        }
        if index == 0 {
            entity.insert(Player);
        }
        all.push(entity.id());
    }
    for index in 0..all.len() {
        if index % 3 == 1 {
            let who = all[(index * 7 + 5) % all.len()];
            world.entity_mut(all[index]).insert(Target { who });
        }
        if index % 5 == 4 {
            world.entity_mut(all[index]).insert(ChildOf(all[index - 1]));
        }
    }
}

/// Describes the world without the numbers of its entities.
pub fn digest(world: &mut World) -> String {
    type All<'a> = (
        &'a Health,
        &'a Position,
        Option<&'a Unit>,
        Option<&'a Inventory>,
        Option<&'a Target>,
        Option<&'a ChildOf>,
    );
    let mut query = world.query::<All<'_>>();
    let name = |entity: Entity| world.get::<Position>(entity).map(|position| position.y);
    let mut rows: Vec<String> = query
        .iter(world)
        .map(|(health, position, unit, inventory, target, parent)| {
            let target = target.map(|target| name(target.who));
            let parent = parent.map(|parent| name(parent.parent()));
            format!("{position:?}{health:?}{unit:?}{inventory:?}{target:?}{parent:?}")
        })
        .collect();
    rows.sort();
    let hash = rows.concat().bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{} entities {hash:x} turn {}", rows.len(), world.resource::<Turn>().number)
}
