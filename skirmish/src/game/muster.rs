//! The beginning of a game: draws up both sides.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use super::{GameError, Settings, step};
use crate::{
    Camp, DIRECTIONS, Factory, Level, Map, Mood, Point, Random, Side, Squad, Timer, Unit, World,
};

/// The kinds of a squad, in turn.
const KINDS: [&str; 6] = ["rifle", "scout", "medic", "gunner", "rifle", "rifle"];

/// The default number of units, if there is room.
const UNITS: usize = 120;

/// Draws up both sides in a level, which is repeated until there is room for them.
pub fn muster(level: &Level, settings: &Settings, factory: &Factory) -> Result<World, GameError> {
    let room = level.room();
    let units = settings.units.unwrap_or(UNITS.min(room));
    let no_room = |room| GameError::NoRoom { level: level.name.clone(), units, room };
    let most = level.most_repetitions();
    let times = (1..=most).find(|times| times * times * room >= units);
    let times = times.ok_or_else(|| no_room(most * most * room))?;
    let level = level.repeated(times);
    let mut world = World {
        level: level.name.clone(),
        random: Random::new(settings.seed),
        items: level.items.iter().cloned().collect(),
        map: level.map,
        ..World::default()
    };
    let mut taken = HashSet::new();
    for (side, places) in Side::ALL.into_iter().zip(level.camps) {
        let strength = if side == Side::Blue { units.div_ceil(2) } else { units / 2 };
        draw_up(&mut world, factory, side, &places, strength, &mut taken)?;
        let next_squad = Timer::after(0, step::REINFORCED_EVERY + 7 * side.index() as u64);
        world.camps.push(Camp { side, places, strength: strength as u32, next_squad });
    }
    match world.units.len() {
        drawn_up if drawn_up < units => Err(no_room(drawn_up)),
        _ => Ok(world),
    }
}

/// Draws up one side around its places.
fn draw_up(
    world: &mut World,
    factory: &Factory,
    side: Side,
    places: &[Point],
    strength: usize,
    taken: &mut HashSet<Point>,
) -> Result<(), GameError> {
    let mut around: Vec<Around> = places.iter().map(|&place| Around::new(place)).collect();
    let (mut left, mut turn) = (strength, 0);
    while left > 0 && !around.is_empty() {
        turn %= around.len();
        let wanted = left.min(KINDS.len());
        let mut cells = Vec::with_capacity(wanted);
        while cells.len() < wanted
            && let Some(cell) = around[turn].next(&world.map)
        {
            if taken.insert(cell) {
                cells.push(cell);
            }
        }
        if cells.is_empty() {
            around.remove(turn);
            continue;
        }
        let (squad, units) = new_squad(world, factory, side, &cells).map_err(GameError::Archive)?;
        left -= units.len();
        world.squads.push(squad);
        world.units.extend(units);
        turn += 1;
    }
    Ok(())
}

/// A squad and its units.
type NewSquad = (Rc<RefCell<Squad>>, Vec<Rc<RefCell<Unit>>>);

/// A new squad with a unit in each cell. Squad and units are not in the lists of the world yet.
pub(super) fn new_squad(
    world: &mut World,
    factory: &Factory,
    side: Side,
    cells: &[Point],
) -> archive::Result<NewSquad> {
    let number = world.next_id;
    let mut units = Vec::with_capacity(cells.len());
    let squad = Rc::new(RefCell::new(Squad {
        name: format!("{side:?} {number}"),
        side,
        mood: Mood::default(),
        strength: cells.len() as u32,
        next_thought: Timer::after(world.tick, u64::from(world.random.below(15)) + 1),
        ..Squad::default()
    }));
    for (&cell, kind) in cells.iter().zip(KINDS) {
        let mut unit = factory.make(kind, world.next_id, side, cell)?;
        world.next_id += 1;
        unit.squad = Some(Rc::clone(&squad));
        units.push(Rc::new(RefCell::new(unit)));
    }
    let members = units.iter().map(Rc::downgrade);
    squad.borrow_mut().members = members.collect();
    Ok((squad, units))
}

/// The cells around a place that can be reached from there, nearest first.
struct Around {
    waiting: VecDeque<Point>,
    seen: HashSet<Point>,
}

impl Around {
    fn new(place: Point) -> Self {
        Around { waiting: VecDeque::from([place]), seen: HashSet::from([place]) }
    }

    fn next(&mut self, map: &Map) -> Option<Point> {
        let here = self.waiting.pop_front()?;
        for direction in &DIRECTIONS[..4] {
            let next = here.plus(*direction);
            if map.region(next) == map.region(here) && self.seen.insert(next) {
                self.waiting.push_back(next);
            }
        }
        Some(here)
    }
}
