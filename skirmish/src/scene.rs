//! The view of a unit on the world during its turn.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use crate::{
    Chronicle, Event, Grid, Ground, Map, Pathfinder, Point, Random, Side, State, Tally, Timer, Unit,
};

/// The view of a unit on the world during its turn. The unit itself is borrowed, and must not be
/// accessed through `units`.
pub struct Scene<'a> {
    /// The time.
    pub now: u64,
    /// Whose turn it is, by its place in the list.
    pub index: usize,
    /// All units.
    pub units: &'a [Rc<RefCell<Unit>>],
    /// The ground.
    pub map: &'a Map,
    /// Who is where.
    pub grid: &'a mut Grid,
    /// The search for ways.
    pub paths: &'a mut Pathfinder,
    /// The dice.
    pub random: &'a mut Random,
    /// What lies on the ground.
    pub items: &'a mut Ground,
    /// What has been counted.
    pub tally: &'a mut Tally,
    /// What has happened.
    pub chronicle: &'a mut Chronicle,
}

impl Scene<'_> {
    /// A weak pointer to the unit whose turn it is.
    pub fn me(&self) -> Weak<RefCell<Unit>> {
        Rc::downgrade(&self.units[self.index])
    }

    /// The nearest unit of a side within some steps that can be seen from a cell, other than the
    /// unit whose turn it is.
    pub fn nearest_seen(&self, side: Side, from: Point, steps: i32) -> Option<Rc<RefCell<Unit>>> {
        let seen = |at: Point| at != from && self.map.sees(from, at);
        self.grid.nearest(side, from, steps, seen).map(|(unit, _)| Rc::clone(&self.units[unit]))
    }

    /// Hurts a unit. The unit whose turn it is counts as the attacker.
    pub fn hurt(&mut self, target: &Rc<RefCell<Unit>>, damage: i32, by: &str) {
        let mut unit = target.borrow_mut();
        unit.attacker = self.me();
        unit.health.health = unit.health.health.saturating_sub(damage);
        self.tally.hits += 1;
        if !unit.is_alive() {
            self.fall(&mut unit, by);
            return;
        }
        if self.random.percent(15) {
            unit.health.wounds = unit.health.wounds.saturating_add(1);
        }
        if self.random.percent(10) {
            unit.state = State::Pinned { until: Timer::after(self.now, 6) };
        }
    }

    /// Removes a dead unit from the field.
    pub fn fall(&mut self, unit: &mut Unit, by: &str) {
        unit.cancel_orders(self);
        self.grid.remove(unit.position);
        self.tally.fallen[unit.side.index()] += 1;
        self.chronicle.note(self.now, Event::Fell { unit: unit.name.clone(), by: by.to_owned() });
        if !unit.inventory.is_empty() {
            self.items.entry(unit.position).or_default().add_all(&unit.inventory);
        }
    }

    /// Makes a unit pick up the items in its cell.
    pub fn pick_up(&mut self, unit: &mut Unit) {
        if let Some(what) = self.items.remove(&unit.position) {
            unit.inventory.add_all(&what);
            self.tally.picked_up += 1;
        }
    }
}
