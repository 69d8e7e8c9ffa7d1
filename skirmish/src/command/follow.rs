//! To stay with the leader.

use std::cell::RefCell;
use std::hash::Hash;
use std::rc::Weak;

use archive::Serialize;

use super::{Command, Failure, Outcome};
use crate::{Digest, Point, Scene, State, Timer, Unit, Walk};

/// To stay near another unit until it falls.
#[derive(Default, Serialize)]
pub struct Follow {
    /// Whom.
    pub leader: Weak<RefCell<Unit>>,
    /// How near.
    pub distance: i32,
    /// The last known position of the leader.
    pub goal: Point,
    /// When to look again.
    pub look: Timer,
}

impl Follow {
    /// To stay near another unit.
    pub fn new(leader: Weak<RefCell<Unit>>, distance: i32) -> Self {
        Follow { leader, distance, ..Follow::default() }
    }
}

impl Command for Follow {
    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        let Some(leader) = self.leader.upgrade().filter(|leader| leader.borrow().is_alive()) else {
            return Some(Outcome::Failed(Failure::Lost));
        };
        if self.look.is_due(scene.now) {
            self.goal = leader.borrow().position;
            self.look = Timer::after(scene.now, 8);
        }
        match unit.walk(self.goal, self.distance, scene) {
            Walk::Arrived if !matches!(unit.state, State::Waiting) => unit.state = State::Waiting,
            Walk::Stuck(why @ Failure::NoWay) => return Some(Outcome::Failed(why)),
            _ => {}
        }
        None
    }

    fn digest(&self, to: &mut Digest) {
        to.weak(&self.leader);
        (self.distance, self.goal, self.look).hash(to);
    }
}
