//! The effects of being shot at.

use std::hash::Hash;

use archive::Serialize;

use super::Component;
use crate::{Digest, Scene, Timer, Unit};

/// Lets wounds bleed, and calms down.
#[derive(Clone, Debug, Default, Hash, Serialize)]
pub struct Nerves {
    /// How shaken the unit is.
    pub stress: u32,
    /// When it next calms down a little, and bleeds.
    pub next: Timer,
}

impl Component for Nerves {
    fn tick(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) {
        if !self.next.is_due(scene.now) {
            return;
        }
        self.next = Timer::after(scene.now, 20);
        self.stress = self.stress.saturating_add(unit.health.wounds).saturating_sub(1);
        unit.health.health = unit.health.health.saturating_sub_unsigned(unit.health.wounds);
        if !unit.is_alive() {
            scene.fall(unit, "wounds");
        }
    }

    fn digest(&self, to: &mut Digest) {
        self.hash(to);
    }
}
