//! The terrain of the cells of LDtk layers.

use super::LevelError;
use crate::Terrain;
use crate::ldtk::{Definitions, LayerInstance, LayerKind, Level};

/// Words in the name of a cell value, and what such cells are. Any other value is a wall.
const WORDS: [(Terrain, &[&str]); 3] = [
    (Terrain::Water, &["water", "river", "sea", "lava", "pit", "void", "hole"]),
    (Terrain::Rough, &["sand", "mud", "rough", "bush", "forest", "snow", "ladder", "stair"]),
    (Terrain::Floor, &["floor", "grass", "ground", "dirt", "road", "path", "carpet", "empty"]),
];

/// Returns the terrain of a cell value with that name.
fn terrain(name: Option<&str>) -> Terrain {
    let name = name.unwrap_or_default().to_lowercase();
    let named = WORDS.iter().find(|(_, words)| words.iter().any(|word| name.contains(word)));
    named.map_or(Terrain::Wall, |&(terrain, _)| terrain)
}

/// One layer that says where walls are: terrains row by row, `None` where it says nothing.
pub struct Ground {
    /// Side of a cell in pixels.
    pub grid: i32,
    /// Columns.
    pub width: i32,
    /// Offset in pixels.
    pub offset: [i32; 2],
    /// The cells.
    pub cells: Vec<Option<Terrain>>,
}

/// The layers of a level that say where walls are: those with cell values, or else those with tiles
/// that are named after walls. Without any, everything is floor.
pub fn layers(level: &Level, definitions: &Definitions) -> Result<Vec<Ground>, LevelError> {
    let wrong = |what| LevelError::Layer(level.identifier.clone(), what);
    let all = || level.layer_instances.iter().flatten().filter(|layer| layer.grid_size > 0);
    let mut grounds = Vec::new();
    for layer in all().filter(|layer| layer.kind == LayerKind::IntGrid) {
        let cells = layer.cells().map_err(wrong)?;
        let known = definitions.layers.iter().find(|def| def.uid == layer.layer_def_uid);
        let names = known.map_or(&[][..], |def| &def.int_grid_values);
        let one = |value: &i32| {
            let name = names.iter().find(|name| name.value == *value);
            (*value != 0).then(|| terrain(name.and_then(|name| name.identifier.as_deref())))
        };
        grounds.push(ground(layer, cells.iter().map(one).collect()));
    }
    if grounds.is_empty() {
        for layer in all().filter(|layer| is_named_after_walls(&layer.identifier)) {
            let count = layer.size().map_err(wrong)?;
            let mut cells = vec![None; count];
            for tile in layer.grid_tiles.iter().chain(&layer.auto_layer_tiles) {
                let [x, y] = tile.px.map(|at| at.div_euclid(layer.grid_size));
                let inside = (0..layer.c_wid as i32).contains(&x) && y >= 0;
                let index = y as usize * layer.c_wid as usize + x as usize;
                if let Some(cell) = cells.get_mut(index).filter(|_| inside) {
                    *cell = Some(Terrain::Wall);
                }
            }
            grounds.push(ground(layer, cells));
        }
    }
    Ok(grounds)
}

fn ground(layer: &LayerInstance, cells: Vec<Option<Terrain>>) -> Ground {
    Ground {
        grid: layer.grid_size,
        width: layer.c_wid as i32,
        offset: [layer.px_total_offset_x, layer.px_total_offset_y],
        cells,
    }
}

fn is_named_after_walls(name: &str) -> bool {
    let name = name.to_lowercase();
    ["wall", "collision", "solid", "block"].iter().any(|word| name.contains(word))
}
