//! The components that the tests share, and worlds as text.

use std::fmt::Write as _;

use archive::{Format, Options, Serialize};
use archive_bevy::{SaveApp, SaveId, SavePlugin, load, save};
use bevy_app::App;
use bevy_ecs::prelude::*;

#[derive(Component, Serialize, Debug, Clone, Default, PartialEq)]
pub struct Health {
    pub hp: u16,
}

#[derive(Component, Serialize, Debug, Clone, Default, PartialEq)]
#[require(Health)]
pub struct Unit {
    pub name: String,
    pub job: Job,
}

#[derive(Serialize, Debug, Clone, Default, PartialEq)]
pub enum Job {
    #[default]
    Idle,
    Attack {
        damage: u32,
    },
}

#[derive(Component, Serialize, Debug, Clone, PartialEq)]
pub struct Target {
    #[archive(with = archive_bevy::entity, default = Entity::PLACEHOLDER)]
    pub who: Entity,
}

#[derive(Component, Serialize, Debug, Clone, Default, PartialEq)]
pub struct Squad {
    #[archive(with = archive_bevy::entity)]
    pub members: Vec<Entity>,
    #[archive(with = archive_bevy::entity)]
    pub leader: Option<Entity>,
}

#[derive(Component, Serialize, Debug, Clone, Default, PartialEq)]
pub struct Player;

#[derive(Resource, Serialize, Debug, Clone, Default, PartialEq)]
pub struct Turn {
    pub number: u64,
}

/// A relationship other than `ChildOf`.
#[derive(Component, Debug, PartialEq)]
#[relationship(relationship_target = Likers)]
pub struct Likes(pub Entity);

#[derive(Component, Debug, PartialEq)]
#[relationship_target(relationship = Likes)]
pub struct Likers(Vec<Entity>);

/// An app in which all of them are registered.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins(SavePlugin)
        .save_component::<Health>("health")
        .save_component::<Unit>("unit")
        .save_component::<Target>("target")
        .save_component::<Squad>("squad")
        .save_component::<Player>("player")
        .save_resource::<Turn>("turn")
        .save_relationship::<Likes>("likes");
    app
}

pub fn to_json(world: &mut World) -> String {
    String::from_utf8(save(world, Format::Json, &Options::new()).unwrap()).unwrap()
}

/// Loads text, which is an error.
#[track_caller]
pub fn refused(app: &mut App, text: &str) -> String {
    let world = app.world_mut();
    let before = describe(world);
    let entities = world.entities().count_spawned();
    let error = load(world, Format::Json, text.as_bytes()).unwrap_err();
    assert_eq!(describe(world), before, "the world has changed");
    assert_eq!(world.entities().count_spawned(), entities);
    error.to_string()
}

/// Describes the saved entities by their numbers, so that equal worlds are equal texts.
pub fn describe(world: &mut World) -> String {
    let number = |world: &World, entity: Entity| {
        world.get::<SaveId>(entity).and_then(SaveId::number).unwrap_or_default()
    };
    let mut ids: Vec<(u32, Entity)> = world
        .query_filtered::<(Entity, &SaveId), With<archive_bevy::Save>>()
        .iter(world)
        .map(|(entity, id)| (id.number().unwrap_or_default(), entity))
        .collect();
    ids.sort_unstable();
    let mut text = format!("{:?}\n", world.get_resource::<Turn>());
    for (id, entity) in ids {
        let it = world.entity(entity);
        let parts = (it.get::<Health>(), it.get::<Unit>(), it.get::<Player>());
        let target = it.get::<Target>().map(|it| number(world, it.who));
        let squad = it.get::<Squad>().map(|squad| {
            let members = squad.members.iter().map(|it| number(world, *it));
            (members.collect::<Vec<_>>(), squad.leader.map(|it| number(world, it)))
        });
        // The other half may be an entity that is not saved.
        let saved = |entity: Entity| Some(number(world, entity)).filter(|number| *number != 0);
        let children: Vec<u32> =
            it.get::<Children>().into_iter().flat_map(|it| it.iter().filter_map(saved)).collect();
        let likers: Vec<u32> = it
            .get::<Likers>()
            .into_iter()
            .flat_map(|it| it.0.iter().copied().filter_map(saved))
            .collect();
        let parent = it.get::<ChildOf>().and_then(|it| saved(it.parent()));
        let liked = it.get::<Likes>().and_then(|it| saved(it.0));
        writeln!(
            text,
            "{id}: {parts:?} {target:?} {squad:?} {children:?} {likers:?} {parent:?} {liked:?}"
        )
        .unwrap();
    }
    text
}
