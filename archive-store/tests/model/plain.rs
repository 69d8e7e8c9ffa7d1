//! The worlds as plain maps, and the expected result of a save.

use std::collections::{BTreeMap, BTreeSet};

use super::state::{Item, OtherState, State};

/// A value in a row.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub live: u32,
    /// The value of the row when it was last compared.
    stored: u32,
    /// Whether it was written to since then, and marked.
    dirty: bool,
}

impl Cell {
    pub fn new(live: u32) -> Self {
        Cell { live, stored: live, dirty: true }
    }

    pub fn set(&mut self, live: u32, marks: bool) {
        self.live = live;
        self.dirty |= marks;
    }

    /// Records the value of the row. It may be old if nothing has marked the object.
    fn is_stored(&mut self, found: u32, must: bool, what: &str) {
        let is_old = !must && found == self.stored;
        assert!(found == self.live || is_old, "{what}: {found} is stored, and not {self:?}");
        self.stored = found;
        self.dirty &= found != self.live;
    }
}

/// A town or a part.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    pub id: u32,
    pub value: Cell,
}

impl Single {
    pub fn new((id, value): Item) -> Self {
        Single { id, value: Cell::new(value) }
    }
}

fn are_stored(all: &mut [Single], found: &[Item], owner: bool, exact: bool, what: &str) {
    let ids = |items: &mut dyn Iterator<Item = u32>| items.collect::<Vec<_>>();
    let (live, stored) =
        (ids(&mut all.iter().map(|one| one.id)), ids(&mut found.iter().map(|one| one.0)));
    assert_eq!(live, stored, "{what}");
    for (one, (id, value)) in all.iter_mut().zip(found) {
        let must = exact || owner && one.value.dirty;
        one.value.is_stored(*value, must, &format!("{what} {id}"));
    }
}

#[derive(Clone, Debug)]
pub struct Unit {
    pub hp: Cell,
    pub parts: Vec<Single>,
    pub home: Option<u32>,
}

impl Unit {
    pub fn new(hp: u32) -> Self {
        Unit { hp: Cell::new(hp), parts: Vec::new(), home: None }
    }

    pub fn touch(&mut self) {
        self.hp.dirty = true;
    }
}

/// A place of the program. Worlds and copies have the same ones.
#[derive(Clone, Debug)]
pub struct Place {
    pub id: u32,
    pub name: u32,
    pub next: Option<u32>,
    /// The values of the targets of links, and the objects, if they existed.
    pub links: Vec<Option<(u32, Option<u32>)>>,
}

/// Places by their numbers.
pub type Places = BTreeMap<u32, Place>;

#[derive(Clone, Debug, Default)]
pub struct World {
    pub tick: u32,
    pub nation_is_dirty: bool,
    pub towns: Vec<Single>,
    pub units: BTreeMap<u64, Unit>,
    pub places: Vec<u32>,
    /// Keys that objects of the pool have had.
    pub used: BTreeSet<u64>,
    /// The save or load of the last marks.
    pub synced: u32,
}

impl World {
    /// Returns the world that a load makes of a state, with its places.
    pub fn of(state: &State, numbers: &BTreeMap<u32, u32>) -> (Self, Places) {
        let single = |item: &Item| Single::new(*item);
        let units = state.units.iter().map(|(key, unit)| {
            let home = unit.home.map(|id| numbers[&id]);
            let parts = unit.parts.iter().map(single).collect();
            (*key, Unit { hp: Cell::new(unit.hp), parts, home })
        });
        let places = state.graph.iter().map(|(id, place)| {
            let next = place.next.map(|id| numbers[&id]);
            let links = place.links.iter().map(|id| id.map(|id| (id, Some(numbers[&id]))));
            (numbers[id], Place { id: *id, name: place.name, next, links: links.collect() })
        });
        let mut world = World {
            tick: state.tick,
            towns: state.towns.iter().map(single).collect(),
            units: units.collect(),
            places: state.places.iter().map(|id| numbers[id]).collect(),
            ..World::default()
        };
        let places: Places = places.collect();
        world.is_stored(state, &places, true);
        (world, places)
    }

    /// Returns the numbers of the places that the world owns.
    pub fn owned(&self, places: &Places) -> BTreeSet<u32> {
        let homes = self.units.values().filter_map(|unit| unit.home);
        let mut left: Vec<u32> = self.places.iter().copied().chain(homes).collect();
        let mut found = BTreeSet::new();
        while let Some(place) = left.pop() {
            if found.insert(place) {
                left.extend(places[&place].next);
            }
        }
        found
    }

    /// Whether two of its places were one row.
    pub fn has_twins(&self, places: &Places) -> bool {
        let owned = self.owned(places);
        let ids: BTreeSet<u32> = owned.iter().map(|place| places[place].id).collect();
        ids.len() < owned.len()
    }

    /// Checks the result of a save of the world. If it is not `exact`, unmarked changes may be
    /// missing.
    pub fn is_stored(&mut self, found: &State, places: &Places, exact: bool) {
        assert_eq!(self.tick, found.tick);
        are_stored(&mut self.towns, &found.towns, self.nation_is_dirty, exact, "town");
        self.nation_is_dirty = false;
        let keys = |keys: &mut dyn Iterator<Item = &u64>| keys.copied().collect::<Vec<_>>();
        assert_eq!(keys(&mut self.units.keys()), keys(&mut found.units.keys()), "units");
        let id = |place: &u32| places[place].id;
        for ((key, unit), stored) in self.units.iter_mut().zip(found.units.values()) {
            assert_eq!(unit.home.as_ref().map(id), stored.home, "unit {key}");
            let is_dirty = unit.hp.dirty;
            are_stored(&mut unit.parts, &stored.parts, is_dirty, exact, "part");
            unit.hp.is_stored(stored.hp, exact || is_dirty, &format!("unit {key}"));
        }
        assert_eq!(self.places.iter().map(id).collect::<Vec<_>>(), found.places, "places");
        let owned = self.owned(places);
        let ids: BTreeSet<u32> = owned.iter().map(id).collect();
        assert!(ids.iter().eq(found.graph.keys()), "places {ids:?}, stored {found:?}");
        for place in owned.iter().map(|number| &places[number]) {
            let stored = &found.graph[&place.id];
            let next = place.next.as_ref().map(id);
            assert_eq!((place.name, next), (stored.name, stored.next), "place {}", place.id);
            assert_eq!(place.links.len(), stored.links.len(), "place {}", place.id);
            for (link, found) in place.links.iter().zip(&stored.links) {
                let Some((id, number)) = link else { continue };
                let is_owned = number.is_some_and(|number| owned.contains(&number));
                let may_be = ids.contains(id);
                assert!(!is_owned || *found == Some(*id), "place {}: {link:?}", place.id);
                assert!(found.is_none() || may_be && *found == Some(*id), "{place:?} {found:?}");
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Other {
    pub volume: u32,
    pub note: Cell,
    pub towns: Vec<Single>,
    pub synced: u32,
}

impl Other {
    pub fn of(state: &OtherState) -> Self {
        let towns = state.towns.iter().map(|item| Single::new(*item)).collect();
        let (volume, note) = (state.volume, Cell::new(state.note));
        let mut other = Other { volume, note, towns, synced: 0 };
        other.is_stored(state, true);
        other
    }

    pub fn is_stored(&mut self, found: &OtherState, exact: bool) {
        assert_eq!(self.volume, found.volume);
        let must = exact || self.note.dirty;
        self.note.is_stored(found.note, must, "note");
        are_stored(&mut self.towns, &found.towns, true, exact, "other town");
    }
}
