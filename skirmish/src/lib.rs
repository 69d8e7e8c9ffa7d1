//! Skirmish: a deterministic squad tactics game on a grid, which can be saved after any tick and
//! resumed without a difference.
//!
//! [`World`] is the state of a game, and all of it is saved. [`Game`] runs a world: it has what can
//! be derived from the state (which unit is where, the scratch space of the path search).
//!
//! ```
//! use archive::Format;
//! use skirmish::{Game, Level, Settings};
//!
//! let mut game = Game::new(&Level::own(), &Settings { seed: 7, units: Some(24) })?;
//! game.play(20);
//! let bytes = skirmish::save(game.world(), Format::Json)?;
//! game.play(20);
//!
//! let mut resumed = Game::resume(skirmish::load(&bytes, Format::Json)?)?;
//! resumed.play(20);
//! assert_eq!(skirmish::digest(resumed.world()), skirmish::digest(game.world()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - `world`, `unit`, `squad`, `map`, `timer`, `random`: the state.
//! - [`command`]: what units are told to do, each with a beginning, an outcome and an end.
//! - [`component`]: what units are made of, by type id.
//! - [`level`], [`ldtk`]: where a game takes place, and the file format levels come from.
//! - `mods` (with the feature `mods`): orders, components and units from a folder.
//! - `game`: new games, resumed games, and one tick.
//! - `grid`, `path`: which unit is where, and the path search.
//! - `save`, [`mod@file`]: a world in a format, in memory and in files.
//! - `digest`: one number for a whole state, pointers included.

mod chronicle;
pub mod command;
pub mod component;
mod digest;
mod draw;
mod factory;
pub mod file;
mod game;
mod grid;
mod item;
pub mod ldtk;
mod legs;
pub mod level;
mod map;
#[cfg(feature = "mods")]
pub mod mods;
mod orders;
mod path;
mod point;
mod random;
mod registry;
mod save;
mod scene;
mod squad;
mod timer;
mod unit;
mod unknown;
mod world;

pub use chronicle::{Chronicle, Event, Tally};
pub use command::Command;
pub use component::Component;
pub use digest::{Digest, digest};
pub use draw::draw;
pub use factory::Factory;
pub use game::{Game, GameError, Settings};
pub use grid::Grid;
pub use item::{Ground, Inventory, Item};
pub use legs::{Legs, Route, Walk};
pub use level::{Level, LevelError};
pub use map::{Map, Terrain};
pub use orders::{Order, Orders, Task};
pub use path::Pathfinder;
pub use point::{DIRECTIONS, Point};
pub use random::Random;
pub use registry::{options, registry, saved_options};
pub use save::{load, save};
pub use scene::Scene;
pub use squad::{Mood, Squad};
pub use timer::Timer;
pub use unit::{Health, Side, State, Unit};
pub use world::{Camp, World};
