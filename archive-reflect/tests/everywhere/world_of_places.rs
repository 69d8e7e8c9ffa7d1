//! A world with a place of every kind.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::net::Ipv4Addr;
use std::num::{NonZeroU8, Wrapping};
use std::ops::Range;
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use archive::reflect::{AnyValue, Handle, HandleMap, register_std};
use archive::{Error, Registry, Result, Serialize, Unknown, Value, json};

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Leaf {
    pub weight: u8,
    #[archive(skip)]
    pub cache: u8,
}

#[derive(Clone, Debug, Default, Serialize)]
pub enum State {
    #[default]
    Idle,
    New(u8),
    Pair(u8, String),
    Named {
        leaf: Leaf,
    },
}

#[derive(Clone, Debug, Default, Serialize)]
#[archive(tag = "type")]
pub enum Tagged {
    #[default]
    Stop,
    Go {
        to: u8,
    },
}

#[derive(Clone, Debug, Default, Serialize)]
#[archive(transparent)]
pub struct Meters(pub f32);

pub trait Thing: archive::Polymorphic + std::fmt::Debug {}
archive::polymorphic!(dyn Thing);
impl Thing for Leaf {}
impl Thing for Meters {}
impl Thing for State {}

#[derive(Default, Serialize)]
#[archive(transparent)]
pub struct Heap(BinaryHeap<u8>);

impl std::fmt::Debug for Heap {
    /// In the order of the numbers.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.clone().into_sorted_vec().fmt(f)
    }
}

/// Stored as another type.
#[derive(Clone, Debug, Default)]
pub struct Span(u8, u8);
#[derive(Debug, Default)]
pub struct StoredSpan {
    start: u8,
    length: u8,
}
archive::members!(StoredSpan { start, length });
archive::blank!(StoredSpan);
archive::stored_as! {
    Span as StoredSpan {
        save: |span| Ok(StoredSpan { start: span.0, length: span.1 - span.0 }),
        load: |stored| match stored.start.checked_add(stored.length) {
            Some(end) => Ok(Span(stored.start, end)),
            None => Err(Error::custom("too long")),
        },
    }
}

/// Written by hand.
#[derive(Clone, Debug, Default)]
pub struct ByHand {
    x: i16,
    list: Vec<u8>,
}
impl archive::Serialize for ByHand {
    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("x", &mut self.x)?;
        ar.serialize("list", &mut self.list)
    }
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

/// As text in files.
mod hex {
    pub fn save(value: &u32) -> archive::Result<String> {
        Ok(format!("{value:x}"))
    }
    pub fn load(text: String) -> archive::Result<u32> {
        u32::from_str_radix(&text, 16).map_err(archive::Error::custom)
    }
}

#[derive(Debug, Default, Serialize)]
pub struct Node {
    pub hp: u8,
    pub next: Option<Rc<RefCell<Node>>>,
    pub back: Weak<RefCell<Node>>,
}

#[derive(Debug, Default, Serialize)]
pub struct Scalars {
    pub num: u8,
    pub big: i128,
    pub float: f64,
    pub flag: bool,
    pub letter: char,
    pub text: String,
    pub unit: (),
    pub size: usize,
    pub meters: Meters,
    pub wrapping: Wrapping<u8>,
    pub nonzero: Option<NonZeroU8>,
    pub duration: Duration,
    pub range: Range<u8>,
    pub address: Option<Ipv4Addr>,
    pub path: PathBuf,
    pub cow: Cow<'static, str>,
    #[archive(with = hex)]
    pub color: u32,
    #[archive(bytes)]
    pub bytes: Vec<u8>,
    #[archive(bytes)]
    pub maybe_bytes: Option<Vec<u8>>,
    #[archive(bytes)]
    pub four: [u8; 4],
    pub span: Span,
}

#[derive(Debug, Default, Serialize)]
pub struct Lists {
    pub list: Vec<u8>,
    pub texts: Vec<String>,
    pub flags: Vec<bool>,
    pub units: Vec<()>,
    pub options: Vec<Option<u8>>,
    pub lists: Vec<Vec<u8>>,
    pub leaves: Vec<Leaf>,
    pub deque: VecDeque<u8>,
    pub fixed: [u8; 3],
    pub pair: (u8, String),
    pub slice: Box<[u8]>,
    pub linked: LinkedList<Leaf>,
    pub heap: Heap,
    pub set: BTreeSet<u8>,
    pub leaf_set: BTreeSet<Leaf>,
    pub map: BTreeMap<String, u8>,
    pub of_maps: BTreeMap<String, BTreeMap<u8, Leaf>>,
    #[archive(as_object)]
    pub object: BTreeMap<String, u8>,
    pub hashed: HashMap<u8, String>,
    pub by_pair: BTreeMap<(u8, u8), Leaf>,
    pub by_option: BTreeMap<Option<u8>, u8>,
    pub handles: HandleMap<u8>,
}

#[derive(Debug, Default, Serialize)]
pub struct Around {
    pub some: Option<u8>,
    pub none: Option<u8>,
    pub nested: Option<Option<u8>>,
    pub some_unit: Option<()>,
    pub some_leaf: Option<Leaf>,
    pub boxed: Box<u8>,
    pub boxed_char: Option<Box<char>>,
    pub text: Box<str>,
    pub cell: Cell<u8>,
    pub refcell: RefCell<u8>,
    pub mutex: Mutex<String>,
    pub atomic: AtomicU32,
    pub once: OnceCell<u8>,
    pub idle: State,
    pub new: State,
    pub tuple: State,
    pub named: State,
    pub stop: Tagged,
    pub go: Tagged,
    pub by_hand: ByHand,
    #[archive(flatten)]
    pub flat: Leaf,
    #[archive(get = Around::double, set = Around::set_double)]
    pub double: PhantomData<u8>,
    #[archive(unknown)]
    pub unknown: Unknown,
}

impl Around {
    fn double(&self) -> u8 {
        self.cell.get().wrapping_mul(2)
    }
    fn set_double(&mut self, double: u8) {
        self.cell.set(double / 2);
    }
}

#[derive(Debug, Default, Serialize)]
pub struct Pointers {
    pub nodes: Vec<Rc<RefCell<Node>>>,
    pub chosen: Option<Rc<RefCell<Node>>>,
    pub linked: LinkedList<Rc<RefCell<Node>>>,
    pub weak: Weak<RefCell<Node>>,
    pub weaks: LinkedList<Weak<RefCell<Node>>>,
    pub dangling: Weak<RefCell<Node>>,
    pub bare: Rc<u8>,
    pub text: Option<Rc<str>>,
    pub number: Rc<RefCell<u8>>,
    pub cell: Rc<Cell<u8>>,
    pub lock: Arc<Mutex<String>>,
    pub thing: Option<Box<dyn Thing>>,
    pub things: Vec<Box<dyn Thing>>,
    pub shared: Vec<Rc<RefCell<dyn Thing>>>,
    pub handle: Handle<u8>,
    pub variables: Vec<AnyValue>,
}

#[derive(Debug, Default, Serialize)]
pub struct Trees {
    pub null: Value,
    pub number: Value,
    pub text: Value,
    pub list: Value,
    pub object: Value,
    pub graph: Value,
    /// Refer to the objects of the previous member.
    pub others: Vec<Value>,
    pub linked: LinkedList<Value>,
}

#[derive(Debug, Default, Serialize)]
pub struct World {
    pub scalars: Scalars,
    pub lists: Lists,
    pub around: Around,
    pub pointers: Pointers,
    pub trees: Trees,
}

fn tree(text: &str) -> Value {
    json::from_str(text).unwrap()
}

fn scalars() -> Scalars {
    Scalars {
        num: 7,
        big: i128::MIN,
        float: 1.5,
        flag: true,
        letter: 'x',
        text: "text".into(),
        size: 9,
        meters: Meters(2.5),
        wrapping: Wrapping(3),
        nonzero: NonZeroU8::new(4),
        duration: Duration::new(5, 6),
        range: 1..4,
        address: Some(Ipv4Addr::LOCALHOST),
        path: "a/b".into(),
        cow: "borrowed".into(),
        color: 255,
        bytes: vec![1, 2],
        maybe_bytes: Some(vec![3]),
        four: [1, 2, 3, 4],
        span: Span(3, 8),
        unit: (),
    }
}

fn lists() -> Lists {
    let leaf = |weight| Leaf { weight, cache: weight + 100 };
    let mut handles = HandleMap::default();
    let first = handles.insert(1);
    handles.insert(2);
    handles.remove(first);
    Lists {
        list: vec![1, 2, 3],
        texts: vec!["a".into(), String::new()],
        flags: vec![true, false],
        units: vec![(), ()],
        options: vec![Some(1), None],
        lists: vec![vec![1], vec![]],
        leaves: vec![leaf(1), leaf(2)],
        deque: [4, 5].into(),
        fixed: [1, 2, 3],
        pair: (1, "p".into()),
        slice: Box::new([1, 2]),
        linked: [leaf(3), leaf(4)].into(),
        heap: Heap([1, 3, 2].into()),
        set: [1, 2].into(),
        leaf_set: [leaf(1), leaf(2)].into(),
        map: [("a".into(), 1), ("b".into(), 2)].into(),
        of_maps: [("a".into(), [(1, leaf(1))].into()), ("b".into(), [].into())].into(),
        object: [("a".into(), 1), ("$id".into(), 2)].into(),
        hashed: [(1, "one".into())].into(),
        by_pair: [((1, 2), leaf(1)), ((3, 4), leaf(2))].into(),
        by_option: [(None, 1), (Some(2), 2)].into(),
        handles,
    }
}

fn around() -> Around {
    let leaf = |weight| Leaf { weight, cache: weight + 100 };
    Around {
        some: Some(1),
        none: None,
        nested: Some(Some(2)),
        some_unit: Some(()),
        some_leaf: Some(leaf(1)),
        boxed: Box::new(3),
        boxed_char: Some(Box::new('y')),
        text: "boxed".into(),
        cell: Cell::new(4),
        refcell: RefCell::new(5),
        mutex: Mutex::new("locked".into()),
        atomic: AtomicU32::new(6),
        once: 7.into(),
        idle: State::Idle,
        new: State::New(8),
        tuple: State::Pair(9, "p".into()),
        named: State::Named { leaf: leaf(2) },
        stop: Tagged::Stop,
        go: Tagged::Go { to: 10 },
        by_hand: ByHand { x: 11, list: vec![1, 2] },
        flat: leaf(3),
        unknown: Unknown::new("", tree(r#"{"later":{"a":[1]},"more":2}"#)),
        ..Around::default()
    }
}

fn pointers() -> Pointers {
    let node = |hp| Rc::new(RefCell::new(Node { hp, ..Node::default() }));
    let nodes = vec![node(1), node(2), node(3)];
    nodes[0].borrow_mut().next = Some(nodes[2].clone());
    nodes[1].borrow_mut().back = Rc::downgrade(&nodes[0]);
    nodes[2].borrow_mut().back = Rc::downgrade(&nodes[1]);
    Pointers {
        chosen: Some(nodes[1].clone()),
        linked: nodes.iter().rev().cloned().collect(),
        weak: Rc::downgrade(&nodes[1]),
        weaks: nodes.iter().map(Rc::downgrade).collect(),
        nodes,
        bare: Rc::new(4),
        text: Some("shared".into()),
        number: Rc::new(RefCell::new(5)),
        cell: Rc::new(Cell::new(6)),
        lock: Arc::new(Mutex::new("lock".into())),
        thing: Some(Box::new(Leaf { weight: 7, cache: 0 })),
        things: vec![Box::new(Meters(1.0)), Box::new(State::New(1)), Box::new(State::Idle)],
        shared: vec![
            Rc::new(RefCell::new(Meters(2.0))),
            Rc::new(RefCell::new(Leaf { weight: 8, cache: 0 })),
        ],
        variables: vec![AnyValue::from("any"), AnyValue::new(9_u8)],
        ..Pointers::default()
    }
}

fn trees() -> Trees {
    Trees {
        null: Value::Null,
        number: Value::from(1),
        text: Value::from("tree"),
        list: tree(r#"[1,[2],{"a":3}]"#),
        object: tree(r#"{"a":1,"b":{"c":[null,""]},"$d":2}"#),
        graph: tree(r#"[{"$id":3,"$value":{"a":{"$weak":5}}},{"$id":3},{"$id":5,"$value":[]}]"#),
        others: vec![tree(r#"{"$id":5}"#), tree(r#"{"a":{"$weak":3}}"#)],
        linked: [tree(r#"{"$weak":3}"#), tree(r#"[{"$id":5}]"#)].into(),
    }
}

pub fn world() -> World {
    World {
        scalars: scalars(),
        lists: lists(),
        around: around(),
        pointers: pointers(),
        trees: trees(),
    }
}

pub fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Thing { Leaf, Meters, State }).unwrap();
    register_std(&mut registry).unwrap();
    registry
}

/// The world as text, and which objects its pointers refer to.
pub fn state(world: &World) -> (String, Vec<*const u8>) {
    let text = format!("{world:?}").replace(", ", ",\n");
    let pointers = &world.pointers;
    let mut objects: Vec<*const u8> = Vec::new();
    let nodes = pointers.nodes.iter().chain(&pointers.chosen).chain(&pointers.linked);
    for node in nodes {
        objects.push(Rc::as_ptr(node).cast());
        objects.extend(node.borrow().next.iter().map(|next| Rc::as_ptr(next).cast::<u8>()));
        objects.push(weak(&node.borrow().back));
    }
    objects.extend(pointers.weaks.iter().chain([&pointers.weak, &pointers.dangling]).map(weak));
    objects.extend([Rc::as_ptr(&pointers.bare).cast(), Rc::as_ptr(&pointers.number).cast()]);
    objects.extend([Rc::as_ptr(&pointers.cell).cast(), Arc::as_ptr(&pointers.lock).cast()]);
    objects.extend(pointers.shared.iter().map(|thing| Rc::as_ptr(thing).cast::<u8>()));
    (text, objects)
}

/// The object of a weak pointer.
fn weak(pointer: &Weak<RefCell<Node>>) -> *const u8 {
    pointer.upgrade().map_or(std::ptr::null(), |object| Rc::as_ptr(&object).cast())
}

/// Clears the unsaved fields, except those of trait objects.
pub fn clear_caches(world: &mut World) {
    let World { lists, around, .. } = world;
    let set = std::mem::take(&mut lists.leaf_set).into_iter();
    lists.leaf_set = set.map(|leaf| Leaf { cache: 0, ..leaf }).collect();
    let leaves = lists.leaves.iter_mut().chain(&mut lists.linked);
    let leaves = leaves.chain(lists.of_maps.values_mut().flat_map(BTreeMap::values_mut));
    let leaves = leaves.chain(lists.by_pair.values_mut()).chain(&mut around.some_leaf);
    leaves.chain([&mut around.flat]).for_each(|leaf| leaf.cache = 0);
    if let State::Named { leaf } = &mut around.named {
        leaf.cache = 0;
    }
}
