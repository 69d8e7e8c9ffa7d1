//! A game, and a mod for it: the program with the mod registers more types than the one without.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock, Weak as ArcWeak};

use archive::{Options, Registry, Serialize, Unknown, polymorphic, register};

pub trait Command: archive::Polymorphic {
    fn power(&self) -> u32;
    fn units(&self) -> Vec<Rc<RefCell<Unit>>> {
        Vec::new()
    }
}
polymorphic!(dyn Command);

pub trait Job: archive::Polymorphic + Send + Sync {
    fn cost(&self) -> u32;
}
polymorphic!(dyn Job);
polymorphic!(dyn Job + Send + Sync);

// ---- the game -----------------------------------------------------------------------------------

#[derive(Default, Serialize)]
pub struct Unit {
    pub hp: u32,
    pub leader: Weak<RefCell<Unit>>,
    pub orders: Vec<Rc<RefCell<dyn Command>>>,
}

#[derive(Default, Serialize)]
pub struct MoveTo {
    pub x: u32,
}

impl Command for MoveTo {
    fn power(&self) -> u32 {
        self.x
    }
}
impl Job for MoveTo {
    fn cost(&self) -> u32 {
        self.x
    }
}

impl Command for Unknown {
    fn power(&self) -> u32 {
        0
    }
}
impl Job for Unknown {
    fn cost(&self) -> u32 {
        0
    }
}

// ---- the mod ------------------------------------------------------------------------------------

/// Something of every kind of data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[archive(version = 3)]
pub struct Data {
    pub name: String,
    pub numbers: (i8, u64, i128, f32, f64, char),
    pub bytes: Vec<u8>,
    pub nested: Option<Option<u8>>,
    pub choices: Vec<Choice>,
    pub map: BTreeMap<u32, String>,
    #[archive(as_object)]
    pub names: BTreeMap<String, u32>,
    pub unit: (),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub enum Choice {
    #[default]
    None,
    One(u32),
    Two {
        a: i64,
        b: bool,
    },
}

pub fn data() -> Data {
    Data {
        name: "fire\0ball".into(),
        numbers: (-3, u64::MAX, i128::MIN, 0.1, f64::INFINITY, '🦀'),
        bytes: vec![0, 255, 7],
        nested: Some(None),
        choices: vec![Choice::None, Choice::One(7), Choice::Two { a: -1, b: true }],
        map: [(3, "three".into()), (1, "one".into())].into(),
        names: [("$id".into(), 4), ("x".into(), 5)].into(),
        unit: (),
    }
}

impl Default for Data {
    fn default() -> Self {
        data()
    }
}

/// A mod's own shared object.
#[derive(Default, Serialize)]
pub struct Rune {
    pub level: u32,
    pub next: Option<Rc<RefCell<Rune>>>,
    pub back: Weak<RefCell<Rune>>,
    pub unit: Option<Rc<RefCell<Unit>>>,
}

#[derive(Default, Serialize)]
pub struct Spell {
    pub power: u32,
    pub data: Data,
    pub target: Option<Rc<RefCell<Unit>>>,
    pub caster: Weak<RefCell<Unit>>,
    pub rune: Option<Rc<RefCell<Rune>>>,
    pub then: Vec<Rc<RefCell<dyn Command>>>,
    pub inner: Option<Box<dyn Command>>,
}

impl Command for Spell {
    fn power(&self) -> u32 {
        self.power
    }
    fn units(&self) -> Vec<Rc<RefCell<Unit>>> {
        self.target.iter().cloned().chain(self.caster.upgrade()).collect()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Brew {
    pub data: Data,
    pub cost: u32,
}

impl Command for Brew {
    fn power(&self) -> u32 {
        self.cost
    }
}
impl Job for Brew {
    fn cost(&self) -> u32 {
        self.cost
    }
}

// ---- both programs ------------------------------------------------------------------------------

/// Every place that a trait object can be in.
#[derive(Default, Serialize)]
pub struct Places {
    pub boxed: Vec<Box<dyn Command>>,
    pub option: Option<Box<dyn Command>>,
    pub by_name: BTreeMap<String, Box<dyn Command>>,
    pub bare: Vec<Rc<dyn Command>>,
    pub weak_bare: Option<Weak<dyn Command>>,
    pub cells: Vec<Rc<RefCell<dyn Command>>>,
    pub weak_cell: Option<Weak<RefCell<dyn Command>>>,
    pub mutex: Vec<Arc<Mutex<dyn Job + Send + Sync>>>,
    pub weak_mutex: Option<ArcWeak<Mutex<dyn Job + Send + Sync>>>,
    pub locks: Vec<Arc<RwLock<dyn Job + Send + Sync>>>,
    pub weak_lock: Option<ArcWeak<RwLock<dyn Job + Send + Sync>>>,
    pub arcs: Vec<Arc<dyn Job + Send + Sync>>,
    pub weak_arc: Option<ArcWeak<dyn Job + Send + Sync>>,
    pub plain_arcs: Vec<Arc<dyn Job>>,
    pub pair: Option<(Box<dyn Job + Send + Sync>, u8)>,
    pub end: u8,
}

#[derive(Default, Serialize)]
pub struct World {
    pub orders: Vec<Rc<RefCell<dyn Command>>>,
    pub units: Vec<Rc<RefCell<Unit>>>,
    pub watched: Option<Weak<RefCell<Unit>>>,
    pub end: u8,
}

/// The registry of the game, with the mod or without.
pub fn registry(modded: bool) -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Command { MoveTo, Unknown }).unwrap();
    register!(registry, dyn Job { MoveTo, Unknown }).unwrap();
    register!(registry, dyn Job + Send + Sync { MoveTo, archive::Unknown }).unwrap();
    if modded {
        register!(registry, dyn Command { Spell as "mod/Spell", Brew }).unwrap();
        register!(registry, dyn Job { Brew }).unwrap();
        register!(registry, dyn Job + Send + Sync { Brew }).unwrap();
    }
    registry
}

/// The options of the program with the mod.
pub fn modded() -> Options<'static> {
    Options::new().registry(&registry(true))
}

/// The options of the program without it.
pub fn plain() -> Options<'static> {
    Options::new().registry(&registry(false)).keep_unknown(true)
}
