//! A world in which each kind of value has fields that are not saved.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque};
use std::rc::Rc;

use archive::{Error, Registry, Result, Serialize};

/// The unsaved fields: each value has another number, so that none is restored in the place of
/// another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cache(pub u32);

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Leaf {
    pub weight: u8,
    #[archive(skip)]
    pub cache: Cache,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Tuple(pub u8, #[archive(skip)] pub Cache, pub Leaf);

#[derive(Clone, Debug, Default, Serialize)]
pub struct Newtype(pub Leaf, #[archive(skip)] pub Cache);

#[derive(Clone, Debug, Default, Serialize)]
pub struct Generic<T> {
    pub value: Option<T>,
    #[archive(skip(keep))]
    pub cache: Cache,
}

#[derive(Clone, Debug, Serialize)]
pub enum State {
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
pub enum Tagged {
    #[default]
    Stop,
    Go {
        leaf: Leaf,
        #[archive(skip)]
        cache: Cache,
    },
    Of(Leaf),
}

pub trait Thing: archive::Polymorphic + std::fmt::Debug {
    fn number(&mut self, next: &mut Next);
}
archive::polymorphic!(dyn Thing);
impl Thing for Leaf {
    fn number(&mut self, next: &mut Next) {
        next.leaf(self);
    }
}

#[derive(Default, Serialize)]
pub struct Hashed(pub HashMap<String, Leaf>);

impl std::fmt::Debug for Hashed {
    /// In the order of the keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().collect::<BTreeMap<_, _>>().fmt(f)
    }
}

#[derive(Debug, Default, Serialize)]
#[archive(after_load = not_thirteen)]
pub struct Node {
    pub hp: u8,
    pub list: Vec<Leaf>,
    pub deque: VecDeque<Leaf>,
    pub fixed: [Leaf; 2],
    pub maybe: Option<Leaf>,
    pub boxed: Option<Box<Leaf>>,
    pub thing: Option<Box<dyn Thing>>,
    pub state: State,
    pub states: Vec<State>,
    pub tagged: Tagged,
    pub tuple: Option<Tuple>,
    pub newtype: Vec<Newtype>,
    pub generic: Option<Generic<Leaf>>,
    pub sorted: BTreeMap<String, Leaf>,
    #[archive(as_object)]
    pub objects: BTreeMap<String, Leaf>,
    pub hashed: Hashed,
    pub by_pair: BTreeMap<(u8, u8), Leaf>,
    pub set: BTreeSet<Leaf>,
    pub linked: LinkedList<Leaf>,
    pub nested: Vec<Option<Vec<Leaf>>>,
    pub cell: RefCell<Option<Leaf>>,
    #[archive(flatten)]
    pub flat: Leaf,
    #[archive(skip)]
    pub cache: Cache,
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
pub struct World {
    pub nodes: Vec<Node>,
    pub shared: Vec<Rc<RefCell<Node>>>,
    #[archive(skip)]
    pub cache: Cache,
}

fn few(world: &World) -> Result {
    if world.nodes.is_empty() { Err(Error::custom("nobody")) } else { Ok(()) }
}

/// Gives each field that is not saved a number of its own.
#[derive(Default)]
pub struct Next(pub u32);

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
    pub fn world(&mut self, world: &mut World) {
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

pub fn world() -> World {
    let mut world = World {
        nodes: (0..3).map(node).collect(),
        shared: (3..5).map(|i| Rc::new(RefCell::new(node(i)))).collect(),
        ..World::default()
    };
    Next::default().world(&mut world);
    world
}

pub fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Thing { Leaf }).unwrap();
    registry
}
