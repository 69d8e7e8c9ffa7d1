//! A level, part of the project file or alone in a `.ldtkl` file.

use archive::Serialize;

use super::{Color, FieldInstance, Header, LayerInstance};

/// The `fileType` of a `.ldtkl` file.
pub const LEVEL_FILE_TYPE: &str = "LDtk Level JSON";

/// A level.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct Level {
    /// Which program wrote the file, where the level is alone in it.
    #[archive(rename = "__header__")]
    pub header: Option<Header>,
    /// Its name.
    pub identifier: String,
    /// Its unique id; before 1.0 a level had none.
    pub iid: String,
    /// Its uid.
    pub uid: i32,
    /// Its horizontal position in the world.
    pub world_x: i32,
    /// Its vertical position in the world.
    pub world_y: i32,
    /// Its place in the pile of levels.
    pub world_depth: i32,
    /// Its width in pixels.
    pub px_wid: i32,
    /// Its height in pixels.
    pub px_hei: i32,
    /// The background colour.
    #[archive(rename = "__bgColor")]
    pub background: Color,
    /// The background colour, unless it is the project's.
    pub bg_color: Option<Color>,
    /// Whether the editor names it.
    pub use_auto_identifier: bool,
    /// The colour of its name.
    #[archive(rename = "__smartColor")]
    pub smart_color: Color,
    /// The file it is in, from the folder of the project file.
    pub external_rel_path: Option<String>,
    /// The values of its fields.
    pub field_instances: Vec<FieldInstance>,
    /// Its layers, topmost first; null where the level is in a file of its own.
    pub layer_instances: Option<Vec<LayerInstance>>,
    /// The levels that touch it.
    #[archive(rename = "__neighbours")]
    pub neighbours: Vec<Neighbour>,
    /// Its background image.
    #[archive(flatten)]
    pub image: BackgroundImage,
}

/// The background image of a level.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct BackgroundImage {
    /// The image file.
    pub bg_rel_path: Option<String>,
    /// How it fills the level.
    pub bg_pos: Option<ImageFit>,
    /// Its horizontal pivot.
    pub bg_pivot_x: f64,
    /// Its vertical pivot.
    pub bg_pivot_y: f64,
    /// Where it ends up.
    #[archive(rename = "__bgPos")]
    pub placement: Option<ImagePlacement>,
}

/// How an image fills a level.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum ImageFit {
    /// At its own size.
    #[default]
    Unscaled,
    /// Scaled to fit into it.
    Contain,
    /// Scaled to cover it.
    Cover,
    /// Stretched to cover it.
    CoverDirty,
    /// Repeated.
    Repeat,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}

/// Where a background image ends up.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct ImagePlacement {
    /// Its top left corner.
    pub top_left_px: [i32; 2],
    /// Its scale.
    pub scale: [f64; 2],
    /// The part of it that is seen: x, y, width, height.
    pub crop_rect: [f64; 4],
}

/// A level that touches another.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct Neighbour {
    /// Which level.
    pub level_iid: Option<String>,
    /// Which level, as written before 1.0.
    pub level_uid: Option<i32>,
    /// On which side.
    pub dir: Direction,
}

/// On which side a neighbour is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum Direction {
    /// Above.
    #[default]
    #[archive(rename = "n")]
    North,
    /// Below.
    #[archive(rename = "s")]
    South,
    /// To the left.
    #[archive(rename = "w")]
    West,
    /// To the right.
    #[archive(rename = "e")]
    East,
    /// At the top left corner.
    #[archive(rename = "nw")]
    NorthWest,
    /// At the top right corner.
    #[archive(rename = "ne")]
    NorthEast,
    /// At the bottom left corner.
    #[archive(rename = "sw")]
    SouthWest,
    /// At the bottom right corner.
    #[archive(rename = "se")]
    SouthEast,
    /// Deeper in the pile of levels.
    #[archive(rename = "<")]
    Below,
    /// Higher in the pile of levels.
    #[archive(rename = ">")]
    Above,
    /// At the same depth, sharing some area.
    #[archive(rename = "o")]
    Overlap,
}
