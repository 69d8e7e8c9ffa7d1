//! A cell of the map, and the ways out of it.

use archive::Serialize;

/// A cell of the map: column and row, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Point {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

/// The eight neighbours of a cell. All code uses this order.
pub const DIRECTIONS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

impl Point {
    /// The cell in that column and row.
    pub const fn new(x: i32, y: i32) -> Self {
        Point { x, y }
    }

    /// The cell so many columns and rows on.
    pub const fn plus(self, (x, y): (i32, i32)) -> Self {
        Point { x: self.x.saturating_add(x), y: self.y.saturating_add(y) }
    }

    /// How many steps it is to the other cell if nothing is in the way.
    pub fn steps_to(self, other: Point) -> i32 {
        let steps = self.x.abs_diff(other.x).max(self.y.abs_diff(other.y));
        i32::try_from(steps).unwrap_or(i32::MAX)
    }

    /// The square of the distance.
    pub fn squared(self, other: Point) -> i32 {
        let (x, y) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        let squared = x.saturating_mul(x).saturating_add(y.saturating_mul(y));
        i32::try_from(squared).unwrap_or(i32::MAX)
    }

    /// The minimum cost of a way to the other cell: 10 for a step, 14 for a diagonal one.
    pub fn least_cost(self, other: Point) -> u32 {
        let (x, y) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        x.max(y).saturating_mul(10).saturating_add(x.min(y).saturating_mul(4))
    }
}
