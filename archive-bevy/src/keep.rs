//! [`Kept`]: what a file has and the program did not register. The next save writes it again.

use std::collections::{BTreeMap, HashSet};

use archive::Value;
use bevy_ecs::prelude::*;

use crate::mark::Marked;
use crate::relation::Rows;

/// Components by type and entity, resources, and the sources of relationships by type and target.
#[derive(Resource, Default)]
pub(crate) struct Kept {
    pub(crate) components: BTreeMap<String, BTreeMap<u32, Value>>,
    pub(crate) resources: BTreeMap<String, Value>,
    pub(crate) relations: BTreeMap<String, BTreeMap<u32, Vec<u32>>>,
}

impl Kept {
    /// Returns the components of the entities.
    pub(crate) fn components_of<'k>(&'k self, entities: &[Marked<'_>]) -> Vec<Column<'k>> {
        let numbers = numbers_of(entities);
        let columns = self.components.iter().map(|(name, rows)| {
            let rows = rows.iter().filter(|(number, _)| numbers.contains(number));
            (&**name, rows.map(|(number, value)| (*number, value)).collect())
        });
        columns.filter(|(_, rows): &Column<'_>| !rows.is_empty()).collect()
    }

    /// Returns the relationships of the entities to targets that pass the filter.
    pub(crate) fn relations_of(
        &self,
        entities: &[Marked<'_>],
        is_saved: impl Fn(u32) -> bool,
    ) -> Vec<(&str, Rows)> {
        let numbers = numbers_of(entities);
        let lists = self.relations.iter().map(|(name, rows)| {
            let rows = rows.iter().filter(|(target, _)| is_saved(**target));
            let rows = rows.map(|(target, sources)| {
                let sources = sources.iter().copied().filter(|it| numbers.contains(it));
                (*target, sources.collect::<Vec<u32>>())
            });
            (&**name, rows.filter(|(_, sources)| !sources.is_empty()).collect())
        });
        lists.filter(|(_, rows): &(&str, Rows)| !rows.is_empty()).collect()
    }

    /// Adds what a load found. `gone` are the entities that it replaced.
    pub(crate) fn add(&mut self, loaded: Kept, gone: &HashSet<u32>) {
        for rows in self.components.values_mut() {
            rows.retain(|number, _| !gone.contains(number));
        }
        for (name, rows) in loaded.components {
            self.components.entry(name).or_default().extend(rows);
        }
        self.components.retain(|_, rows| !rows.is_empty());
        self.resources.extend(loaded.resources);
        for rows in self.relations.values_mut() {
            rows.retain(|target, _| !gone.contains(target));
            rows.values_mut().for_each(|sources| sources.retain(|it| !gone.contains(it)));
        }
        self.add_relations(loaded.relations);
    }

    /// Adds relationships. A source has one target, and those that were loaded come first.
    pub(crate) fn add_relations(&mut self, loaded: BTreeMap<String, BTreeMap<u32, Vec<u32>>>) {
        for (name, rows) in loaded {
            let all = self.relations.entry(name).or_default();
            let moved: HashSet<u32> = rows.values().flatten().copied().collect();
            all.values_mut().for_each(|sources| sources.retain(|it| !moved.contains(it)));
            for (target, sources) in rows {
                all.entry(target).or_default().splice(..0, sources);
            }
            all.retain(|_, sources| !sources.is_empty());
        }
        self.relations.retain(|_, rows| !rows.is_empty());
    }

    /// Gives the entities of the relationships other numbers. Relationships to others are removed.
    pub(crate) fn renumber_relations(&mut self, number: impl Fn(u32) -> Option<u32>) {
        for rows in self.relations.values_mut() {
            let old = std::mem::take(rows);
            rows.extend(old.into_iter().filter_map(|(target, sources)| {
                Some((number(target)?, sources.into_iter().filter_map(&number).collect()))
            }));
        }
    }
}

/// The name of a component type, and its values.
pub(crate) type Column<'k> = (&'k str, Vec<(u32, &'k Value)>);

fn numbers_of(entities: &[Marked<'_>]) -> HashSet<u32> {
    entities.iter().map(|it| it.number).collect()
}
