//! The rules that place tiles.

use archive::Serialize;

use super::{Color, TileMode, TileRect};

/// Rules that are switched together.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct AutoRuleGroup {
    /// Its uid.
    pub uid: i32,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub color: Option<Color>,
    /// Its icon.
    pub icon: Option<TileRect>,
    /// Whether its rules run.
    pub active: bool,
    /// Whether each level says if its rules run.
    pub is_optional: bool,
    /// Its rules, first to last.
    pub rules: Vec<AutoRule>,
    /// Whether the editor's wizard made it.
    pub uses_wizard: bool,
    /// The biomes it is for.
    pub required_biome_values: Vec<String>,
    /// Whether one of them is enough (0) or all are needed (1).
    pub biome_requirement_mode: i32,
    /// Whether the editor shows it folded, as written before 1.0.
    pub collapsed: bool,
}

/// One rule: where the cells look like the pattern, place a tile.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct AutoRule {
    /// Its uid.
    pub uid: i32,
    /// Whether it runs.
    pub active: bool,
    /// Side of the pattern in cells.
    pub size: i32,
    /// Groups of tiles. One is picked at random.
    pub tile_rects_ids: Vec<Vec<i32>>,
    /// Tiles, as written before 1.5. One is picked at random.
    pub tile_ids: Vec<i32>,
    /// How opaque the tile is.
    pub alpha: f64,
    /// How likely the rule is to match at all.
    pub chance: f64,
    /// Whether later rules leave a matched cell alone.
    pub break_on_match: bool,
    /// The pattern: for each cell the value wanted, negative where it must not be there.
    pub pattern: Vec<i32>,
    /// Whether the mirrored pattern matches, too.
    pub flip_x: bool,
    /// Whether the pattern upside down matches, too.
    pub flip_y: bool,
    /// Matches in every n-th column only.
    pub x_modulo: i32,
    /// Matches in every n-th row only.
    pub y_modulo: i32,
    /// Which column of those.
    pub x_offset: i32,
    /// Which row of those.
    pub y_offset: i32,
    /// How far the tile is moved to the right.
    pub tile_x_offset: i32,
    /// How far the tile is moved down.
    pub tile_y_offset: i32,
    /// Least random move to the right.
    pub tile_random_x_min: i32,
    /// Greatest random move to the right.
    pub tile_random_x_max: i32,
    /// Least random move down.
    pub tile_random_y_min: i32,
    /// Greatest random move down.
    pub tile_random_y_max: i32,
    /// Whether every second match is left out.
    pub checker: Checker,
    /// Whether one tile or all are placed.
    pub tile_mode: TileMode,
    /// Horizontal pivot of a stamp.
    pub pivot_x: f64,
    /// Vertical pivot of a stamp.
    pub pivot_y: f64,
    /// The value of cells outside of the level.
    pub out_of_bounds_value: Option<i32>,
    /// Whether the editor must run it again.
    pub invalidated: bool,
    /// Whether noise decides where it matches.
    pub perlin_active: bool,
    /// Seed of the noise.
    pub perlin_seed: f64,
    /// Scale of the noise.
    pub perlin_scale: f64,
    /// Octaves of the noise.
    pub perlin_octaves: f64,
}

/// Whether a rule leaves out every second match.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum Checker {
    /// It does not.
    #[default]
    None,
    /// In each row.
    Horizontal,
    /// In each column.
    Vertical,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}
