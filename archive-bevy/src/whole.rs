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

use std::alloc::Layout;
use std::marker::PhantomData;

use bevy_ecs::bundle::{BundleScratch, BundleWriter};
use bevy_ecs::component::ComponentId;
use bevy_ecs::prelude::*;
use bevy_ecs::ptr::OwningPtr;
use bevy_ecs::world::WorldId;

/// Inserts whole entities into a world.
pub(crate) struct Whole<'w> {
    world: &'w mut World,
    scratch: BundleScratch,
}

/// The components of one entity. Only [`Whole::insert`] creates one.
pub(crate) struct Parts<'s> {
    writer: BundleWriter<'s>,
    world: WorldId,
}

/// The id of a component type in a world. Only [`Id::of`] creates one.
pub(crate) struct Id<T> {
    id: ComponentId,
    world: WorldId,
    component: PhantomData<fn(T)>,
}

impl<T: Component> Id<T> {
    pub(crate) fn of(world: &mut World) -> Self {
        Id { id: world.register_component::<T>(), world: world.id(), component: PhantomData }
    }
}

impl<'w> Whole<'w> {
    pub(crate) fn new(world: &'w mut World) -> Self {
        Whole { world, scratch: BundleScratch::default() }
    }

    /// Calls `fill`, which adds the components of the entity, and then inserts them. Does nothing if
    /// the entity is gone: an observer of another one has despawned it.
    pub(crate) fn insert(&mut self, entity: Entity, fill: impl FnOnce(&mut Parts<'_>)) {
        let world = self.world.id();
        let Ok(mut entity) = self.world.get_entity_mut(entity) else { return };
        let mut parts = Parts { writer: self.scratch.writer(), world };
        fill(&mut parts);
        // SAFETY: `Parts::push` is the only caller of `push_component_by_id`. It checks that the ids are
        // those of the world whose id `parts` has, which is that of the entity. So all components that
        // were pushed since the last write are registered with the world of the entity.
        unsafe { parts.writer.write(&mut entity) }
    }
}

impl Parts<'_> {
    /// Adds a component.
    ///
    /// # Panics
    /// Panics if the id is of another world.
    #[inline]
    pub(crate) fn push<T: Component>(&mut self, id: &Id<T>, component: T) {
        assert!(id.world == self.world, "the id of a component in another world");
        OwningPtr::make(component, |component| {
            // SAFETY: `id` was returned by `register_component::<T>` of the world to which the writer
            // is written, no id of another world was pushed, and the value and the layout are those of
            // a `T`.
            unsafe { self.writer.push_component_by_id(id.id, component, Layout::new::<T>()) }
        });
    }
}
