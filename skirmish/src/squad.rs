//! A squad: its leader thinks, the others follow.

use std::cell::RefCell;
use std::hash::Hash;
use std::rc::{Rc, Weak};

use archive::Serialize;

use crate::command::{Assault, Command, Follow, Hold, MoveTo, Patrol, Rally};
use crate::{Digest, Event, Point, Scene, Side, Timer, Unit};

/// How many steps away an enemy is worth marching to.
const MARCH: i32 = 96;

/// How many ticks pass between two thoughts.
const THINK: u64 = 15;

/// Several units of one side under a leader.
#[derive(Default, Serialize)]
pub struct Squad {
    /// What it is called.
    pub name: String,
    /// Whose it is.
    #[archive(alias = "team")]
    pub side: Side,
    /// Who leads it.
    pub leader: Weak<RefCell<Unit>>,
    /// Who belongs to it, the leader included.
    #[archive(alias = "units")]
    pub members: Vec<Weak<RefCell<Unit>>>,
    /// Its plan.
    pub mood: Mood,
    /// The place where it is gathering: the same command that its members have among their orders.
    pub rally: Option<Rc<RefCell<Rally>>>,
    /// The number of units at the beginning.
    #[archive(default = 6)]
    pub strength: u32,
    /// When it thinks again.
    pub next_thought: Timer,
}

/// The plan of a squad.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum Mood {
    /// To rest.
    Resting(Timer),
    /// To look around.
    #[default]
    Patrolling,
    /// To go where the enemy is.
    Advancing {
        /// Where that is.
        to: Point,
    },
    /// To gather first.
    Rallying {
        /// Where.
        at: Point,
        /// For so long.
        until: Timer,
    },
}

impl Squad {
    /// Its members that live.
    pub fn living(&self) -> Vec<Rc<RefCell<Unit>>> {
        let units = self.members.iter().filter_map(Weak::upgrade);
        units.filter(|unit| unit.borrow().is_alive()).collect()
    }

    /// Thinks, if it is time to: checks the leader and gives orders. Called between the turns of
    /// units, when none is borrowed.
    pub fn think(&mut self, scene: &mut Scene<'_>) {
        if !self.next_thought.is_due(scene.now) {
            return;
        }
        self.next_thought = Timer::after(scene.now, THINK);
        self.members.retain(|member| member.strong_count() > 0);
        let members = self.living();
        let Some(leader) = self.find_leader(&members, scene) else { return };
        if let Some(rally) = &self.rally
            && rally.borrow().is_over(scene.now)
        {
            self.rally = None;
        }
        let busy = !leader.borrow().orders.is_empty();
        match &self.mood {
            Mood::Resting(until) if !until.is_due(scene.now) => return,
            Mood::Rallying { until, .. } if self.rally.is_some() && !until.is_due(scene.now) => {
                return;
            }
            _ if busy => {}
            _ => self.decide(&leader, &members, scene),
        }
        // Members without orders follow the leader.
        for member in members.iter().filter(|member| !Rc::ptr_eq(member, &leader)) {
            let mut member = member.borrow_mut();
            if member.orders.is_empty() {
                let distance = 2 + (member.id % 3) as i32;
                member.orders.queue(Follow::new(Rc::downgrade(&leader), distance));
            }
        }
    }

    /// Returns the leader: the same as before, or the fittest member.
    fn find_leader(
        &mut self,
        members: &[Rc<RefCell<Unit>>],
        scene: &mut Scene<'_>,
    ) -> Option<Rc<RefCell<Unit>>> {
        if let Some(leader) = self.leader.upgrade().filter(|unit| unit.borrow().is_alive()) {
            return Some(leader);
        }
        let fitness = |unit: &&Rc<RefCell<Unit>>| {
            let unit = unit.borrow();
            (unit.health.health, std::cmp::Reverse(unit.id))
        };
        let leader = members.iter().max_by_key(fitness)?;
        leader.borrow_mut().cancel_orders(scene);
        self.leader = Rc::downgrade(leader);
        let (unit, squad) = (leader.borrow().name.clone(), self.name.clone());
        scene.chronicle.note(scene.now, Event::Promoted { unit, squad });
        Some(Rc::clone(leader))
    }

    /// Decides what to do next, and gives the orders.
    fn decide(
        &mut self,
        leader: &Rc<RefCell<Unit>>,
        members: &[Rc<RefCell<Unit>>],
        scene: &mut Scene<'_>,
    ) {
        let now = scene.now;
        let here = leader.borrow().position;
        let scattered = members.iter().any(|unit| unit.borrow().position.steps_to(here) > 5);
        let gathered = matches!(self.mood, Mood::Rallying { .. });
        let region = scene.map.region(here);
        let found =
            scene.grid.nearest(self.side.enemy(), here, MARCH, |at| scene.map.region(at) == region);
        let id = match found {
            _ if members.len() > 1
                && !gathered
                && scene.random.percent(if scattered { 60 } else { 12 }) =>
            {
                let until = Timer::after(now, 60);
                let rally = Rc::new(RefCell::new(Rally::new(here, members.len(), until)));
                self.rally = Some(Rc::clone(&rally));
                self.mood = Mood::Rallying { at: here, until };
                self.tell_all(members, rally, scene)
            }
            Some((enemy, to)) if scene.random.percent(45) => {
                let target = scene.units[enemy].borrow().squad.as_ref().map(Rc::downgrade);
                let assault = Assault::new(target.unwrap_or_default(), Timer::after(now, 200));
                self.mood = Mood::Advancing { to };
                self.tell_all(members, Rc::new(RefCell::new(assault)), scene)
            }
            Some((_, to)) if scene.random.percent(60) => {
                self.mood = Mood::Advancing { to };
                let orders = &mut leader.borrow_mut().orders;
                let id = orders.queue(MoveTo::new(to, 6));
                orders.queue(Hold::new(12));
                id
            }
            Some(_) | None if scene.random.percent(70) => {
                let points = (0..3).map(|_| some_place(here, scene)).collect();
                self.mood = Mood::Patrolling;
                leader.borrow_mut().orders.queue(Patrol::new(points, 1))
            }
            _ => {
                self.mood = Mood::Resting(Timer::after(now, 30));
                "rest"
            }
        };
        if scene.random.percent(20) {
            scene
                .chronicle
                .note(now, Event::Ordered { squad: self.name.clone(), order: id.to_owned() });
        }
    }

    /// Gives all members the same order; members that only follow begin at once. Returns the
    /// command's type id.
    fn tell_all(
        &self,
        members: &[Rc<RefCell<Unit>>],
        order: Rc<RefCell<dyn Command>>,
        scene: &mut Scene<'_>,
    ) -> &'static str {
        for member in members {
            let mut member = member.borrow_mut();
            if member.orders.carries_out::<Follow>() {
                member.cancel_orders(scene);
            }
            member.orders.queue_shared(Rc::clone(&order));
        }
        order.borrow().id()
    }

    /// Feeds everything into a digest.
    pub fn digest(&self, to: &mut Digest) {
        (&self.name, self.side, &self.mood, self.strength, self.next_thought).hash(to);
        to.weak(&self.leader);
        to.list(&self.members, |member, to| to.weak(member));
        to.option(self.rally.as_ref(), |rally, to| {
            to.shared(rally, |rally, to| {
                let rally = rally.borrow();
                <dyn Command>::id(&*rally).hash(to);
                rally.digest(to);
            });
        });
    }
}

/// An open place around here, or here.
fn some_place(here: Point, scene: &mut Scene<'_>) -> Point {
    for _ in 0..8 {
        let way = (scene.random.below(25) as i32 - 12, scene.random.below(25) as i32 - 12);
        let there = here.plus(way);
        if scene.map.region(there) == scene.map.region(here) {
            return there;
        }
    }
    here
}
