//! Sets and maps whose keys are shared objects, which are compared by their content.

#![expect(clippy::mutable_key_type, reason = "keys are shared objects")]

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use archive::Serialize;
use archive::store::storage::Memory;
use archive::store::{Link, Shared, Store};
use archive_test_support::key;

#[derive(Default, Serialize)]
struct Town {
    rivals: HashSet<ByName>,
    allies: BTreeSet<ByName>,
    prices: HashMap<ByName, u32>,
    known: HashSet<LinkByName>,
    by_rivals: HashSet<ByRivals>,
    name: String,
}

#[derive(Default, Serialize)]
struct World {
    chosen: HashSet<ByName>,
    towns: Vec<Shared<Town>>,
}
archive::store::persistent!(Town = "town", World = "world");

key!(ByName, Shared<Town>, name);
key!(LinkByName, Link<Town>, |link: &Link<Town>| name(&link.get().unwrap()));
key!(ByRivals, Shared<Town>, rivals);
key!(RoomByName, Rc<RefCell<Room>>, |room: &Rc<RefCell<Room>>| room.borrow().name.clone());

fn name(town: &Shared<Town>) -> String {
    town.borrow().name.clone()
}

fn rivals(town: &Shared<Town>) -> BTreeSet<String> {
    town.borrow().rivals.iter().map(|rival| name(&rival.0)).collect()
}

/// Each town refers to itself and to the next three.
fn world(count: usize) -> World {
    let town = |number| Shared::new(Town { name: format!("town {number}"), ..Town::default() });
    let towns: Vec<Shared<Town>> = (0..count).map(town).collect();
    for (number, town) in towns.iter().enumerate() {
        let near = || (0..4).map(|next| &towns[(number + next) % count]);
        let rivals = near().cloned().map(ByName).collect();
        let allies = near().cloned().map(ByName).collect();
        let prices = near().cloned().map(|town| (ByName(town), 7)).collect();
        let known = near().map(|town| LinkByName(town.link())).collect();
        let mut town = town.borrow_mut();
        (town.rivals, town.allies, town.prices, town.known) = (rivals, allies, prices, known);
    }
    for town in &towns {
        let by_rivals = towns[..3].iter().cloned().map(ByRivals).collect();
        town.borrow_mut().by_rivals = by_rivals;
    }
    let chosen = towns.iter().cloned().map(ByName).collect();
    World { chosen, towns }
}

fn check(town: &Shared<Town>) {
    let Town { rivals, allies, prices, known, by_rivals, name } = &*town.borrow();
    let (rivals_found, allies_found) = (rivals.iter(), allies.iter());
    assert_eq!((rivals.len(), allies.len(), prices.len(), known.len()), (4, 4, 4, 4), "{name}");
    assert_eq!(by_rivals.len(), 3, "{name}");
    assert!(rivals_found.clone().all(|key| rivals.contains(key)));
    assert!(allies_found.clone().all(|key| allies.contains(key)));
    assert!(prices.keys().all(|key| prices.get(key) == Some(&7)));
    assert!(known.iter().all(|key| known.contains(key)));
    assert!(by_rivals.iter().all(|key| by_rivals.contains(key)));
    assert!(rivals.contains(&ByName(town.clone())));
}

#[test]
fn keys_with_objects_of_other_rows() {
    for count in [5, 40] {
        let memory = Rc::new(Memory::new());
        Store::over(memory.clone()).unwrap().save(&world(count)).unwrap();
        let store = Store::over(memory).unwrap();
        let mut world = World::default();
        store.attach(&mut world).unwrap();
        assert!(store.finish_load().unwrap().is_clean());
        assert_eq!((world.towns.len(), world.chosen.len()), (count, count));
        world.towns.iter().for_each(check);
        assert!(world.towns.iter().all(|town| world.chosen.contains(&ByName(town.clone()))));
        // Nothing has changed since it was loaded.
        assert_eq!(store.save_all(&world).unwrap().written, 0);
        let (_, read) = store.rows::<World>().next().unwrap().unwrap();
        assert_eq!(read.chosen.len(), count);
        read.towns.iter().for_each(check);
    }
}

/// A row whose own shared objects are keys of each other.
#[derive(Default, Serialize)]
struct Room {
    near: HashSet<RoomByName>,
    name: String,
}

#[derive(Default, Serialize)]
struct House {
    hall: Rc<RefCell<Room>>,
    rooms: HashSet<RoomByName>,
}
archive::store::persistent!(House = "house");

#[test]
fn keys_with_objects_of_the_same_row() {
    let room = |name: &str| Rc::new(RefCell::new(Room { name: name.into(), ..Room::default() }));
    let rooms = ["hall", "kitchen", "cellar"].map(room);
    let keys = || rooms.iter().cloned().map(RoomByName).collect::<HashSet<_>>();
    for room in &rooms {
        let near = keys();
        room.borrow_mut().near = near;
    }
    let memory = Rc::new(Memory::new());
    let house = House { hall: rooms[0].clone(), rooms: keys() };
    Store::over(memory.clone()).unwrap().save(&house).unwrap();
    let store = Store::over(memory).unwrap();
    let mut loaded = House::default();
    store.attach(&mut loaded).unwrap();
    assert!(store.finish_load().unwrap().is_clean());
    let hall = RoomByName(loaded.hall.clone());
    for rooms in [&loaded.rooms, &loaded.hall.borrow().near] {
        assert_eq!(rooms.len(), 3);
        assert!(rooms.contains(&hall) && rooms.iter().all(|key| rooms.contains(key)));
        assert!(rooms.iter().all(|key| key.0.borrow().near.len() == 3));
    }
    assert_eq!(store.save_all(&loaded).unwrap().written, 0);
}
