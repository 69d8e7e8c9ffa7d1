//! Pointers of every kind, and graphs of them.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock, Weak as ArcWeak};

use arbitrary::Arbitrary;
use archive::{Options, Polymorphic, Registry, Serialize, polymorphic, register};

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
}

/// How many [`Node`]s there are.
pub fn live() -> isize {
    LIVE.get()
}

/// Counts the objects that hold it.
#[derive(Debug)]
pub struct Counted;

impl Default for Counted {
    fn default() -> Self {
        LIVE.set(LIVE.get() + 1);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
    }
}

/// One pointer of each kind, and the objects that they point to.
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Graph {
    pub weak_first: Vec<Weak<RefCell<Node>>>,
    pub nodes: Vec<Rc<RefCell<Node>>>,
    pub things: Vec<Rc<RefCell<dyn Thing>>>,
    pub weak_things: Vec<Weak<RefCell<dyn Thing>>>,
    pub leaves: Vec<Rc<Leaf>>,
    pub weak_leaf: Weak<Leaf>,
    pub boxes: Vec<Box<dyn Thing>>,
    pub slots: Vec<Slot>,
    pub bare: Option<Rc<dyn Thing>>,
    pub bare_typed: Option<Rc<Plate>>,
    pub mutex: Arc<Mutex<u32>>,
    pub mutex_again: Arc<Mutex<u32>>,
    pub lock: Option<Arc<RwLock<Vec<u16>>>>,
    pub work: Vec<Arc<Mutex<dyn Work + Send + Sync>>>,
    pub weak_work: Option<ArcWeak<Mutex<dyn Work + Send + Sync>>>,
    pub text: Rc<String>,
    pub cell: RefCell<i8>,
}

/// The target of edges.
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Node {
    pub label: u32,
    pub strong: Vec<Rc<RefCell<Node>>>,
    pub weak: Vec<Weak<RefCell<Node>>>,
    pub thing: Option<Rc<RefCell<dyn Thing>>>,
    pub leaf: Option<Rc<Leaf>>,
    pub pair: Option<Box<(Rc<RefCell<Plate>>, Weak<Leaf>)>>,
    #[archive(skip)]
    pub counted: Counted,
}

/// An object without a cell, which points back to its owner.
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Leaf {
    pub label: u32,
    pub owner: Weak<RefCell<Node>>,
    pub next: Option<Rc<Leaf>>,
}

/// Without a default: a blank one starts with a placeholder.
#[derive(Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Slot {
    pub key: u16,
    pub thing: Box<dyn Thing>,
    pub shared: Rc<RefCell<dyn Thing>>,
}

/// An object in a pointer to a trait object.
pub trait Thing: Polymorphic {
    /// Takes what the object owns out of it.
    fn take(&mut self, open: &mut Open);
}
polymorphic!(dyn Thing);

/// An object that may cross threads.
pub trait Work: Polymorphic {}
polymorphic!(dyn Work + Send + Sync);

/// A thing without pointers.
#[derive(Default, Debug, Clone, PartialEq, Serialize, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub struct Plate {
    pub x: i32,
    pub y: Option<u8>,
}

/// A thing that holds others.
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Holder {
    pub node: Option<Rc<RefCell<Node>>>,
    pub inner: Option<Box<dyn Thing>>,
    pub other: Option<Rc<RefCell<dyn Thing>>>,
    pub back: Option<Weak<RefCell<dyn Thing>>>,
    #[archive(skip)]
    pub counted: Counted,
}

/// A thing that is an enum.
#[derive(Default, Debug, Clone, PartialEq, Serialize, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub enum Stance {
    #[default]
    Calm,
    Guard {
        radius: u16,
    },
    Follow(i8),
}

impl Thing for Plate {
    fn take(&mut self, _: &mut Open) {}
}
impl Thing for Stance {
    fn take(&mut self, _: &mut Open) {}
}
impl Thing for Holder {
    fn take(&mut self, open: &mut Open) {
        open.nodes.extend(self.node.take());
        open.boxes.extend(self.inner.take());
        open.things.extend(self.other.take());
    }
}
impl Work for Plate {}
impl Work for Stance {}

/// The values that are still to be taken apart.
#[derive(Default)]
pub struct Open {
    nodes: Vec<Rc<RefCell<Node>>>,
    things: Vec<Rc<RefCell<dyn Thing>>>,
    boxes: Vec<Box<dyn Thing>>,
}

impl Drop for Open {
    /// Breaks all cycles, and takes chains apart without recursion.
    fn drop(&mut self) {
        loop {
            if let Some(node) = self.nodes.pop() {
                let mut node = std::mem::take(&mut *node.borrow_mut());
                self.nodes.append(&mut node.strong);
                self.things.extend(node.thing.take());
            } else if let Some(thing) = self.things.pop() {
                thing.borrow_mut().take(self);
            } else if let Some(mut thing) = self.boxes.pop() {
                thing.take(self);
            } else {
                break;
            }
        }
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        let mut open = Open {
            nodes: std::mem::take(&mut self.nodes),
            things: std::mem::take(&mut self.things),
            boxes: std::mem::take(&mut self.boxes),
        };
        for slot in self.slots.drain(..) {
            open.boxes.push(slot.thing);
            open.things.push(slot.shared);
        }
    }
}

/// Nodes alone; dropping them takes them apart.
#[derive(Default, Serialize)]
pub struct Nodes(pub Vec<Rc<RefCell<Node>>>);

impl Drop for Nodes {
    fn drop(&mut self) {
        let mut open = Open::default();
        open.nodes = std::mem::take(&mut self.0);
    }
}

/// Only things; dropping them takes them apart.
#[derive(Default, Serialize)]
pub struct Things(pub Vec<Rc<RefCell<dyn Thing>>>);

impl Drop for Things {
    fn drop(&mut self) {
        let mut open = Open::default();
        open.things = std::mem::take(&mut self.0);
    }
}

/// The registry with everything that implements [`Thing`] and [`Work`].
pub fn options() -> Options<'static> {
    thread_local! {
        static OPTIONS: Options<'static> = {
            let mut registry = Registry::new();
            register!(registry, dyn Thing { Plate, Holder as "holder", Stance }).unwrap();
            register!(registry, dyn Work + Send + Sync { Plate, Stance }).unwrap();
            Options::new().registry(&registry)
        };
    }
    OPTIONS.with(Options::clone)
}

/// A graph as numbers, modulo the number of objects.
#[derive(Debug, Clone, Default, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub struct Plan {
    pub nodes: Vec<NodePlan>,
    pub things: Vec<ThingPlan>,
    pub leaves: Vec<(u8, bool)>,
    pub shown: Vec<u8>,
    pub plates: Vec<Plate>,
    pub stance: Stance,
    pub text: String,
    pub lock: Option<Vec<u16>>,
    pub counter: u32,
    pub shared_counter: bool,
}

/// The edges of one node.
#[derive(Debug, Clone, Default, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub struct NodePlan {
    pub strong: Vec<u8>,
    pub weak: Vec<u8>,
    pub thing: Option<u8>,
    pub leaf: Option<u8>,
    pub pair: Option<(u8, u8)>,
}

/// The kind of a thing.
#[derive(Debug, Clone, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub enum ThingPlan {
    Plate(Plate),
    Stance(Stance),
    Holder { node: u8, inner: Option<Stance>, before: Option<u8> },
}

fn pick<T: Clone>(from: &[T], index: u8) -> Option<T> {
    if from.is_empty() { None } else { Some(from[usize::from(index) % from.len()].clone()) }
}

impl Plan {
    /// The graph that the numbers describe.
    pub fn build(&self) -> Graph {
        let nodes: Vec<Rc<RefCell<Node>>> = (0..self.nodes.len())
            .map(|i| Rc::new(RefCell::new(Node { label: i as u32, ..Node::default() })))
            .collect();
        let plates: Vec<Rc<RefCell<Plate>>> =
            self.plates.iter().map(|plate| Rc::new(RefCell::new(plate.clone()))).collect();
        let mut things: Vec<Rc<RefCell<dyn Thing>>> = Vec::new();
        for plan in &self.things {
            let thing: Rc<RefCell<dyn Thing>> = match plan {
                ThingPlan::Plate(plate) => Rc::new(RefCell::new(plate.clone())),
                ThingPlan::Stance(stance) => Rc::new(RefCell::new(stance.clone())),
                ThingPlan::Holder { node, inner, before } => {
                    let other = before.and_then(|before| pick(&things, before));
                    let back = things.last().map(Rc::downgrade);
                    Rc::new(RefCell::new(Holder {
                        node: pick(&nodes, *node),
                        inner: inner.clone().map(|inner| Box::new(inner) as _),
                        other,
                        back,
                        counted: Counted::default(),
                    }))
                }
            };
            things.push(thing);
        }
        // The same object, seen as its type and as a trait.
        things.extend(plates.first().map(|plate| plate.clone() as _));
        let mut leaves: Vec<Rc<Leaf>> = Vec::new();
        for (owner, chained) in &self.leaves {
            let owner = pick(&nodes, *owner).map(|node| Rc::downgrade(&node)).unwrap_or_default();
            let next = if *chained { leaves.last().cloned() } else { None };
            leaves.push(Rc::new(Leaf { label: leaves.len() as u32, owner, next }));
        }
        for (node, plan) in nodes.iter().zip(&self.nodes) {
            let mut node = node.borrow_mut();
            node.strong = plan.strong.iter().filter_map(|i| pick(&nodes, *i)).collect();
            let weak = plan.weak.iter().filter_map(|i| pick(&nodes, *i));
            node.weak = weak.map(|node| Rc::downgrade(&node)).collect();
            node.thing = plan.thing.and_then(|i| pick(&things, i));
            node.leaf = plan.leaf.and_then(|i| pick(&leaves, i));
            node.pair = plan.pair.and_then(|(plate, leaf)| {
                let leaf = pick(&leaves, leaf).map(|leaf| Rc::downgrade(&leaf));
                Some(Box::new((pick(&plates, plate)?, leaf.unwrap_or_default())))
            });
        }
        let mutex = Arc::new(Mutex::new(self.counter));
        let work: Vec<Arc<Mutex<dyn Work + Send + Sync>>> =
            vec![Arc::new(Mutex::new(self.stance.clone()))];
        let bare = self.plates.last().map(|plate| Rc::new(plate.clone()));
        let shared = pick(&things, 0);
        Graph {
            weak_first: nodes.iter().rev().map(Rc::downgrade).collect(),
            nodes: self.shown.iter().filter_map(|i| pick(&nodes, *i)).collect(),
            weak_things: things.iter().rev().map(Rc::downgrade).collect(),
            weak_leaf: leaves.last().map(Rc::downgrade).unwrap_or_default(),
            boxes: vec![Box::new(self.stance.clone()), Box::new(Plate::default())],
            slots: shared
                .map(|shared| Slot { key: 1, thing: Box::new(self.stance.clone()), shared })
                .into_iter()
                .collect(),
            bare: bare.clone().map(|bare| bare as _),
            bare_typed: bare,
            mutex_again: if self.shared_counter { mutex.clone() } else { Arc::default() },
            mutex,
            lock: self.lock.clone().map(|list| Arc::new(RwLock::new(list))),
            weak_work: Some(Arc::downgrade(&work[0])),
            work,
            text: Rc::new(self.text.clone()),
            cell: RefCell::new(-3),
            things,
            leaves,
        }
    }
}
