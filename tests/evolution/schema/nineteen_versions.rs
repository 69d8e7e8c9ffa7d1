//! One type in nineteen versions, as after weeks of work. In each, all shared objects are of one
//! class.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::data::Data;
use super::family::{choice, class, member, newtype, second, variant};
use super::mirror::{Incoming, Mirror, Outgoing, Types};
use super::types::Type;

type Shared<T> = Rc<RefCell<T>>;

class!(derived Point { x: i32, y: i32 });
class!(derived Turned { y: i32, x: i32 });
class!(derived Space { x: f64, y: i16, z: u8 });
class!(hand Manual { x: i32, y: i32 });
newtype!(Meters(f32));
newtype!(Count(u16));

choice!(State = Idle { Idle, Resting, Walking(u8), Attacking { target: u16, since: f32 } });
choice!(Swapped = Resting { Resting, Idle, Walking(u8), Attacking { target: u16, since: f32 } });
choice!(Gone = Idle { Idle, Resting, Running(u8), Attacking { target: u16, since: f32 } });
choice!(Reordered = Idle { Idle, Attacking { target: u16, since: f32 }, Fleeing(Point), Walking(u8) });
choice!(Renamed = Waiting {
    Waiting = "Idle",
    Walking(i64),
    Striking = "Attacking" { since: f64, weapon: Option<String>, target: u32 },
});
choice!(Emptied = Idle { Idle, Walking { speed: u8 }, Attacking, Fleeing(Manual) });

class!(derived Part { a: u8, b: String, leaf: Point, twin: Point });
class!(derived OneLeaf { a: u8, b: String, leaf: Point, twin: Turned });
class!(derived Wider { b: Option<String>, a: i64, leaf: Space, c: Vec<Point> });
class!(hand ByHand { a: u32, b: String, leaf: Manual, twin: Manual });
class!(derived Linked {
    label = "b": String,
    a: f32,
    leaf: Option<Point>,
    twin: Manual2,
    next: Option<Shared<Linked>>,
});
class!(hand Manual2 { y: i16, x: i64 });

class!(derived V0 {
    name: String, hp: u8, speed: f32, at: [i16; 3], tags: Vec<String>, state: State, part: Part,
    parts: Vec<Part>, shared: Vec<Shared<Part>>, owner: Option<Shared<Part>>,
    counts: BTreeMap<String, u16>, grid: Vec<Vec<u8>>, log: Vec<State>,
});
// The same under another name.
class!(derived V1 {
    name: String, hp: u8, speed: f32, at: [i16; 3], tags: Vec<String>, state: State, part: Part,
    parts: Vec<Part>, shared: Vec<Shared<Part>>, owner: Option<Shared<Part>>,
    counts: BTreeMap<String, u16>, grid: Vec<Vec<u8>>, log: Vec<State>,
});
// Reordered, some removed.
class!(derived V2 {
    log: Vec<State>, owner: Option<Shared<Part>>, hp: u8, name: String, part: Part,
    shared: Vec<Shared<Part>>, counts: BTreeMap<String, u16>, at: [i16; 3],
});
// The objects are visited elsewhere: in another order, or only in a member that was removed.
class!(derived V3 {
    owner: Option<Shared<Part>>, parts: Vec<Part>, state: State, added: char, speed: f32,
});
// One class of several that were equal is another, deep inside.
class!(derived V4 {
    name: String, hp: u8, speed: f32, at: [i16; 3], tags: Vec<String>, state: State, part: OneLeaf,
    parts: Vec<Part>, shared: Vec<Shared<Part>>, owner: Option<Shared<Part>>,
    counts: BTreeMap<String, u16>, grid: Vec<Vec<u8>>, log: Vec<State>,
});
// A class changed in lists and in pointers, but not in its own member.
class!(derived V5 {
    name: String, hp: u16, speed: f64, at: [i16; 3], state: State, part: Part, parts: Vec<Wider>,
    shared: Vec<Shared<Wider>>, owner: Option<Shared<Wider>>, counts: BTreeMap<String, u16>,
});
// All of it hand-written.
class!(hand V6 {
    name: String, hp: u8, speed: f32, at: [i16; 3], part: ByHand, parts: Vec<ByHand>,
    shared: Vec<Shared<ByHand>>, owner: Option<Shared<ByHand>>, counts: BTreeMap<String, u16>,
    grid: Vec<Vec<u8>>,
});
// Hand-written around derived types, and derived around hand-written ones.
class!(hand V7 {
    part: Part, parts: Vec<Part>, shared: Vec<Shared<Part>>, owner: Option<Shared<Part>>, hp: i8,
    at: [i16; 3], name: String,
});
class!(derived V8 {
    hp: u8, part: ByHand, parts: Vec<ByHand>, shared: Vec<Shared<ByHand>>, at: [i16; 3],
});
// Wrapped, boxed, optional.
class!(derived V9 {
    name: Option<String>, hp: Count, speed: Meters, at: Box<[i16; 3]>, tags: Option<Vec<String>>,
    state: Option<State>, part: Option<Part>, parts: Vec<Option<Part>>, shared: Vec<Shared<Part>>,
    owner: Option<Shared<Part>>, counts: BTreeMap<String, Count>, log: Vec<Box<State>>,
});
// Other containers, other lengths.
class!(derived V10 {
    at: Vec<i32>, tags: VecDeque<String>, shared: VecDeque<Shared<Part>>, grid: VecDeque<Vec<u16>>,
    owner: Option<Shared<Part>>, log: VecDeque<State>, counts: BTreeMap<String, f64>,
});
class!(derived V11 {
    at: [i16; 4], tags: (String, String), grid: [Vec<u8>; 1], hp: u64, parts: [Part; 2],
    owner: Shared<Part>,
});
// The enum.
class!(derived V12 { state: Reordered, log: Vec<Reordered>, hp: f32, part: Part });
class!(derived V13 { state: Renamed, log: Vec<Renamed>, hp: i128, part: Part, speed: i32 });
class!(derived V14 { log: Vec<Emptied>, state: Emptied, part: Option<Wider>, speed: f64 });
// What is equal but for the names of two variants.
class!(derived V17 { state: Swapped, log: Vec<Swapped>, name: String });
class!(derived V18 { state: State, log: Vec<Gone>, hp: u8 });
// Renamed, with new links.
class!(derived V15 {
    title = "name": String, health = "hp": u32, part: Linked, parts: Vec<Linked>,
    squad = "shared": Vec<Shared<Linked>>, owner: Option<Shared<Linked>>,
    tally = "counts": BTreeMap<String, i64>,
});
// Nothing of it remains.
class!(derived V16 {});
