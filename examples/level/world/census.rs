//! The numbers of objects in a world.

use std::rc::Rc;

use super::{FieldValue, World};

/// How many of each kind of thing a world has.
#[derive(Debug, Default, PartialEq)]
pub struct Census {
    /// Parts of the world.
    pub areas: usize,
    /// Levels.
    pub levels: usize,
    /// Layers of all levels.
    pub layers: usize,
    /// Cells of all IntGrid layers.
    pub cells: usize,
    /// Tiles of all layers.
    pub tiles: usize,
    /// Entities of all layers.
    pub entities: usize,
    /// Values of fields, of levels and entities.
    pub fields: usize,
    /// Definitions: tilesets, enums, kinds of layer and of entity, fields.
    pub definitions: usize,
    /// Levels that a neighbour names.
    pub neighbours: usize,
    /// Entities that a field refers to.
    pub references: usize,
    /// How many of those two are dangling.
    pub dangling: usize,
    /// How many entities each kind of entity has, counted by `Rc::ptr_eq`.
    pub entities_of_kind: Vec<usize>,
}

impl Census {
    /// Counts a world.
    pub fn take(world: &World) -> Self {
        let defs = &world.definitions;
        let entity_fields: usize = defs.entities.iter().map(|def| def.fields.len()).sum();
        let mut census = Census {
            areas: world.areas.len(),
            definitions: defs.tilesets.len()
                + defs.enums.len()
                + defs.layers.len()
                + defs.entities.len()
                + defs.level_fields.len()
                + entity_fields,
            entities_of_kind: vec![0; defs.entities.len()],
            ..Census::default()
        };
        for level in world.areas.iter().flat_map(|area| &area.levels) {
            let level = level.borrow();
            census.levels += 1;
            census.neighbours += level.neighbours.len();
            census.dangling +=
                level.neighbours.iter().filter(|n| n.level.upgrade().is_none()).count();
            level.fields.iter().for_each(|field| census.field(&field.value));
            for layer in &level.layers {
                census.layers += 1;
                census.cells += layer.content.cells().len();
                census.tiles += layer.content.tiles().len();
                for entity in layer.content.entities() {
                    let entity = entity.borrow();
                    census.entities += 1;
                    entity.fields.iter().for_each(|field| census.field(&field.value));
                    if let Some(kind) =
                        defs.entities.iter().position(|def| Rc::ptr_eq(def, &entity.def))
                    {
                        census.entities_of_kind[kind] += 1;
                    }
                }
            }
        }
        census
    }

    /// Counts the value of a field.
    fn field(&mut self, value: &FieldValue) {
        self.fields += 1;
        let values = match value {
            FieldValue::List(values) => values,
            value => std::slice::from_ref(value),
        };
        for value in values {
            if let FieldValue::Entity(entity) = value {
                self.references += 1;
                self.dangling += usize::from(entity.upgrade().is_none());
            }
        }
    }

    /// Whether every entity shares its kind with the list of definitions.
    pub fn all_shared(&self) -> bool {
        self.entities_of_kind.iter().sum::<usize>() == self.entities
    }
}
