//! The state of a game: all of it, and nothing else.

use std::cell::RefCell;
use std::hash::Hash;
use std::marker::PhantomData;
use std::rc::Rc;

use archive::{Error, Result, Serialize};

use crate::{Chronicle, Digest, Ground, Map, Point, Random, Side, Squad, Tally, Timer, Unit};

/// The maximum of counters, so that additions do not overflow.
const LONGEST: u64 = 1 << 60;

/// The state of a game. This is what is saved, and checked when it is loaded.
#[derive(Default, Serialize)]
#[archive(after_load = Self::loaded)]
pub struct World {
    /// The level's name.
    pub level: String,
    /// How many ticks the game has lasted.
    #[archive(unit = "ticks")]
    pub tick: u64,
    /// The dice.
    pub random: Random,
    /// The ground.
    pub map: Map,
    /// What lies on it.
    pub items: Ground,
    /// Where the sides gather.
    pub camps: Vec<Camp>,
    /// The squads, in the order in which they think.
    pub squads: Vec<Rc<RefCell<Squad>>>,
    /// The units that live, in the order of their turns.
    pub units: Vec<Rc<RefCell<Unit>>>,
    /// The number of the next unit.
    pub next_id: u32,
    /// The counters.
    pub tally: Tally,
    /// The last events.
    pub chronicle: Chronicle,
    /// The last events, one per line.
    #[archive(get = World::news, multiline)]
    pub news: PhantomData<String>,
}

// One row: squads and units point to each other, and such a graph cannot be split.
#[cfg(feature = "store")]
archive::store::persistent!(World = "world");

/// Where a side gathers, and where its reinforcements arrive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Camp {
    /// Whose it is.
    #[archive(alias = "team")]
    pub side: Side,
    /// The cells around which it gathers.
    pub places: Vec<Point>,
    /// How strong the side is meant to be.
    pub strength: u32,
    /// When the next squad comes.
    pub next_squad: Timer,
}

impl World {
    fn news(&self) -> String {
        let lines = self.chronicle.events().map(|(tick, event)| format!("{tick}: {event}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// How many units of a side live.
    pub fn strength(&self, side: Side) -> usize {
        self.units.iter().filter(|unit| unit.borrow().side == side).count()
    }

    /// Checks what the types cannot: all units are in cells that can be entered, and numbers are
    /// unique. A file may contain anything.
    ///
    /// # Errors
    /// A description of what is wrong.
    pub fn check(&self) -> Result {
        if self.tick > LONGEST || self.next_id > u32::MAX / 2 || self.tally.is_beyond(LONGEST) {
            return Err(wrong(format_args!("it has lasted too long")));
        }
        let mut ids = Vec::with_capacity(self.units.len());
        for unit in &self.units {
            let unit = unit.borrow();
            ids.push(unit.id);
            if !self.map.is_open(unit.position) {
                return Err(wrong(format_args!("{} is where no unit can be", unit.name)));
            }
            if unit.id >= self.next_id {
                return Err(wrong(format_args!("the number {} was not assigned yet", unit.id)));
            }
        }
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(wrong(format_args!("two units have the number {}", pair[0]))),
            None => Ok(()),
        }
    }

    fn loaded(&mut self) -> Result {
        self.check()
    }

    /// Feeds everything into a digest.
    pub fn digest(&self, to: &mut Digest) {
        (&self.level, self.tick, &self.random, self.map.width(), self.map.rows()).hash(to);
        (&self.items, &self.camps, self.next_id, &self.tally, &self.chronicle).hash(to);
        to.list(&self.squads, |squad, to| to.shared(squad, |squad, to| squad.borrow().digest(to)));
        to.list(&self.units, |unit, to| to.shared(unit, |unit, to| unit.borrow().digest(to)));
    }
}

fn wrong(what: std::fmt::Arguments<'_>) -> Error {
    Error::custom(format_args!("not a game of Skirmish: {what}"))
}
