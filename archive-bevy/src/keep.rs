//! [`Kept`]: what a file has and the program did not register. The next save writes it again.

use std::collections::{BTreeMap, HashSet};

use archive::Value;
use bevy_ecs::prelude::*;

use crate::mark::Marked;

/// Components by type and entity, and resources.
#[derive(Resource, Default)]
pub(crate) struct Kept {
    pub(crate) components: BTreeMap<String, BTreeMap<u32, Value>>,
    pub(crate) resources: BTreeMap<String, Value>,
}

impl Kept {
    /// Returns the components of the entities.
    pub(crate) fn of<'k>(&'k self, entities: &[Marked<'_>]) -> Vec<Column<'k>> {
        let numbers: HashSet<u32> = entities.iter().map(|it| it.number).collect();
        let columns = self.components.iter().map(|(name, rows)| {
            let rows = rows.iter().filter(|(number, _)| numbers.contains(number));
            (&**name, rows.map(|(number, value)| (*number, value)).collect())
        });
        columns.filter(|(_, rows): &Column<'_>| !rows.is_empty()).collect()
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
    }
}

/// The name of a component type, and its values.
pub(crate) type Column<'k> = (&'k str, Vec<(u32, &'k Value)>);
