//! A layer of a level.

use archive::Serialize;

use super::{EntityInstance, LayerKind};

/// A layer of a level: of its four lists, those that its kind does not have are empty.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct LayerInstance {
    /// The name of its definition.
    #[archive(rename = "__identifier")]
    pub identifier: String,
    /// What it holds.
    #[archive(rename = "__type")]
    pub kind: LayerKind,
    /// Width in cells.
    #[archive(rename = "__cWid")]
    pub c_wid: u32,
    /// Height in cells.
    #[archive(rename = "__cHei")]
    pub c_hei: u32,
    /// Side of a cell in pixels.
    #[archive(rename = "__gridSize")]
    pub grid_size: i32,
    /// How opaque it is.
    #[archive(rename = "__opacity")]
    pub opacity: f32,
    /// Horizontal offset in pixels, that of the definition included.
    #[archive(rename = "__pxTotalOffsetX")]
    pub px_total_offset_x: i32,
    /// Vertical offset in pixels, that of the definition included.
    #[archive(rename = "__pxTotalOffsetY")]
    pub px_total_offset_y: i32,
    /// Its tileset.
    #[archive(rename = "__tilesetDefUid")]
    pub tileset_def_uid: Option<i32>,
    /// The image of that.
    #[archive(rename = "__tilesetRelPath")]
    pub tileset_rel_path: Option<String>,
    /// Its unique id; before 1.0 a layer had none.
    pub iid: String,
    /// The uid of its level.
    pub level_id: i32,
    /// The uid of its definition.
    pub layer_def_uid: i32,
    /// Horizontal offset in pixels.
    pub px_offset_x: i32,
    /// Vertical offset in pixels.
    pub px_offset_y: i32,
    /// Whether it is shown.
    pub visible: bool,
    /// The optional groups of rules that run.
    pub optional_rules: Vec<i32>,
    /// The value of every cell, row by row; 0 is empty.
    pub int_grid_csv: Vec<i32>,
    /// The cells that are not empty, as written before 0.8.
    pub int_grid: Option<Vec<IntGridCell>>,
    /// The tiles that rules placed.
    pub auto_layer_tiles: Vec<TileInstance>,
    /// Seed of the rules.
    pub seed: i64,
    /// The tileset that takes the place of the definition's.
    pub override_tileset_uid: Option<i32>,
    /// The tiles placed by hand.
    pub grid_tiles: Vec<TileInstance>,
    /// The entities.
    pub entity_instances: Vec<EntityInstance>,
}

/// The maximum number of cells of a layer that is given only by its filled cells.
const MAX_CELLS: usize = 1 << 24;

impl LayerInstance {
    /// How many cells it has.
    ///
    /// # Errors
    /// A description of what is wrong if there are more cells than a layer can have.
    pub fn size(&self) -> Result<usize, String> {
        let size = usize::try_from(u64::from(self.c_wid) * u64::from(self.c_hei)).ok();
        size.filter(|&size| size <= MAX_CELLS).ok_or_else(|| self.wrong("is too large"))
    }

    /// The values of its cells, from the list of all or, before 0.8, of those that are not empty.
    ///
    /// # Errors
    /// A description of what is wrong if the number of values differs from that of the cells.
    pub fn cells(&self) -> Result<Vec<i32>, String> {
        let size = self.size()?;
        match &self.int_grid {
            Some(filled) if self.int_grid_csv.is_empty() => {
                let mut cells = vec![0; size];
                for cell in filled {
                    let place = cells.get_mut(cell.coord_id as usize);
                    let wrong = || self.wrong(&format!("has no cell {}", cell.coord_id));
                    *place.ok_or_else(wrong)? = cell.v.saturating_add(1);
                }
                Ok(cells)
            }
            _ if self.int_grid_csv.len() == size => Ok(self.int_grid_csv.clone()),
            _ => Err(self.wrong(&format!("has {} values", self.int_grid_csv.len()))),
        }
    }

    fn wrong(&self, what: &str) -> String {
        format!("a layer of {} × {} cells {what}", self.c_wid, self.c_hei)
    }
}

/// One cell that is not empty, as written before 0.8.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct IntGridCell {
    /// Which cell, counted row by row.
    pub coord_id: u32,
    /// Its value, one less than today's.
    pub v: i32,
}

/// A tile on a layer. Its names are short, because a project has thousands of tiles.
#[derive(Debug, Default, Clone, Serialize)]
pub struct TileInstance {
    /// Its position in the layer.
    pub px: [i32; 2],
    /// Its position in the tileset.
    pub src: [i32; 2],
    /// Whether it is flipped: 1 horizontally, 2 vertically, 3 both.
    pub f: u8,
    /// Which tile of the tileset it is.
    pub t: i32,
    /// Data of the editor: the rule and the cell.
    pub d: Vec<i32>,
    /// How opaque it is; before 1.5 every tile was fully.
    #[archive(default = 1.0)]
    pub a: f32,
}
