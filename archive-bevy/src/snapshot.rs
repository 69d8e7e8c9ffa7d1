//! [`Snapshot`]: the part of a world that is saved, as a value.

use std::collections::HashSet;

use archive::tool::BorrowedMap;
use archive::{Archive, Result, Serialize, Value};
use bevy_ecs::prelude::*;

use crate::keep::{Column, Kept};
use crate::mark::{Marked, SaveId, marked};
use crate::registered::{Named, Registered, find};
use crate::relation::Rows;
use crate::report::{SaveReport, Unsaved};
use crate::scope::Scope;

/// What is saved. Everything has its number.
pub(crate) struct Snapshot<'w> {
    world: &'w World,
    registered: &'w Registered,
    scope: &'w Scope,
    entities: Vec<Marked<'w>>,
    /// Those that are registered, then those that are kept.
    relations: Vec<(&'w str, Rows)>,
    registered_relations: usize,
    kept: Vec<Column<'w>>,
    kept_resources: Vec<(&'w str, &'w Value)>,
    unsaved: Vec<Unsaved>,
}

impl<'w> Snapshot<'w> {
    pub(crate) fn new(world: &'w World, scope: &'w Scope) -> Self {
        let registered = world.resource::<Registered>();
        let entities = scope.entities(world);
        let mut unsaved = Vec::new();
        let mut relations = Vec::new();
        for Named { name, kind } in &registered.relations {
            relations.push((&**name, kind.collect(name, &entities, world, &mut unsaved)));
        }
        let kept = world.get_resource::<Kept>();
        let is_known = |name: &str| find(&registered.components, name).is_some();
        let mut columns = kept.map_or_else(Vec::new, |kept| kept.components_of(&entities));
        columns.retain(|(name, _)| !is_known(name) && scope.has_component(name));
        let is_unknown = |name: &str| find(&registered.relations, name).is_none();
        let kept_relations = kept.filter(|kept| !kept.relations.is_empty()).map(|kept| {
            let numbers = marked(world).filter_map(|it| it.get::<SaveId>()?.number());
            let saved: HashSet<u32> = numbers.collect();
            kept.relations_of(&entities, |number| saved.contains(&number))
        });
        let kept_relations = kept_relations.into_iter().flatten().filter(|it| is_unknown(it.0));
        let registered_relations = relations.len();
        relations.extend(kept_relations);
        let kept_resources = kept.filter(|_| scope.has_resources());
        let kept_resources = kept_resources.into_iter().flat_map(|kept| &kept.resources);
        let kept_resources = kept_resources.map(|(name, value)| (&**name, value));
        let kept_resources =
            kept_resources.filter(|(name, _)| find(&registered.resources, name).is_none());
        let kept_resources = kept_resources.collect();
        Snapshot {
            world,
            registered,
            scope,
            entities,
            relations,
            registered_relations,
            kept: columns,
            kept_resources,
            unsaved,
        }
    }

    /// Returns the entities, in the order of their numbers.
    #[cfg(feature = "store")]
    pub(crate) fn entities(&self) -> &[Marked<'w>] {
        &self.entities
    }

    /// Returns what is saved.
    pub(crate) fn report(&self) -> SaveReport {
        let resources = self.registered.resources.iter().filter(|it| it.kind.is_in(self.world));
        SaveReport {
            entities: self.entities.len(),
            resources: if self.scope.has_resources() { resources.count() } else { 0 },
            unsaved: self.unsaved.clone(),
            kept_components: self.kept.iter().map(|(name, _)| (*name).to_owned()).collect(),
            kept_resources: self.kept_resources.iter().map(|it| it.0.to_owned()).collect(),
            kept_relations: self.relations[self.registered_relations..]
                .iter()
                .map(|(name, _)| (*name).to_owned())
                .collect(),
        }
    }
}

impl Serialize for Snapshot<'_> {
    const NAME: &'static str = "World";

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        archive::Save::save(self, ar)
    }
}

impl archive::Save for Snapshot<'_> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.save("next", &self.registered.next)?;
        let numbers: Vec<u32> = self.entities.iter().map(|it| it.number).collect();
        ar.save("entities", &numbers)?;
        ar.save("resources", &Resources(self))?;
        ar.save("components", &Components(self))?;
        ar.save("relations", &Relations(self))
    }
}

struct Resources<'a, 'w>(&'a Snapshot<'w>);
struct Components<'a, 'w>(&'a Snapshot<'w>);
struct Relations<'a, 'w>(&'a Snapshot<'w>);

impl archive::Save for Resources<'_, '_> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let Snapshot { world, registered, scope, .. } = self.0;
        for Named { name, kind } in registered.resources.iter().filter(|_| scope.has_resources()) {
            kind.save(name, world, &mut ar.erased())?;
        }
        for (name, value) in &self.0.kept_resources {
            ar.save(name, *value)?;
        }
        Ok(())
    }
}

impl archive::Save for Components<'_, '_> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let Snapshot { registered, scope, entities, .. } = self.0;
        for Named { name, kind } in &registered.components {
            if scope.has_component(name) {
                kind.save(name, entities, &mut ar.erased())?;
            }
        }
        for (name, rows) in &self.0.kept {
            ar.save(name, &BorrowedMap(rows))?;
        }
        Ok(())
    }
}

impl archive::Save for Relations<'_, '_> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        for (name, rows) in &self.0.relations {
            let rows: Vec<(u32, &Vec<u32>)> = rows.iter().map(|(to, from)| (*to, from)).collect();
            ar.save(name, &BorrowedMap(&rows))?;
        }
        Ok(())
    }
}

macro_rules! only_saved {
    ($($Type:ident)*) => { $(
        impl Serialize for $Type<'_, '_> {
            const NAME: &'static str = stringify!($Type);

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                archive::Save::save(self, ar)
            }
        }
    )* };
}
only_saved! { Resources Components Relations }
