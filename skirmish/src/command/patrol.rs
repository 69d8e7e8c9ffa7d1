//! To go round.

use std::hash::Hash;

use archive::Serialize;

use super::{Command, Failure, Outcome};
use crate::{Digest, Point, Scene, Unit, Walk};

/// To go from place to place, some times round.
#[derive(Clone, Debug, Default, Hash, Serialize)]
pub struct Patrol {
    /// The places.
    pub points: Vec<Point>,
    /// Which one comes next.
    pub next: usize,
    /// The number of rounds that are left.
    pub rounds: u32,
}

impl Patrol {
    /// To go round so many times.
    pub fn new(points: Vec<Point>, rounds: u32) -> Self {
        Patrol { points, next: 0, rounds }
    }
}

impl Command for Patrol {
    fn begin(&mut self, _: &mut Unit, _: &mut Scene<'_>) -> Option<Outcome> {
        self.points.is_empty().then_some(Outcome::Failed(Failure::NoWay))
    }

    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        let Some(&goal) = self.points.get(self.next) else {
            self.next = 0;
            self.rounds = self.rounds.saturating_sub(1);
            return (self.rounds == 0).then_some(Outcome::Succeeded);
        };
        match unit.walk(goal, 1, scene) {
            Walk::Going => {}
            Walk::Arrived | Walk::Stuck(Failure::Blocked) => self.next += 1,
            Walk::Stuck(why) => return Some(Outcome::Failed(why)),
        }
        None
    }

    fn digest(&self, to: &mut Digest) {
        self.hash(to);
    }
}
