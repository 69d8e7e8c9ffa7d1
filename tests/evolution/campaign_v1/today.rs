//! The current types. They change with the library; the files that they load do not.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

use archive::{Archive, Options, Polymorphic, Registry, Result, Serialize, polymorphic, register};

#[derive(Default, Serialize)]
#[archive(version = 3, after_load = Self::migrate)]
pub struct Campaign {
    #[archive(alias = "title")]
    pub name: String,
    #[archive(default = 100)]
    pub treasury: u64,
    pub day: u32,
    /// Before the pointers to them, and before their owners.
    pub quests: Vec<Rc<RefCell<dyn Quest>>>,
    pub captain: Weak<RefCell<Hero>>,
    pub heroes: Vec<Rc<RefCell<Hero>>>,
    #[archive(alias = "rumours")]
    pub known: Vec<Weak<RefCell<Hero>>>,
    pub places: HashMap<String, Place>,
    #[archive(as_object)]
    pub prices: BTreeMap<u32, f64>,
    pub active: Option<Rc<RefCell<dyn Quest>>>,
}

impl Campaign {
    /// Days were counted from zero.
    fn migrate(&mut self, version: u32) {
        if version < 3 {
            self.day += 1;
        }
    }
}

#[derive(Default, Serialize)]
#[archive(version = 4, after_load = Self::migrate)]
pub struct Hero {
    pub name: String,
    #[archive(flatten)]
    pub health: Health,
    #[archive(alias = "class")]
    pub calling: Calling,
    #[archive(as_object)]
    pub bag: BTreeMap<String, u32>,
    pub mentor: Weak<RefCell<Hero>>,
    pub friend: Option<Rc<RefCell<Hero>>>,
    #[archive(skip_if_default)]
    pub titles: Vec<String>,
}

#[derive(Default, Serialize)]
pub struct Health {
    #[archive(alias = "hp")]
    pub now: f32,
    pub most: f32,
}

impl Hero {
    fn migrate(&mut self, version: u32) {
        if version < 4 {
            self.health.most = self.health.most.max(self.health.now);
        }
    }
}

#[derive(Default, Serialize)]
pub enum Calling {
    Mage(u32),
    #[archive(alias = "Fighter")]
    Knight {
        weapon: String,
        #[archive(default = true)]
        loyal: bool,
    },
    #[default]
    #[archive(alias = "Peasant")]
    None,
}

/// Still hand-written: cells have become points.
#[derive(Default, Clone)]
pub struct Place {
    pub at: (f32, f32),
    pub owner: Weak<RefCell<Hero>>,
}

impl Serialize for Place {
    const VERSION: u32 = 2;
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.version() < 2 {
            let mut cell = (self.at.0 / 16.0, self.at.1 / 16.0);
            ar.serialize("cell", &mut cell)?;
            self.at = (cell.0 * 16.0, cell.1 * 16.0);
            let mut owned = true;
            ar.serialize("owned", &mut owned)?;
            return if owned { ar.serialize("owner", &mut self.owner) } else { Ok(()) };
        }
        ar.serialize("at", &mut self.at)?;
        ar.serialize("owner", &mut self.owner)
    }
}
archive::save_by_clone!(Place);
archive::blank!(Place);

pub trait Quest: Polymorphic {}
polymorphic!(dyn Quest);

#[derive(Default, Serialize)]
struct Escort {
    to: String,
    who: Weak<RefCell<Hero>>,
}

#[derive(Default, Serialize)]
#[archive(version = 2)]
struct Fetch {
    item: String,
    count: u32,
    reward: u32,
}

impl Quest for Escort {}
impl Quest for Fetch {}

pub fn options() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Quest { Escort as "escort", Fetch as "fetch" }).unwrap();
    registry.alias("find", "fetch").unwrap();
    Options::new().registry(&registry)
}
