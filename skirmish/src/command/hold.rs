//! To stay for a while.

use std::hash::Hash;

use archive::Serialize;

use super::{Command, Outcome};
use crate::{Digest, Scene, State, Timer, Unit};

/// To stay for a while.
#[derive(Clone, Debug, Default, Hash, Serialize)]
pub struct Hold {
    /// For how many ticks.
    pub ticks: u64,
    /// When it is over, once it has begun.
    pub over: Timer,
}

impl Hold {
    /// To stay for some ticks.
    pub fn new(ticks: u64) -> Self {
        Hold { ticks, over: Timer::default() }
    }
}

impl Command for Hold {
    fn begin(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        self.over = Timer::after(scene.now, self.ticks);
        unit.state = State::Waiting;
        None
    }

    fn step(&mut self, _: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        self.over.is_due(scene.now).then_some(Outcome::Succeeded)
    }

    fn digest(&self, to: &mut Digest) {
        self.hash(to);
    }
}
