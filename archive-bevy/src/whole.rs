//! [`Whole`]: gives an entity all of its components at once, so that no hook or observer sees a part
//! of it. The only file with `unsafe`.
//!
//! The types of the components are known only one by one, while a bundle of a static type has all of
//! them. Safe interfaces insert one type after the other, which runs `On<Add>` on entities that are
//! half there, and fills required components with defaults first.
// Why: docs/decisions/bevy.md#an-entity-is-inserted-at-once

#![expect(
    unsafe_code,
    reason = "`bevy_ecs` has no safe way to insert a bundle of types that are known one by one"
)]

use bevy_ecs::bundle::{BundleScratch, BundleWriter};
use bevy_ecs::component::ComponentsRegistrator;
use bevy_ecs::prelude::*;

/// Inserts whole entities into a world.
pub(crate) struct Whole<'w> {
    world: &'w mut World,
    scratch: BundleScratch,
}

/// The components of one entity. Only [`Whole::insert`] creates one.
pub(crate) struct Parts<'s, 'w> {
    writer: BundleWriter<'s>,
    components: ComponentsRegistrator<'w>,
}

impl<'w> Whole<'w> {
    pub(crate) fn new(world: &'w mut World) -> Self {
        Whole { world, scratch: BundleScratch::default() }
    }

    /// Calls `fill`, which adds the components of the entity, and then inserts them. Does nothing if
    /// the entity is gone: an observer of another one has despawned it.
    pub(crate) fn insert(&mut self, entity: Entity, fill: impl FnOnce(&mut Parts<'_, '_>)) {
        if self.world.get_entity(entity).is_err() {
            return;
        }
        let mut parts = Parts {
            writer: self.scratch.writer(),
            components: self.world.components_registrator(),
        };
        fill(&mut parts);
        let Parts { writer, .. } = parts;
        // SAFETY: `Parts::push` is the only caller of `push_component`, and its registrator is that of
        // `self.world`, which `parts` has borrowed since it was created. So all components that were
        // pushed since the last write are registered with the world of the entity.
        unsafe { writer.write(&mut self.world.entity_mut(entity)) }
    }
}

impl Parts<'_, '_> {
    /// Adds a component.
    pub(crate) fn push<T: Component>(&mut self, component: T) {
        // SAFETY: both fields were set together, so the registrator is that of the world to which the
        // writer is written, and no other one was used with this writer.
        unsafe { self.writer.push_component(&mut self.components, component) }
    }
}
