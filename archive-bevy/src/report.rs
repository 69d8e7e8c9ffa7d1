//! What saves and loads report.

use std::fmt;

use bevy_ecs::prelude::*;

/// What a save wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaveReport {
    /// The number of entities.
    pub entities: usize,
    /// The number of resources.
    pub resources: usize,
    /// The relationships that are not in the file, because their targets have no
    /// [`Save`](crate::Save). The sources load without them.
    pub unsaved: Vec<Unsaved>,
    /// The components of other versions of the program that were kept since the last load.
    pub kept_components: Vec<String>,
    /// The resources that were kept.
    pub kept_resources: Vec<String>,
    /// The relationships that were kept.
    pub kept_relations: Vec<String>,
}

/// A relationship whose source is saved and whose target is not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsaved {
    /// The name of the relationship in files.
    pub relation: String,
    /// The entity that is saved.
    pub source: Entity,
    /// The entity that is not.
    pub target: Entity,
}

impl fmt::Display for Unsaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unsaved { relation, source, target } = self;
        write!(f, "relations.{relation}: {source} is saved, its target {target} is not")
    }
}

/// What a load did.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct LoadReport {
    /// The entities of the file, in the order of their numbers.
    pub entities: Vec<Entity>,
    /// The numbers that these entities have in the file.
    pub numbers: Vec<u32>,
    /// The number of entities that were despawned because the load replaces them. Entities that went
    /// with them, such as their children, do not count.
    pub despawned: usize,
    /// The components in the file that the program did not register. They are kept for the next save,
    /// unless the entities got new numbers.
    pub unknown_components: Vec<String>,
    /// The resources in the file that the program did not register. They are kept for the next save.
    pub unknown_resources: Vec<String>,
    /// The relationships in the file that the program did not register. They are kept for the next save.
    pub unknown_relations: Vec<String>,
    /// The registered components and resources that the file does not have.
    pub absent: Vec<String>,
    /// What `archive` reports of the values: members that are absent or unknown, and converted numbers.
    pub values: archive::Report,
}

impl LoadReport {
    /// Returns the entity that has the number in the file.
    pub fn entity(&self, number: u32) -> Option<Entity> {
        let index = self.numbers.binary_search(&number).ok()?;
        self.entities.get(index).copied()
    }

    /// Returns whether the program knew everything in the file, and the file had everything that the
    /// program has.
    pub fn is_clean(&self) -> bool {
        let lists = [
            &self.unknown_components,
            &self.unknown_resources,
            &self.unknown_relations,
            &self.absent,
        ];
        lists.into_iter().all(Vec::is_empty) && self.values.is_empty()
    }
}

impl fmt::Display for LoadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} entities loaded, {} despawned", self.entities.len(), self.despawned)?;
        let lists = [
            ("unknown components", &self.unknown_components),
            ("unknown resources", &self.unknown_resources),
            ("unknown relationships", &self.unknown_relations),
            ("not in the file", &self.absent),
        ];
        for (title, list) in lists {
            if !list.is_empty() {
                writeln!(f, "{title}: {}", list.join(", "))?;
            }
        }
        fmt::Display::fmt(&self.values, f)
    }
}
