//! The time of reading and changing a member along a parsed path, compared with `bevy_reflect` and
//! `facet-reflect`.
//!
//! Each time is the shortest of many runs, including all setup of a call. The factors compare a row
//! with that of `bevy_reflect` above it. The program fails if a rival differs from its description
//! in docs/REFLECTION.md.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::rc::Rc;
use std::time::Instant;

use archive::path::Path;
use archive::reflect::{self, Content, Edit};
use archive::{Options, Serialize};
use bevy_reflect::{GetPath, ParsedPath, Reflect};
use facet::Facet;
use facet_path::{PathAccessError, PathStep};
use facet_reflect::{Peek, Poke};

macro_rules! level {
    ($($Name:ident $Next:ty;)*) => { $(
        #[derive(Default, Serialize, Reflect, Facet, Clone)]
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

#[derive(Default, Serialize, Reflect, Facet, Clone)]
struct L6 {
    id: u32,
    name: String,
    hp: f32,
    list: Vec<u32>,
    flags: [bool; 2],
    last: u8,
}

#[derive(Default, Serialize, Reflect, Facet, Clone)]
struct Position {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Default, Serialize, Reflect, Facet, Clone)]
struct Unit {
    id: u32,
    name: String,
    hp: u16,
    position: Position,
    orders: Vec<u32>,
    state: State,
}

#[derive(Default, Serialize, Reflect, Facet, Clone)]
#[repr(u8)]
enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
        since: f32,
    },
}

#[derive(Default, Serialize, Reflect, Facet, Clone)]
struct World {
    title: String,
    turn: u32,
    units: Vec<Unit>,
    seed: u64,
}

/// Returns the steps of a path for `facet-reflect`, which has no text for them.
fn steps<'a, T: Facet<'a>>(root: &'a T, text: &str) -> facet_path::Path {
    let mut path = facet_path::Path::new(<T as Facet<'a>>::SHAPE);
    for step in Path::parse(text).unwrap().steps() {
        let here = Peek::new(root).at_path(&path).unwrap();
        match step {
            archive::path::Step::Index(index) => path.push(PathStep::Index(*index as u32)),
            archive::path::Step::Name(name) => {
                let field = match here.into_enum() {
                    Ok(value) => {
                        path.push(PathStep::Variant(value.variant_index().unwrap() as u32));
                        value.field_index(name).unwrap()
                    }
                    Err(_) => {
                        let fields = here.into_struct().unwrap().ty().fields;
                        fields.iter().position(|field| field.name == name.as_str())
                    }
                };
                path.push(PathStep::Field(field.unwrap() as u32));
            }
            archive::path::Step::Object(_) => unreachable!("it is a path of a value"),
        }
    }
    path
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

/// Reads one `f32` in each library.
fn read<'a, T: archive::Polymorphic + Reflect + GetPath + Facet<'a>>(root: &'a T, text: &str) {
    let options = Options::new();
    let offsets = steps(root, text);
    let (ours, theirs) = (Path::parse(text).unwrap(), ParsedPath::parse(text).unwrap());
    println!("{text}");
    let bevy = time("bevy_reflect, `ParsedPath`", None, || {
        *black_box(root).path::<f32>(black_box(&theirs)).unwrap()
    });
    time("facet-reflect, `at_path`", Some(bevy), || {
        *Peek::new(black_box(root)).at_path(black_box(&offsets)).unwrap().get::<f32>().unwrap()
    });
    time("archive, `get_as::<f32>`", Some(bevy), || {
        reflect::get_as(black_box(root), black_box(&ours), &options).unwrap()
    });
    time("archive, `get`", Some(bevy), || {
        let tree = reflect::get(black_box(root), black_box(&ours), &options).unwrap();
        tree.as_f64().unwrap() as f32
    });
}

/// Changes one `f32` in each library.
fn change<T: archive::Polymorphic + Reflect + GetPath + Facet<'static> + Clone>(
    root: &mut T,
    text: &str,
) {
    let options = Options::new();
    // A path keeps no reference to the value that it was made for.
    let offsets = steps(Box::leak(Box::new(root.clone())), text);
    let theirs = ParsedPath::parse(text).unwrap();
    println!("{text} = 2.5");
    let bevy = time("bevy_reflect, `path_mut`", None, || {
        *black_box(&mut *root).path_mut::<f32>(black_box(&theirs)).unwrap() = 2.5;
        0.0
    });
    time("facet-reflect, `at_path_mut`", Some(bevy), || {
        let place = Poke::new(black_box(&mut *root)).at_path_mut(black_box(&offsets)).unwrap();
        place.into_peek();
        0.0
    });
    let edit = Edit::new().set(Path::parse(text).unwrap(), Content::from(2.5_f32));
    time("archive, `apply`, with the edit that undoes it", Some(bevy), || {
        reflect::apply(black_box(&mut *root), black_box(&edit), &options).unwrap();
        0.0
    });
}

/// Values in places that paths of the other libraries cannot reach, or not for writing.
#[derive(Default, Serialize, Facet)]
struct Places {
    map: BTreeMap<String, u8>,
    boxed: Box<u8>,
}

/// Checks the statements of docs/REFLECTION.md about the other libraries' paths for writing.
fn check_the_others() {
    // `facet-reflect`: structs, lists, enums and options; not through maps and pointers.
    let mut places = Places::default();
    places.map.insert("a".to_owned(), 1);
    for (field, step) in [(0, PathStep::MapValue(0)), (1, PathStep::Deref)] {
        let mut path = facet_path::Path::new(<Places as Facet<'_>>::SHAPE);
        path.push(PathStep::Field(field));
        path.push(step);
        let refused = Poke::new(&mut places).at_path_mut(&path).map(drop);
        assert!(matches!(refused, Err(PathAccessError::MissingTarget { .. })), "{refused:?}");
    }
    // `bevy_reflect`: lists, enums, and no step to the value of a key.
    let mut map = HashMap::from([("a".to_owned(), 1_u8)]);
    for text in ["a", ".a", "[a]", "[0]"] {
        let refused = ParsedPath::parse(text).map(|path| map.path_mut::<u8>(&path).is_err());
        assert!(refused.unwrap_or(true), "{text}");
    }
    // Ours reach them.
    let options = Options::new();
    for text in ["map.a", "boxed"] {
        let edit = Edit::new().set(Path::parse(text).unwrap(), Content::from(7));
        reflect::apply(&mut places, &edit, &options).unwrap();
    }
    assert_eq!((places.map["a"], *places.boxed), (7, 7));
}

fn main() {
    check_the_others();
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
