//! [`Save`] and [`SaveId`]: which entities are saved, and their numbers in files.
// Why: docs/decisions/bevy.md#an-entity-has-a-number-that-stays

use archive::{Error, ErrorKind, Result};
use bevy_ecs::archetype::Archetype;
use bevy_ecs::prelude::*;
use bevy_ecs::world::EntityRef;

use crate::registered::Registered;

/// Marks an entity that is saved.
///
/// ```
/// use archive_bevy::{Save, SaveId};
/// use bevy_ecs::prelude::*;
///
/// let mut world = World::new();
/// let ann = world.spawn((Save, Name::new("Ann"))).id();
/// assert!(world.get::<SaveId>(ann).unwrap().number().is_none()); // it was not saved yet
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[require(SaveId)]
pub struct Save;

/// The number of an entity in files.
///
/// The first save assigns it. It stays with the entity, and no later entity gets the same one. A
/// clone of the entity gets a number of its own.
#[derive(Component, Debug, Default, PartialEq, Eq)]
#[component(clone_behavior = Ignore)]
pub struct SaveId(u32);

impl SaveId {
    /// Returns the number, or `None` before the first save.
    pub fn number(&self) -> Option<u32> {
        Some(self.0).filter(|number| *number != 0)
    }

    pub(crate) const fn new(number: u32) -> Self {
        SaveId(number)
    }
}

/// An entity that is saved, and its number.
#[derive(Clone, Copy)]
pub(crate) struct Marked<'w> {
    pub(crate) number: u32,
    pub(crate) entity: EntityRef<'w>,
}

/// Returns the number of an entity with [`Save`].
pub(crate) fn number_of(world: &World, entity: Entity) -> Option<u32> {
    let entity = world.get_entity(entity).ok()?;
    if entity.contains::<Save>() { entity.get::<SaveId>()?.number() } else { None }
}

/// Returns all entities with [`Save`], in no order.
pub(crate) fn marked(world: &World) -> impl Iterator<Item = EntityRef<'_>> {
    with::<Save>(world)
}

/// Removes the numbers of entities that have no [`Save`] any more, since those of a file may have
/// them.
pub(crate) fn forget_unmarked(world: &mut World) {
    let unmarked = with::<SaveId>(world).filter(|it| !it.contains::<Save>());
    for entity in unmarked.map(|it| it.id()).collect::<Vec<Entity>>() {
        world.entity_mut(entity).remove::<SaveId>();
    }
}

/// Returns all entities with a component. A query would leave out those that are disabled.
fn with<C: Component>(world: &World) -> impl Iterator<Item = EntityRef<'_>> {
    let component = world.component_id::<C>();
    let archetypes = world.archetypes().iter();
    let has = move |it: &&Archetype| component.is_some_and(|component| it.contains(component));
    let archetypes = archetypes.filter(has);
    archetypes.flat_map(|it| it.entities()).map(move |it| world.entity(it.id()))
}

/// Numbers the entities that have none, in the order of their indices: that in which they
/// were spawned, in a world in which none were despawned.
///
/// # Errors
/// Returns an error if there are no more numbers.
pub(crate) fn number_all(world: &mut World) -> Result {
    let is_new = |it: &EntityRef<'_>| it.get::<SaveId>().is_none_or(|id| id.0 == 0);
    let mut new: Vec<Entity> = marked(world).filter(is_new).map(|it| it.id()).collect();
    // The order of `Entity` itself is not that of its indices.
    new.sort_unstable_by_key(|it| it.index_u32());
    let first = world.get_resource_or_init::<Registered>().next;
    let count = u32::try_from(new.len()).ok();
    let Some(next) = count.and_then(|count| first.checked_add(count)) else {
        return Err(Error::new(ErrorKind::SizeLimit, "no number is left for an entity"));
    };
    for (entity, number) in new.into_iter().zip(first + 1..=next) {
        world.entity_mut(entity).insert(SaveId(number));
    }
    world.resource_mut::<Registered>().next = next;
    Ok(())
}
