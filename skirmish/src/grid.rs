//! Which unit is in which cell: derived from the units, never saved.

use crate::{Map, Point, Side};

/// Side of a bucket in cells.
const BUCKET: i32 = 16;

/// Which unit is in which cell. A cell has at most one unit.
#[derive(Default)]
pub struct Grid {
    width: i32,
    height: i32,
    /// For each cell twice the place of its unit in the list plus two, plus one for a red unit; 0
    /// for nobody.
    cells: Vec<u32>,
    /// Columns of buckets.
    columns: i32,
    /// Rows of buckets.
    rows: i32,
    /// How many units of each side are in each square of cells.
    buckets: Vec<[u32; 2]>,
}

impl Grid {
    /// A grid for that map, with nobody on it.
    pub fn new(map: &Map) -> Self {
        let (width, height) = (map.width(), map.height());
        let (columns, rows) = ((width + BUCKET - 1) / BUCKET, (height + BUCKET - 1) / BUCKET);
        Grid {
            width,
            height,
            cells: vec![0; map.size()],
            columns,
            rows,
            buckets: vec![[0; 2]; (columns * rows) as usize],
        }
    }

    /// Takes everybody away.
    pub fn clear(&mut self) {
        self.cells.fill(0);
        self.buckets.fill([0; 2]);
    }

    fn cell(&self, at: Point) -> Option<usize> {
        let inside = (0..self.width).contains(&at.x) && (0..self.height).contains(&at.y);
        inside.then(|| at.y as usize * self.width as usize + at.x as usize)
    }

    fn bucket(&mut self, at: Point) -> &mut [u32; 2] {
        &mut self.buckets[(at.y / BUCKET * self.columns + at.x / BUCKET) as usize]
    }

    /// Puts a unit, by its place in the list, onto a cell.
    ///
    /// Returns `false` if the cell is taken or not on the map.
    pub fn put(&mut self, at: Point, unit: usize, side: Side) -> bool {
        let Some(cell) = self.cell(at).filter(|&cell| self.cells[cell] == 0) else { return false };
        self.cells[cell] = 2 * (unit as u32 + 1) + side.index() as u32;
        self.bucket(at)[side.index()] += 1;
        true
    }

    /// Takes the unit on a cell away.
    pub fn remove(&mut self, at: Point) {
        let Some(cell) = self.cell(at) else { return };
        if let Some((_, side)) = self.at(at) {
            self.cells[cell] = 0;
            self.bucket(at)[side.index()] -= 1;
        }
    }

    /// Who is there: its place in the list, and its side.
    pub fn at(&self, at: Point) -> Option<(usize, Side)> {
        match self.cells[self.cell(at)?] {
            0 => None,
            taken => Some((taken as usize / 2 - 1, Side::ALL[taken as usize % 2])),
        }
    }

    /// Whether nobody is there.
    pub fn is_free(&self, at: Point) -> bool {
        self.at(at).is_none()
    }

    /// The nearest unit of a side within some steps that passes a test, by its place in the list,
    /// and its position. Of several the topmost, then leftmost.
    pub fn nearest(
        &self,
        side: Side,
        from: Point,
        steps: i32,
        test: impl Fn(Point) -> bool,
    ) -> Option<(usize, Point)> {
        let steps = steps.clamp(0, self.width.max(self.height));
        let mut best: Option<(i32, usize, Point)> = None;
        let (columns, rows) = (self.buckets_of(from.x, steps), self.buckets_of(from.y, steps));
        let rows = rows.0.max(0)..=rows.1.min(self.rows - 1);
        for row in rows {
            for column in columns.0.max(0)..=columns.1.min(self.columns - 1) {
                if self.buckets[(row * self.columns + column) as usize][side.index()] == 0 {
                    continue;
                }
                for y in (row * BUCKET).max(from.y - steps)
                    ..=(row * BUCKET + BUCKET - 1).min(from.y + steps)
                {
                    for x in (column * BUCKET).max(from.x - steps)
                        ..=(column * BUCKET + BUCKET - 1).min(from.x + steps)
                    {
                        let at = Point::new(x, y);
                        let Some((unit, whose)) = self.at(at) else { continue };
                        let key = (at.squared(from), at.y, at.x);
                        let nearer = best.is_none_or(|(far, _, p)| key < (far, p.y, p.x));
                        if whose == side && nearer && test(at) {
                            best = Some((key.0, unit, at));
                        }
                    }
                }
            }
        }
        best.map(|(_, unit, at)| (unit, at))
    }

    fn buckets_of(&self, middle: i32, steps: i32) -> (i32, i32) {
        ((middle - steps).div_euclid(BUCKET), (middle + steps).div_euclid(BUCKET))
    }
}
