//! A world: one of several that a project may have, and the entries of the table of contents.

use archive::{Serialize, Value};

use super::{EntityRef, Level};

/// One world of a project with several.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct WorldNode {
    /// The world's unique id.
    pub iid: String,
    /// The world's name.
    pub identifier: String,
    /// How its levels are laid out.
    pub world_layout: Option<WorldLayout>,
    /// Width of the world grid in pixels, for `GridVania`.
    pub world_grid_width: i32,
    /// Height of the world grid in pixels, for `GridVania`.
    pub world_grid_height: i32,
    /// Width of a new level.
    pub default_level_width: i32,
    /// Height of a new level.
    pub default_level_height: i32,
    /// The world's levels.
    pub levels: Vec<Level>,
}

/// How the levels of a world are laid out.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum WorldLayout {
    /// Anywhere.
    #[default]
    Free,
    /// On a grid of rooms.
    GridVania,
    /// In a row.
    LinearHorizontal,
    /// In a column.
    LinearVertical,
}

/// All entities of one definition that the project lists in its table of contents.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct TocEntry {
    /// The name of the entity definition.
    pub identifier: String,
    /// Where they are, as written before 1.3.
    pub instances: Vec<EntityRef>,
    /// Where they are, and what they hold.
    pub instances_data: Vec<TocInstance>,
}

/// One entity in the table of contents.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct TocInstance {
    /// Which entity.
    pub iids: EntityRef,
    /// Its horizontal position in the world.
    pub world_x: i32,
    /// Its vertical position in the world.
    pub world_y: i32,
    /// Its width.
    pub wid_px: i32,
    /// Its height.
    pub hei_px: i32,
    /// The values of the fields that the editor exports here, by name: any members.
    pub fields: Value,
}
