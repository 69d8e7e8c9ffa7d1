//! Relationships: saved from the side of the target, as the list of its sources, because only the
//! target knows their order.

pub(crate) mod check;

use std::collections::BTreeSet;
use std::marker::PhantomData;

use archive::Result;
use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_ecs::relationship::{Relationship, RelationshipSourceCollection, RelationshipTarget};

use crate::ids::LoadedEntities;
use crate::mark::{Marked, number_of};
use crate::report::Unsaved;
use crate::whole::{Id, Parts};

/// For each target, the sources in their order.
pub(crate) type Rows = Vec<(u32, Vec<u32>)>;

/// A type of relationships that is saved.
pub(crate) trait RelationKind: Send + Sync {
    /// Returns the relationships of the entities. Adds those to `unsaved` whose target is not saved.
    fn collect(
        &self,
        name: &str,
        entities: &[Marked<'_>],
        world: &World,
        unsaved: &mut Vec<Unsaved>,
    ) -> Rows;

    /// Checks the relationships of a file.
    fn stage(
        &self,
        rows: Rows,
        entities: &LoadedEntities,
        world: &World,
    ) -> Result<Box<dyn StagedRelation>>;
}

/// Relationships that were loaded and are not in the world yet.
pub(crate) trait StagedRelation {
    /// Called before the first relationship is added.
    fn begin(&mut self, world: &mut World);

    /// Adds the relationship of a source, if it has one.
    fn push(&self, source: Entity, parts: &mut Parts<'_>);

    /// Puts the sources of each target into the order of the file. Those that the file does not have
    /// follow.
    fn order(&self, world: &mut World);
}

/// The relationship `R`.
pub(crate) struct Related<R> {
    /// Whether the targets own their sources, so that these form trees.
    owns: bool,
    /// Whether the sources of a target have an order that their collection keeps.
    keeps_order: bool,
    /// Whether a target has one source at most.
    is_single: bool,
    relation: PhantomData<fn(R)>,
}

impl<R: Relationship> Related<R> {
    pub(crate) fn new(owns: bool) -> Self {
        type Sources<R> =
            <<R as Relationship>::RelationshipTarget as RelationshipTarget>::Collection;
        // What the collection is shows in what it does with entities.
        let some = || (1..32).filter_map(Entity::from_raw_u32);
        let mut sources = Sources::<R>::new();
        sources.extend_from_iter(some().take(1));
        let is_single = sources.source_to_remove_before_add().is_some();
        // One order could be that of a set by chance.
        let orders: [Vec<Entity>; 2] = [some().collect(), some().rev().collect()];
        let keeps = |order: &Vec<Entity>| {
            let mut sources = Sources::<R>::new();
            order.iter().for_each(|entity| _ = sources.add(entity));
            sources.iter().eq(order.iter())
        };
        let keeps_order = is_single || orders.iter().all(keeps);
        Related { owns, keeps_order, is_single, relation: PhantomData }
    }
}

impl<R: Relationship> RelationKind for Related<R> {
    fn collect(
        &self,
        name: &str,
        entities: &[Marked<'_>],
        world: &World,
        unsaved: &mut Vec<Unsaved>,
    ) -> Rows {
        let mut numbers = EntityHashMap::default();
        let mut targets = BTreeSet::new();
        for it in entities {
            let Some(relation) = it.entity.get::<R>() else { continue };
            match number_of(world, relation.get()) {
                Some(target) => {
                    numbers.insert(it.entity.id(), it.number);
                    targets.insert((target, relation.get()));
                }
                None => unsaved.push(Unsaved {
                    relation: name.to_owned(),
                    source: it.entity.id(),
                    target: relation.get(),
                }),
            }
        }
        let rows = targets.into_iter().map(|(number, target)| {
            let sources = world.get::<R::RelationshipTarget>(target);
            let sources = sources.into_iter().flat_map(|it| it.iter());
            let mut sources: Vec<u32> =
                sources.filter_map(|source| numbers.get(&source).copied()).collect();
            if !self.keeps_order {
                sources.sort_unstable();
            }
            (number, sources)
        });
        rows.filter(|(_, sources)| !sources.is_empty()).collect()
    }

    fn stage(
        &self,
        rows: Rows,
        entities: &LoadedEntities,
        world: &World,
    ) -> Result<Box<dyn StagedRelation>> {
        let mut staged = StagedSources::<R> {
            targets: EntityHashMap::default(),
            lists: Vec::new(),
            orders: self.keeps_order && !self.is_single,
            id: None,
        };
        for (target, sources) in rows {
            check::count(target, &sources, self.is_single)?;
            let place = |error: archive::Error| error.in_member(&target.to_string());
            let target = entities.entity(target).map_err(place)?;
            let mut list = Vec::with_capacity(sources.len());
            for number in sources {
                entities.index(number).map_err(place)?;
                let source = entities.entity(number)?;
                check::once(number, staged.targets.insert(source, target)).map_err(place)?;
                list.push(source);
            }
            staged.lists.push((target, list));
        }
        check::no_cycles::<R>(&staged.targets, self.owns, world)?;
        Ok(Box::new(staged))
    }
}

/// The relationships of a file.
struct StagedSources<R> {
    /// The target of each source.
    targets: EntityHashMap<Entity>,
    /// The sources of each target.
    lists: Vec<(Entity, Vec<Entity>)>,
    orders: bool,
    id: Option<Id<R>>,
}

impl<R: Relationship> StagedRelation for StagedSources<R> {
    fn begin(&mut self, world: &mut World) {
        self.id = Some(Id::of(world));
    }

    fn push(&self, source: Entity, parts: &mut Parts<'_>) {
        if let (Some(id), Some(target)) = (&self.id, self.targets.get(&source)) {
            parts.push(id, R::from(*target));
        }
    }

    fn order(&self, world: &mut World) {
        if !self.orders {
            return;
        }
        for (target, list) in &self.lists {
            let Some(mut sources) = world.get_mut::<R::RelationshipTarget>(*target) else {
                continue;
            };
            let now: Vec<Entity> = sources.iter().collect();
            if *list == now {
                continue;
            }
            // Hooks may have changed what the file says.
            let places: EntityHashMap<usize> =
                list.iter().enumerate().map(|(place, entity)| (entity, place)).collect();
            let mut ordered = now;
            ordered.sort_by_key(|entity| places.get(entity).copied().unwrap_or(usize::MAX));
            let sources = sources.collection_mut_risky();
            sources.clear();
            sources.extend_from_iter(ordered);
        }
    }
}
