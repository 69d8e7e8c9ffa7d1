//! Eyes.

use std::hash::Hash;
use std::rc::Rc;

use archive::Serialize;

use super::Component;
use crate::command::Attack;
use crate::{Digest, Scene, Timer, Unit};

/// Looks for enemies, and attacks the nearest.
#[derive(Clone, Debug, Default, Hash, Serialize)]
pub struct Lookout {
    /// How far it sees.
    #[archive(default = 7)]
    pub range: i32,
    /// How many ticks pass between two looks.
    #[archive(default = 5)]
    pub pause: u32,
    /// When it looks again.
    pub next: Timer,
}

impl Component for Lookout {
    fn tick(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) {
        if !self.next.is_due(scene.now) {
            return;
        }
        // Not everybody in the same tick.
        let spread = u64::from(scene.random.below(3));
        self.next = Timer::after(scene.now, u64::from(self.pause) + spread);
        if unit.orders.carries_out::<Attack>() {
            return;
        }
        // The last attacker comes first.
        let attacker = unit.attacker.upgrade().filter(|enemy| {
            let enemy = enemy.borrow();
            enemy.is_alive() && scene.map.sees(unit.position, enemy.position)
        });
        let enemy = || scene.nearest_seen(unit.side.enemy(), unit.position, self.range);
        if let Some(enemy) = attacker.or_else(enemy) {
            unit.orders.interrupt(Attack::new(Rc::downgrade(&enemy)));
        }
    }

    fn digest(&self, to: &mut Digest) {
        self.hash(to);
    }
}
