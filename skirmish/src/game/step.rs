//! One tick.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use super::Game;
use super::muster::new_squad;
use crate::{Event, Point, Scene, Side, Timer, Unit};

/// How many ticks pass between two squads of reinforcements.
pub(super) const REINFORCED_EVERY: u64 = 90;

/// How far from its camp a squad of reinforcements may have to look for room.
const ARRIVE_WITHIN: i32 = 8;

impl Game {
    /// Plays one tick: squads think, units act in order, and fallen units are removed.
    pub fn step(&mut self) {
        let world = &mut self.world;
        world.tick += 1;
        self.paths.refill(8 + world.units.len() / 64);
        let mut scene = Scene {
            now: world.tick,
            index: 0,
            units: &world.units,
            map: &world.map,
            grid: &mut self.grid,
            paths: &mut self.paths,
            random: &mut world.random,
            items: &mut world.items,
            tally: &mut world.tally,
            chronicle: &mut world.chronicle,
        };
        for squad in &world.squads {
            squad.borrow_mut().think(&mut scene);
        }
        for (index, unit) in world.units.iter().enumerate() {
            scene.index = index;
            act(&mut unit.borrow_mut(), &mut scene);
        }
        self.bury();
        self.reinforce();
    }

    /// Removes fallen units, and squads without units.
    fn bury(&mut self) {
        let world = &mut self.world;
        let before = world.units.len();
        world.units.retain(|unit| unit.borrow().is_alive());
        if world.units.len() < before {
            world.squads.retain(|squad| squad_lives(squad));
            self.place_units();
        }
    }

    /// Brings a new squad to a side that has become weak.
    fn reinforce(&mut self) {
        let now = self.world.tick;
        for index in 0..self.world.camps.len() {
            let camp = &self.world.camps[index];
            if !camp.next_squad.is_due(now) {
                continue;
            }
            let (side, strength) = (camp.side, camp.strength as usize);
            self.world.camps[index].next_squad = Timer::after(now, REINFORCED_EVERY);
            if 4 * self.world.strength(side) < 3 * strength {
                self.bring_squad(index, side);
            }
        }
    }

    fn bring_squad(&mut self, camp: usize, side: Side) {
        let places = &self.world.camps[camp].places;
        let which = self.world.random.below(places.len() as u32) as usize;
        let Some(&place) = places.get(which) else { return };
        let free: Vec<Point> = self.free_around(place).take(4).collect();
        let world = &mut self.world;
        let Ok((squad, units)) = new_squad(world, &self.factory, side, &free) else { return };
        for unit in &units {
            self.grid.put(unit.borrow().position, world.units.len(), side);
            world.units.push(Rc::clone(unit));
        }
        let count = units.len() as u32;
        if count > 0 {
            world.squads.push(squad);
            world.tally.reinforced[side.index()] += u64::from(count);
            world.chronicle.note(world.tick, Event::Reinforced(side, count));
        }
    }

    /// Free cells around a place, row by row.
    fn free_around(&self, place: Point) -> impl Iterator<Item = Point> {
        let range = -ARRIVE_WITHIN..=ARRIVE_WITHIN;
        let cells = range.clone().flat_map(move |y| range.clone().map(move |x| place.plus((x, y))));
        let region = self.world.map.region(place);
        cells.filter(move |&at| {
            region != 0 && self.world.map.region(at) == region && self.grid.is_free(at)
        })
    }
}

fn squad_lives(squad: &RefCell<crate::Squad>) -> bool {
    squad.borrow().members.iter().any(|member| member.strong_count() > 0)
}

/// The turn of one unit: first its components, then its orders.
fn act(unit: &mut Unit, scene: &mut Scene<'_>) {
    if !unit.is_alive() {
        return;
    }
    let mut components = mem::take(&mut unit.components);
    for component in &mut components {
        if unit.is_alive() {
            component.tick(unit, scene);
        }
    }
    components.append(&mut unit.components); // those that are new
    unit.components = components;
    if unit.is_alive() && !unit.is_pinned(scene.now) {
        unit.follow_orders(scene);
    }
}
