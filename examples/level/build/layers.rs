//! The cells and the tiles of a layer.

use super::BuildError;
use crate::ldtk;
use crate::world::Tile;

/// The most cells that a layer given by its filled cells alone may have.
const MOST_CELLS: u64 = 1 << 24;

/// The cells of a layer, from the list of all or, before 0.8, of those that are not empty.
pub fn cells(source: &ldtk::LayerInstance) -> Result<Vec<i32>, BuildError> {
    let count = u64::from(source.c_wid) * u64::from(source.c_hei);
    let wrong = |what: String| {
        BuildError::new(format!("a layer of {} × {} cells {what}", source.c_wid, source.c_hei))
    };
    match &source.int_grid {
        Some(filled) if source.int_grid_csv.is_empty() && count <= MOST_CELLS => {
            let mut cells = vec![0; count as usize];
            for cell in filled {
                let place = cells.get_mut(cell.coord_id as usize);
                let place = place.ok_or_else(|| wrong(format!("has no cell {}", cell.coord_id)))?;
                *place = cell.v.saturating_add(1);
            }
            Ok(cells)
        }
        _ if source.int_grid_csv.len() as u64 == count => Ok(source.int_grid_csv.clone()),
        _ => Err(wrong(format!("has {} values", source.int_grid_csv.len()))),
    }
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
