//! A unit: one soldier.

use std::any::Any;
use std::cell::RefCell;
use std::hash::Hash;
use std::rc::{Rc, Weak};

use archive::Serialize;

use crate::{Component, Digest, Inventory, Legs, Orders, Point, Squad, Timer};

/// One of the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum Side {
    /// The first to be drawn up.
    #[default]
    #[archive(alias = "North")]
    Blue,
    /// The second.
    #[archive(alias = "South")]
    Red,
}

impl Side {
    /// Both.
    pub const ALL: [Side; 2] = [Side::Blue, Side::Red];

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    pub const fn enemy(self) -> Side {
        match self {
            Side::Blue => Side::Red,
            Side::Red => Side::Blue,
        }
    }
}

/// The health of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Health {
    /// The current health; a unit without health is dead.
    #[archive(alias = "hp", range = 0..=1000)]
    pub health: i32,
    /// The maximum health.
    #[archive(alias = "max_hp", range = 1..=1000)]
    pub most_health: i32,
    /// The health that wounds cost each tick, until they are dressed.
    #[archive(range = 0..=100, unit = "by tick")]
    pub wounds: u32,
}

/// What a unit is doing.
#[derive(Default, Serialize)]
pub enum State {
    /// Nothing.
    #[default]
    #[archive(alias = "Standing")]
    Idle,
    /// It is on the way.
    Walking {
        /// Where to.
        to: Point,
        /// Since when.
        since: u64,
    },
    /// It fights.
    Fighting {
        /// Against whom.
        #[archive(alias = "enemy")]
        target: Weak<RefCell<Unit>>,
        /// Since when.
        since: u64,
    },
    /// It waits for the rest of its squad.
    Waiting,
    /// It keeps its head down, and does nothing else.
    Pinned {
        /// Until then.
        until: Timer,
    },
}

/// One soldier.
///
/// Its squad is a strong pointer, the squad's members are weak ones: the world owns both.
#[derive(Default, Serialize)]
pub struct Unit {
    /// Its number, which no other unit of the game has.
    #[archive(read_only)]
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// The id of the blueprint that it was made from.
    #[archive(alias = "job")]
    pub kind: String,
    /// Whose it is.
    #[archive(alias = "team")]
    pub side: Side,
    /// Where it is.
    pub position: Point,
    /// How it is. In the file it has no object of its own, as it had none in the first version.
    #[archive(flatten)]
    pub health: Health,
    /// How many ticks a step takes.
    #[archive(default = 3, range = 1..=60, unit = "ticks")]
    pub pace: u32,
    /// What it is doing.
    pub state: State,
    /// Its way.
    pub legs: Legs,
    /// What it carries.
    pub inventory: Inventory,
    /// Its components.
    pub components: Vec<Box<dyn Component>>,
    /// Its orders.
    pub orders: Orders,
    /// The squad that it belongs to.
    pub squad: Option<Rc<RefCell<Squad>>>,
    /// Who hurt it last.
    pub attacker: Weak<RefCell<Unit>>,
}

impl Unit {
    /// Whether it lives.
    pub fn is_alive(&self) -> bool {
        self.health.health > 0
    }

    /// Whether it keeps its head down.
    pub fn is_pinned(&self, now: u64) -> bool {
        matches!(self.state, State::Pinned { until } if !until.is_due(now))
    }

    /// Its component of that type, if it has one.
    pub fn component<T: Component>(&self) -> Option<&T> {
        self.components.iter().find_map(|component| (&**component as &dyn Any).downcast_ref())
    }

    /// Its component of that type, if it has one, to be changed.
    pub fn component_mut<T: Component>(&mut self) -> Option<&mut T> {
        self.components
            .iter_mut()
            .find_map(|component| (&mut **component as &mut dyn Any).downcast_mut())
    }

    /// Feeds everything into a digest.
    pub fn digest(&self, to: &mut Digest) {
        (self.id, &self.name, &self.kind, self.side, self.position).hash(to);
        (&self.health, self.pace, &self.inventory).hash(to);
        match &self.state {
            State::Idle => 0_u8.hash(to),
            State::Walking { to: goal, since } => (1_u8, goal, since).hash(to),
            State::Fighting { target, since } => {
                (2_u8, since).hash(to);
                to.weak(target);
            }
            State::Waiting => 3_u8.hash(to),
            State::Pinned { until } => (4_u8, until).hash(to),
        }
        self.legs.digest(to);
        to.list(&self.components, |component, to| {
            component.id().hash(to);
            component.digest(to);
        });
        self.orders.digest(to);
        to.option(self.squad.as_ref(), |squad, to| {
            to.shared(squad, |squad, to| squad.borrow().digest(to))
        });
        to.weak(&self.attacker);
    }
}
