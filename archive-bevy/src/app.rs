//! [`SavePlugin`] and [`SaveApp`]: how an app says what is saved.

use std::marker::PhantomData;
use std::sync::Arc;

use archive::{Element, Result};
use bevy_app::{App, Plugin};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_ecs::relationship::{Relationship, RelationshipTarget};

use crate::column::{Plain, Proxied};
use crate::registered::{self, Registered};
use crate::relation::Related;
use crate::resource;

/// Saves and loads the world of an app: registers `ChildOf` as the relationship `children`, and the
/// observers of [`SaveGame`](crate::SaveGame) and [`LoadGame`](crate::LoadGame).
#[derive(Clone, Copy, Debug, Default)]
pub struct SavePlugin;

impl Plugin for SavePlugin {
    fn build(&self, app: &mut App) {
        app.save_relationship::<ChildOf>("children");
        crate::events::add_to(app);
    }
}

/// Registers what is saved. The names are in files; a type may be renamed without them.
pub trait SaveApp {
    /// Saves the components of type `T`.
    ///
    /// # Panics
    /// Panics if another component type has the name, or if it begins with `$`.
    fn save_component<T: Component + archive::Save + Element>(&mut self, name: &str) -> &mut Self;

    /// Saves the components of type `T` as what `save` makes of them. `load` turns that into a
    /// component again. For components of other crates:
    ///
    /// ```
    /// use archive_bevy::{SaveApp, name};
    /// use bevy_app::App;
    ///
    /// App::new().save_component_with("name", name::save, name::load);
    /// ```
    ///
    /// # Panics
    /// As [`save_component`](SaveApp::save_component).
    fn save_component_with<T, S, F, G>(&mut self, name: &str, save: F, load: G) -> &mut Self
    where
        T: Component,
        S: archive::Save + Element + 'static,
        F: Fn(&T) -> Result<S> + Send + Sync + 'static,
        G: Fn(S) -> Result<T> + Send + Sync + 'static;

    /// Saves the resource of type `T`. A load replaces it. A resource that the file does not have is
    /// left as it is.
    ///
    /// # Panics
    /// Panics if another resource type has the name, or if it begins with `$`.
    fn save_resource<T: Resource + archive::Save + Element>(&mut self, name: &str) -> &mut Self;

    /// Saves the relationship `R`: for each target the list of its sources, in their order.
    ///
    /// A relationship component with more than the entity is a component like any other
    /// ([`save_component`](SaveApp::save_component)), whose reference is a field with
    /// `with = archive_bevy::entity`. The order of its sources is then that of their numbers.
    ///
    /// # Panics
    /// Panics if another relationship has the name, or if it begins with `$`.
    fn save_relationship<R: Relationship>(&mut self, name: &str) -> &mut Self;

    /// Loads a component, a resource or a relationship also under the name that it had in older
    /// files.
    fn save_alias(&mut self, name: &str, old: &str) -> &mut Self;
}

impl SaveApp for App {
    fn save_component<T: Component + archive::Save + Element>(&mut self, name: &str) -> &mut Self {
        self.world_mut().register_component::<T>();
        let kind = Arc::new(Plain::<T>(PhantomData));
        registered::add(&mut registered(self).components, name, kind);
        self
    }

    fn save_component_with<T, S, F, G>(&mut self, name: &str, save: F, load: G) -> &mut Self
    where
        T: Component,
        S: archive::Save + Element + 'static,
        F: Fn(&T) -> Result<S> + Send + Sync + 'static,
        G: Fn(S) -> Result<T> + Send + Sync + 'static,
    {
        self.world_mut().register_component::<T>();
        let kind = Proxied::<T, S, F, G> { save, load, types: PhantomData };
        registered::add(&mut registered(self).components, name, Arc::new(kind));
        self
    }

    fn save_resource<T: Resource + archive::Save + Element>(&mut self, name: &str) -> &mut Self {
        let kind = Arc::new(resource::Plain::<T>(PhantomData));
        registered::add(&mut registered(self).resources, name, kind);
        self
    }

    fn save_relationship<R: Relationship>(&mut self, name: &str) -> &mut Self {
        self.world_mut().register_component::<R>();
        self.world_mut().register_component::<R::RelationshipTarget>();
        let kind = Related::<R>::new(<R::RelationshipTarget as RelationshipTarget>::LINKED_SPAWN);
        registered::add(&mut registered(self).relations, name, Arc::new(kind));
        self
    }

    fn save_alias(&mut self, name: &str, old: &str) -> &mut Self {
        registered(self).aliases.push((name.to_owned(), old.to_owned()));
        self
    }
}

fn registered(app: &mut App) -> Mut<'_, Registered> {
    app.world_mut().get_resource_or_init::<Registered>()
}
