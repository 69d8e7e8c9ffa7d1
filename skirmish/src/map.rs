//! The ground: walls, water, floor.

use archive::{Error, Serialize};

use crate::{DIRECTIONS, Point};

/// What a cell is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Terrain {
    /// Stops both feet and bullets.
    #[default]
    Wall,
    /// Stops feet.
    Water,
    /// Slow ground.
    Rough,
    /// Plain ground.
    Floor,
}

impl Terrain {
    /// The symbol in saved games and on the screen.
    pub const fn symbol(self) -> char {
        match self {
            Terrain::Wall => '#',
            Terrain::Water => '~',
            Terrain::Rough => ',',
            Terrain::Floor => '.',
        }
    }

    /// What a symbol means.
    pub const fn from_symbol(symbol: char) -> Option<Self> {
        match symbol {
            '#' => Some(Terrain::Wall),
            '~' => Some(Terrain::Water),
            ',' => Some(Terrain::Rough),
            '.' => Some(Terrain::Floor),
            _ => None,
        }
    }

    /// How many times as long a step onto it takes, or `None` if it cannot be entered.
    pub const fn slowness(self) -> Option<u32> {
        match self {
            Terrain::Wall | Terrain::Water => None,
            Terrain::Rough => Some(2),
            Terrain::Floor => Some(1),
        }
    }
}

/// The cells of a level, and which of them can be reached from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[archive(after_load = Self::find_regions)]
pub struct Map {
    #[archive(rename = "rows", with = Cells)]
    cells: Cells,
    /// For each cell the number of the part of the map it is in, 0 where nobody can be. Made from
    /// the cells.
    #[archive(skip)]
    regions: Vec<u32>,
}

/// Cells row by row. They are saved as rows of symbols, which people can read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cells {
    width: i32,
    height: i32,
    terrain: Vec<Terrain>,
}

impl Map {
    /// The maximum number of cells.
    pub const MAX_CELLS: usize = 1 << 24;

    /// A map of one terrain. Its size is limited to [`MAX_CELLS`](Map::MAX_CELLS).
    pub fn new(width: usize, height: usize, terrain: Terrain) -> Self {
        let width = width.clamp(1, Self::MAX_CELLS);
        let height = height.clamp(1, Self::MAX_CELLS / width);
        let terrain = vec![terrain; width * height];
        Map::from_cells(Cells { width: width as i32, height: height as i32, terrain })
    }

    /// The map that rows of symbols draw.
    ///
    /// # Errors
    /// A description of what is wrong with the rows.
    pub fn from_rows(rows: &[impl AsRef<str>]) -> Result<Self, String> {
        Cells::from_rows(rows).map(Map::from_cells)
    }

    fn from_cells(cells: Cells) -> Self {
        let mut map = Map { cells, regions: Vec::new() };
        map.find_regions();
        map
    }

    /// Changes cells. Each is given with its position.
    pub fn edit(&mut self, mut change: impl FnMut(Point, Terrain) -> Terrain) {
        for index in 0..self.size() {
            self.cells.terrain[index] = change(self.point(index), self.cells.terrain[index]);
        }
        self.find_regions();
    }

    /// How many columns there are.
    pub fn width(&self) -> i32 {
        self.cells.width
    }

    /// How many rows there are.
    pub fn height(&self) -> i32 {
        self.cells.height
    }

    /// How many cells there are.
    pub fn size(&self) -> usize {
        self.cells.terrain.len()
    }

    /// The number of a cell, row by row, if it is on the map.
    pub fn index(&self, at: Point) -> Option<usize> {
        let inside =
            (0..self.cells.width).contains(&at.x) && (0..self.cells.height).contains(&at.y);
        inside.then(|| at.y as usize * self.cells.width as usize + at.x as usize)
    }

    /// The cell of that number.
    pub fn point(&self, index: usize) -> Point {
        let width = self.cells.width.max(1) as usize;
        Point::new((index % width) as i32, (index / width) as i32)
    }

    /// What is there; around the map there are walls.
    pub fn terrain(&self, at: Point) -> Terrain {
        self.index(at).map_or(Terrain::Wall, |index| self.cells.terrain[index])
    }

    /// Whether somebody can be there.
    pub fn is_open(&self, at: Point) -> bool {
        self.terrain(at).slowness().is_some()
    }

    /// The part of the map that a cell is in, 0 where nobody can be. There is a way between two
    /// cells if and only if they are in the same one.
    pub fn region(&self, at: Point) -> u32 {
        self.index(at).map_or(0, |index| self.regions[index])
    }

    /// What a step in that direction costs, unless something is in the way: diagonal steps do not
    /// cut corners.
    pub fn step(&self, from: Point, (x, y): (i32, i32)) -> Option<u32> {
        let slowness = self.terrain(from.plus((x, y))).slowness()?;
        if x != 0 && y != 0 {
            let free = self.is_open(from.plus((x, 0))) && self.is_open(from.plus((0, y)));
            return free.then_some(14 * slowness);
        }
        Some(10 * slowness)
    }

    /// Whether there is no wall between two cells.
    pub fn sees(&self, from: Point, to: Point) -> bool {
        let (dx, dy) = ((to.x - from.x).abs(), -(to.y - from.y).abs());
        let (sx, sy) = ((to.x - from.x).signum(), (to.y - from.y).signum());
        let (mut at, mut error) = (from, dx + dy);
        while at != to {
            if at != from && self.terrain(at) == Terrain::Wall {
                return false;
            }
            let twice = 2 * error;
            if twice >= dy {
                error += dy;
                at.x += sx;
            }
            if twice <= dx {
                error += dx;
                at.y += sy;
            }
        }
        true
    }

    /// The rows, as symbols.
    pub fn rows(&self) -> Vec<String> {
        self.cells.rows()
    }

    fn find_regions(&mut self) {
        self.regions = vec![0; self.size()];
        let mut last = 0;
        let mut waiting = Vec::new();
        for start in 0..self.size() {
            if self.regions[start] != 0 || self.cells.terrain[start].slowness().is_none() {
                continue;
            }
            last += 1;
            self.regions[start] = last;
            waiting.push(self.point(start));
            while let Some(at) = waiting.pop() {
                for direction in &DIRECTIONS[..4] {
                    let next = at.plus(*direction);
                    if let Some(index) = self.index(next)
                        && self.regions[index] == 0
                        && self.cells.terrain[index].slowness().is_some()
                    {
                        self.regions[index] = last;
                        waiting.push(next);
                    }
                }
            }
        }
    }
}

impl Cells {
    fn from_rows(rows: &[impl AsRef<str>]) -> Result<Self, String> {
        let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
        if width == 0 || width.saturating_mul(rows.len()) > Map::MAX_CELLS {
            return Err(format!("a map cannot have {} rows of {width} cells", rows.len()));
        }
        let mut terrain = Vec::with_capacity(width * rows.len());
        for (y, row) in rows.iter().enumerate() {
            for symbol in row.as_ref().chars() {
                let cell = Terrain::from_symbol(symbol);
                terrain.push(cell.ok_or_else(|| format!("unknown terrain {symbol:?}"))?);
            }
            if terrain.len() != width * (y + 1) {
                return Err(format!(
                    "row {y} of the map does not have {width} cells like the first"
                ));
            }
        }
        Ok(Cells { width: width as i32, height: rows.len() as i32, terrain })
    }

    fn rows(&self) -> Vec<String> {
        let rows = self.terrain.chunks(self.width.max(1) as usize);
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
    }

    fn save(&self) -> archive::Result<Vec<String>> {
        Ok(self.rows())
    }

    fn load(rows: Vec<String>) -> archive::Result<Self> {
        Cells::from_rows(&rows).map_err(Error::custom)
    }
}
