//! Definitions, which never change and are shared by everything else.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use archive::Serialize;

use super::LayerKind;

/// All definitions. Every other pointer to a definition points to one of these.
#[derive(Debug, Default, Serialize)]
pub struct Definitions {
    /// The tilesets.
    pub tilesets: Vec<Rc<TilesetDef>>,
    /// The enums.
    pub enums: Vec<Rc<EnumDef>>,
    /// The kinds of layer.
    pub layers: Vec<Rc<LayerDef>>,
    /// The kinds of entity.
    pub entities: Vec<Rc<EntityDef>>,
    /// The fields of levels.
    pub level_fields: Vec<Rc<FieldDef>>,
}

/// An image cut into square tiles.
#[derive(Debug, Default, Serialize)]
pub struct TilesetDef {
    /// Its name.
    pub name: String,
    /// The image file.
    pub image: Option<String>,
    /// Width and height of the image.
    pub size: [i32; 2],
    /// Side of a tile.
    pub tile_size: i32,
    /// Tiles in a row.
    pub columns: i32,
    /// Pixels between tiles.
    pub spacing: i32,
    /// Pixels around the image.
    pub padding: i32,
    /// The tiles that bear a tag, by tag.
    pub tags: BTreeMap<String, Vec<i32>>,
    /// The text of a tile, by tile.
    pub notes: BTreeMap<i32, String>,
}

/// A part of a tileset.
#[derive(Debug, Default, Clone, Serialize)]
pub struct Sprite {
    /// The tileset.
    pub tileset: Rc<TilesetDef>,
    /// Left, top, width and height in its image.
    pub rect: [i32; 4],
}

/// A list of named values.
#[derive(Debug, Default, Serialize)]
pub struct EnumDef {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<EnumValue>,
}

/// One value of an enum.
#[derive(Debug, Default, Serialize)]
pub struct EnumValue {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub color: Option<Rgb>,
    /// Its icon.
    pub icon: Option<Sprite>,
}

/// A kind of layer.
#[derive(Debug, Default, Serialize)]
pub struct LayerDef {
    /// Its name.
    pub name: String,
    /// Its content.
    pub kind: LayerKind,
    /// Side of a cell.
    pub cell_size: i32,
    /// How much it follows the camera.
    pub parallax: [f64; 2],
    /// Its tileset.
    pub tileset: Option<Rc<TilesetDef>>,
    /// The values that its cells may have, by number.
    pub cell_values: BTreeMap<i32, CellValue>,
}

/// A value that a cell may have.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct CellValue {
    /// Its name.
    pub name: Option<String>,
    /// Its colour.
    pub color: Rgb,
}

/// A kind of entity.
#[derive(Debug, Default, Serialize)]
pub struct EntityDef {
    /// Its name.
    pub name: String,
    /// Its width and height, unless resized.
    pub size: [i32; 2],
    /// The anchor of its position, 0 to 1.
    pub pivot: [f64; 2],
    /// Its colour.
    pub color: Rgb,
    /// Its tags.
    pub tags: BTreeSet<String>,
    /// Its sprite.
    pub sprite: Option<Sprite>,
    /// Its fields.
    pub fields: Vec<Rc<FieldDef>>,
}

/// A field of a kind of entity, or of levels.
#[derive(Debug, Default, Serialize)]
pub struct FieldDef {
    /// Its name.
    pub name: String,
    /// Whether it holds a list.
    pub is_array: bool,
    /// Whether it may be null.
    pub can_be_null: bool,
    /// The type of its value, or of each.
    pub kind: FieldKind,
}

/// The type of a field's value.
#[derive(Debug, Default, Clone, Serialize)]
pub enum FieldKind {
    /// Anything.
    #[default]
    Any,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// A truth value.
    Bool,
    /// A text.
    Text,
    /// A path from the folder of the project file.
    FilePath,
    /// A colour.
    Color,
    /// A cell.
    Cell,
    /// A part of a tileset.
    Sprite,
    /// Another entity.
    Entity,
    /// A value of an enum.
    Enum(Rc<EnumDef>),
}

/// A colour: red, green and blue.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
#[archive(transparent)]
pub struct Rgb(pub [u8; 3]);
