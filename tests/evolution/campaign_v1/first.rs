//! The types that wrote `tests/golden/*/v1/campaign.*`, and the value in it. They must not change.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

use archive::{Archive, Options, Polymorphic, Registry, Result, Serialize, polymorphic, register};

#[derive(Default, Serialize)]
#[archive(version = 1)]
pub struct Campaign {
    title: String,
    day: u16,
    heroes: Vec<Rc<RefCell<Hero>>>,
    captain: Weak<RefCell<Hero>>,
    rumours: Vec<Weak<RefCell<Hero>>>,
    places: BTreeMap<String, Place>,
    prices: HashMap<u16, f32>,
    quests: Vec<Box<dyn Quest>>,
    active: Option<Rc<RefCell<dyn Quest>>>,
    weather: Weather,
}

#[derive(Default, Serialize)]
#[archive(version = 2)]
struct Hero {
    name: String,
    hp: u8,
    class: Class,
    bag: HashMap<String, u16>,
    mentor: Weak<RefCell<Hero>>,
    friend: Option<Rc<RefCell<Hero>>>,
}

#[derive(Default, Serialize)]
enum Class {
    #[default]
    Peasant,
    Fighter {
        weapon: String,
    },
    Mage(u8),
}

/// By hand, with a branch.
#[derive(Default, Clone)]
struct Place {
    cell: (i16, i16),
    owner: Option<Weak<RefCell<Hero>>>,
}

impl Serialize for Place {
    const VERSION: u32 = 1;
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("cell", &mut self.cell)?;
        let mut owned = self.owner.is_some();
        ar.serialize("owned", &mut owned)?;
        if owned {
            ar.serialize("owner", self.owner.get_or_insert_default())?;
        }
        Ok(())
    }
}
archive::save_by_clone!(Place);
archive::blank!(Place);

#[derive(Default, Serialize)]
struct Weather {
    rain: f32,
}

trait Quest: Polymorphic {}
polymorphic!(dyn Quest);

#[derive(Default, Serialize)]
struct Escort {
    who: Rc<RefCell<Hero>>,
    to: String,
}

#[derive(Default, Serialize)]
#[archive(version = 1)]
struct Find {
    item: String,
    count: u8,
    by: Weak<RefCell<Hero>>,
}

impl Quest for Escort {}
impl Quest for Find {}

pub fn options() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Quest { Escort as "escort", Find as "find" }).unwrap();
    Options::new().registry(&registry)
}

/// A campaign on its seventh day.
pub fn campaign() -> Campaign {
    let hero = |name: &str, hp, class| {
        let bag = [("rope".to_owned(), 1), ("apple".to_owned(), 300)].into();
        let name = name.to_owned();
        Rc::new(RefCell::new(Hero { name, hp, class, bag, ..Hero::default() }))
    };
    let heroes = vec![
        hero("Ann", 12, Class::Fighter { weapon: "axe".into() }),
        hero("Bo", 255, Class::Mage(3)),
        hero("Cy", 0, Class::Peasant),
    ];
    heroes[0].borrow_mut().mentor = Rc::downgrade(&heroes[1]);
    heroes[1].borrow_mut().friend = Some(heroes[2].clone());
    heroes[2].borrow_mut().friend = Some(heroes[0].clone());
    let gone = hero("Di", 1, Class::Peasant);
    let owner = Some(Rc::downgrade(&heroes[2]));
    let find = Find { item: "crown".into(), count: 1, by: Rc::downgrade(&heroes[0]) };
    let campaign = Campaign {
        title: "Winter".into(),
        day: 6,
        captain: Rc::downgrade(&heroes[1]),
        rumours: vec![Rc::downgrade(&heroes[0]), Rc::downgrade(&gone), Weak::new()],
        places: [
            ("mill".into(), Place { cell: (-3, 4), owner }),
            ("pass".into(), Place { cell: (0, 9), owner: None }),
        ]
        .into(),
        prices: [(7, 1.5), (300, 0.25)].into(),
        quests: vec![
            Box::new(Escort { who: heroes[2].clone(), to: "pass".into() }),
            Box::new(Find { item: "rope".into(), count: 3, by: Weak::new() }),
        ],
        active: Some(Rc::new(RefCell::new(find))),
        weather: Weather { rain: 0.5 },
        heroes,
    };
    // The object lives longer, so that its pointer refers to an object that the file does not
    // contain.
    std::mem::forget(gone);
    campaign
}
