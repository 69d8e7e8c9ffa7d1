//! The world in the pointers and trait objects of `fory`, which does not know those of the game. It
//! writes an object where it first finds a pointer to it, even a weak one, and cannot load a strong
//! pointer to an object that contains it. So a unit's squad is weak here, and shared commands are
//! in a table. A unit's own commands are separate from those it shares. Members have the names of
//! `indices`, which describes them.

mod commands;
mod components;
mod convert;

use std::cell::RefCell;
use std::rc::Rc;

use fory::{Fory, ForyEnum, ForyStruct, ForyUnion, RcWeak};

use super::indices;
use crate::entry::Subject;
use commands::CommandBoxCodec;
pub use commands::{Assault, Attack, Command, Follow, Hold, MoveTo, Patrol, Rally};
use components::ComponentBoxCodec;
pub use components::{Component, Healer, Lookout, Nerves, Weapon};

#[derive(Clone, Debug, PartialEq, ForyStruct)]
pub struct Point {
    x: i32,
    y: i32,
}

#[derive(Clone, Debug, PartialEq, ForyEnum)]
pub enum Side {
    #[fory(default)]
    Blue,
    Red,
}

#[derive(Clone, Debug, PartialEq, ForyEnum)]
pub enum Item {
    #[fory(default)]
    Magazine,
    Medkit,
}

#[derive(Clone, Debug, PartialEq, ForyEnum)]
pub enum Failure {
    #[fory(default)]
    NoWay,
    Blocked,
    Lost,
    OutOfTime,
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, ForyStruct)]
pub struct Carried {
    item: Item,
    count: u32,
}

#[derive(Clone, Debug, PartialEq, ForyStruct)]
pub struct Lying {
    at: Point,
    things: Vec<Carried>,
}

#[derive(Clone, Debug, PartialEq, ForyStruct)]
pub struct Camp {
    side: Side,
    places: Vec<Point>,
    strength: u32,
    next_squad: u64,
}

#[derive(Clone, Debug, PartialEq, ForyUnion)]
pub enum Mood {
    Resting(u64),
    #[fory(default)]
    Patrolling,
    Advancing {
        to: Point,
    },
    Rallying {
        at: Point,
        until: u64,
    },
}

#[derive(ForyStruct)]
pub struct Squad {
    name: String,
    side: Side,
    leader: RcWeak<RefCell<Unit>>,
    members: Vec<RcWeak<RefCell<Unit>>>,
    mood: Mood,
    rally: Option<u32>,
    strength: u32,
    next_thought: u64,
}

#[derive(ForyUnion)]
pub enum State {
    #[fory(default)]
    Idle,
    Walking {
        to: Point,
        since: u64,
    },
    Fighting {
        target: RcWeak<RefCell<Unit>>,
        since: u64,
    },
    Waiting,
    Pinned {
        until: u64,
    },
}

#[derive(Clone, Debug, PartialEq, ForyStruct)]
pub struct Legs {
    route: Option<Point>,
    next_step: u64,
    blocked: u32,
}

#[derive(ForyStruct)]
pub struct Unit {
    id: u32,
    name: String,
    kind: String,
    side: Side,
    position: Point,
    health: i32,
    most_health: i32,
    wounds: u32,
    pace: u32,
    state: State,
    legs: Legs,
    inventory: Vec<Carried>,
    components: Vec<Box<dyn Component>>,
    own: Vec<Box<dyn Command>>,
    shared: Vec<u32>,
    begun: Vec<Option<u64>>,
    succeeded: u32,
    last_failure: Option<Failure>,
    squad: RcWeak<RefCell<Squad>>,
    attacker: RcWeak<RefCell<Unit>>,
}

#[derive(Clone, Debug, PartialEq, ForyStruct)]
pub struct Count {
    id: String,
    succeeded: u64,
    failed: u64,
}

#[derive(Clone, Debug, PartialEq, ForyStruct)]
pub struct Tally {
    numbers: Vec<u64>,
    orders: Vec<Count>,
}

#[derive(Clone, Debug, PartialEq, ForyStruct)]
pub struct Event {
    at: u64,
    kind: u32,
    texts: Vec<String>,
}

#[derive(ForyStruct)]
pub struct World {
    level: String,
    tick: u64,
    random: u64,
    rows: Vec<String>,
    items: Vec<Lying>,
    camps: Vec<Camp>,
    squads: Vec<Rc<RefCell<Squad>>>,
    units: Vec<Rc<RefCell<Unit>>>,
    commands: Vec<Box<dyn Command>>,
    next_id: u32,
    tally: Tally,
    events: Vec<Event>,
}

/// The same world with pointers.
pub fn subject(world: &indices::World) -> Subject<World> {
    Subject::compared_by(convert::world(world), same)
}

/// `fory` with all types.
pub fn registered() -> Fory {
    let mut fory = Fory::builder()
        .xlang(false)
        .track_ref(true)
        .max_graph_memory_bytes(1 << 30)
        .max_dyn_depth(u32::MAX / 2)
        .max_unbacked_container_items(1 << 24)
        .build();
    let mut next = 100;
    macro_rules! register {
        ($($Type:ty),* $(,)?) => {
            $(
                fory.register::<$Type>(next).expect("numbers are unique");
                next += 1;
            )*
        };
    }
    register!(Point, Side, Item, Failure, Carried, Lying, Camp, Mood, Squad, State, Legs, Unit);
    register!(Count, Tally, Event, World, Weapon, Lookout, Healer, Nerves);
    register!(MoveTo, Hold, Follow, Attack, Patrol, Rally, Assault);
    debug_assert_eq!(next, 127);
    fory
}

/// Whether the units are the same, and belong to their squads as before.
fn same(a: &World, b: &World) -> bool {
    let unit = |(a, b): (&Rc<RefCell<Unit>>, &Rc<RefCell<Unit>>)| {
        let (a, b) = (a.borrow(), b.borrow());
        let squad = |unit: &Unit| unit.squad.upgrade().map(|squad| squad.borrow().name.clone());
        let attacker = |unit: &Unit| unit.attacker.upgrade().map(|unit| unit.borrow().id);
        (a.id, &a.name, &a.position, a.own.len(), &a.shared, squad(&a), attacker(&a))
            == (b.id, &b.name, &b.position, b.own.len(), &b.shared, squad(&b), attacker(&b))
    };
    a.units.len() == b.units.len()
        && a.units.iter().zip(&b.units).all(unit)
        && a.squads.len() == b.squads.len()
        && (&a.rows, &a.items, &a.camps, &a.tally) == (&b.rows, &b.items, &b.camps, &b.tally)
}
