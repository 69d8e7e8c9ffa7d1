//! To fight one enemy.

use std::cell::RefCell;
use std::hash::Hash;
use std::rc::Weak;

use archive::Serialize;

use super::{Command, Failure, Outcome};
use crate::component::{Shot, Weapon};
use crate::{Digest, Item, Point, Scene, State, Timer, Unit, Walk};

/// To fight one enemy until he falls or gets away.
#[derive(Default, Serialize)]
pub struct Attack {
    /// Whom.
    pub target: Weak<RefCell<Unit>>,
    /// The last known position of the enemy.
    pub goal: Point,
    /// When to look again.
    pub look: Timer,
    /// When to give up.
    pub give_up: Timer,
}

impl Attack {
    /// To fight that enemy.
    pub fn new(target: Weak<RefCell<Unit>>) -> Self {
        Attack { target, ..Attack::default() }
    }
}

impl Command for Attack {
    fn begin(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        self.give_up = Timer::after(scene.now, 80);
        unit.state = State::Fighting { target: self.target.clone(), since: scene.now };
        None
    }

    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        let Some(target) = self.target.upgrade() else {
            return Some(Outcome::Failed(Failure::Lost));
        };
        let (there, alive) = (target.borrow().position, target.borrow().is_alive());
        if !alive {
            return Some(Outcome::Succeeded);
        }
        if self.give_up.is_due(scene.now) {
            return Some(Outcome::Failed(Failure::OutOfTime));
        }
        let reload = unit.inventory.count(Item::Magazine) > 0;
        let seen = scene.map.sees(unit.position, there);
        let far = unit.position.squared(there);
        let shot = match unit.component_mut::<Weapon>() {
            Some(weapon) if seen => weapon.use_at(far, reload, scene.now),
            _ => Shot::OutOfReach,
        };
        let hit = match shot {
            Shot::OutOfReach => return self.chase(unit, there, scene),
            Shot::Wait => return None,
            Shot::Reload => {
                unit.inventory.take(Item::Magazine);
                return None;
            }
            Shot::Fired { damage } => {
                scene.tally.shots += 1;
                let chance = 80 - 4 * unit.position.steps_to(there).min(15);
                scene.random.percent(chance as u32).then_some(damage)
            }
            Shot::Blow { damage } => Some(damage),
        };
        if !matches!(unit.state, State::Fighting { .. }) {
            unit.state = State::Fighting { target: self.target.clone(), since: scene.now };
        }
        let damage = hit?;
        scene.hurt(&target, damage, &unit.kind);
        (!target.borrow().is_alive()).then_some(Outcome::Succeeded)
    }

    fn digest(&self, to: &mut Digest) {
        to.weak(&self.target);
        (self.goal, self.look, self.give_up).hash(to);
    }
}

impl Attack {
    /// Goes after the enemy.
    fn chase(&mut self, unit: &mut Unit, there: Point, scene: &mut Scene<'_>) -> Option<Outcome> {
        if self.look.is_due(scene.now) {
            self.goal = there;
            self.look = Timer::after(scene.now, 10);
        }
        match unit.walk(self.goal, 1, scene) {
            Walk::Stuck(why) => Some(Outcome::Failed(why)),
            Walk::Arrived => {
                self.look = Timer::default();
                None
            }
            Walk::Going => None,
        }
    }
}
