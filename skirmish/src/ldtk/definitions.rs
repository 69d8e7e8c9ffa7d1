//! The definitions: what all levels of a project share.

use archive::Serialize;

use super::{EntityDef, FieldDef, LayerDef, TileRect, TilesetDef};

/// Everything that levels refer to by uid.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct Definitions {
    /// The kinds of layer, topmost first.
    pub layers: Vec<LayerDef>,
    /// The kinds of entity.
    pub entities: Vec<EntityDef>,
    /// The tilesets.
    pub tilesets: Vec<TilesetDef>,
    /// The enums written in the editor.
    pub enums: Vec<EnumDef>,
    /// The enums read from a source file.
    pub external_enums: Vec<EnumDef>,
    /// The fields that every level has.
    pub level_fields: Vec<FieldDef>,
}

/// An enum: a list of named values that fields pick from.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct EnumDef {
    /// Its name.
    pub identifier: String,
    /// Its uid.
    pub uid: i32,
    /// Its values.
    pub values: Vec<EnumValueDef>,
    /// The tileset that the values' icons are from.
    pub icon_tileset_uid: Option<i32>,
    /// The source file of an external enum.
    pub external_rel_path: Option<String>,
    /// The checksum of that file.
    pub external_file_checksum: Option<String>,
    /// Free tags.
    pub tags: Vec<String>,
}

/// One value of an enum.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct EnumValueDef {
    /// Its name.
    pub id: String,
    /// Its icon.
    pub tile_rect: Option<TileRect>,
    /// Its colour, as `0xRRGGBB`.
    pub color: i32,
    /// Its icon as a tile id, as written before 1.3.
    pub tile_id: Option<i32>,
    /// Its icon as x, y, width and height, as written before 1.3.
    #[archive(rename = "__tileSrcRect")]
    pub tile_src_rect: Option<[i32; 4]>,
}
