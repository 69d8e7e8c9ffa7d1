//! To gather.

use std::collections::BTreeSet;
use std::hash::Hash;

use archive::Serialize;

use super::{Command, Outcome};
use crate::{Digest, Point, Scene, State, Timer, Unit, Walk};

/// To gather at a place: one command for a whole squad. Units that have arrived wait for the
/// others.
#[derive(Clone, Debug, Default, Hash, Serialize)]
pub struct Rally {
    /// The place.
    pub at: Point,
    /// How many are expected.
    pub expected: usize,
    /// Who is there, by number.
    pub present: BTreeSet<u32>,
    /// When nobody waits any longer.
    pub until: Timer,
}

impl Rally {
    /// To gather so many units at a place.
    pub fn new(at: Point, expected: usize, until: Timer) -> Self {
        Rally { at, expected, present: BTreeSet::new(), until }
    }

    /// Whether nobody waits any longer.
    pub fn is_over(&self, now: u64) -> bool {
        self.present.len() >= self.expected || self.until.is_due(now)
    }
}

impl Command for Rally {
    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        if self.is_over(scene.now) {
            return Some(Outcome::Succeeded);
        }
        match unit.walk(self.at, 3, scene) {
            Walk::Going => {}
            Walk::Stuck(why) => return Some(Outcome::Failed(why)),
            Walk::Arrived => {
                self.present.insert(unit.id);
                unit.state = State::Waiting;
            }
        }
        None
    }

    fn end(&mut self, unit: &mut Unit, outcome: Outcome, _: &mut Scene<'_>) {
        if outcome != Outcome::Succeeded && !self.present.contains(&unit.id) {
            self.expected = self.expected.saturating_sub(1); // nobody waits for this one
        }
    }

    fn digest(&self, to: &mut Digest) {
        self.hash(to);
    }
}
