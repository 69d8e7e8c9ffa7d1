//! A level and its contents.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::Serialize;

use super::{Direction, Entity, Field, LayerDef, Rgb, TilesetDef};

/// A level.
#[derive(Debug, Default, Serialize)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// Its unique id.
    pub id: String,
    /// Its position in the area, in pixels.
    pub origin: [i32; 2],
    /// Its depth among the levels.
    pub depth: i32,
    /// Its width and height in pixels.
    pub size: [i32; 2],
    /// The background colour.
    pub background: Rgb,
    /// The values of its fields.
    pub fields: Vec<Field>,
    /// Its layers, topmost first.
    pub layers: Vec<Layer>,
    /// The levels that touch it.
    pub neighbours: Vec<Neighbour>,
}

/// A level that touches another.
#[derive(Debug, Default, Serialize)]
pub struct Neighbour {
    /// On which side.
    pub direction: Direction,
    /// Which level.
    pub level: Weak<RefCell<Level>>,
}

/// A layer of a level.
#[derive(Debug, Default, Serialize)]
pub struct Layer {
    /// Its kind.
    pub def: Rc<LayerDef>,
    /// Its width and height in cells.
    pub size: [u32; 2],
    /// Its offset in pixels.
    pub offset: [i32; 2],
    /// How opaque it is.
    pub opacity: f32,
    /// Whether it is shown.
    pub visible: bool,
    /// The tileset of its tiles.
    pub tileset: Option<Rc<TilesetDef>>,
    /// Its content.
    pub content: Content,
}

/// The content of a layer.
#[derive(Debug, Serialize)]
pub enum Content {
    /// A number in every cell, and the tiles that follow from them.
    IntGrid {
        /// The numbers, row by row; 0 is empty.
        cells: Vec<i32>,
        /// The tiles.
        tiles: Vec<Tile>,
    },
    /// Tiles placed by hand.
    Tiles(Vec<Tile>),
    /// Tiles that follow from another layer.
    AutoTiles(Vec<Tile>),
    /// Entities.
    Entities(Vec<Rc<RefCell<Entity>>>),
}

impl Default for Content {
    fn default() -> Self {
        Content::Tiles(Vec::new())
    }
}

impl Content {
    /// Its cells, if it has any.
    pub fn cells(&self) -> &[i32] {
        match self {
            Content::IntGrid { cells, .. } => cells,
            _ => &[],
        }
    }

    /// Its tiles, if it has any.
    pub fn tiles(&self) -> &[Tile] {
        match self {
            Content::IntGrid { tiles, .. } | Content::Tiles(tiles) | Content::AutoTiles(tiles) => {
                tiles
            }
            Content::Entities(_) => &[],
        }
    }

    /// Its entities, if it has any.
    pub fn entities(&self) -> &[Rc<RefCell<Entity>>] {
        match self {
            Content::Entities(entities) => entities,
            _ => &[],
        }
    }
}

/// A tile.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct Tile {
    /// Its position in the layer, in pixels.
    pub position: [i32; 2],
    /// Its position in the tileset, in pixels.
    pub source: [i32; 2],
    /// Which tile of the tileset it is.
    pub id: i32,
    /// How opaque it is.
    pub opacity: f32,
    /// Whether it is flipped horizontally.
    pub flip_x: bool,
    /// Whether it is flipped vertically.
    pub flip_y: bool,
}
