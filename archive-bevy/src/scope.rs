//! [`Scope`]: which entities, components and resources.

use std::fmt;
use std::sync::Arc;

use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_ecs::world::EntityRef;

use crate::mark::{Marked, marked};

type Filter = Arc<dyn Fn(&World, EntityRef<'_>) -> bool + Send + Sync>;

/// A part of a world: which of the entities with [`Save`](crate::Save), and which of the registered components and
/// resources.
///
/// ```
/// use archive::{Format, Options};
/// use archive_bevy::{Save, Scope, save_with};
/// use bevy_ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Enemy;
///
/// let mut world = World::new();
/// world.spawn(Save);
/// world.spawn((Save, Enemy));
/// let scope = Scope::all().with::<Enemy>().without_resources();
/// let (_, report) = save_with(&mut world, &scope, Format::Json, &Options::new())?;
/// assert_eq!(report.entities, 1);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Scope {
    filters: Vec<Filter>,
    components: Option<Vec<String>>,
    without_resources: bool,
}

impl Scope {
    /// Returns the whole world.
    pub fn all() -> Self {
        Scope::default()
    }

    /// Leaves out entities for which the function returns `false`.
    #[must_use]
    pub fn filter(self, filter: impl Fn(EntityRef<'_>) -> bool + Send + Sync + 'static) -> Self {
        self.and(move |_, entity| filter(entity))
    }

    fn and(
        mut self,
        filter: impl Fn(&World, EntityRef<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.filters.push(Arc::new(filter));
        self
    }

    /// Leaves out entities without the component.
    #[must_use]
    pub fn with<C: Component>(self) -> Self {
        self.filter(|entity| entity.contains::<C>())
    }

    /// Leaves out entities with the component.
    #[must_use]
    pub fn without<C: Component>(self) -> Self {
        self.filter(|entity| !entity.contains::<C>())
    }

    /// Leaves out entities that are neither one of the roots nor below one: a scene.
    #[must_use]
    pub fn roots(self, roots: impl IntoIterator<Item = Entity>) -> Self {
        let roots: Vec<Entity> = roots.into_iter().collect();
        self.and(move |world, entity| {
            let above = |entity: &Entity| Some(world.get::<ChildOf>(*entity)?.parent());
            std::iter::successors(Some(entity.id()), above).any(|it| roots.contains(&it))
        })
    }

    /// Leaves out all components but these, by their names in files.
    #[must_use]
    pub fn components<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.components = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Leaves out the resources.
    #[must_use]
    pub fn without_resources(mut self) -> Self {
        self.without_resources = true;
        self
    }

    /// Returns whether no entity is left out.
    pub(crate) fn is_all(&self) -> bool {
        self.filters.is_empty()
    }

    pub(crate) fn has_entity(&self, world: &World, entity: EntityRef<'_>) -> bool {
        self.filters.iter().all(|filter| filter(world, entity))
    }

    pub(crate) fn has_component(&self, name: &str) -> bool {
        self.components.as_ref().is_none_or(|names| names.iter().any(|it| it == name))
    }

    pub(crate) fn has_resources(&self) -> bool {
        !self.without_resources
    }

    /// Returns the entities that have numbers, in the order of the numbers.
    pub(crate) fn entities<'w>(&self, world: &'w World) -> Vec<Marked<'w>> {
        let mut found: Vec<Marked<'w>> = marked(world)
            .filter(|entity| self.has_entity(world, *entity))
            .filter_map(|entity| {
                let number = entity.get::<crate::SaveId>()?.number()?;
                Some(Marked { number, entity })
            })
            .collect();
        found.sort_by_key(|it| it.number);
        found
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Scope");
        debug.field("filters", &self.filters.len()).field("components", &self.components);
        debug.field("resources", &self.has_resources()).finish()
    }
}
