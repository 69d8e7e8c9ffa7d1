//! First aid.

use std::cell::RefCell;
use std::hash::Hash;
use std::rc::{Rc, Weak};

use archive::Serialize;

use super::Component;
use crate::{DIRECTIONS, Digest, Item, Scene, Timer, Unit};

/// Dresses the wounds of units beside it.
#[derive(Default, Serialize)]
pub struct Healer {
    /// How much it gives back.
    pub strength: i32,
    /// How many ticks pass between two patients.
    pub pause: u32,
    /// When it can help again.
    pub ready: Timer,
    /// Who was last.
    pub patient: Weak<RefCell<Unit>>,
}

impl Component for Healer {
    fn tick(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) {
        if !self.ready.is_due(scene.now) || unit.inventory.count(Item::Medkit) == 0 {
            return;
        }
        for direction in DIRECTIONS {
            let Some((index, side)) = scene.grid.at(unit.position.plus(direction)) else {
                continue;
            };
            let patient = &scene.units[index];
            let health = &mut patient.borrow_mut().health;
            let hurt = health.wounds > 0 || health.health < health.most_health / 2;
            if side == unit.side && hurt {
                unit.inventory.take(Item::Medkit);
                health.wounds = 0;
                health.health = health.health.saturating_add(self.strength).min(health.most_health);
                self.ready = Timer::after(scene.now, u64::from(self.pause));
                self.patient = Rc::downgrade(patient);
                scene.tally.healed += 1;
                return;
            }
        }
    }

    fn digest(&self, to: &mut Digest) {
        (self.strength, self.pause, self.ready).hash(to);
        to.weak(&self.patient);
    }
}
