//! A world of any size, which can be copied deeply.

use std::any::Any;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::{Polymorphic, Registry, Result, Serialize, register};
use skirmish::Random;

/// How many units a squad has.
const SQUAD: u32 = 6;

trait Order: Polymorphic {
    /// The same order in a copy of the world.
    fn copy(&self, units: &[Rc<RefCell<Unit>>]) -> Box<dyn Order>;
}
archive::polymorphic!(dyn Order);

#[derive(Clone, Default, Serialize)]
struct Go {
    to: [i32; 2],
    near: u32,
}

#[derive(Default, Serialize)]
struct Follow {
    leader: Weak<RefCell<Unit>>,
    distance: u32,
}

impl Order for Go {
    fn copy(&self, _: &[Rc<RefCell<Unit>>]) -> Box<dyn Order> {
        Box::new(self.clone())
    }
}

impl Order for Follow {
    fn copy(&self, units: &[Rc<RefCell<Unit>>]) -> Box<dyn Order> {
        Box::new(Follow { leader: copy_of(&self.leader, units), distance: self.distance })
    }
}

#[derive(Default, Serialize)]
struct Squad {
    id: u32,
    name: String,
    leader: Weak<RefCell<Unit>>,
}

#[derive(Default, Serialize)]
struct Unit {
    id: u32,
    name: String,
    health: i32,
    position: [f32; 3],
    squad: Rc<RefCell<Squad>>,
    orders: Vec<Box<dyn Order>>,
}

/// The world. The number of a unit or squad is its place in the list.
#[derive(Default, Serialize)]
pub struct Army {
    squads: Vec<Rc<RefCell<Squad>>>,
    units: Vec<Rc<RefCell<Unit>>>,
}

/// Registers the orders.
///
/// # Errors
/// If one is registered already.
pub fn register(registry: &mut Registry) -> Result {
    register!(registry, dyn Order { Go, Follow })
}

fn copy_of(unit: &Weak<RefCell<Unit>>, units: &[Rc<RefCell<Unit>>]) -> Weak<RefCell<Unit>> {
    let copy = |unit: Rc<RefCell<Unit>>| Rc::downgrade(&units[unit.borrow().id as usize]);
    unit.upgrade().map(copy).unwrap_or_default()
}

impl Army {
    /// So many units, in squads.
    pub fn new(units: u32) -> Self {
        let random = &mut Random::new(6);
        let mut army = Army::default();
        for id in 0..units {
            if id % SQUAD == 0 {
                let squad =
                    Squad { id: id / SQUAD, name: format!("Squad {id}"), ..Squad::default() };
                army.squads.push(Rc::new(RefCell::new(squad)));
            }
            let squad = Rc::clone(army.squads.last().expect("the first unit begins one"));
            let unit = Rc::new(RefCell::new(Unit {
                id,
                name: format!("rifle {id}"),
                health: random.below(100) as i32,
                position: [0; 3].map(|_: u32| random.below(10_000) as f32 / 8.0),
                squad: Rc::clone(&squad),
                orders: Vec::new(),
            }));
            if id % SQUAD == 0 {
                squad.borrow_mut().leader = Rc::downgrade(&unit);
            }
            let leader = squad.borrow().leader.clone();
            let to = [random.below(1_000) as i32, random.below(1_000) as i32];
            unit.borrow_mut().orders.push(Box::new(Follow { leader, distance: 2 + id % 3 }));
            unit.borrow_mut().orders.push(Box::new(Go { to, near: 3 }));
            army.units.push(unit);
        }
        army
    }

    /// Copies everything, so that what was shared is shared again.
    pub fn deep_copy(&self) -> Army {
        let squad = |squad: &Rc<RefCell<Squad>>| {
            let squad = squad.borrow();
            let (name, leader) = (squad.name.clone(), Weak::new());
            Rc::new(RefCell::new(Squad { id: squad.id, name, leader }))
        };
        let squads: Vec<_> = self.squads.iter().map(squad).collect();
        let unit = |unit: &Rc<RefCell<Unit>>| {
            let unit = unit.borrow();
            Rc::new(RefCell::new(Unit {
                id: unit.id,
                name: unit.name.clone(),
                health: unit.health,
                position: unit.position,
                squad: Rc::clone(&squads[unit.squad.borrow().id as usize]),
                orders: Vec::new(),
            }))
        };
        let units: Vec<_> = self.units.iter().map(unit).collect();
        for (copy, unit) in units.iter().zip(&self.units) {
            let orders = unit.borrow().orders.iter().map(|order| order.copy(&units)).collect();
            copy.borrow_mut().orders = orders;
        }
        for (copy, squad) in squads.iter().zip(&self.squads) {
            copy.borrow_mut().leader = copy_of(&squad.borrow().leader, &units);
        }
        Army { squads, units }
    }

    /// Whether another army has the same units with the same leaders.
    pub fn is_like(&self, other: &Army) -> bool {
        let leads = |unit: &Weak<RefCell<Unit>>| unit.upgrade().map(|unit| unit.borrow().id);
        let followed = |unit: &Unit| {
            let order = unit.orders.first().map(|order| &**order as &dyn Any);
            order.and_then(|order| order.downcast_ref::<Follow>()).and_then(|it| leads(&it.leader))
        };
        let same = |(a, b): (&Rc<RefCell<Unit>>, &Rc<RefCell<Unit>>)| {
            let (a, b) = (a.borrow(), b.borrow());
            (a.id, &a.name, a.health, a.position, a.squad.borrow().id, followed(&a))
                == (b.id, &b.name, b.health, b.position, b.squad.borrow().id, followed(&b))
        };
        self.units.len() == other.units.len()
            && self.squads.len() == other.squads.len()
            && self.units.iter().zip(&other.units).all(same)
    }
}
