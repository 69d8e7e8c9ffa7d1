//! Laying out the levels of a project on one map.

use crate::ldtk::Level;
use crate::{Map, Point};

/// A level, and where its top left cell is on the map.
pub struct Placed<'a> {
    /// The level.
    pub level: &'a Level,
    /// Where its top left cell is.
    pub at: Point,
    /// Columns and rows.
    pub size: [i32; 2],
}

/// Lays out levels: floors one below the other, the levels of each as they are in the editor. If
/// levels would overlap, or the map would be mostly empty, they are put in a row. Also returns the
/// size of the map; `None` if it is too large.
pub fn lay_out<'a>(floors: &[Vec<&'a Level>], grid: i32) -> Option<(Vec<Placed<'a>>, [i32; 2])> {
    let mut all = Vec::new();
    let (mut width, mut height) = (0, 0);
    for levels in floors {
        let mut placed: Vec<Placed<'a>> = Vec::new();
        for &level in levels {
            let cells =
                |pixels: i32| pixels.max(0).div_euclid(grid) + i32::from(pixels.max(0) % grid > 0);
            let at = Point::new(level.world_x.div_euclid(grid), level.world_y.div_euclid(grid));
            let size = [cells(level.px_wid), cells(level.px_hei)];
            area(size)?;
            placed.push(Placed { level, at, size });
        }
        if !fits_together(&placed) {
            let mut x = 0_i32;
            for level in &mut placed {
                level.at = Point::new(x, 0);
                x = x.checked_add(level.size[0])?.checked_add(1)?;
            }
        }
        let left = placed.iter().map(|level| level.at.x).min().unwrap_or(0);
        let top = placed.iter().map(|level| level.at.y).min().unwrap_or(0);
        for level in &mut placed {
            level.at = Point::new(level.at.x - left, level.at.y - top + height);
        }
        width = placed.iter().map(|l| l.at.x + l.size[0]).max().unwrap_or(0).max(width);
        let bottom = placed.iter().map(|l| l.at.y + l.size[1]).max();
        height = bottom.map_or(height, |bottom| bottom + 1);
        all.append(&mut placed);
        area([width, height])?;
    }
    Some((all, [width, (height - 1).max(0)]))
}

/// Returns the number of cells, if a map can have that many.
fn area(size: [i32; 2]) -> Option<i64> {
    let area = i64::from(size[0]) * i64::from(size[1]);
    (area <= Map::MAX_CELLS as i64).then_some(area)
}

/// Whether levels are beside each other without overlapping, and fill a good part of the map.
fn fits_together(placed: &[Placed<'_>]) -> bool {
    let right = |level: &Placed<'_>| i64::from(level.at.x) + i64::from(level.size[0]);
    let bottom = |level: &Placed<'_>| i64::from(level.at.y) + i64::from(level.size[1]);
    let (Some(left), Some(top), Some(end), Some(low)) = (
        placed.iter().map(|level| i64::from(level.at.x)).min(),
        placed.iter().map(|level| i64::from(level.at.y)).min(),
        placed.iter().map(right).max(),
        placed.iter().map(bottom).max(),
    ) else {
        return true;
    };
    let filled: i64 = placed.iter().map(|l| i64::from(l.size[0]) * i64::from(l.size[1])).sum();
    let sparse = (end - left).saturating_mul(low - top) > 8 * filled;
    // Most projects have some tens of levels; with very many a row will do.
    let overlap = |(index, a): (usize, &Placed<'_>)| {
        placed[..index].iter().any(|b| {
            let beside = right(a) <= i64::from(b.at.x) || right(b) <= i64::from(a.at.x);
            let below = bottom(a) <= i64::from(b.at.y) || bottom(b) <= i64::from(a.at.y);
            !beside && !below
        })
    };
    !sparse && placed.len() <= 1000 && !placed.iter().enumerate().any(overlap)
}
