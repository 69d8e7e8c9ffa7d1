//! The objects of graphs, in each kind of pointer.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use archive::{Polymorphic, Serialize, polymorphic};
use proptest::collection::vec;
use proptest::prelude::*;

/// A graph: typed, dynamic and bare nodes that refer to each other.
#[derive(Default, Serialize)]
pub struct Graph {
    pub weak_first: Vec<Weak<RefCell<Node>>>,
    pub nodes: Vec<Rc<RefCell<Node>>>,
    pub things: Vec<Rc<RefCell<dyn Thing>>>,
    pub leaves: Vec<Rc<Leaf>>,
}

#[derive(Default, Serialize)]
pub struct Node {
    pub label: u32,
    pub strong: Vec<Rc<RefCell<Node>>>,
    pub weak: Vec<Weak<RefCell<Node>>>,
    pub thing: Option<Rc<RefCell<dyn Thing>>>,
    pub leaf: Option<Rc<Leaf>>,
    pub pair: Option<Box<Pair>>,
}

/// A tuple in a box, with a pointer of each strength.
pub type Pair = (Rc<RefCell<Node>>, Weak<Leaf>);

#[derive(Default, Serialize)]
pub struct Leaf {
    pub label: u32,
    pub owner: Weak<RefCell<Node>>,
}

pub trait Thing: Polymorphic {
    fn node(&self) -> Option<Rc<RefCell<Node>>>;
    fn clear(&mut self);
}
polymorphic!(dyn Thing);

#[derive(Default, Serialize)]
pub struct Plain(pub u32);

#[derive(Default, Serialize)]
pub struct Holder {
    pub node: Option<Rc<RefCell<Node>>>,
    pub other: Option<Weak<RefCell<dyn Thing>>>,
}

impl Thing for Plain {
    fn node(&self) -> Option<Rc<RefCell<Node>>> {
        None
    }
    fn clear(&mut self) {}
}

impl Thing for Holder {
    fn node(&self) -> Option<Rc<RefCell<Node>>> {
        self.node.clone()
    }
    fn clear(&mut self) {
        self.node = None;
    }
}

/// A graph as numbers: for each node its strong, weak, thing, leaf and pair edges.
pub type Plan = (
    Vec<(Vec<usize>, Vec<usize>, Option<usize>, Option<usize>, Option<usize>)>,
    Vec<Option<usize>>,
);

pub fn build(plan: &Plan) -> Graph {
    let (plan, things) = plan;
    let count = plan.len();
    let nodes: Vec<Rc<RefCell<Node>>> = (0..count)
        .map(|i| Rc::new(RefCell::new(Node { label: i as u32, ..Node::default() })))
        .collect();
    let things: Vec<Rc<RefCell<dyn Thing>>> = things
        .iter()
        .enumerate()
        .map(|(i, node)| -> Rc<RefCell<dyn Thing>> {
            match node {
                None => Rc::new(RefCell::new(Plain(i as u32))),
                Some(node) => {
                    let node = Some(nodes[node % count].clone());
                    Rc::new(RefCell::new(Holder { node, other: None }))
                }
            }
        })
        .collect();
    let leaf =
        |i: usize| Rc::new(Leaf { label: i as u32, owner: Rc::downgrade(&nodes[(i * 7) % count]) });
    let leaves: Vec<Rc<Leaf>> = (0..3).map(leaf).collect();
    for (i, (strong, weak, thing, leaf, pair)) in plan.iter().enumerate() {
        let mut node = nodes[i].borrow_mut();
        node.strong = strong.iter().map(|e| nodes[e % count].clone()).collect();
        node.weak = weak.iter().map(|e| Rc::downgrade(&nodes[e % count])).collect();
        if !things.is_empty() {
            node.thing = thing.map(|e| things[e % things.len()].clone());
        }
        node.leaf = leaf.map(|e| leaves[e % leaves.len()].clone());
        node.pair = pair.map(|e| {
            Box::new((nodes[e % count].clone(), Rc::downgrade(&leaves[e % leaves.len()])))
        });
    }
    Graph {
        weak_first: nodes.iter().rev().map(Rc::downgrade).collect(),
        nodes,
        things: things.into_iter().take(1).collect(),
        leaves,
    }
}

/// Numbers objects in the order of a walk, and records the walk.
#[derive(Default)]
pub struct Walk {
    pub ids: HashMap<*const (), usize>,
    trail: Vec<i64>,
    /// The targets of weak pointers, to be numbered at the end.
    pub weak: Vec<Option<*const ()>>,
}

impl Walk {
    fn meet<P: ?Sized>(&mut self, pointer: *const P) -> bool {
        let next = self.ids.len();
        let id = *self.ids.entry(pointer.cast()).or_insert(next);
        self.trail.push(id as i64);
        id == next
    }

    fn node(&mut self, node: &Rc<RefCell<Node>>) {
        if !self.meet(Rc::as_ptr(node)) {
            return;
        }
        let node = node.borrow();
        self.trail.extend([-1, node.label.into(), node.strong.len() as i64]);
        node.strong.iter().for_each(|node| self.node(node));
        node.weak.iter().for_each(|weak| self.weak(weak));
        if let Some(thing) = &node.thing {
            self.thing(thing);
        }
        if let Some(leaf) = &node.leaf {
            self.leaf(leaf);
        }
        if let Some(pair) = &node.pair {
            self.node(&pair.0);
            self.weak.push(pair.1.upgrade().map(|leaf| Rc::as_ptr(&leaf).cast()));
        }
    }

    fn weak(&mut self, weak: &Weak<RefCell<Node>>) {
        self.weak.push(weak.upgrade().map(|node| Rc::as_ptr(&node).cast()));
    }

    fn thing(&mut self, thing: &Rc<RefCell<dyn Thing>>) {
        if self.meet(Rc::as_ptr(thing))
            && let Some(node) = thing.borrow().node()
        {
            self.node(&node);
        }
    }

    fn leaf(&mut self, leaf: &Rc<Leaf>) {
        if self.meet(Rc::as_ptr(leaf)) {
            self.trail.push(leaf.label.into());
            self.weak(&leaf.owner);
        }
    }

    /// Visits all objects of a graph.
    pub fn through(graph: &Graph) -> Walk {
        let mut walk = Walk::default();
        graph.weak_first.iter().for_each(|weak| walk.weak(weak));
        graph.nodes.iter().for_each(|node| walk.node(node));
        graph.things.iter().for_each(|thing| walk.thing(thing));
        graph.leaves.iter().for_each(|leaf| walk.leaf(leaf));
        walk
    }

    /// Returns the shape of a graph: two graphs of the same shape have equal numbers.
    pub fn of(graph: &Graph) -> Vec<i64> {
        let walk = Walk::through(graph);
        let ids = &walk.ids;
        let weak =
            walk.weak.iter().map(|p| p.and_then(|p| ids.get(&p)).map_or(-2, |id| *id as i64));
        walk.trail.iter().copied().chain(weak).collect()
    }
}

/// Breaks all cycles.
pub fn unlink(graph: Graph) {
    let mut open = graph.nodes;
    open.extend(graph.things.iter().filter_map(|thing| thing.borrow().node()));
    while let Some(node) = open.pop() {
        let mut node = std::mem::take(&mut *node.borrow_mut());
        open.append(&mut node.strong);
        open.extend(node.pair.map(|pair| pair.0));
        if let Some(thing) = node.thing {
            open.extend(thing.borrow().node());
            thing.borrow_mut().clear();
        }
    }
}

pub fn plan() -> impl Strategy<Value = Plan> {
    let edge = 0..100_usize;
    let edges = || vec(edge.clone(), 0..4);
    let maybe = || proptest::option::weighted(0.3, edge.clone());
    (vec((edges(), edges(), maybe(), maybe(), maybe()), 1..40), vec(maybe(), 0..4))
}
