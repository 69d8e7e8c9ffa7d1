//! The types of the world, member by member.

use super::{Difference, Same, Walk};
use crate::world::{
    Area, Content, Definitions, Entity, EntityDef, EnumDef, EnumValue, Field, FieldDef, FieldKind,
    FieldValue, Layer, LayerDef, Level, Neighbour, Sprite, TilesetDef, World,
};

/// Structs: all members in turn. A member that is left out here does not compile.
macro_rules! same_members {
    ($($type:ident { $($member:ident),* $(,)? })*) => { $(
        impl Same for $type {
            fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
                let $type { $($member),* } = self;
                $(
                    $member
                        .same(&other.$member, walk)
                        .map_err(|difference| difference.inside(concat!(".", stringify!($member))))?;
                )*
                Ok(())
            }
        }
    )* };
}

same_members! {
    World { definitions, areas }
    Area { name, layout, levels }
    Definitions { tilesets, enums, layers, entities, level_fields }
    TilesetDef { name, image, size, tile_size, columns, spacing, padding, tags, notes }
    Sprite { tileset, rect }
    EnumDef { name, values }
    EnumValue { name, color, icon }
    LayerDef { name, kind, cell_size, parallax, tileset, cell_values }
    EntityDef { name, size, pivot, color, tags, sprite, fields }
    FieldDef { name, is_array, can_be_null, kind }
    Level { name, id, origin, depth, size, background, fields, layers, neighbours }
    Neighbour { direction, level }
    Layer { def, size, offset, opacity, visible, tileset, content }
    Entity { def, id, level, position, size, fields }
    Field { def, value }
}

impl Same for Content {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        match (self, other) {
            (Content::IntGrid { cells, tiles }, Content::IntGrid { cells: c, tiles: t }) => {
                cells.same(c, walk)?;
                tiles.same(t, walk)
            }
            (Content::Tiles(left), Content::Tiles(right)) => left.same(right, walk),
            (Content::AutoTiles(left), Content::AutoTiles(right)) => left.same(right, walk),
            (Content::Entities(left), Content::Entities(right)) => left.same(right, walk),
            _ => Err(Difference::new("a layer became one of another kind")),
        }
    }
}

impl Same for FieldValue {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        match (self, other) {
            (FieldValue::Null, FieldValue::Null) => Ok(()),
            (FieldValue::Int(left), FieldValue::Int(right)) => left.same(right, walk),
            (FieldValue::Float(left), FieldValue::Float(right)) => left.same(right, walk),
            (FieldValue::Bool(left), FieldValue::Bool(right)) => left.same(right, walk),
            (FieldValue::Text(left), FieldValue::Text(right)) => left.same(right, walk),
            (FieldValue::Color(left), FieldValue::Color(right)) => left.same(right, walk),
            (FieldValue::Cell(left), FieldValue::Cell(right)) => left.same(right, walk),
            (FieldValue::Sprite(left), FieldValue::Sprite(right)) => left.same(right, walk),
            (FieldValue::Entity(left), FieldValue::Entity(right)) => left.same(right, walk),
            (FieldValue::Enum { def, index }, FieldValue::Enum { def: d, index: i }) => {
                def.same(d, walk)?;
                index.same(i, walk)
            }
            (FieldValue::List(left), FieldValue::List(right)) => left.same(right, walk),
            (FieldValue::Any(left), FieldValue::Any(right)) => left.same(right, walk),
            _ => Err(Difference::new("a value became one of another type")),
        }
    }
}

impl Same for FieldKind {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        match (self, other) {
            (FieldKind::Enum(left), FieldKind::Enum(right)) => left.same(right, walk),
            _ if std::mem::discriminant(self) == std::mem::discriminant(other) => Ok(()),
            _ => Err(Difference::new("a field became one of another type")),
        }
    }
}
