//! The definition of a layer.

use archive::Serialize;

use super::{AutoRuleGroup, Color, TileRect};

/// A kind of layer. Every level has one instance of it.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct LayerDef {
    /// What it holds.
    #[archive(rename = "__type")]
    pub kind: LayerKind,
    /// What it holds, a second time.
    #[archive(rename = "type")]
    pub editor_kind: LayerKind,
    /// Its name.
    pub identifier: String,
    /// Its uid.
    pub uid: i32,
    /// Side of a cell in pixels.
    pub grid_size: i32,
    /// Horizontal offset in pixels.
    pub px_offset_x: i32,
    /// Vertical offset in pixels.
    pub px_offset_y: i32,
    /// How much it follows the camera horizontally, 0 (fully) to 1 (not at all).
    pub parallax_factor_x: f64,
    /// How much it follows the camera vertically.
    pub parallax_factor_y: f64,
    /// Whether parallax also scales it.
    pub parallax_scaling: bool,
    /// How opaque it is.
    pub display_opacity: f64,
    /// Tags. An entity needs one of them to be placed here.
    pub required_tags: Vec<String>,
    /// Tags that keep an entity from being placed here.
    pub excluded_tags: Vec<String>,
    /// The values its cells may have.
    pub int_grid_values: Vec<IntGridValueDef>,
    /// The groups of those values.
    pub int_grid_values_groups: Vec<IntGridValueGroup>,
    /// The rules that place its tiles.
    pub auto_rule_groups: Vec<AutoRuleGroup>,
    /// The layer whose cells the rules look at.
    pub auto_source_layer_def_uid: Option<i32>,
    /// Its tileset.
    pub tileset_def_uid: Option<i32>,
    /// The tileset of its rules, as written before 1.0.
    pub auto_tileset_def_uid: Option<i32>,
    /// Horizontal pivot of its tiles.
    pub tile_pivot_x: f64,
    /// Vertical pivot of its tiles.
    pub tile_pivot_y: f64,
    /// The layer whose tiles take the place of its own.
    pub auto_tiles_killed_by_other_layer_uid: Option<i32>,
    /// The level field that picks the rules.
    pub biome_field_uid: Option<i32>,
    /// How the editor shows it.
    #[archive(flatten)]
    pub display: LayerDisplay,
}

/// How the editor shows a layer.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct LayerDisplay {
    /// Notes of the author.
    pub doc: Option<String>,
    /// Its colour in lists.
    pub ui_color: Option<Color>,
    /// Width of the guide grid.
    pub guide_grid_wid: i32,
    /// Height of the guide grid.
    pub guide_grid_hei: i32,
    /// Its opacity while another layer is being edited.
    pub inactive_opacity: f64,
    /// Whether lists leave it out.
    pub hide_in_list: bool,
    /// Whether its fields are hidden while another layer is being edited.
    pub hide_fields_when_inactive: bool,
    /// Whether its content can be picked while another layer is being edited.
    pub can_select_when_inactive: bool,
    /// Whether it is drawn when the whole world is shown.
    pub render_in_world_view: bool,
    /// Tags of the filter that hides layers.
    pub ui_filter_tags: Vec<String>,
    /// Whether it is drawn in the background.
    pub use_async_render: bool,
}

/// What a layer holds.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum LayerKind {
    /// A number in every cell, and the tiles that rules derive from them.
    #[default]
    IntGrid,
    /// Entities.
    Entities,
    /// Tiles placed by hand.
    Tiles,
    /// Tiles that rules derive from another layer.
    AutoLayer,
}

/// One value that the cells of an IntGrid layer may have.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct IntGridValueDef {
    /// The number in the cell.
    pub value: i32,
    /// Its name.
    pub identifier: Option<String>,
    /// Its colour.
    pub color: Color,
    /// Its icon.
    pub tile: Option<TileRect>,
    /// Its group, 0 for none.
    pub group_uid: i32,
}

/// A group of IntGrid values.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct IntGridValueGroup {
    /// Its uid.
    pub uid: i32,
    /// Its name.
    pub identifier: Option<String>,
    /// Its colour.
    pub color: Option<Color>,
}
