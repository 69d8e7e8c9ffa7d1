//! How long it takes to read and to change a member along a parsed path, beside `bevy_reflect`.
//!
//! Each time is the shortest of many runs, everything that a call sets up included. `FACTOR` columns
//! compare the row with the one of `bevy_reflect` above it.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::time::Instant;

use archive::path::Path;
use archive::reflect::{self, Content, Edit};
use archive::{Options, Serialize};
use bevy_reflect::{GetPath, ParsedPath, Reflect};

macro_rules! level {
    ($($Name:ident $Next:ty;)*) => { $(
        #[derive(Default, Serialize, Reflect, Clone)]
        struct $Name {
            id: u32,
            name: String,
            hp: f32,
            next: $Next,
            flags: [bool; 2],
            list: Vec<u32>,
        }
    )* };
}
level! { L1 L2; L2 L3; L3 L4; L4 L5; L5 L6; }

#[derive(Default, Serialize, Reflect, Clone)]
struct L6 {
    id: u32,
    name: String,
    hp: f32,
    list: Vec<u32>,
    flags: [bool; 2],
    last: u8,
}

#[derive(Default, Serialize, Reflect, Clone)]
struct Position {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Default, Serialize, Reflect, Clone)]
struct Unit {
    id: u32,
    name: String,
    hp: u16,
    position: Position,
    orders: Vec<u32>,
    state: State,
}

#[derive(Default, Serialize, Reflect, Clone)]
enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
        since: f32,
    },
}

#[derive(Default, Serialize, Reflect, Clone)]
struct World {
    title: String,
    turn: u32,
    units: Vec<Unit>,
    seed: u64,
}

/// Returns the time of a call in nanoseconds: the shortest of many short runs, because other
/// programs run as well.
fn time(name: &str, bevy: Option<f64>, mut run: impl FnMut() -> f32) -> f64 {
    const CALLS: u32 = 500;
    let mut best = f64::MAX;
    for _ in 0..4000 {
        let start = Instant::now();
        let mut sum = 0.0;
        for _ in 0..CALLS {
            sum += run();
        }
        black_box(sum);
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    match bevy {
        Some(bevy) => println!("  {name:<44} {best:8.1} ns  {:.2} x", best / bevy),
        None => println!("  {name:<44} {best:8.1} ns"),
    }
    best
}

/// Reads one `f32` in both libraries.
fn read<T: archive::Polymorphic + Reflect + GetPath>(root: &T, text: &str) {
    let options = Options::new();
    let (ours, theirs) = (Path::parse(text).unwrap(), ParsedPath::parse(text).unwrap());
    println!("{text}");
    let bevy = time("bevy_reflect, `ParsedPath`", None, || {
        *black_box(root).path::<f32>(black_box(&theirs)).unwrap()
    });
    time("archive, `get_as::<f32>`", Some(bevy), || {
        reflect::get_as(black_box(root), black_box(&ours), &options).unwrap()
    });
    time("archive, `get`", Some(bevy), || {
        let tree = reflect::get(black_box(root), black_box(&ours), &options).unwrap();
        tree.as_f64().unwrap() as f32
    });
}

/// Changes one `f32` in both libraries.
fn change<T: archive::Polymorphic + Reflect + GetPath>(root: &mut T, text: &str) {
    let options = Options::new();
    let theirs = ParsedPath::parse(text).unwrap();
    println!("{text} = 2.5");
    let bevy = time("bevy_reflect, `path_mut`", None, || {
        *black_box(&mut *root).path_mut::<f32>(black_box(&theirs)).unwrap() = 2.5;
        0.0
    });
    let edit = Edit::new().set(Path::parse(text).unwrap(), Content::from(2.5_f32));
    time("archive, `apply`, with the edit that undoes it", Some(bevy), || {
        reflect::apply(black_box(&mut *root), black_box(&edit), &options).unwrap();
        0.0
    });
}

fn main() {
    let mut deep = L1::default();
    deep.next.next.next.next.next.hp = 1.5;
    read(&deep, "next.next.next.next.next.hp");
    change(&mut deep, "next.next.next.next.next.hp");

    let options = Options::new();
    let shared = vec![Rc::new(RefCell::new(deep))];
    let path = Path::parse("[0].next.next.next.next.next.hp").unwrap();
    println!("{path}, through `Vec<Rc<RefCell<_>>>`");
    time("archive, `get_as::<f32>`", None, || {
        reflect::get_as(black_box(&shared), black_box(&path), &options).unwrap()
    });

    let mut world = World::default();
    world.units.resize_with(1000, Unit::default);
    for unit in &mut world.units {
        unit.state = State::Attacking { target: 3, since: 2.5 };
    }
    for text in ["units[900].position.x", "units[900].state.since", "units[3].position.x"] {
        read(&world, text);
    }
}
