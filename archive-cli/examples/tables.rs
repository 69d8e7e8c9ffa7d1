//! Writes the saves of `docs/TABLES.md` and of the check of tables: `cargo run -p archive-cli --example tables -- DIR [COUNT]`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::{Rc, Weak};

use archive::save::SaveFile;
use archive::store::{Pool, Ref, Store};
use archive::{Format, Result, Serialize};

#[derive(Clone, Debug, Default, Serialize)]
struct Place {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
enum State {
    #[default]
    Idle,
    Moving,
    Fighting,
}

#[derive(Clone, Debug, Default, Serialize)]
enum Order {
    #[default]
    Wait,
    Move {
        to: Place,
        fast: bool,
    },
    Say(String, u8),
    Count(i32),
}

#[derive(Clone, Debug, Default, Serialize)]
struct Tree {
    value: u8,
    kids: Vec<Tree>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    state: State,
    at: Place,
    seed: u64,
    luck: f64,
    cargo: Vec<u32>,
    orders: Vec<Order>,
    current: Order,
    note: Option<String>,
    home: Option<Place>,
    scores: BTreeMap<String, f32>,
    slots: BTreeMap<u32, Place>,
    pair: (u8, bool),
    deep: Vec<Vec<u8>>,
    wide: i128,
    tree: Tree,
    path: String,
    save: bool,
}

#[derive(Default, Serialize)]
struct Agent {
    name: String,
    leader: Weak<RefCell<Agent>>,
    friend: Option<Rc<RefCell<Agent>>>,
}

#[derive(Default, Serialize)]
struct World {
    tick: u64,
    level: String,
    units: Vec<Unit>,
    heroes: BTreeMap<String, Unit>,
    agents: Vec<Rc<RefCell<Agent>>>,
    tiles: Vec<u16>,
}

fn unit(number: u32) -> Unit {
    let kinds = [State::Idle, State::Moving, State::Fighting];
    let orders = [
        Order::Wait,
        Order::Move { to: Place { x: 0.1, y: number as f32 }, fast: number.is_multiple_of(2) },
        Order::Say("ho \"there\",\n\u{e4}".into(), 3),
        Order::Count(-7),
    ];
    Unit {
        name: ["tank", "", "it's a \"scout\", \u{1f600}\n"][number as usize % 3].into(),
        hp: (number * 7 % 1000) as u16,
        state: kinds[(number / 7) as usize % 3],
        at: Place { x: number as f32 + 0.1, y: -0.5 },
        seed: u64::MAX - u64::from(number),
        luck: [0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300][number as usize % 6],
        cargo: (0..number % 4).collect(),
        orders: orders[..number as usize % 5].to_vec(),
        current: orders[number as usize % 4].clone(),
        note: number.is_multiple_of(4).then(|| "veteran".into()),
        home: number.is_multiple_of(3).then_some(Place { x: 1.0, y: 2.0 }),
        scores: (0..number % 3).map(|at| (format!("won {at}"), at as f32 / 3.0)).collect(),
        slots: (0..number % 2).map(|at| (at, Place::default())).collect(),
        pair: (7, number.is_multiple_of(2)),
        deep: vec![vec![1], vec![], vec![2, 3]],
        wide: i128::from(number) << 70,
        tree: Tree { value: 1, kids: vec![Tree::default(); number as usize % 2] },
        path: format!("p{number}"),
        save: number.is_multiple_of(2),
    }
}

fn world(number: u32, units: u32) -> World {
    let agents: Vec<Rc<RefCell<Agent>>> = ["Ann", "Bob", "Cleo"]
        .iter()
        .map(|name| Rc::new(RefCell::new(Agent { name: (*name).into(), ..Agent::default() })))
        .collect();
    agents[1].borrow_mut().leader = Rc::downgrade(&agents[0]);
    agents[2].borrow_mut().friend = Some(agents[1].clone());
    World {
        tick: u64::from(number) * 60,
        level: format!("Level {number}"),
        units: (0..units).map(|at| unit(at + number)).collect(),
        heroes: [("first".to_owned(), unit(1)), ("two words".to_owned(), unit(2))].into(),
        agents,
        tiles: (0..10).collect(),
    }
}

/// The same classes in an older version of the game.
mod old {
    use archive::Serialize;

    #[derive(Default, Serialize)]
    pub struct Unit {
        pub name: String,
        /// Later a number.
        pub hp: String,
        pub old: bool,
    }

    #[derive(Default, Serialize)]
    pub struct World {
        pub tick: u64,
        pub units: Vec<Unit>,
    }
}

#[derive(Default, Serialize)]
struct Ship {
    name: String,
    hp: u16,
    seed: u64,
    target: Ref<Ship>,
    orders: Vec<Order>,
    at: Place,
}

#[derive(Default, Serialize)]
struct Fleet {
    tick: u64,
    ships: Pool<Ship>,
}

archive::store::persistent!(Ship = "ship", Fleet = "fleet");

fn fleet(count: u32) -> Fleet {
    let mut fleet = Fleet { tick: 9, ..Fleet::default() };
    let mut last = Ref::default();
    for at in 0..count {
        let of = unit(at);
        let ship = Ship {
            name: of.name,
            hp: of.hp,
            seed: of.seed,
            target: last,
            orders: of.orders,
            at: of.at,
        };
        last = fleet.ships.insert(ship);
    }
    fleet
}

fn main() -> Result {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| ".".to_owned());
    let count: u32 = args.next().and_then(|count| count.parse().ok()).unwrap_or(0);
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder.join("many")).map_err(archive::Error::io)?;
    let write = |name: &str, bytes: Vec<u8>| {
        std::fs::write(folder.join(name), bytes).map_err(archive::Error::io)
    };
    write("typed.bin", Format::Binary.to_vec(&world(0, 100))?)?;
    write("untyped.json", Format::Json.to_vec(&world(0, 100))?)?;
    let units =
        (0..3).map(|at| old::Unit { name: format!("old {at}"), hp: format!("{at}0"), old: true });
    write("old.bin", Format::Binary.to_vec(&old::World { tick: 1, units: units.collect() })?)?;
    SaveFile::new(folder.join("slot.sav")).save(&world(5, 10), Format::Binary)?;
    let store = folder.join("fleet.store");
    let _ = std::fs::remove_file(&store);
    Store::open(&store)?.save(&fleet(1000))?;
    for number in 0..count {
        let save = SaveFile::new(folder.join("many").join(format!("player{number:04}.sav")));
        save.save(&world(number, 100), Format::Binary)?;
    }
    if let Some(units) = args.next().and_then(|units| units.parse().ok()) {
        write("large.bin", Format::Binary.to_vec(&world(0, units))?)?;
        let store = folder.join("large.store");
        let _ = std::fs::remove_file(&store);
        Store::open(&store)?.save(&fleet(units))?;
    }
    Ok(())
}
