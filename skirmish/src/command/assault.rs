//! To attack a squad together.

use std::cell::RefCell;
use std::hash::Hash;
use std::rc::{Rc, Weak};

use archive::Serialize;

use super::{Attack, Command, Failure, Outcome};
use crate::{Digest, Point, Scene, Squad, Timer, Unit, Walk};

/// To attack an enemy squad together: one command for a whole squad. The first unit there finds a
/// victim for all.
#[derive(Default, Serialize)]
pub struct Assault {
    /// The enemy.
    pub squad: Weak<RefCell<Squad>>,
    /// Whom to kill now.
    pub victim: Weak<RefCell<Unit>>,
    /// The last known position of the victim.
    pub goal: Point,
    /// When to look again.
    pub look: Timer,
    /// When to give up.
    pub give_up: Timer,
    /// How many units have taken part.
    pub taking_part: u32,
}

impl Assault {
    /// To go for that squad.
    pub fn new(squad: Weak<RefCell<Squad>>, give_up: Timer) -> Self {
        Assault { squad, give_up, ..Assault::default() }
    }

    /// Whom to kill now: still the same one, or the weakest of the squad.
    fn find_victim(&mut self) -> Option<Rc<RefCell<Unit>>> {
        if let Some(victim) = self.victim.upgrade().filter(|unit| unit.borrow().is_alive()) {
            return Some(victim);
        }
        let members = self.squad.upgrade()?.borrow().living();
        let weakness = |unit: &Rc<RefCell<Unit>>| {
            let unit = unit.borrow();
            (unit.health.health, unit.id)
        };
        let victim = members.into_iter().min_by_key(weakness)?;
        self.victim = Rc::downgrade(&victim);
        self.look = Timer::default();
        Some(victim)
    }
}

impl Command for Assault {
    fn begin(&mut self, _: &mut Unit, _: &mut Scene<'_>) -> Option<Outcome> {
        self.taking_part = self.taking_part.saturating_add(1);
        None
    }

    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        if self.give_up.is_due(scene.now) {
            return Some(Outcome::Failed(Failure::OutOfTime));
        }
        let Some(victim) = self.find_victim() else {
            return Some(Outcome::Succeeded);
        };
        if self.look.is_due(scene.now) {
            self.goal = victim.borrow().position;
            self.look = Timer::after(scene.now, 12);
        }
        if unit.position.steps_to(self.goal) <= 5 {
            unit.orders.interrupt(Attack::new(Rc::downgrade(&victim)));
            return Some(Outcome::Succeeded);
        }
        match unit.walk(self.goal, 4, scene) {
            Walk::Stuck(why) => Some(Outcome::Failed(why)),
            _ => None,
        }
    }

    fn digest(&self, to: &mut Digest) {
        to.weak(&self.squad);
        to.weak(&self.victim);
        (self.goal, self.look, self.give_up, self.taking_part).hash(to);
    }
}
