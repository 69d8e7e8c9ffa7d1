//! How deep values may nest in serde formats: what saves loads at every depth, and 2 MiB of stack, what threads
//! get unless they ask for more, are enough at the default limit in every build.
//!
//! In `serde-formats`, `MEASURE=1 cargo test --test serde_stack -- --nocapture` prints how much each format needs, to the next
//! 64 KiB; with `--release` in the other build.

use archive_test_support as common;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::thread;

use archive::{
    Blank, ErrorKind, Format, Options, Registry, Save, Serialize, Value, json, register,
};
use common::serde_formats::{finds_names, serde_formats, toml};

#[derive(Debug, Default, Serialize)]
struct Node {
    name: String,
    next: Option<Box<Node>>,
}

#[derive(Default, Serialize)]
struct Nothing {
    name: String,
}

/// Members in another order, so that the first ones are kept as a tree.
#[derive(Default, Serialize)]
struct Reversed {
    next: Option<Box<Reversed>>,
    name: String,
}

fn chain(length: usize) -> Node {
    let node = |next| Node { name: "n".into(), next };
    (1..length).fold(node(None), |next, _| node(Some(Box::new(next))))
}

/// Loads a value of the maximum depth in all ways, and a deeper one.
fn load(format: Format) {
    let options = Options::new().max_depth(10_000);
    let deepest = (1..200).rev().find_map(|length| {
        let file = format.to_vec(&chain(length)).ok()?;
        format.from_slice::<Node>(&file).is_ok().then_some(file)
    });
    let deepest = deepest.expect("a chain that is saved and loads");
    if !finds_names(format) {
        return;
    }
    format.from_slice::<Nothing>(&deepest).unwrap();
    format.from_slice::<Reversed>(&deepest).unwrap();
    format.from_slice::<Value>(&deepest).unwrap();
    let mut tree = Value::Null;
    for _ in 0..1_000 {
        tree = Value::Object(vec![("name".into(), "n".into()), ("next".into(), tree)]);
    }
    // Written by a format that takes no stack, if the other format can load it.
    let text = json::to_vec_with(&tree, &options).unwrap();
    let file = match format.name() {
        "serde_json" => text,
        "rmp_serde named" => {
            let file = archive::msgpack::to_vec_with(&tree, &options);
            file.unwrap()
        }
        _ => return,
    };
    for error in [
        format.from_slice::<Node>(&file).err(),
        format.from_slice::<Nothing>(&file).err(),
        format.from_slice::<Reversed>(&file).err(),
        format.from_slice::<Value>(&file).err(),
    ] {
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::DepthLimit), "{format}");
    }
}

/// The body of the test below. It runs in a process of its own, because a stack overflow ends the
/// process.
#[test]
fn child() {
    let Ok(ask) = std::env::var("STACK_OF_CHILD") else { return };
    let (name, size) = ask.rsplit_once('=').unwrap();
    let format = *serde_formats().iter().find(|format| format.name() == name).unwrap();
    let run = thread::Builder::new().stack_size(size.parse().unwrap()).spawn(move || load(format));
    run.unwrap().join().unwrap();
}

fn is_enough(format: Format, size: usize) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["child", "--exact"]).env("STACK_OF_CHILD", format!("{}={size}", format.name()));
    child.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
fn two_mebibytes_are_enough() {
    for format in serde_formats() {
        load(format);
        assert!(is_enough(format, 2 << 20), "{format}");
        if std::env::var_os("MEASURE").is_some() {
            let step = 64 << 10;
            let need = (1..=32).find(|steps| is_enough(format, steps * step)).unwrap();
            println!("{:<20} {:>5} KiB", format.name(), need * 64);
        }
    }
}

#[derive(Debug, Default, Serialize)]
struct List {
    items: Vec<List>,
}

#[derive(Debug, Default, Serialize)]
struct Map {
    more: BTreeMap<String, Map>,
}

#[derive(Debug, Default, Serialize)]
enum Variant {
    #[default]
    End,
    Newtype(Box<Variant>),
    Struct {
        next: Box<Variant>,
    },
}

#[derive(Debug, Default, Serialize)]
#[archive(tag = "type")]
enum Tagged {
    #[default]
    End,
    More {
        next: Box<Tagged>,
    },
}

#[derive(Debug, Default, Serialize)]
struct Twice {
    next: Option<Option<Box<Twice>>>,
}

#[derive(Debug, Default, Serialize)]
struct Shared {
    next: Option<Rc<Shared>>,
}

#[derive(Debug, Default, Serialize)]
struct Cells {
    next: Option<Rc<RefCell<Cells>>>,
}

/// A tree whose root TOML can save.
#[derive(Debug, Serialize)]
struct Tree {
    tree: Value,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { tree: "leaf".into() }
    }
}

trait Part: archive::Polymorphic + Debug {}
archive::polymorphic!(dyn Part);

#[derive(Debug, Default, Serialize)]
struct Parts {
    parts: Vec<Box<dyn Part>>,
}

impl Part for Parts {}

/// A value of each depth is refused, or it loads with the same options.
fn at_every_depth<T: Default + Debug + Serialize + Save + Blank>(
    registry: &Registry,
    (most, step): (usize, usize),
    around: impl Fn(T) -> T,
) {
    let options = Options::new().registry(registry).max_depth(most);
    for format in serde_formats().into_iter().chain([toml()]) {
        let (mut value, mut saved) = (T::default(), 0);
        for depth in 1..=most + 2 {
            if depth % step != 0 {
                value = around(value);
                continue;
            }
            let what = format!("{format}, {}, depth {depth} of {most}", std::any::type_name::<T>());
            match format.erased().to_vec_with(&value, &options) {
                Ok(bytes) => {
                    let loaded = format.erased().from_slice_with::<T>(&bytes, &options);
                    let loaded = loaded.unwrap_or_else(|error| panic!("{what}: {error}"));
                    let again = format.erased().to_vec_with(&loaded, &options).unwrap();
                    assert!(again == bytes, "{what}");
                    saved += 1;
                }
                // TOML has no null. The kind of ron's error is lost between the members.
                Err(error) if error.kind() == ErrorKind::Unsupported => {
                    let ron = error.message().starts_with("Exceeded recursion limit");
                    assert!(format.name() == "toml" || ron, "{what}: {error}");
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::DepthLimit, "{what}: {error}"),
            }
            value = around(value);
        }
        assert!(
            saved > most.min(80) / 8 / step,
            "{format}, {}: {saved}",
            std::any::type_name::<T>()
        );
    }
}

fn all_at_every_depth(most: (usize, usize)) {
    let mut registry = Registry::new();
    register!(registry, dyn Part { Parts }).unwrap();
    let registry = &registry;
    at_every_depth(registry, most, |inner| Node { name: "n".into(), next: Some(Box::new(inner)) });
    at_every_depth(registry, most, |inner| List { items: vec![inner] });
    at_every_depth(registry, most, |inner| Map { more: [("k".to_owned(), inner)].into() });
    at_every_depth(registry, most, |inner| Variant::Newtype(Box::new(inner)));
    at_every_depth(registry, most, |inner| Variant::Struct { next: Box::new(inner) });
    at_every_depth(registry, most, |inner| Tagged::More { next: Box::new(inner) });
    at_every_depth(registry, most, |inner| Twice { next: Some(Some(Box::new(inner))) });
    at_every_depth(registry, most, |inner| Shared { next: Some(Rc::new(inner)) });
    at_every_depth(registry, most, |inner| Cells { next: Some(Rc::new(RefCell::new(inner))) });
    at_every_depth(registry, most, |inner| Parts { parts: vec![Box::new(inner)] });
    let array = |Tree { tree }| Tree { tree: Value::Array(vec![tree]) };
    at_every_depth(registry, most, array);
    let object = |Tree { tree }| Tree { tree: Value::Object(vec![("k".into(), tree)]) };
    at_every_depth(registry, most, object);
}

#[test]
fn saved_values_load_at_every_depth() {
    for most in [7, 128] {
        all_at_every_depth((most, 1));
    }
}

#[test]
fn a_higher_limit_applies_in_the_formats() {
    let run = thread::Builder::new().stack_size(64 << 20).spawn(|| all_at_every_depth((300, 25)));
    run.unwrap().join().unwrap();
}
