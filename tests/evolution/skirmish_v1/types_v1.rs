//! The types of Skirmish's first version, as far as they have changed since, and one game of it.
//!
//! Unchanged types are taken from the library. Everything else must not change: these types wrote
//! `tests/golden/*/v1/skirmish.*`.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::{Rc, Weak};

use archive::{Archive, Options, Polymorphic, Registry, Result, Serialize, register};
use skirmish::{Inventory, Item, Point, Random, Timer};

/// A command.
pub trait Command: Polymorphic {}
archive::polymorphic!(dyn Command);

/// A component.
pub trait Component: Polymorphic {}
archive::polymorphic!(dyn Component);

#[derive(Default, Serialize)]
pub struct World {
    level: String,
    tick: u64,
    random: Random,
    map: Map,
    squads: Vec<Rc<RefCell<Squad>>>,
    units: Vec<Rc<RefCell<Unit>>>,
    next_id: u32,
    weather: Weather, // gone since
}

/// Its function was hand-written; now it is derived.
#[derive(Clone, Default)]
struct Map {
    rows: Vec<String>,
}

impl Serialize for Map {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("rows", &mut self.rows)
    }
}

archive::save_by_clone!(Map);
archive::blank!(Map);

#[derive(Default, Serialize)]
enum Weather {
    #[default]
    Dry,
    Rain {
        since: u64,
    },
}

#[derive(Clone, Copy, Default, PartialEq, Serialize)]
enum Team {
    #[default]
    North,
    South,
}

#[derive(Default, Serialize)]
struct Squad {
    name: String,
    team: Team,
    leader: Weak<RefCell<Unit>>,
    units: Vec<Weak<RefCell<Unit>>>,
    rally: Option<Rc<RefCell<Rally>>>,
    next_thought: Timer,
}

#[derive(Default, Serialize)]
struct Unit {
    id: u32,
    name: String,
    job: String,
    team: Team,
    position: Point,
    hp: i32,
    max_hp: u8,
    state: State,
    mood: i8, // gone since
    inventory: Inventory,
    components: Vec<Box<dyn Component>>,
    orders: Orders,
    squad: Option<Rc<RefCell<Squad>>>,
}

#[derive(Default, Serialize)]
enum State {
    #[default]
    Standing,
    Walking {
        to: Point,
        since: u64,
    },
    Fighting {
        enemy: Weak<RefCell<Unit>>,
        since: u64,
    },
}

#[derive(Default, Serialize)]
struct Orders {
    queue: VecDeque<Order>,
}

#[derive(Serialize)]
struct Order {
    task: Task,
    begun: Option<u64>,
}

#[derive(Serialize)]
enum Task {
    Own(Box<dyn Command>),
    Shared(Rc<RefCell<dyn Command>>),
}

/// `walk` in files; `goal` since.
#[derive(Default, Serialize)]
struct MoveTo {
    target: Point,
    near: i32,
}

#[derive(Default, Serialize)]
struct Follow {
    leader: Weak<RefCell<Unit>>,
    distance: i32,
}

#[derive(Default, Serialize)]
struct Attack {
    target: Weak<RefCell<Unit>>,
    give_up: Timer,
}

#[derive(Default, Serialize)]
struct Rally {
    at: Point,
    expected: u16,
    present: BTreeSet<u32>,
    until: Timer,
}

impl Command for MoveTo {}
impl Command for Follow {}
impl Command for Attack {}
impl Command for Rally {}

/// `reach` was not squared.
#[derive(Default, Serialize)]
struct Weapon {
    damage: i32,
    reach: i32,
    rounds: u32,
    magazine: u32,
    pause: u32,
    ready: Timer,
}

/// `eyes` in files.
#[derive(Default, Serialize)]
struct Eyes {
    range: i32,
    next: Timer,
}

impl Component for Weapon {}
impl Component for Eyes {}

/// The options for saving.
pub fn options() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Command {
        MoveTo as "walk",
        Follow as "follow",
        Attack as "attack",
        Rally as "rally",
    })
    .unwrap();
    register!(registry, dyn Component { Weapon as "weapon", Eyes as "eyes" }).unwrap();
    Options::new().registry(&registry)
}

/// The game that was saved: after 100 ticks, one squad gathers and the other one fights.
pub fn world() -> World {
    let rows = [
        "....................",
        ".........##.........",
        "....~~...##....,,...",
        "....................",
    ];
    let north = squad("North 0", Team::North, 0, 2);
    let south = squad("South 4", Team::South, 4, 14);
    let units = || north.1.iter().chain(&south.1);

    let rally = Rally {
        at: Point::new(4, 1),
        expected: 4,
        present: BTreeSet::from([2]),
        until: Timer::after(100, 40),
    };
    let rally = Rc::new(RefCell::new(rally));
    for unit in &north.1 {
        let shared = Task::Shared(Rc::clone(&rally) as Rc<RefCell<dyn Command>>);
        unit.borrow_mut().orders.queue.push_back(Order { task: shared, begun: Some(90) });
    }
    north.0.borrow_mut().rally = Some(rally);
    for unit in &north.1 {
        let walk = MoveTo { target: Point::new(8, 3), near: 1 };
        unit.borrow_mut().orders.queue.push_back(own(walk, None));
    }
    let leader = &north.1[0];
    leader.borrow_mut().state = State::Walking { to: Point::new(4, 1), since: 95 };

    for (unit, enemy) in south.1.iter().zip(&north.1) {
        let enemy = Rc::downgrade(enemy);
        let mut unit = unit.borrow_mut();
        unit.state = State::Fighting { enemy: enemy.clone(), since: 98 };
        unit.orders
            .queue
            .push_back(own(Attack { target: enemy, give_up: Timer::after(100, 30) }, Some(98)));
        unit.orders
            .queue
            .push_back(own(Follow { leader: Rc::downgrade(&south.1[0]), distance: 2 }, None));
    }
    south.1[0].borrow_mut().orders.queue.pop_back(); // it does not follow itself
    World {
        level: "Old Arena".to_owned(),
        tick: 100,
        random: Random::new(11),
        map: Map { rows: rows.map(str::to_owned).to_vec() },
        units: units().cloned().collect(),
        squads: vec![north.0.clone(), south.0.clone()],
        next_id: 8,
        weather: Weather::Rain { since: 70 },
    }
}

fn own(command: impl Command, begun: Option<u64>) -> Order {
    Order { task: Task::Own(Box::new(command)), begun }
}

type SquadAndUnits = (Rc<RefCell<Squad>>, Vec<Rc<RefCell<Unit>>>);

fn squad(name: &str, team: Team, first: u32, column: i32) -> SquadAndUnits {
    let squad = Rc::new(RefCell::new(Squad { name: name.to_owned(), team, ..Squad::default() }));
    let mut units = Vec::new();
    for id in first..first + 4 {
        let mut inventory = Inventory::default();
        inventory.add(Item::Magazine, 2);
        let weapon = Weapon {
            damage: 4,
            reach: 6,
            rounds: id,
            magazine: 6,
            pause: 5,
            ready: Timer::default(),
        };
        let unit = Unit {
            id,
            name: format!("rifle {id}"),
            job: "rifle".to_owned(),
            team,
            position: Point::new(column, (id - first) as i32),
            hp: 20 - id as i32,
            max_hp: 22,
            mood: -1,
            inventory,
            components: vec![
                Box::new(weapon),
                Box::new(Eyes { range: 9, next: Timer::after(100, 3) }),
            ],
            squad: Some(Rc::clone(&squad)),
            ..Unit::default()
        };
        units.push(Rc::new(RefCell::new(unit)));
    }
    squad.borrow_mut().units = units.iter().map(Rc::downgrade).collect();
    squad.borrow_mut().leader = Rc::downgrade(&units[0]);
    (squad, units)
}
