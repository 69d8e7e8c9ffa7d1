//! Bevy's own `DynamicWorld`, and moonshine-save.

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_world_serialization::serde::WorldDeserializer;
use bevy_world_serialization::{DynamicWorldBuilder, WorldFilter};
use moonshine_save::prelude::{LoadWorld, SaveWorld, TriggerLoad, TriggerSave};
use serde::de::DeserializeSeed;

use crate::world::*;
use crate::{Figures, clear, median};

pub fn dynamic_world(count: u32, expected: &str) -> Figures {
    let filter = || {
        WorldFilter::deny_all()
            .allow::<Health>()
            .allow::<Position>()
            .allow::<Unit>()
            .allow::<Inventory>()
            .allow::<Target>()
            .allow::<Player>()
            .allow::<ChildOf>()
            .allow::<Children>()
    };
    let mut first = app();
    fill(first.world_mut(), count, |_| {});
    let world = first.world_mut();
    let (save, text) = median(|| {
        let all: Vec<Entity> = world.query_filtered::<Entity, With<Health>>().iter(world).collect();
        let registry = world.resource::<AppTypeRegistry>().clone();
        let registry = registry.read();
        DynamicWorldBuilder::from_world(world, &registry)
            .with_component_filter(filter())
            .with_resource_filter(WorldFilter::deny_all().allow::<Turn>())
            .extract_entities(all.into_iter())
            .extract_resources()
            .build()
            .serialize(&registry)
            .expect("the world is saved")
    });
    let mut second = app();
    let world = second.world_mut();
    let (load, ()) = median(|| {
        clear(world);
        let registry = world.resource::<AppTypeRegistry>().clone();
        let mut assets = world.resource::<bevy_asset::AssetServer>().clone();
        let mut deserializer = ron::Deserializer::from_str(&text).expect("the text is RON");
        let seed =
            WorldDeserializer { type_registry: &registry.read(), load_from_path: &mut assets };
        let loaded = seed.deserialize(&mut deserializer).expect("the world is loaded");
        loaded.write_to_world(world, &mut EntityHashMap::default()).expect("the world is written");
    });
    assert_eq!(digest(world), expected);
    Figures { name: "`DynamicWorld`, RON".into(), bytes: text.len(), save, load }
}

pub fn moonshine(count: u32, expected: &str) -> Figures {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let path = folder.path().join("world.ron");
    let mut first = app();
    fill(first.world_mut(), count, |entity| {
        entity.insert((moonshine_save::save::Save, moonshine_save::load::Unload));
    });
    let world = first.world_mut();
    let (save, ()) = median(|| {
        world.trigger_save(SaveWorld::default_into_file(path.clone()).include_resource::<Turn>());
        world.flush();
    });
    let mut second = app();
    let world = second.world_mut();
    let (load, ()) = median(|| {
        clear(world);
        world.trigger_load(LoadWorld::default_from_file(path.clone()));
        world.flush();
    });
    assert_eq!(digest(world), expected);
    let bytes = std::fs::metadata(&path).expect("the file was written").len() as usize;
    Figures { name: "moonshine-save, RON".into(), bytes, save, load }
}
