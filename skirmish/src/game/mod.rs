//! A game: a world and what makes it go.

mod muster;
mod step;

use std::error::Error;
use std::fmt;

use crate::{Factory, Grid, Level, Pathfinder, World};

/// How a new game begins.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where the dice start.
    pub seed: u64,
    /// How many units there are on both sides together; as many as suit the level if not said.
    pub units: Option<usize>,
}

/// A world, and what makes it go: everything in here besides the world is made from it.
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

    /// A game that goes on where a world is.
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

    /// Ends the game and gives the state.
    pub fn into_world(self) -> World {
        self.world
    }

    /// Goes on for some ticks.
    pub fn play(&mut self, ticks: u64) {
        (0..ticks).for_each(|_| self.step());
    }

    /// Goes on to a tick, unless it has passed.
    pub fn play_to(&mut self, tick: u64) {
        self.play(tick.saturating_sub(self.world.tick));
    }

    /// Puts all units onto the grid, and gives the name of one that finds its place taken.
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

/// Why there is no game.
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
    /// That unit is in the place of another one.
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
