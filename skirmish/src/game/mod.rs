//! A game: a world, and what runs it.

mod muster;
mod step;

use std::error::Error;
use std::fmt;

use crate::{Factory, Grid, Level, Pathfinder, World};

/// How a new game begins.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The seed of the dice.
    pub seed: u64,
    /// The number of units on both sides together. The default depends on the level.
    pub units: Option<usize>,
}

/// A world, and what runs it. Everything except the world is derived from it.
pub struct Game {
    world: World,
    grid: Grid,
    paths: Pathfinder,
    factory: Factory,
}

impl Game {
    /// A new game in a level.
    ///
    /// # Errors
    /// If the level has no room for the units, or the blueprints are wrong.
    pub fn new(level: &Level, settings: &Settings) -> Result<Self, GameError> {
        let factory = Factory::new().map_err(GameError::Archive)?;
        let world = muster::muster(level, settings, &factory)?;
        Game::with(world, factory)
    }

    /// Resumes a game from a world.
    ///
    /// # Errors
    /// If two units are in the same place, or the blueprints are wrong.
    pub fn resume(world: World) -> Result<Self, GameError> {
        Game::with(world, Factory::new().map_err(GameError::Archive)?)
    }

    fn with(world: World, factory: Factory) -> Result<Self, GameError> {
        let grid = Grid::new(&world.map);
        let mut game = Game { world, grid, paths: Pathfinder::default(), factory };
        match game.place_units() {
            Some(name) => Err(GameError::Crowded(name)),
            None => Ok(game),
        }
    }

    /// The state.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Ends the game and returns the state.
    pub fn into_world(self) -> World {
        self.world
    }

    /// Plays some ticks.
    pub fn play(&mut self, ticks: u64) {
        (0..ticks).for_each(|_| self.step());
    }

    /// Plays to a tick, unless it has passed.
    pub fn play_to(&mut self, tick: u64) {
        self.play(tick.saturating_sub(self.world.tick));
    }

    /// Puts all units onto the grid. Returns the name of a unit whose cell is taken.
    fn place_units(&mut self) -> Option<String> {
        self.grid.clear();
        for (index, unit) in self.world.units.iter().enumerate() {
            let unit = unit.borrow();
            if unit.is_alive() && !self.grid.put(unit.position, index, unit.side) {
                return Some(unit.name.clone());
            }
        }
        None
    }
}

/// Why a game cannot begin.
#[derive(Debug)]
pub enum GameError {
    /// The level has no room.
    NoRoom {
        /// The level.
        level: String,
        /// How many units there should be.
        units: usize,
        /// How many there can be.
        room: usize,
    },
    /// That unit is in the same cell as another one.
    Crowded(String),
    /// The blueprints are wrong.
    Archive(archive::Error),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::NoRoom { level, units, room } => {
                write!(f, "{units} units do not fit into {level}, which has room for {room}")
            }
            GameError::Crowded(unit) => write!(f, "{unit} is in the same place as another unit"),
            GameError::Archive(error) => write!(f, "blueprints: {error}"),
        }
    }
}

impl Error for GameError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            GameError::Archive(error) => Some(error),
            GameError::NoRoom { .. } | GameError::Crowded(_) => None,
        }
    }
}
