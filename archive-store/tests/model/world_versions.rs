//! The worlds of a program, in two versions of its types.

use super::game_actions::Game;

/// Starts the program with the first or the second version of the types.
pub fn new(second: bool) -> Box<dyn Game> {
    if second { Box::new(second::Play::default()) } else { Box::new(first::Play::default()) }
}

macro_rules! version {
    ($version:ident { $($unit:tt)* } { $($place:tt)* }) => {
        mod $version {
            use std::collections::{BTreeMap, BTreeSet};

            use archive::store::{Link, Loaded, Persistent, Pool, Ref, Saved, Shared, Store};
            use archive::{Result, Serialize};

            use crate::model::game_actions::{Game, Marks, Which};
            use crate::model::state::{Item, OtherState, PlaceState, State, UnitState};

            #[derive(Default, Clone, Serialize)]
            pub struct Unit {
                parts: Vec<Persistent<Part>>,
                $($unit)*
            }
            #[derive(Default, Clone, Serialize)]
            pub struct Part { id: u32, heat: u32 }
            #[derive(Default, Clone, Serialize)]
            pub struct Town { id: u32, name: u32 }
            #[derive(Default, Serialize)]
            pub struct Place {
                id: u32,
                $($place)*
            }
            #[derive(Default, Clone, Serialize)]
            pub struct World {
                tick: u32,
                nation: Persistent<Nation>,
                units: Pool<Unit>,
                places: Vec<Shared<Place>>,
            }
            #[derive(Default, Clone, Serialize)]
            pub struct Nation { towns: Vec<Persistent<Town>> }
            #[derive(Default, Serialize)]
            pub struct Other {
                volume: u32,
                note: Persistent<Note>,
                towns: Vec<Persistent<Town>>,
            }
            #[derive(Default, Serialize)]
            pub struct Note { text: u32 }
            archive::store::persistent!(
                Unit = "unit", Part = "part", Town = "town", Place = "place", World = "world",
                Nation = "nation", Other = "other", Note = "note"
            );

            #[derive(Default)]
            pub struct Play {
                world: World,
                other: Other,
                copies: Vec<World>,
                units: Vec<Unit>,
                parts: Vec<Persistent<Part>>,
                towns: [Vec<Persistent<Town>>; 2],
                places: Vec<Shared<Place>>,
                numbers: BTreeMap<u32, Link<Place>>,
            }

            fn items(towns: &[Persistent<Town>]) -> Vec<Item> {
                towns.iter().map(|town| (town.id, town.name)).collect()
            }

            fn id(place: &Shared<Place>) -> u32 {
                place.borrow().id
            }

            impl Play {
                fn towns(&mut self, which: Which, marks: bool) -> &mut Vec<Persistent<Town>> {
                    match which {
                        Which::Other => &mut self.other.towns,
                        Which::World if marks => &mut self.world.nation.towns,
                        Which::World => &mut self.world.nation.unmarked().towns,
                    }
                }

                fn unit(&mut self, key: u64, marks: bool) -> &mut Unit {
                    if marks {
                        return &mut self.world.units[Ref::new(key)];
                    }
                    let all = self.world.units.iter_mut().find(|(at, _)| at.key() == key);
                    all.unwrap().1.unmarked()
                }

                fn place(&self, number: u32) -> Shared<Place> {
                    self.numbers[&number].get().unwrap()
                }

                fn graph(&self) -> BTreeMap<u32, Shared<Place>> {
                    let homes = self.world.units.values().filter_map(|unit| unit.home.clone());
                    let mut left: Vec<_> = self.world.places.iter().cloned().chain(homes).collect();
                    let mut found = BTreeMap::new();
                    while let Some(place) = left.pop() {
                        if found.insert(id(&place), place.clone()).is_none() {
                            left.extend(place.borrow().next.clone());
                        }
                    }
                    found
                }
            }

            impl Game for Play {
                fn load(&mut self, store: &Store, both: bool) -> Result<Loaded> {
                    (self.world, self.other) = Default::default();
                    store.attach(&mut self.world)?;
                    if both {
                        store.attach(&mut self.other)?;
                    }
                    store.finish_load()
                }
                fn number_places(&mut self, next: u32) -> BTreeMap<u32, u32> {
                    let graph = self.graph();
                    let numbers = graph.keys().copied().zip(next..).collect();
                    self.numbers.extend((next..).zip(graph.values().map(Shared::link)));
                    numbers
                }
                fn state(&self) -> State {
                    let units = self.world.units.iter().map(|(at, unit)| {
                        let parts = unit.parts.iter().map(|part| (part.id, part.heat)).collect();
                        let home = unit.home.as_ref().map(id);
                        (at.key(), UnitState { hp: unit.hp as u32, parts, home })
                    });
                    let graph = self.graph();
                    let graph = graph.iter().map(|(at, place)| {
                        let place = place.borrow();
                        let links = place.links.iter().map(|link| link.get().as_ref().map(id));
                        let next = place.next.as_ref().map(id);
                        (*at, PlaceState { name: place.name as u32, next, links: links.collect() })
                    });
                    State {
                        tick: self.world.tick,
                        towns: items(&self.world.nation.towns),
                        units: units.collect(),
                        places: self.world.places.iter().map(id).collect(),
                        graph: graph.collect(),
                    }
                }
                fn other_state(&self) -> OtherState {
                    let Other { volume, note, towns } = &self.other;
                    OtherState { volume: *volume, note: note.text, towns: items(towns) }
                }
                fn has_twins(&self) -> bool {
                    let mut keys = BTreeSet::new();
                    let towns = self.world.nation.towns.iter().chain(&self.other.towns);
                    let towns = towns.map(|town| (0, town.handle().key()));
                    let parts = self.world.units.values().flat_map(|unit| &unit.parts);
                    let parts = parts.map(|part| (1, part.handle().key()));
                    !towns.chain(parts).filter(|(_, key)| *key != 0).all(|at| keys.insert(at))
                }
                fn save(&self, which: Which, store: &Store, all: bool) -> Result<Saved> {
                    match (which, all) {
                        (Which::World, false) => store.save(&self.world),
                        (Which::World, true) => store.save_all(&self.world),
                        (Which::Other, false) => store.save(&self.other),
                        (Which::Other, true) => store.save_all(&self.other),
                    }
                }
                fn save_borrowed(&self, place: u32, store: &Store, all: bool) -> Result<Saved> {
                    let place = self.place(place);
                    let _borrowed = place.borrow_mut();
                    self.save(Which::World, store, all)
                }
                fn copy(&mut self) {
                    self.copies.push(self.world.clone());
                }
                fn swap(&mut self, copy: usize) {
                    std::mem::swap(&mut self.world, &mut self.copies[copy]);
                }
                fn set_tick(&mut self, tick: u32) {
                    self.world.tick = tick;
                }
                fn set_volume(&mut self, volume: u32) {
                    self.other.volume = volume;
                }
                fn set_note(&mut self, text: u32, marks: bool) {
                    let note = &mut self.other.note;
                    if marks { note.text = text } else { note.unmarked().text = text }
                }
                fn insert(&mut self, hp: u32) -> u64 {
                    self.world.units.insert(Unit { hp: hp.into(), ..Unit::default() }).key()
                }
                fn insert_at(&mut self, key: u64, hp: u32) -> bool {
                    let unit = Unit { hp: hp.into(), ..Unit::default() };
                    self.world.units.insert_at(key, unit).is_ok()
                }
                fn set_unit(&mut self, key: u64, hp: u32, marks: bool) {
                    self.unit(key, marks).hp = hp.into();
                }
                fn take_unit(&mut self, key: u64) {
                    self.units.push(self.world.units.remove(Ref::new(key)).unwrap());
                    assert!(self.world.units.remove(Ref::new(key)).is_none());
                }
                fn put_unit(&mut self, from: usize, key: Option<u64>) -> Option<u64> {
                    let unit = self.units.remove(from);
                    let at = match key {
                        Some(key) => self.world.units.insert_at(key, unit).ok()?,
                        None => self.world.units.insert(unit),
                    };
                    Some(at.key())
                }
                fn push_part(&mut self, unit: u64, (id, heat): Item) {
                    self.unit(unit, true).parts.push(Persistent::new(Part { id, heat }));
                }
                fn set_part(&mut self, unit: u64, at: usize, heat: u32, marks: Marks) {
                    let part = &mut self.unit(unit, marks.owner).parts[at];
                    if marks.own { part.heat = heat } else { part.unmarked().heat = heat }
                }
                fn take_part(&mut self, unit: u64, at: usize) {
                    let part = self.unit(unit, true).parts.remove(at);
                    self.parts.push(part);
                }
                fn put_part(&mut self, from: usize, unit: u64) {
                    let part = self.parts.remove(from);
                    self.unit(unit, true).parts.push(part);
                }
                fn push_town(&mut self, which: Which, (id, name): Item) {
                    self.towns(which, true).push(Persistent::new(Town { id, name }));
                }
                fn set_town(&mut self, which: Which, at: usize, name: u32, marks: Marks) {
                    let town = &mut self.towns(which, marks.owner)[at];
                    if marks.own { town.name = name } else { town.unmarked().name = name }
                }
                fn take_town(&mut self, which: Which, at: usize) {
                    let town = self.towns(which, true).remove(at);
                    self.towns[which as usize].push(town);
                }
                fn put_town(&mut self, which: Which, from: usize) {
                    let town = self.towns[which as usize].remove(from);
                    self.towns(which, true).push(town);
                }
                fn new_place(&mut self, number: u32, (id, name): Item) {
                    let place = Place { id, name: name.into(), ..Place::default() };
                    let place = Shared::new(place);
                    self.numbers.insert(number, place.link());
                    self.world.places.push(place);
                }
                fn set_place(&mut self, place: u32, name: u32) {
                    self.place(place).borrow_mut().name = name.into();
                }
                fn set_next(&mut self, place: u32, next: Option<u32>) {
                    let next = next.map(|next| self.place(next));
                    // The previous next one is dropped after the place is borrowed.
                    let _old = std::mem::replace(&mut self.place(place).borrow_mut().next, next);
                }
                fn push_link(&mut self, place: u32, to: u32) {
                    let link = self.place(to).link();
                    self.place(place).borrow_mut().links.push(link);
                }
                fn set_home(&mut self, unit: u64, home: Option<u32>) {
                    let home = home.map(|home| self.place(home));
                    self.unit(unit, true).home = home;
                }
                fn take_place(&mut self, at: usize) {
                    self.places.push(self.world.places.remove(at));
                }
                fn put_place(&mut self, from: usize) {
                    self.world.places.push(self.places.remove(from));
                }
                fn read(&self, store: &Store) -> Result {
                    let Some(copy) = store.read(Ref::<World>::new(1))? else { return Ok(()) };
                    copy.places.iter().for_each(|place| place.borrow_mut().name += 1);
                    Ok(())
                }
            }
        }
    };
}
version!(first {
    hp: u32,
    home: Option<Shared<Place>>,
} {
    name: u32,
    next: Option<Shared<Place>>,
    links: Vec<Link<Place>>,
});
version!(second {
    mood: u8,
    home: Option<Shared<Place>>,
    hp: u64,
} {
    links: Vec<Link<Place>>,
    next: Option<Shared<Place>>,
    name: u64,
});
