//! A history: the actions of a program, and the same with plain maps.

use std::rc::Rc;

use archive::store::Store;
use archive::store::storage::Storage;

use super::game_actions::{Game, Which};
use super::plain::{Other, Place, Places, Single, Unit, World};
use super::state::{OtherState, State};
use super::{Do, Step, world_versions};
use crate::failing_storage::Watched;

/// A program and its store, and the expected state of both.
pub struct History {
    /// The rows of the storage.
    pub(super) memory: Rc<dyn Storage>,
    pub(super) disk: Rc<Watched>,
    pub(super) store: Store,
    pub(super) second: (Rc<dyn Storage>, Store),
    pub(super) game: Box<dyn Game>,
    pub(super) is_second: bool,
    pub(super) live: World,
    pub(super) other: Other,
    pub(super) copies: Vec<World>,
    pub(super) places: Places,
    pub(super) bag: Bag,
    pub(super) stored: State,
    pub(super) stored_other: OtherState,
    /// Which worlds the storage has.
    pub(super) has: [bool; 2],
    /// Keys that units of the stored world have had.
    pub(super) stored_used: std::collections::BTreeSet<u64>,
    /// The save that the rows of each world are of, and those of the second store.
    pub(super) synced: [u32; 3],
    pub(super) last: u32,
    /// Whether the program has the second world, or loaded none.
    pub(super) has_other: bool,
    /// Whether there are rows that were not loaded.
    pub(super) unclaimed: bool,
    /// Whether objects may have keys that the store has assigned to others.
    pub(super) tainted: bool,
    /// Whether a save has failed since the last load.
    pub(super) has_failed: bool,
}

/// Objects that were taken out.
#[derive(Default)]
pub(super) struct Bag {
    units: Vec<(u64, Unit)>,
    parts: Vec<Single>,
    towns: [Vec<Single>; 2],
    places: Vec<u32>,
}

fn pick(at: usize, len: usize) -> Option<usize> {
    at.checked_rem(len)
}

impl History {
    pub fn new(memory: Rc<dyn Storage>, second: Rc<dyn Storage>) -> Self {
        let disk = Watched::new(memory.clone());
        let store = Store::over(disk.clone()).unwrap();
        let other_store = Store::over(second.clone()).unwrap();
        History {
            memory,
            disk,
            store,
            second: (second, other_store),
            game: world_versions::new(false),
            is_second: false,
            live: World::default(),
            other: Other::of(&OtherState::default()),
            copies: Vec::new(),
            places: Places::new(),
            bag: Bag::default(),
            stored: State::default(),
            stored_other: OtherState::default(),
            has: [false; 2],
            stored_used: Default::default(),
            synced: [u32::MAX; 3],
            last: 0,
            has_other: true,
            unclaimed: false,
            tainted: false,
            has_failed: false,
        }
    }

    /// Returns a number that no other value has.
    pub(super) fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    fn key(&self, at: usize) -> Option<u64> {
        self.live.units.keys().nth(pick(at, self.live.units.len())?).copied()
    }

    /// Returns a part of the world.
    fn part(&self, at: usize) -> Option<(u64, usize)> {
        let all = self.live.units.iter();
        let all = all.flat_map(|(key, unit)| (0..unit.parts.len()).map(|at| (*key, at)));
        let all: Vec<_> = all.collect();
        Some(all[pick(at, all.len())?])
    }

    /// Returns a place that the world owns or that was taken out.
    fn place(&self, at: usize) -> Option<u32> {
        let mut all: Vec<u32> = self.live.owned(&self.places).into_iter().collect();
        all.extend(&self.bag.places);
        Some(all[pick(at, all.len())?])
    }

    fn towns(&mut self, which: Which) -> &mut Vec<Single> {
        match which {
            Which::World => &mut self.live.towns,
            Which::Other => &mut self.other.towns,
        }
    }

    /// Runs a step; a step without a target does nothing.
    pub fn run(&mut self, Step { what, a, b }: Step) {
        let _ = match what {
            Do::InsertAt(key) => self.insert_at(key),
            Do::Insert | Do::SetUnit { .. } | Do::TakeUnit | Do::PutUnit => self.unit(what, a, b),
            Do::PushPart | Do::TakePart | Do::PutPart | Do::SetPart(_) => {
                self.part_step(what, a, b)
            }
            Do::PushTown(which) | Do::TakeTown(which) | Do::PutTown(which) => {
                self.town(what, which, a)
            }
            Do::SetTown(which, _) => self.town(what, which, a),
            Do::Tick | Do::Volume | Do::Note(_) => self.number(what),
            Do::NewPlace | Do::SetPlace | Do::SetNext | Do::PushLink => self.place_step(what, a, b),
            Do::SetHome | Do::TakePlace | Do::PutPlace => self.owner_step(what, a, b),
            Do::Save { which, all, fails } => self.save(which, all, fails.then_some(a)),
            Do::SaveSecond { fails } => self.save_second(fails.then_some(a)),
            Do::SaveCopy { all } => self.save_copy(all, a),
            Do::Copy => self.copy(),
            Do::Swap => self.swap(a),
            Do::Clear { fails } => self.clear(fails),
            Do::Again { second, both, fails } => {
                self.again(second, both, fails.then_some(a as u64))
            }
            Do::BeginLoad { fails } => self.begin_load(fails.then_some(a as u64)),
            Do::FinishLoad => self.store.finish_load().ok().map(drop),
            Do::Read => self.game.read(&self.store).ok(),
        };
    }

    fn number(&mut self, what: Do) -> Option<()> {
        let new = self.next();
        match what {
            Do::Tick => {
                self.game.set_tick(new);
                self.live.tick = new;
            }
            Do::Volume => {
                self.game.set_volume(new);
                self.other.volume = new;
            }
            Do::Note(marks) => {
                self.game.set_note(new, marks);
                self.other.note.set(new, marks);
            }
            _ => {}
        }
        Some(())
    }

    fn insert_at(&mut self, key: u64) -> Option<()> {
        let hp = self.next();
        let taken = self.live.units.keys().any(|other| *other as u32 == key as u32);
        assert_eq!(self.game.insert_at(key, hp), !taken && key as u32 != 0);
        if !taken && key as u32 != 0 {
            self.live.units.insert(key, Unit::new(hp));
            self.live.used.insert(key);
        }
        Some(())
    }

    fn unit(&mut self, what: Do, a: usize, b: usize) -> Option<()> {
        let new = self.next();
        match what {
            Do::Insert => {
                let key = self.game.insert(new);
                assert!(self.live.used.insert(key), "the key {key} was assigned again");
                assert!(self.live.units.insert(key, Unit::new(new)).is_none());
            }
            Do::SetUnit { marks } => {
                let key = self.key(a)?;
                self.game.set_unit(key, new, marks);
                self.live.units.get_mut(&key)?.hp.set(new, marks);
            }
            Do::TakeUnit => {
                let key = self.key(a)?;
                self.game.take_unit(key);
                self.bag.units.push((key, self.live.units.remove(&key)?));
            }
            _ => {
                let (old, mut unit) = self.bag.units.remove(pick(a, self.bag.units.len())?);
                let taken = self.live.units.keys().any(|other| *other as u32 == old as u32);
                let key = (b.is_multiple_of(2) && !taken).then_some(old);
                let put = self.game.put_unit(a % (self.bag.units.len() + 1), key)?;
                assert!(self.live.used.insert(put) || Some(put) == key, "{put} was assigned again");
                unit.touch();
                assert!(self.live.units.insert(put, unit).is_none());
            }
        }
        Some(())
    }

    fn part_step(&mut self, what: Do, a: usize, b: usize) -> Option<()> {
        let new = self.next();
        match what {
            Do::PushPart => {
                let unit = self.key(a)?;
                self.game.push_part(unit, (new, new));
                let unit = self.live.units.get_mut(&unit)?;
                unit.parts.push(Single::new((new, new)));
                unit.touch();
            }
            Do::PutPart => {
                let (unit, from) = (self.key(a)?, pick(b, self.bag.parts.len())?);
                self.game.put_part(from, unit);
                let unit = self.live.units.get_mut(&unit)?;
                unit.parts.push(self.bag.parts.remove(from));
                unit.touch();
            }
            Do::TakePart => {
                let (key, at) = self.part(a)?;
                self.game.take_part(key, at);
                let unit = self.live.units.get_mut(&key)?;
                self.bag.parts.push(unit.parts.remove(at));
                unit.touch();
            }
            Do::SetPart(marks) => {
                let (key, at) = self.part(a)?;
                self.game.set_part(key, at, new, marks);
                let unit = self.live.units.get_mut(&key)?;
                unit.parts[at].value.set(new, marks.own);
                if marks.owner {
                    unit.touch();
                }
            }
            _ => {}
        }
        Some(())
    }

    fn town(&mut self, what: Do, which: Which, a: usize) -> Option<()> {
        let new = self.next();
        let at = pick(a, self.towns(which).len());
        let mut owner = true;
        match what {
            Do::PushTown(_) => {
                self.game.push_town(which, (new, new));
                self.towns(which).push(Single::new((new, new)));
            }
            Do::TakeTown(_) => {
                self.game.take_town(which, at?);
                let town = self.towns(which).remove(at?);
                self.bag.towns[which as usize].push(town);
            }
            Do::PutTown(_) => {
                let from = pick(a, self.bag.towns[which as usize].len())?;
                self.game.put_town(which, from);
                let town = self.bag.towns[which as usize].remove(from);
                self.towns(which).push(town);
            }
            Do::SetTown(_, marks) => {
                self.game.set_town(which, at?, new, marks);
                self.towns(which)[at?].value.set(new, marks.own);
                owner = marks.owner;
            }
            _ => {}
        }
        self.live.nation_is_dirty |= owner && which == Which::World;
        Some(())
    }

    fn place_step(&mut self, what: Do, a: usize, b: usize) -> Option<()> {
        let new = self.next();
        if let Do::NewPlace = what {
            self.game.new_place(new, (new, new));
            self.live.places.push(new);
            let place = Place { id: new, name: new, next: None, links: Vec::new() };
            self.places.insert(new, place);
            return Some(());
        }
        let (place, to) = (self.place(a)?, self.place(b)?);
        let target = self.places[&to].id;
        let node = self.places.get_mut(&place)?;
        match what {
            Do::SetPlace => {
                self.game.set_place(place, new);
                node.name = new;
            }
            Do::SetNext => {
                // The objects that only this place owns are removed: it cannot be its own next one.
                node.next = (!b.is_multiple_of(4)).then_some(to);
                self.game.set_next(place, node.next);
            }
            _ => {
                self.game.push_link(place, to);
                node.links.push(Some((target, Some(to))));
            }
        }
        Some(())
    }

    fn owner_step(&mut self, what: Do, a: usize, b: usize) -> Option<()> {
        match what {
            Do::SetHome => {
                let (key, home) = (self.key(a)?, self.place(b));
                let home = home.filter(|_| !b.is_multiple_of(4));
                self.game.set_home(key, home);
                let unit = self.live.units.get_mut(&key)?;
                unit.home = home;
                unit.touch();
            }
            Do::TakePlace => {
                let at = pick(a, self.live.places.len())?;
                self.game.take_place(at);
                self.bag.places.push(self.live.places.remove(at));
            }
            _ => {
                let from = pick(a, self.bag.places.len())?;
                self.game.put_place(from);
                self.live.places.push(self.bag.places.remove(from));
            }
        }
        Some(())
    }

    fn copy(&mut self) -> Option<()> {
        self.game.copy();
        self.copies.push(World { synced: 0, ..self.live.clone() });
        Some(())
    }

    pub(super) fn swap(&mut self, at: usize) -> Option<()> {
        let at = pick(at, self.copies.len())?;
        self.game.swap(at);
        std::mem::swap(&mut self.live, &mut self.copies[at]);
        Some(())
    }
}
