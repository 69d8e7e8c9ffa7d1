//! The world in a running game: pointers instead of uids and iids.
//!
//! Definitions never change, so they are bare `Rc`s that levels, layers, entities and fields share.
//! Levels and entities change, so they are `Rc<RefCell<..>>`; references that do not own them are
//! `Weak`. Nothing in here knows how it is saved: `#[derive(Serialize)]` lists the members of each
//! type once, for every format.

mod census;
mod definitions;
mod entity;
mod level;

use std::cell::RefCell;
use std::rc::Rc;

use archive::Serialize;

pub use crate::ldtk::{Direction, LayerKind, WorldLayout};
pub use census::Census;
pub use definitions::*;
pub use entity::*;
pub use level::*;

/// The world.
#[derive(Debug, Default, Serialize)]
pub struct World {
    /// What all levels share.
    pub definitions: Definitions,
    /// The parts of the world: what LDtk calls worlds. A project may have several.
    pub areas: Vec<Area>,
}

/// A part of the world: levels side by side.
#[derive(Debug, Default, Serialize)]
pub struct Area {
    /// Its name.
    pub name: String,
    /// How its levels are laid out.
    pub layout: WorldLayout,
    /// Its levels.
    pub levels: Vec<Rc<RefCell<Level>>>,
}
