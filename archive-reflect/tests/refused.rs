//! A refused edit changes nothing, not even a field that is not saved.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque};
use std::rc::Rc;

use archive::path::{Path, Step};
use archive::reflect::{self, Edit};
use archive::{Error, Options, Registry, Result, Serialize, Value, json};
use archive_test_support::search;
use proptest::prelude::*;

/// What is not saved: each value has another number, so that none comes back in the place of another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cache(u32);

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Leaf {
    weight: u8,
    #[archive(skip)]
    cache: Cache,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Tuple(u8, #[archive(skip)] Cache, Leaf);

#[derive(Clone, Debug, Default, Serialize)]
struct Newtype(Leaf, #[archive(skip)] Cache);

#[derive(Clone, Debug, Default, Serialize)]
struct Generic<T> {
    value: Option<T>,
    #[archive(skip(keep))]
    cache: Cache,
}

#[derive(Clone, Debug, Serialize)]
enum State {
    Idle {
        #[archive(skip)]
        cache: Cache,
    },
    New(Leaf, #[archive(skip)] Cache),
    Pair(u8, Leaf),
    Named {
        #[archive(skip)]
        cache: Cache,
        leaf: Option<Leaf>,
    },
}

impl Default for State {
    fn default() -> Self {
        State::Idle { cache: Cache::default() }
    }
}

#[derive(Clone, Debug, Default, Serialize)]
#[archive(tag = "type")]
enum Tagged {
    #[default]
    Stop,
    Go {
        leaf: Leaf,
        #[archive(skip)]
        cache: Cache,
    },
    Of(Leaf),
}

trait Thing: archive::Polymorphic + std::fmt::Debug {
    fn number(&mut self, next: &mut Next);
}
archive::polymorphic!(dyn Thing);
impl Thing for Leaf {
    fn number(&mut self, next: &mut Next) {
        next.leaf(self);
    }
}

#[derive(Default, Serialize)]
struct Hashed(HashMap<String, Leaf>);

impl std::fmt::Debug for Hashed {
    /// In the order of the keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().collect::<BTreeMap<_, _>>().fmt(f)
    }
}

#[derive(Debug, Default, Serialize)]
#[archive(after_load = not_thirteen)]
struct Node {
    hp: u8,
    list: Vec<Leaf>,
    deque: VecDeque<Leaf>,
    fixed: [Leaf; 2],
    maybe: Option<Leaf>,
    boxed: Option<Box<Leaf>>,
    thing: Option<Box<dyn Thing>>,
    state: State,
    states: Vec<State>,
    tagged: Tagged,
    tuple: Option<Tuple>,
    newtype: Vec<Newtype>,
    generic: Option<Generic<Leaf>>,
    sorted: BTreeMap<String, Leaf>,
    #[archive(as_object)]
    objects: BTreeMap<String, Leaf>,
    hashed: Hashed,
    by_pair: BTreeMap<(u8, u8), Leaf>,
    set: BTreeSet<Leaf>,
    linked: LinkedList<Leaf>,
    nested: Vec<Option<Vec<Leaf>>>,
    cell: RefCell<Option<Leaf>>,
    #[archive(flatten)]
    flat: Leaf,
    #[archive(skip)]
    cache: Cache,
}

fn not_thirteen(node: &Node) -> Result {
    let is_unlucky = |leaf: &Leaf| leaf.weight == 13;
    if node.hp == 13 || node.list.iter().chain(&node.maybe).any(is_unlucky) || node.list.len() == 1
    {
        return Err(Error::custom("unlucky"));
    }
    Ok(())
}

#[derive(Debug, Default, Serialize)]
#[archive(after_load = few)]
struct World {
    nodes: Vec<Node>,
    shared: Vec<Rc<RefCell<Node>>>,
    #[archive(skip)]
    cache: Cache,
}

fn few(world: &World) -> Result {
    if world.nodes.is_empty() { Err(Error::custom("nobody")) } else { Ok(()) }
}

/// Gives each field that is not saved a number of its own.
#[derive(Default)]
struct Next(u32);

impl Next {
    fn cache(&mut self, cache: &mut Cache) {
        self.0 += 1;
        cache.0 = self.0;
    }
    fn leaf(&mut self, leaf: &mut Leaf) {
        self.cache(&mut leaf.cache);
    }
    fn state(&mut self, state: &mut State) {
        match state {
            State::Idle { cache } => self.cache(cache),
            State::New(leaf, cache) => {
                self.leaf(leaf);
                self.cache(cache);
            }
            State::Pair(_, leaf) => self.leaf(leaf),
            State::Named { cache, leaf } => {
                self.cache(cache);
                leaf.iter_mut().for_each(|leaf| self.leaf(leaf));
            }
        }
    }
    fn node(&mut self, node: &mut Node) {
        let leaves = node.list.iter_mut().chain(&mut node.deque).chain(&mut node.fixed);
        let leaves = leaves.chain(&mut node.maybe).chain(node.boxed.as_deref_mut());
        let leaves = leaves.chain(node.sorted.values_mut()).chain(node.hashed.0.values_mut());
        let leaves = leaves.chain(node.objects.values_mut());
        let leaves = leaves.chain(node.by_pair.values_mut()).chain(&mut node.linked);
        let leaves = leaves.chain(node.nested.iter_mut().flatten().flatten());
        let leaves = leaves.chain(node.cell.get_mut()).chain([&mut node.flat]);
        leaves.for_each(|leaf| self.leaf(leaf));
        node.states.iter_mut().chain([&mut node.state]).for_each(|state| self.state(state));
        if let Some(thing) = &mut node.thing {
            thing.number(self);
        }
        match &mut node.tagged {
            Tagged::Stop => {}
            Tagged::Go { leaf, cache } => {
                self.leaf(leaf);
                self.cache(cache);
            }
            Tagged::Of(leaf) => self.leaf(leaf),
        }
        if let Some(Tuple(_, cache, leaf)) = &mut node.tuple {
            self.cache(cache);
            self.leaf(leaf);
        }
        for Newtype(leaf, cache) in &mut node.newtype {
            self.leaf(leaf);
            self.cache(cache);
        }
        if let Some(Generic { value, cache }) = &mut node.generic {
            self.cache(cache);
            value.iter_mut().for_each(|leaf| self.leaf(leaf));
        }
        let set = std::mem::take(&mut node.set).into_iter();
        node.set = set.map(|mut leaf| (self.leaf(&mut leaf), leaf).1).collect();
        self.cache(&mut node.cache);
    }
    fn world(&mut self, world: &mut World) {
        world.nodes.iter_mut().for_each(|node| self.node(node));
        world.shared.iter().for_each(|node| self.node(&mut node.borrow_mut()));
        self.cache(&mut world.cache);
    }
}

fn node(i: u8) -> Node {
    let leaf = |weight: u8| Leaf { weight, ..Leaf::default() };
    let leaves = |count: u8| (0..count).map(|i| leaf(20 + i));
    let cache = Cache::default;
    let states = [
        State::default(),
        State::New(leaf(1), cache()),
        State::Pair(2, leaf(3)),
        State::Named { cache: cache(), leaf: Some(leaf(4)) },
    ];
    Node {
        hp: i,
        list: leaves(2 + i).collect(),
        deque: leaves(i).collect(),
        fixed: [leaf(1), leaf(2)],
        maybe: Some(leaf(5)),
        boxed: Some(Box::new(leaf(6))),
        thing: Some(Box::new(leaf(7))),
        state: states[usize::from(i) % 4].clone(),
        states: states.to_vec(),
        tagged: match i % 3 {
            0 => Tagged::Go { leaf: leaf(8), cache: cache() },
            1 => Tagged::Of(leaf(9)),
            _ => Tagged::Stop,
        },
        tuple: Some(Tuple(3, cache(), leaf(10))),
        newtype: leaves(2).map(|leaf| Newtype(leaf, cache())).collect(),
        generic: Some(Generic { value: Some(leaf(11)), cache: cache() }),
        sorted: leaves(3).map(|leaf| (format!("k {}", leaf.weight), leaf)).collect(),
        objects: leaves(3).map(|leaf| (format!("k {}", leaf.weight), leaf)).collect(),
        hashed: Hashed(leaves(3).map(|leaf| (format!("k {}", leaf.weight), leaf)).collect()),
        by_pair: leaves(3).map(|leaf| ((i, leaf.weight), leaf)).collect(),
        set: leaves(3).collect(),
        linked: leaves(3).collect(),
        nested: vec![Some(leaves(2).collect()), None, Some(leaves(1).collect())],
        cell: RefCell::new(Some(leaf(12))),
        flat: leaf(30),
        ..Node::default()
    }
}

fn world() -> World {
    let mut world = World {
        nodes: (0..3).map(node).collect(),
        shared: (3..5).map(|i| Rc::new(RefCell::new(node(i)))).collect(),
        ..World::default()
    };
    Next::default().world(&mut world);
    world
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Thing { Leaf }).unwrap();
    registry
}

/// What of a change is random. A place is chosen among those that exist.
#[derive(Clone, Debug)]
struct Choice {
    place: prop::sample::Index,
    other: prop::sample::Index,
    up: u8,
    operation: u8,
    content: Value,
}

fn choice() -> impl Strategy<Value = Choice> {
    let contents = vec![
        "null",
        "7",
        "13",
        "[]",
        "[1,2]",
        r#"{"weight":4}"#,
        r#"{"weight":13}"#,
        r#"{"weight":"x"}"#,
        r#"[{"weight":1}]"#,
        r#"[{"weight":1},{"weight":2}]"#,
        r#"[{"weight":1},{"weight":"x"}]"#,
        r#"[null,null]"#,
        r#"[["k 20",{"weight":5}],["new",{}]]"#,
        r#"[["k 20",{"weight":5}],["new",{"weight":"x"}]]"#,
        r#""Idle""#,
        r#"{"New":{"weight":3}}"#,
        r#"{"Named":{"leaf":null}}"#,
        r#"{"Named":{"leaf":7}}"#,
        r#"{"type":"Stop"}"#,
        r#"{"type":"Of","weight":3}"#,
        r#"{"$type":"Leaf","$value":{"weight":9}}"#,
        r#"{"hp":13,"list":[],"maybe":null,"state":"Idle","sorted":[]}"#,
        r#"{"hp":1,"list":[],"maybe":null,"state":"Idle","sorted":7}"#,
        r#"{"nodes":[]}"#,
    ];
    let content = prop::sample::select(contents).prop_map(|text| json::from_str(text).unwrap());
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8, 0..10u8, content).prop_map(
        |(place, other, up, operation, content)| Choice { place, other, up, operation, content },
    )
}

/// Adds a change of a place that exists.
fn add(edit: Edit, world: &World, choice: &Choice, options: &Options<'_>) -> Edit {
    let rows = reflect::list(world, &Path::new(), options).unwrap();
    let path = &rows[choice.place.index(rows.len())].path;
    let path: Path = path[..path.len().saturating_sub(choice.up.into())].iter().cloned().collect();
    match choice.operation {
        0 | 1 => edit.remove(path),
        2 => match path.last() {
            Some(Step::Name(_)) => edit.insert(path.join(&["new".into()]), choice.content.clone()),
            _ => edit.insert(path, choice.content.clone()),
        },
        3 => edit.move_to(path, choice.other.index(4)),
        4 => edit.variant(path, ["Idle", "New", "Pair", "Named"][choice.other.index(4)]),
        5 => edit.set(path, Value::Null),
        6 => edit.rename(path, "other"),
        _ => edit.set(path, choice.content.clone()),
    }
}

/// Returns the lines in which two worlds differ.
fn difference(before: &str, after: &str) -> Vec<String> {
    let lines = before.lines().zip(after.lines());
    let lines = lines.filter(|(before, after)| before != after);
    lines.map(|(before, after)| format!("{before} -> {after}")).collect()
}

fn state(world: &World) -> String {
    let mut text = String::new();
    let values = world.nodes.iter().map(|node| format!("{node:?}"));
    let values = values.chain(world.shared.iter().map(|node| format!("{node:?}")));
    for value in values.chain([format!("World {:?}", world.cache)]) {
        text.push_str(&value.replace("], ", "],\n").replace("}, ", "},\n"));
        text.push('\n');
    }
    text
}

proptest! {
    #![proptest_config(search::config(4_000))]

    #[test]
    fn nothing_has_changed(edits in prop::collection::vec(
        (prop::collection::vec(choice(), 1..4), any::<bool>()), 1..8,
    )) {
        let (mut world, registry) = (world(), registry());
        let options = Options::new().registry(&registry);
        let _all = world.shared.clone();
        for (choices, is_refused) in &edits {
            let mut edit = choices.iter().fold(Edit::new(), |edit, choice| {
                add(edit, &world, choice, &options)
            });
            if *is_refused {
                edit = edit.set(Path::parse("nodes[0].hp").unwrap(), "text");
            }
            let before = state(&world);
            match reflect::apply(&mut world, &edit, &options) {
                Ok(_) => Next::default().world(&mut world),
                Err(error) => {
                    let after = state(&world);
                    prop_assert!(
                        before == after,
                        "{:?}: {}: {:#?}", edit, error, difference(&before, &after)
                    );
                }
            }
        }
    }
}

/// What its setter has changed beside what is saved comes back as well.
#[test]
fn a_property_is_set_in_vain() {
    #[derive(Default, Serialize)]
    struct Door {
        radians: f32,
        #[archive(skip)]
        turns: u32,
        #[archive(get = Door::degrees, set = Door::turn_to)]
        degrees: std::marker::PhantomData<f32>,
    }
    impl Door {
        fn degrees(&self) -> f32 {
            self.radians.to_degrees()
        }
        fn turn_to(&mut self, degrees: f32) {
            (self.radians, self.turns) = (degrees.to_radians(), self.turns + 1);
        }
    }
    let (mut door, options) = (Door { turns: 3, ..Door::default() }, Options::new());
    let edit = Edit::new().set(Path::parse("degrees").unwrap(), 90);
    let refused = edit.clone().set(Path::parse("degrees").unwrap(), "text");
    reflect::apply(&mut door, &refused, &options).unwrap_err();
    assert_eq!((door.radians, door.turns), (0.0, 3));
    reflect::apply(&mut door, &edit, &options).unwrap();
    assert_eq!((door.degrees(), door.turns), (90.0, 4));
}

/// Where the types of the fields have no `Clone` or may borrow something, there is no copy.
#[test]
fn fields_that_cannot_be_copied_start_anew() {
    #[derive(Debug, Default, PartialEq)]
    struct Handle(u32);
    #[derive(Default, Serialize)]
    struct Item<T: IntoIterator> {
        hp: u8,
        #[archive(skip)]
        handle: Handle,
        #[archive(skip)]
        borrowed: Vec<T::Item>,
        #[archive(skip)]
        copied: u32,
    }
    let item = |number| Item::<Vec<u32>> {
        hp: 1,
        handle: Handle(number),
        borrowed: vec![number],
        copied: number,
    };
    let mut items = vec![item(7), item(8)];
    let edit =
        Edit::new().remove(Path::parse("[1]").unwrap()).set(Path::parse("[0].hp").unwrap(), "text");
    reflect::apply(&mut items, &edit, &Options::new()).unwrap_err();
    let state: Vec<_> =
        items.iter().map(|it| (it.handle.0, it.borrowed.len(), it.copied)).collect();
    assert_eq!(state, [(7, 1, 7), (0, 0, 8)]);
}

/// Fields that are not saved may change until an edit is undone.
#[test]
fn undo_sets_no_copies_back() {
    let (mut world, registry) = (world(), registry());
    let options = Options::new().registry(&registry);
    let edit = Edit::new().set(Path::parse("nodes[1].hp").unwrap(), 9);
    let undo = reflect::apply(&mut world, &edit, &options).unwrap();
    world.nodes[1].list[0].cache = Cache(1_000);
    reflect::apply(&mut world, &undo, &options).unwrap();
    assert_eq!((world.nodes[1].hp, &world.nodes[1].list[0].cache), (1, &Cache(1_000)));
}

/// A variant whose name is a member is loaded over, as others are.
#[test]
fn the_same_tagged_variant_stays() {
    let (mut world, registry) = (world(), registry());
    let options = Options::new().registry(&registry);
    for (place, content) in [
        ("nodes[0].tagged", r#"{"type":"Go","leaf":{"weight":1}}"#),
        ("nodes[1].tagged", r#"{"type":"Of","weight":1}"#),
    ] {
        let edit =
            Edit::new().set(Path::parse(place).unwrap(), json::from_str::<Value>(content).unwrap());
        reflect::apply(&mut world, &edit, &options).unwrap();
    }
    let Tagged::Go { leaf, cache } = &world.nodes[0].tagged else { panic!("another variant") };
    assert!(leaf.weight == 1 && leaf.cache.0 > 0 && cache.0 > 0);
    let Tagged::Of(leaf) = &world.nodes[1].tagged else { panic!("another variant") };
    assert!(leaf.weight == 1 && leaf.cache.0 > 0);
}
