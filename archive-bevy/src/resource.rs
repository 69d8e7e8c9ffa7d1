//! Resources that are saved.

use std::marker::PhantomData;

use archive::shape::Shape;
use archive::tool::Erased;
use archive::{Archive, Element, Result};
use bevy_ecs::prelude::*;

/// A type of resources that is saved.
pub(crate) trait ResourceKind: Send + Sync {
    /// Saves the resource under that name, if the world has it.
    fn save(&self, name: &str, world: &World, ar: &mut Erased<'_>) -> Result;

    /// Returns whether the world has it.
    fn is_in(&self, world: &World) -> bool;

    /// Returns the shape of the resource.
    fn shape(&self) -> &'static Shape;

    /// Loads the resource in the current slot. The function inserts it.
    fn load(&self, ar: &mut Erased<'_>) -> Result<Insert>;
}

/// Inserts a resource that was loaded.
pub(crate) type Insert = Box<dyn FnOnce(&mut World)>;

/// A resource type that can be saved itself.
pub(crate) struct Plain<T>(pub(crate) PhantomData<fn(T)>);

impl<T: Resource + archive::Save + Element> ResourceKind for Plain<T> {
    fn save(&self, name: &str, world: &World, ar: &mut Erased<'_>) -> Result {
        match world.get_resource::<T>() {
            Some(resource) => ar.save(name, resource),
            None => Ok(()),
        }
    }

    fn is_in(&self, world: &World) -> bool {
        world.contains_resource::<T>()
    }

    fn shape(&self) -> &'static Shape {
        T::SHAPE
    }

    fn load(&self, ar: &mut Erased<'_>) -> Result<Insert> {
        let resource = T::load_element(ar)?;
        Ok(Box::new(|world| world.insert_resource(resource)))
    }
}
