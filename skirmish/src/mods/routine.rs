//! [`Routine`]: what the types of mods do.

use std::hash::Hash;

use archive::Serialize;

use crate::component::Nerves;
use crate::{Scene, Timer, Unit};

/// Effects that occur again and again. Types of mods extend it.
#[derive(Clone, Debug, Default, Hash, Serialize)]
pub struct Routine {
    /// How many ticks pass between two times.
    #[archive(default = 10, range = 1..=10_000, unit = "ticks")]
    pub every: u64,
    /// What happens.
    pub effects: Vec<Effect>,
    /// When it happens again.
    pub next: Timer,
}

/// What happens to units of one's own side.
#[derive(Clone, Debug, Hash, PartialEq, Serialize)]
pub enum Effect {
    /// They get health back.
    Heal {
        /// How much.
        strength: i32,
        /// How many steps away they may be.
        reach: i32,
    },
    /// They calm down.
    Calm {
        /// By how much.
        stress: u32,
        /// How many steps away they may be.
        reach: i32,
    },
}

impl Routine {
    /// Called in every tick of the unit.
    pub fn tick(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) {
        if !self.next.is_due(scene.now) {
            return;
        }
        self.next = Timer::after(scene.now, self.every);
        self.effects.iter().for_each(|effect| effect.happens(unit, scene));
    }
}

impl Effect {
    /// Has the effect on a unit and on those around it.
    pub(super) fn happens(&self, unit: &mut Unit, scene: &mut Scene<'_>) {
        self.on(unit, scene);
        let (Effect::Heal { reach, .. } | Effect::Calm { reach, .. }) = *self;
        let units = scene.units;
        for (index, other) in units.iter().enumerate() {
            if index == scene.index {
                continue;
            }
            let mut other = other.borrow_mut();
            let is_near = other.position.steps_to(unit.position) <= reach;
            if other.side == unit.side && other.is_alive() && is_near {
                self.on(&mut other, scene);
            }
        }
    }

    fn on(&self, unit: &mut Unit, scene: &mut Scene<'_>) {
        match *self {
            Effect::Heal { strength, .. } => {
                let health = &mut unit.health;
                let after = health.health.saturating_add(strength.max(0)).min(health.most_health);
                scene.tally.healed += u64::from(after > health.health);
                health.health = after.max(health.health);
            }
            Effect::Calm { stress, .. } => {
                if let Some(nerves) = unit.component_mut::<Nerves>() {
                    nerves.stress = nerves.stress.saturating_sub(stress);
                }
            }
        }
    }
}
