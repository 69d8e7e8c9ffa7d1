//! A world with every kind of value on a path.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};

use archive::{Error, Options, Registry, Result, Serialize, Value};

pub trait Command: archive::Polymorphic {}
archive::polymorphic!(dyn Command);

#[derive(Default, Clone, Serialize)]
pub struct MoveTo {
    pub x: f32,
    pub y: f32,
}
impl Command for MoveTo {}

#[derive(Default, Serialize)]
pub struct Squad {
    pub name: String,
    pub members: Vec<Weak<RefCell<Unit>>>,
}

#[derive(Default, Clone, Serialize)]
pub enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
        since: f64,
        #[archive(skip)]
        cache: u32,
    },
    Carrying(Item),
    Pair(u8, u8),
}

#[derive(Default, Clone, Serialize)]
#[archive(tag = "type")]
pub enum Tagged {
    #[default]
    Stop,
    Go {
        to: u32,
        speed: u32,
    },
}

#[derive(Default, Clone, Serialize)]
pub struct Item {
    pub weight: f32,
    #[archive(skip)]
    pub cache: u32,
}

#[derive(Default, Clone, Serialize)]
pub struct Flat {
    pub inner: u32,
    pub other: u32,
}

#[derive(Default, Clone, Serialize)]
pub struct Base {
    pub id: u64,
}

#[derive(Default, Clone, Serialize)]
#[archive(after_load = check)]
pub struct Tank {
    pub fuel: f32,
    pub most: f32,
    #[archive(skip)]
    pub cache: u32,
}

fn check(tank: &Tank) -> Result {
    if tank.fuel <= tank.most { Ok(()) } else { Err(Error::custom("more fuel than fits")) }
}

/// Written by hand.
#[derive(Default, Clone, PartialEq, Debug)]
pub struct Rect {
    pub x: i16,
    pub y: i16,
}
impl archive::Serialize for Rect {
    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("X", &mut self.x)?;
        ar.serialize("Y", &mut self.y)
    }
}
archive::save_by_clone!(Rect);
archive::blank!(Rect);

/// As text in files.
mod hex {
    pub fn save(value: &u32) -> archive::Result<String> {
        Ok(format!("{value:x}"))
    }
    pub fn load(text: String) -> archive::Result<u32> {
        u32::from_str_radix(&text, 16).map_err(archive::Error::custom)
    }
}

#[derive(Default, Serialize)]
pub struct Unit {
    #[archive(base)]
    pub base: Base,
    pub name: String,
    pub hp: u16,
    pub pos: [f32; 3],
    pub state: State,
    pub tagged: Tagged,
    #[archive(flatten)]
    pub flat: Flat,
    pub orders: Vec<Box<dyn Command>>,
    pub shared: Vec<Rc<RefCell<dyn Command>>>,
    pub squad: Option<Rc<RefCell<Squad>>>,
    pub leader: Weak<RefCell<Unit>>,
    pub inventory: HashMap<String, u32>,
    pub by_number: BTreeMap<u32, Item>,
    pub by_pair: BTreeMap<(u8, u8), Item>,
    pub tuple: (u8, String),
    #[archive(skip_if_default)]
    pub quiet: u32,
    #[archive(default = 5)]
    pub level: u32,
    #[archive(with = hex)]
    pub color: u32,
}

#[derive(Default, Serialize)]
pub struct World {
    pub title: String,
    pub units: Vec<Rc<RefCell<Unit>>>,
    pub plain: Vec<Item>,
    pub tanks: Vec<Tank>,
    pub tank: Tank,
    pub rect: Rect,
    pub rects: Vec<Rect>,
    pub two: [Rect; 2],
    pub boxed: Box<Item>,
    pub lock: Arc<Mutex<Item>>,
    pub bare: Rc<Flat>,
    pub any: Value,
    pub nested: Option<Option<u32>>,
    pub set: std::collections::BTreeSet<String>,
}

pub fn world() -> World {
    let squad = Rc::new(RefCell::new(Squad { name: "red".into(), members: vec![] }));
    let mut units: Vec<Rc<RefCell<Unit>>> = vec![];
    for i in 0..4u16 {
        units.push(Rc::new(RefCell::new(Unit {
            base: Base { id: 100 + u64::from(i) },
            name: format!("unit {i}"),
            hp: 10 * i,
            pos: [i.into(), 0.5, 2.0],
            state: match i {
                1 => State::Attacking { target: 7, since: 1.5, cache: 3 },
                2 => State::Carrying(Item { weight: 3.5, cache: 4 }),
                3 => State::Pair(1, 2),
                _ => State::Idle,
            },
            tagged: if i == 1 { Tagged::Go { to: 4, speed: 5 } } else { Tagged::Stop },
            flat: Flat { inner: 11, other: 12 },
            orders: vec![Box::new(MoveTo { x: 1.0, y: 2.0 })],
            shared: vec![Rc::new(RefCell::new(MoveTo { x: 3.0, y: 4.0 }))],
            squad: (i > 0).then(|| squad.clone()),
            leader: units.first().map(Rc::downgrade).unwrap_or_default(),
            inventory: [("potion".to_owned(), 3), ("health elixir".to_owned(), 1)].into(),
            by_number: [(5, Item { weight: 0.25, cache: 6 })].into(),
            by_pair: [((1, 2), Item { weight: 0.75, cache: 7 })].into(),
            tuple: (9, "t".into()),
            quiet: 0,
            level: 9,
            color: 255,
        })));
    }
    squad.borrow_mut().members.push(Rc::downgrade(&units[0]));
    let tank = Tank { fuel: 1.0, most: 2.0, cache: 7 };
    World {
        title: "w".into(),
        units,
        plain: vec![Item { weight: 1.0, cache: 1 }, Item { weight: 2.0, cache: 2 }],
        tanks: vec![tank.clone(), tank.clone()],
        tank,
        rect: Rect { x: 1, y: 2 },
        rects: vec![Rect { x: 3, y: 4 }],
        two: [Rect { x: 5, y: 6 }, Rect { x: 7, y: 8 }],
        boxed: Box::new(Item { weight: 4.5, cache: 8 }),
        lock: Arc::new(Mutex::new(Item { weight: 5.5, cache: 9 })),
        bare: Rc::new(Flat { inner: 1, other: 2 }),
        any: archive::json::from_str(r#"{"list":[1,{"x":2}],"text":"t"}"#).unwrap(),
        nested: Some(Some(6)),
        set: ["a".to_owned(), "b".to_owned()].into(),
    }
}

pub fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo }).unwrap();
    registry
}

/// The world as text.
pub fn text(world: &World, options: &Options<'_>) -> String {
    archive::json::to_string_with(world, options).unwrap()
}

/// The fields that are not saved.
pub fn skipped(world: &World) -> Vec<u32> {
    let mut caches: Vec<u32> = world.plain.iter().map(|item| item.cache).collect();
    caches.extend(world.tanks.iter().map(|tank| tank.cache));
    caches.extend([world.tank.cache, world.boxed.cache, world.lock.lock().unwrap().cache]);
    for unit in &world.units {
        let unit = unit.borrow();
        caches.extend(unit.by_number.values().map(|item| item.cache));
        caches.extend(match &unit.state {
            State::Attacking { cache, .. } => Some(*cache),
            State::Carrying(item) => Some(item.cache),
            _ => None,
        });
    }
    caches
}
