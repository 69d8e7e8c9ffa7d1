//! The world as the game has it.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use archive::Serialize;
use skirmish::{Camp, Chronicle, Digest, Ground, Random, Squad, Tally, Unit};

/// [`skirmish::World`] without the game's work after a load (it finds the connected parts of the
/// map, and checks everything), which is not part of the format.
#[derive(Serialize)]
pub struct World {
    level: String,
    tick: u64,
    random: Random,
    rows: Vec<String>,
    items: Ground,
    camps: Vec<Camp>,
    squads: Vec<Rc<RefCell<Squad>>>,
    units: Vec<Rc<RefCell<Unit>>>,
    next_id: u32,
    tally: Tally,
    chronicle: Chronicle,
}

impl World {
    /// Converts the world.
    pub fn of(world: skirmish::World) -> Self {
        World {
            level: world.level,
            tick: world.tick,
            random: world.random,
            rows: world.map.rows(),
            items: world.items,
            camps: world.camps,
            squads: world.squads,
            units: world.units,
            next_id: world.next_id,
            tally: world.tally,
            chronicle: world.chronicle,
        }
    }

    /// Returns whether two worlds are the same, including shared objects.
    pub fn is(&self, other: &World) -> bool {
        self.digest() == other.digest()
    }

    fn digest(&self) -> u64 {
        let to = &mut Digest::default();
        (&self.level, self.tick, &self.random, &self.rows).hash(to);
        (&self.items, &self.camps, self.next_id, &self.tally, &self.chronicle).hash(to);
        to.list(&self.squads, |squad, to| to.shared(squad, |squad, to| squad.borrow().digest(to)));
        to.list(&self.units, |unit, to| to.shared(unit, |unit, to| unit.borrow().digest(to)));
        to.finish()
    }
}
