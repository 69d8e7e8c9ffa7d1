//! To go somewhere.

use std::hash::Hash;

use archive::Serialize;

use super::{Command, Outcome, arrival};
use crate::{Digest, Point, Scene, Unit};

/// To go to a cell, or near it.
#[derive(Clone, Debug, Default, Hash, Serialize)]
pub struct MoveTo {
    /// The cell.
    #[archive(alias = "target")]
    pub goal: Point,
    /// How many steps away is near enough.
    pub near: i32,
}

impl MoveTo {
    /// To go `near` a cell.
    pub fn new(goal: Point, near: i32) -> Self {
        MoveTo { goal, near }
    }
}

impl Command for MoveTo {
    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        arrival(unit.walk(self.goal, self.near, scene))
    }

    fn digest(&self, to: &mut Digest) {
        self.hash(to);
    }
}
