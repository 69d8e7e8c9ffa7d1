//! The definition of an entity.

use archive::Serialize;

use super::{Color, FieldDef, TileRect};

/// A kind of entity.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct EntityDef {
    /// Its name.
    pub identifier: String,
    /// Its uid.
    pub uid: i32,
    /// Free tags.
    pub tags: Vec<String>,
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
    /// Where its position is within it horizontally, 0 to 1.
    pub pivot_x: f64,
    /// Where its position is within it vertically, 0 to 1.
    pub pivot_y: f64,
    /// Its colour.
    pub color: Color,
    /// Its tileset.
    pub tileset_id: Option<i32>,
    /// Its tile.
    pub tile_rect: Option<TileRect>,
    /// Its tile, as written before 1.0.
    pub tile_id: Option<i32>,
    /// Its fields.
    pub field_defs: Vec<FieldDef>,
    /// How many there may be, 0 for any number.
    pub max_count: i32,
    /// Where that many.
    pub limit_scope: LimitScope,
    /// What happens when there would be more.
    pub limit_behavior: LimitBehavior,
    /// Whether it may be outside of the level.
    pub allow_out_of_bounds: bool,
    /// Whether its instances are in the table of contents.
    pub export_to_toc: bool,
    /// How it may be resized.
    #[archive(flatten)]
    pub resizing: Resizing,
    /// How the editor draws it.
    #[archive(flatten)]
    pub display: EntityDisplay,
}

/// How an entity may be resized.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct Resizing {
    /// Whether its width may change.
    pub resizable_x: bool,
    /// Whether its height may change.
    pub resizable_y: bool,
    /// Least width.
    pub min_width: Option<i32>,
    /// Greatest width.
    pub max_width: Option<i32>,
    /// Least height.
    pub min_height: Option<i32>,
    /// Greatest height.
    pub max_height: Option<i32>,
    /// Whether width and height keep their ratio.
    pub keep_aspect_ratio: bool,
}

/// How the editor draws an entity.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct EntityDisplay {
    /// Notes of the author.
    pub doc: Option<String>,
    /// What is drawn.
    pub render_mode: RenderMode,
    /// How the tile fills the entity.
    pub tile_render_mode: TileRenderMode,
    /// Top, right, bottom and left border of a tile drawn in nine parts.
    pub nine_slice_borders: Vec<i32>,
    /// The tile that lists show.
    pub ui_tile_rect: Option<TileRect>,
    /// How opaque the tile is.
    pub tile_opacity: f64,
    /// How opaque the area is.
    pub fill_opacity: f64,
    /// How opaque the outline is.
    pub line_opacity: f64,
    /// Whether only the outline can be clicked.
    pub hollow: bool,
    /// Whether its name is shown.
    pub show_name: bool,
}

/// Where a number of entities is limited.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum LimitScope {
    /// In each layer.
    #[archive(rename = "PerLayer")]
    Layer,
    /// In each level.
    #[default]
    #[archive(rename = "PerLevel")]
    Level,
    /// In each world.
    #[archive(rename = "PerWorld")]
    World,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}

/// What happens when there would be too many entities.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum LimitBehavior {
    /// The oldest goes.
    DiscardOldOnes,
    /// Nothing is added.
    PreventAdding,
    /// The last one moves.
    #[default]
    MoveLastOne,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}

/// What is drawn for an entity.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum RenderMode {
    /// A box.
    #[default]
    Rectangle,
    /// An ellipse.
    Ellipse,
    /// Its tile.
    Tile,
    /// A cross.
    Cross,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}

/// How a tile fills an entity.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum TileRenderMode {
    /// Scaled to cover it.
    Cover,
    /// Scaled to fit into it.
    #[default]
    FitInside,
    /// Repeated.
    Repeat,
    /// Stretched.
    Stretch,
    /// At its own size, cut off at the border.
    FullSizeCropped,
    /// At its own size.
    FullSizeUncropped,
    /// In nine parts. The middle ones are repeated.
    NineSlice,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}
