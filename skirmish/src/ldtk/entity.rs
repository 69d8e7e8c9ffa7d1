//! An entity of a level, and a reference to one.

use archive::Serialize;

use super::{Color, FieldInstance, TileRect};

/// An entity.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct EntityInstance {
    /// The name of its definition.
    #[archive(rename = "__identifier")]
    pub identifier: String,
    /// The cell it is in.
    #[archive(rename = "__grid")]
    pub grid: [i32; 2],
    /// Where its position is within it, 0 to 1.
    #[archive(rename = "__pivot")]
    pub pivot: [f32; 2],
    /// The tags of its definition.
    #[archive(rename = "__tags")]
    pub tags: Vec<String>,
    /// Its tile.
    #[archive(rename = "__tile")]
    pub tile: Option<TileRect>,
    /// Its colour.
    #[archive(rename = "__smartColor")]
    pub smart_color: Color,
    /// Its horizontal position in the world.
    #[archive(rename = "__worldX")]
    pub world_x: Option<i32>,
    /// Its vertical position in the world.
    #[archive(rename = "__worldY")]
    pub world_y: Option<i32>,
    /// Its unique id; before 1.0 an entity had none.
    pub iid: String,
    /// Its width in pixels.
    pub width: i32,
    /// Its height in pixels.
    pub height: i32,
    /// The uid of its definition.
    pub def_uid: i32,
    /// Its position in the level, in pixels.
    pub px: [i32; 2],
    /// The values of its fields.
    pub field_instances: Vec<FieldInstance>,
}

/// A reference to an entity, by the unique ids on the way to it.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct EntityRef {
    /// Its world.
    pub world_iid: String,
    /// Its level.
    pub level_iid: String,
    /// Its layer.
    pub layer_iid: String,
    /// The entity.
    pub entity_iid: String,
}
