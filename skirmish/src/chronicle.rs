//! Counters, and the last events.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use archive::Serialize;

use crate::Side;
use crate::command::Outcome;

/// How many events are kept.
const KEPT: usize = 24;

/// Counters since the game began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Tally {
    /// Steps taken.
    pub steps: u64,
    /// Shots fired.
    pub shots: u64,
    /// Shots and blows that hit.
    pub hits: u64,
    /// Wounds dressed.
    pub healed: u64,
    /// Things picked up.
    pub picked_up: u64,
    /// Who fell, by side.
    pub fallen: [u64; 2],
    /// Who came later, by side.
    pub reinforced: [u64; 2],
    /// By the type id of the command: how many orders succeeded and failed.
    pub orders: BTreeMap<String, [u64; 2]>,
}

impl Tally {
    /// Returns whether a counter is greater than `most`.
    pub(crate) fn is_beyond(&self, most: u64) -> bool {
        let single = [self.steps, self.shots, self.hits, self.healed, self.picked_up];
        let by_side = self.fallen.iter().chain(&self.reinforced);
        single.iter().chain(by_side).chain(self.orders.values().flatten()).any(|&n| n > most)
    }

    /// Counts an order.
    pub fn count(&mut self, command: &str, outcome: Outcome) {
        let counts = match self.orders.get_mut(command) {
            Some(counts) => counts,
            None => self.orders.entry(command.to_owned()).or_default(),
        };
        counts[usize::from(outcome != Outcome::Succeeded)] += 1;
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Event {
    /// A unit fell.
    Fell {
        /// Which one.
        unit: String,
        /// What killed it.
        by: String,
    },
    /// A squad has a new leader.
    Promoted {
        /// Who.
        unit: String,
        /// The squad.
        squad: String,
    },
    /// A squad got an order.
    Ordered {
        /// The squad.
        squad: String,
        /// The type id of the command.
        order: String,
    },
    /// Units arrived.
    Reinforced(Side, u32),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Fell { unit, by } => write!(f, "{unit} fell: {by}"),
            Event::Promoted { unit, squad } => write!(f, "{unit} leads {squad}"),
            Event::Ordered { squad, order } => write!(f, "{squad}: {order}"),
            Event::Reinforced(side, units) => write!(f, "{units} more units for {side:?}"),
        }
    }
}

/// The last events, with their ticks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[archive(transparent)]
pub struct Chronicle {
    events: VecDeque<(u64, Event)>,
}

impl Chronicle {
    /// Notes what happens now.
    pub fn note(&mut self, now: u64, event: Event) {
        if self.events.len() == KEPT {
            self.events.pop_front();
        }
        self.events.push_back((now, event));
    }

    /// Everything kept, with the tick in which it happened.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &(u64, Event)> {
        self.events.iter()
    }
}
