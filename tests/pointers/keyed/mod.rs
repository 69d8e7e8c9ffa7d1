//! Sets, maps and heaps whose keys are shared pointers: they load completely, however the objects
//! refer to each other, and equal worlds have equal bytes. The model is the plan of a world, which
//! uses no code of the library.

#![expect(clippy::mutable_key_type, reason = "keys are shared objects")]

mod keyed_worlds;
mod plan;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::{Rc, Weak};

use crate::common::{forgives, formats, text};
use archive::{Archive, Options, Result, Serialize};
use proptest::prelude::*;

use keyed_worlds::{forwards, reversed, threads};
use plan::plan;

proptest! {
    #![proptest_config(crate::common::search::config(256))]

    /// Loaded by the same program, by one whose members are in another order, and with a report.
    #[test]
    fn keyed_worlds_come_back(plan in plan()) {
        let world = forwards::build(&plan, true);
        let expected = plan.expected();
        prop_assert_eq!(&forwards::walk(&world), &expected);
        for format in formats() {
            let bytes = format.to_vec(&world).unwrap();
            let fail = |error: &archive::Error| panic!("{format}: {error}\n{}", text(&bytes));
            let loaded = format.from_slice::<forwards::World>(&bytes).inspect_err(fail).unwrap();
            prop_assert_eq!(&forwards::walk(&loaded), &expected, "{}\n{}", format, text(&bytes));
            let again = format.to_vec(&loaded).unwrap();
            prop_assert_eq!(text(&again), text(&bytes), "{}", format);
            forwards::unlink(loaded);
            if forgives(format) {
                let loaded =
                    format.from_slice::<reversed::World>(&bytes).inspect_err(fail).unwrap();
                let seen = reversed::walk(&loaded);
                prop_assert_eq!(&seen, &expected, "{}\n{}", format, text(&bytes));
                reversed::unlink(loaded);
            }
            let (loaded, report) = format
                .from_slice_report::<forwards::World>(&bytes, &Options::new())
                .inspect_err(fail).unwrap();
            prop_assert_eq!(&forwards::walk(&loaded), &expected, "{}\n{}", format, text(&bytes));
            prop_assert_eq!(report.repeated().count(), 0);
            forwards::unlink(loaded);
        }
        forwards::unlink(world);
        // A heap is sorted while its owner is locked.
        let mut plan = plan;
        plan.units.iter_mut().for_each(|unit| unit.keys.heap.clear());
        let (world, expected) = (threads::build(&plan, true), plan.expected());
        for format in formats() {
            let bytes = format.to_vec(&world).unwrap();
            let loaded = format.from_slice::<threads::World>(&bytes)
                .unwrap_or_else(|error| panic!("{format}: {error}\n{}", text(&bytes)));
            prop_assert_eq!(&threads::walk(&loaded), &expected, "{}\n{}", format, text(&bytes));
            threads::unlink(loaded);
        }
        threads::unlink(world);
    }

    /// Objects that differ only in their place in the world.
    #[test]
    fn equal_worlds_give_equal_bytes(plan in plan()) {
        let worlds: Vec<_> = (0..4).map(|_| forwards::build(&plan, false)).collect();
        for format in formats() {
            let first = format.to_vec(&worlds[0]).unwrap();
            for world in &worlds[1..] {
                prop_assert_eq!(text(&format.to_vec(world).unwrap()), text(&first), "{}", format);
            }
        }
        worlds.into_iter().for_each(forwards::unlink);
    }
}

/// The world is loaded over another one, and from a reader.
#[test]
fn keyed_worlds_in_place_and_from_readers() {
    let (world, other) = (linked(40), linked(3));
    for format in formats() {
        let bytes = format.to_vec(&world).unwrap();
        let mut loaded: Rooms = format.from_slice(&format.to_vec(&other).unwrap()).unwrap();
        format.load_into(&mut loaded, &bytes).unwrap();
        check(&loaded, 40);
        let loaded: Rooms = format.from_reader_with(&bytes[..], &Options::new()).unwrap();
        check(&loaded, 40);
    }
}

/// A room whose keys are the next room, itself and the first one. Rooms are compared by their names,
/// which come after the keys.
#[derive(Default, Serialize)]
struct Room {
    keys: HashSet<RoomKey>,
    map: BTreeMap<String, HashMap<RoomKey, u32>>,
    name: String,
    next: Option<Rc<RefCell<Room>>>,
}

#[derive(Default, Serialize)]
struct Rooms {
    keys: HashSet<RoomKey>,
    first: Option<Rc<RefCell<Room>>>,
}

#[derive(Serialize)]
struct RoomKey(Rc<RefCell<Room>>);
impl PartialEq for RoomKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.borrow().name == other.0.borrow().name
    }
}
impl Eq for RoomKey {}
impl Hash for RoomKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.borrow().name.hash(state);
    }
}

fn linked(count: usize) -> Rooms {
    let room = |number| Room { name: format!("room {number}"), ..Room::default() };
    let rooms: Vec<_> = (0..count).map(|number| Rc::new(RefCell::new(room(number)))).collect();
    for (at, room) in rooms.iter().enumerate() {
        let next = rooms.get(at + 1);
        let keys = || [Some(room), next, rooms.first()].into_iter().flatten().cloned().map(RoomKey);
        let map = ["a", "b"].map(|name| (name.into(), keys().map(|key| (key, 7)).collect()));
        let (keys, map) = (keys().collect(), map.into());
        let mut room = room.borrow_mut();
        (room.keys, room.map, room.next) = (keys, map, next.cloned());
    }
    Rooms {
        keys: rooms.iter().rev().cloned().map(RoomKey).collect(),
        first: rooms.first().cloned(),
    }
}

fn check(rooms: &Rooms, count: usize) {
    assert_eq!(rooms.keys.len(), count);
    assert!(rooms.keys.iter().all(|key| rooms.keys.contains(key)));
    let (mut next, mut seen) = (rooms.first.clone(), 0);
    while let Some(room) = next {
        let key = RoomKey(room.clone());
        let room = room.borrow();
        let expected = HashSet::from([seen, (seen + 1).min(count - 1), 0]).len();
        assert_eq!(room.keys.len(), expected, "{}", room.name);
        assert!(room.keys.contains(&key) && room.keys.iter().all(|key| room.keys.contains(key)));
        for map in ["a", "b"].map(|name| &room.map[name]) {
            assert_eq!(map.len(), expected, "{}", room.name);
            assert!(map.keys().all(|key| map.get(key) == Some(&7)));
        }
        next = room.next.clone();
        seen += 1;
    }
    assert_eq!(seen, count);
}

/// Files with named roots, whose objects are in later roots.
#[test]
fn keys_with_objects_of_later_roots() {
    let mut rooms = linked(20);
    let mut chosen: HashSet<RoomKey> = rooms.keys.drain().collect();
    for format in crate::common::each_once() {
        let mut writer = format.writer();
        writer.serialize("chosen", &mut chosen).unwrap();
        writer.serialize("rooms", &mut rooms).unwrap();
        writer.serialize("again", &mut chosen).unwrap();
        let bytes = writer.finish().unwrap();
        let mut reader = format.reader(&bytes).unwrap();
        let (mut loaded, mut first) = (Rooms::default(), HashSet::<RoomKey>::new());
        reader.serialize("again", &mut first).unwrap();
        reader.serialize("rooms", &mut loaded).unwrap();
        reader.serialize("chosen", &mut loaded.keys).unwrap();
        check(&loaded, 20);
        assert_eq!(first.len(), 20, "{format}");
        let same = |key: &RoomKey| Rc::ptr_eq(&key.0, &first.get(key).unwrap().0);
        assert!(loaded.keys.iter().all(same), "{format}");
    }
}

/// Sets in items of sets. A hash set once encoded all sets in its keys twice, and so did those.
#[test]
fn nested_sets_are_encoded_once_a_level() {
    thread_local!(static VISITS: Cell<u32> = const { Cell::new(0) });

    #[derive(Default, Clone)]
    struct Group {
        number: u32,
        parts: HashSet<Group>,
    }
    impl Serialize for Group {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            VISITS.set(VISITS.get() + 1);
            ar.serialize("number", &mut self.number)?;
            ar.serialize("parts", &mut self.parts)
        }
    }
    archive::save_by_clone!(Group);
    archive::blank!(Group);
    impl PartialEq for Group {
        fn eq(&self, other: &Self) -> bool {
            self.number == other.number && self.parts == other.parts
        }
    }
    impl Eq for Group {}
    impl Hash for Group {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.number.hash(state);
        }
    }
    let nest = |depth: u32| {
        let part = |inner: Group, number| Group { number, parts: HashSet::from([inner]) };
        (0..depth).fold(Group::default(), part)
    };
    for format in formats() {
        let [small, large] = [20, 40].map(|depth| {
            let (group, before) = (nest(depth), VISITS.get());
            let bytes = format.to_vec(&group).unwrap();
            let visits = VISITS.get() - before;
            assert!(format.from_slice::<Group>(&bytes).unwrap() == group, "{format}");
            visits
        });
        assert!(large <= 4 * small + 100, "{format}: {small} and {large} visits");
    }
}

/// A chain of sets: longer than the stack and the maximum depth.
#[test]
fn chains_of_sets() {
    let count = 3000;
    let rooms = linked(count);
    for format in crate::common::each_once() {
        let bytes = format.to_vec(&rooms).unwrap();
        check(&format.from_slice(&bytes).unwrap(), count);
    }
}

/// Weak keys differ in their targets, and are saved in the order of their objects.
#[test]
fn weak_keys_are_saved_in_order() {
    #[derive(Serialize)]
    struct To(Weak<RefCell<u8>>);
    impl PartialEq for To {
        fn eq(&self, other: &Self) -> bool {
            self.0.ptr_eq(&other.0)
        }
    }
    impl Eq for To {}
    impl Hash for To {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.as_ptr().hash(state);
        }
    }
    #[derive(Default, Serialize)]
    struct World {
        known: HashSet<To>,
        all: Vec<Rc<RefCell<u8>>>,
    }
    let world = || {
        let all: Vec<_> = (0..8).map(|_| Rc::new(RefCell::new(5))).collect();
        World { known: all.iter().map(|one| To(Rc::downgrade(one))).collect(), all }
    };
    for format in formats() {
        let first = format.to_vec(&world()).unwrap();
        for _ in 0..20 {
            assert_eq!(format.to_vec(&world()).unwrap(), first, "{format}: {}", text(&first));
        }
        let loaded: World = format.from_slice(&first).unwrap();
        assert_eq!(loaded.known.len(), 8);
        assert!(loaded.all.iter().all(|one| loaded.known.contains(&To(Rc::downgrade(one)))));
    }
}

/// Objects without a cell that are keys by address, and contain keys themselves.
#[test]
fn keys_by_address_that_contain_keys() {
    #[derive(Default, Serialize)]
    struct Faction {
        members: HashSet<MemberKey>,
        name: String,
    }
    #[derive(Default, Serialize)]
    struct Member {
        relations: HashMap<ByAddress, u32>,
        friends: HashSet<MemberKey>,
        name: String,
    }
    #[derive(Serialize)]
    struct MemberKey(Rc<RefCell<Member>>);
    impl PartialEq for MemberKey {
        fn eq(&self, other: &Self) -> bool {
            self.0.borrow().name == other.0.borrow().name
        }
    }
    impl Eq for MemberKey {}
    impl Hash for MemberKey {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.borrow().name.hash(state);
        }
    }
    #[derive(Serialize)]
    struct ByAddress(Rc<Faction>);
    impl PartialEq for ByAddress {
        fn eq(&self, other: &Self) -> bool {
            Rc::ptr_eq(&self.0, &other.0)
        }
    }
    impl Eq for ByAddress {}
    impl Hash for ByAddress {
        fn hash<H: Hasher>(&self, state: &mut H) {
            Rc::as_ptr(&self.0).hash(state);
        }
    }
    #[derive(Default, Serialize)]
    struct World {
        relations: HashMap<ByAddress, u32>,
        leader: Rc<RefCell<Member>>,
        factions: Vec<Rc<Faction>>,
    }
    let member =
        |name: &str| Rc::new(RefCell::new(Member { name: name.into(), ..Member::default() }));
    let (ann, bea) = (member("Ann"), member("Bea"));
    let keys = || HashSet::from([MemberKey(ann.clone()), MemberKey(bea.clone())]);
    ann.borrow_mut().friends = keys();
    bea.borrow_mut().friends = keys();
    let faction = |name: &str| Rc::new(Faction { members: keys(), name: name.into() });
    let factions = vec![faction("red"), faction("blue")];
    let relations = || factions.iter().cloned().map(|one| (ByAddress(one), 7)).collect();
    let leader = member("Cid");
    leader.borrow_mut().relations = relations();
    let world = World { relations: relations(), leader, factions };
    for format in formats() {
        let bytes = format.to_vec(&world).unwrap();
        let loaded: World = format.from_slice(&bytes).unwrap();
        for faction in &loaded.factions {
            assert_eq!(faction.members.len(), 2, "{format}: {}", text(&bytes));
            assert!(faction.members.iter().all(|key| faction.members.contains(key)));
            let key = ByAddress(faction.clone());
            assert_eq!(loaded.relations.get(&key), Some(&7), "{format}: {}", text(&bytes));
            assert_eq!(loaded.leader.borrow().relations.get(&key), Some(&7), "{format}");
        }
    }
}
