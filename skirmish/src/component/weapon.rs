//! A weapon.

use std::hash::Hash;

use archive::{Archive, Result, Serialize};

use super::Component;
use crate::{Digest, Scene, Timer, Unit};

/// The damage of a weapon without ammunition.
const BLOW: i32 = 2;

/// A weapon, and what is in it.
#[derive(Clone, Debug, Default, Hash)]
pub struct Weapon {
    /// The damage of a hit.
    pub damage: i32,
    /// The square of how many cells it reaches.
    pub reach: i32,
    /// How many shots are left in the magazine.
    pub rounds: u32,
    /// How many a magazine holds.
    pub magazine: u32,
    /// How many ticks pass between two shots.
    pub pause: u32,
    /// When it can be fired again.
    pub ready: Timer,
}

/// The result of pulling the trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shot {
    /// The target is too far away.
    OutOfReach,
    /// It is too early.
    Wait,
    /// A new magazine was put in.
    Reload,
    /// There was a shot.
    Fired {
        /// The damage of a hit.
        damage: i32,
    },
    /// There was a blow, for lack of ammunition.
    Blow {
        /// The damage of the blow.
        damage: i32,
    },
}

impl Weapon {
    /// Uses the weapon against a target. `far` is the square of the distance.
    pub fn use_at(&mut self, far: i32, more_magazines: bool, now: u64) -> Shot {
        let empty = self.rounds == 0 && !more_magazines;
        if far > if empty { 2 } else { self.reach } {
            return Shot::OutOfReach;
        }
        if !self.ready.is_due(now) {
            return Shot::Wait;
        }
        self.ready = Timer::after(now, u64::from(self.pause));
        if empty {
            return Shot::Blow { damage: BLOW };
        }
        if self.rounds == 0 {
            self.rounds = self.magazine;
            self.ready = Timer::after(now, 3 * u64::from(self.pause));
            return Shot::Reload;
        }
        self.rounds -= 1;
        Shot::Fired { damage: self.damage }
    }
}

/// By hand, because what `reach` means has changed: up to version 0 it was not squared.
impl Serialize for Weapon {
    const NAME: &'static str = "Weapon";
    const VERSION: u32 = 1;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("damage", &mut self.damage)?;
        ar.serialize("reach", &mut self.reach)?;
        if ar.version() == 0 {
            self.reach = self.reach.saturating_mul(self.reach);
        }
        ar.serialize("rounds", &mut self.rounds)?;
        ar.serialize("magazine", &mut self.magazine)?;
        ar.serialize("pause", &mut self.pause)?;
        ar.serialize("ready", &mut self.ready)
    }
}

archive::save_by_clone!(Weapon);
archive::blank!(Weapon);

impl Component for Weapon {
    fn tick(&mut self, _: &mut Unit, _: &mut Scene<'_>) {}

    fn digest(&self, to: &mut Digest) {
        self.hash(to);
    }
}
