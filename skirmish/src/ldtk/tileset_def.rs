//! The definition of a tileset: an image cut into square tiles.

use archive::Serialize;

/// An image cut into square tiles.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct TilesetDef {
    /// Width in tiles.
    #[archive(rename = "__cWid")]
    pub c_wid: i32,
    /// Height in tiles.
    #[archive(rename = "__cHei")]
    pub c_hei: i32,
    /// Its name.
    pub identifier: String,
    /// Its uid.
    pub uid: i32,
    /// The image file, unless the image is part of the editor.
    pub rel_path: Option<String>,
    /// The image of the editor that is used instead.
    pub embed_atlas: Option<String>,
    /// Width of the image.
    pub px_wid: i32,
    /// Height of the image.
    pub px_hei: i32,
    /// Side of a tile.
    pub tile_grid_size: i32,
    /// Pixels between tiles.
    pub spacing: i32,
    /// Pixels around the image.
    pub padding: i32,
    /// Free tags.
    pub tags: Vec<String>,
    /// The enum whose values are given to tiles.
    pub tags_source_enum_uid: Option<i32>,
    /// The tiles that each of its values is given to.
    pub enum_tags: Vec<EnumTag>,
    /// Texts given to tiles.
    pub custom_data: Vec<TileCustomData>,
    /// Groups of tiles saved in the editor.
    pub saved_selections: Vec<SavedSelection>,
    /// What the editor knows of each tile's pixels.
    pub cached_pixel_data: Option<CachedPixelData>,
}

/// The tiles that one enum value is given to.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct EnumTag {
    /// The value.
    pub enum_value_id: String,
    /// The tiles.
    pub tile_ids: Vec<i32>,
}

/// A text given to one tile.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct TileCustomData {
    /// The tile.
    pub tile_id: i32,
    /// The text.
    pub data: String,
}

/// A group of tiles saved in the editor.
#[derive(Debug, Default, Clone, Serialize)]
pub struct SavedSelection {
    /// The tiles.
    pub ids: Vec<i32>,
    /// What painting with them does.
    pub mode: TileMode,
}

/// What painting with several tiles does.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum TileMode {
    /// Paints one of them.
    #[default]
    Single,
    /// Paints all of them, as a stamp.
    Stamp,
    /// Paints one of them at random.
    Random,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}

/// What the editor knows of each tile's pixels.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct CachedPixelData {
    /// One digit for each tile: whether it is opaque.
    pub opaque_tiles: String,
    /// Four hexadecimal digits for each tile: its average colour.
    pub average_colors: Option<String>,
}
