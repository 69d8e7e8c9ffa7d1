//! Where a game takes place.

mod camps;
mod ground;
mod join;
mod own;
mod project;

use std::error::Error;
use std::fmt;
use std::path::Path;

use crate::ldtk::{self, ProjectFile};
use crate::{Inventory, Item, Map, Point};

/// The number of cells for each unit, so that there is room to fight.
const CELLS_PER_UNIT: usize = 5;

/// Where a game takes place.
#[derive(Clone, Debug)]
pub struct Level {
    /// The name.
    pub name: String,
    /// The ground.
    pub map: Map,
    /// Where the blue and the red side gather. All these cells can be reached from each other.
    pub camps: [Vec<Point>; 2],
    /// The items on the ground.
    pub items: Vec<(Point, Inventory)>,
}

impl Level {
    /// Reads an LDtk project, and the levels that have files of their own. All levels of all its
    /// worlds are laid out on one map; the game is played in the largest connected part of it.
    ///
    /// # Errors
    /// If a file cannot be read, or there is no room for a game.
    pub fn read(path: &Path) -> Result<Self, LevelError> {
        let file = ProjectFile::read(path).map_err(LevelError::File)?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        project::build(&file.project, &name)
    }

    /// The level that was written for this game.
    pub fn own() -> Self {
        own::level()
    }

    /// A level from a map, and what was placed on it. Finds places for the two sides if there are
    /// none.
    fn new(
        name: String,
        map: Map,
        camps: [Vec<Point>; 2],
        items: Vec<(Point, Item)>,
    ) -> Result<Self, LevelError> {
        let camps = camps::choose(&map, camps).ok_or(LevelError::NoFloor(name.clone()))?;
        let region = map.region(camps[0][0]);
        let items = items.into_iter().filter(|&(at, _)| map.region(at) == region);
        let some_of = |(at, item)| {
            let mut what = Inventory::default();
            what.add(item, 2);
            (at, what)
        };
        let items = items.map(some_of).collect();
        Ok(Level { name, map, camps, items })
    }

    /// The number of units for which there is room.
    pub fn room(&self) -> usize {
        let region = self.map.region(self.camps[0][0]);
        let cells = (0..self.map.size()).filter(|&i| self.map.region(self.map.point(i)) == region);
        (cells.count() / CELLS_PER_UNIT).max(2)
    }

    /// How often it can be repeated in each direction.
    pub fn most_repetitions(&self) -> usize {
        (1..)
            .take_while(|times| times * times * self.map.size() <= Map::MAX_CELLS)
            .last()
            .unwrap_or(0)
    }

    /// The level so many times side by side and one above the other.
    pub fn repeated(&self, times: usize) -> Level {
        if times <= 1 {
            return self.clone();
        }
        let (width, height) = (self.map.width(), self.map.height());
        let wide = self.map.rows().into_iter().map(|row| row.repeat(times)).collect::<Vec<_>>();
        let rows: Vec<&String> = (0..times).flat_map(|_| &wide).collect();
        let times = times as i32;
        let copies = (0..times).flat_map(|y| (0..times).map(move |x| (x * width, y * height)));
        let everywhere = |places: &Vec<Point>| {
            copies.clone().flat_map(|by| places.iter().map(move |at| at.plus(by))).collect()
        };
        Level {
            name: format!("{times} × {times} {}", self.name),
            map: Map::from_rows(&rows).unwrap_or_else(|_| self.map.clone()),
            camps: self.camps.each_ref().map(everywhere),
            items: copies
                .clone()
                .flat_map(|by| self.items.iter().map(move |(at, what)| (at.plus(by), what.clone())))
                .collect(),
        }
    }
}

/// Why a level cannot be read.
#[derive(Debug)]
pub enum LevelError {
    /// A file cannot be read.
    File(ldtk::FileError),
    /// The project has no levels with anything in them.
    Empty(String),
    /// A layer of that level is malformed.
    Layer(String, String),
    /// Nowhere in the level is there floor for two units.
    NoFloor(String),
    /// The levels have more cells together than a map can have.
    TooLarge(String),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelError::File(error) => error.fmt(f),
            LevelError::Empty(name) => write!(f, "{name} has no level with a layer of cells"),
            LevelError::Layer(level, what) => write!(f, "level {level}: {what}"),
            LevelError::NoFloor(name) => {
                write!(f, "{name} has no floor with room for two units")
            }
            LevelError::TooLarge(name) => {
                write!(f, "the levels of {name} are larger than {} cells", Map::MAX_CELLS)
            }
        }
    }
}

impl Error for LevelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            LevelError::File(error) => Some(error),
            _ => None,
        }
    }
}
