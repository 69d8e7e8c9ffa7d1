//! The cells and the tiles of a layer.

use super::BuildError;
use crate::ldtk;
use crate::world::Tile;

/// The cells of a layer.
pub fn cells(source: &ldtk::LayerInstance) -> Result<Vec<i32>, BuildError> {
    source.cells().map_err(BuildError::new)
}

/// The tiles of a layer.
pub fn tiles(sources: &[ldtk::TileInstance]) -> Vec<Tile> {
    let tile = |source: &ldtk::TileInstance| Tile {
        position: source.px,
        source: source.src,
        id: source.t,
        opacity: source.a,
        flip_x: source.f & 1 != 0,
        flip_y: source.f & 2 != 0,
    };
    sources.iter().map(tile).collect()
}
