//! What the relationships of a file must be.

use std::collections::{BTreeMap, HashSet};

use archive::{Error, ErrorKind, Result};
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_ecs::relationship::Relationship;

use super::Rows;
use crate::ids::LoadedEntities;

/// Checks that a target of a one-to-one relationship has one source.
pub(super) fn count(target: u32, sources: &[u32], is_single: bool) -> Result {
    if is_single && sources.len() > 1 {
        let message = format_args!("a one-to-one relationship with {} sources", sources.len());
        return Err(wrong(message).in_member(&target.to_string()));
    }
    Ok(())
}

/// Checks that a source has one target.
pub(super) fn once(source: u32, other: Option<Entity>) -> Result {
    match other {
        Some(_) => Err(twice(source)),
        None => Ok(()),
    }
}

fn twice(source: u32) -> Error {
    wrong(format_args!("entity {source} has two of these relationships"))
}

/// Checks a relationship that the program did not register: its entities exist, and a source has one
/// target. Returns the sources of each target.
pub(crate) fn unknown(rows: Rows, entities: &LoadedEntities) -> Result<BTreeMap<u32, Vec<u32>>> {
    let (mut all, mut known) = (BTreeMap::<u32, Vec<u32>>::new(), HashSet::new());
    for (target, sources) in rows {
        let place = |error: Error| error.in_member(&target.to_string());
        entities.entity(target).map_err(place)?;
        for source in &sources {
            entities.index(*source).map_err(place)?;
            if !known.insert(*source) {
                return Err(place(twice(*source)));
            }
        }
        all.entry(target).or_default().extend(sources);
    }
    Ok(all)
}

/// Checks that no entity is its own target unless that is allowed, and that targets which own their sources form trees,
/// together with the entities of the world.
pub(super) fn no_cycles<R: Relationship>(
    targets: &EntityHashMap<Entity>,
    owns: bool,
    world: &World,
) -> Result {
    let to_itself = targets.iter().find(|(source, target)| source == target);
    if let Some((entity, _)) = to_itself.filter(|_| !R::ALLOW_SELF_REFERENTIAL) {
        return Err(wrong(format_args!("the relationship of {entity} to itself")));
    }
    if !owns {
        return Ok(());
    }
    let next = |entity: Entity| {
        let target = match targets.get(&entity) {
            Some(target) => *target,
            None => world.get::<R>(entity)?.get(),
        };
        Some(target).filter(|target| *target != entity)
    };
    // The chain in which an entity was first met. The end of all earlier ones is reached.
    let mut chains = EntityHashMap::default();
    for (chain, start) in targets.keys().enumerate() {
        let mut at = Some(*start);
        while let Some(entity) = at {
            match chains.insert(entity, chain) {
                Some(met) if met == chain => {
                    return Err(wrong("the relationships form a cycle"));
                }
                Some(_) => break,
                None => {}
            }
            at = next(entity);
        }
    }
    Ok(())
}

fn wrong(message: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::BadPointer, message)
}
