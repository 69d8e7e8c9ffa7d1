//! Random pointer graphs come back with the same shape, and save to the same bytes again; also after
//! a way through trees and through a program that does not know them.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

use crate::common::{each_once, formats, text};
use archive::{Options, Polymorphic, Registry, Serialize, Value, polymorphic, register};
use proptest::collection::vec;
use proptest::prelude::*;

/// What a graph is made of: typed, dynamic and bare nodes that refer to each other.
#[derive(Default, Serialize)]
struct Graph {
    weak_first: Vec<Weak<RefCell<Node>>>,
    nodes: Vec<Rc<RefCell<Node>>>,
    things: Vec<Rc<RefCell<dyn Thing>>>,
    leaves: Vec<Rc<Leaf>>,
}

#[derive(Default, Serialize)]
struct Node {
    label: u32,
    strong: Vec<Rc<RefCell<Node>>>,
    weak: Vec<Weak<RefCell<Node>>>,
    thing: Option<Rc<RefCell<dyn Thing>>>,
    leaf: Option<Rc<Leaf>>,
    pair: Option<Box<Pair>>,
}

/// A tuple in a box, with a pointer of each strength.
type Pair = (Rc<RefCell<Node>>, Weak<Leaf>);

#[derive(Default, Serialize)]
struct Leaf {
    label: u32,
    owner: Weak<RefCell<Node>>,
}

trait Thing: Polymorphic {
    fn node(&self) -> Option<Rc<RefCell<Node>>>;
    fn clear(&mut self);
}
polymorphic!(dyn Thing);

#[derive(Default, Serialize)]
struct Plain(u32);

#[derive(Default, Serialize)]
struct Holder {
    node: Option<Rc<RefCell<Node>>>,
    other: Option<Weak<RefCell<dyn Thing>>>,
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

/// What an older program knows of a graph.
#[derive(Default, Serialize)]
struct Older {
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

#[derive(Default, Serialize)]
struct OldNode {
    label: u32,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

#[derive(Default, Serialize)]
struct HalfKnown {
    nodes: Vec<Rc<RefCell<OldNode>>>,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

/// A graph as numbers: for each node its strong, weak, thing, leaf and pair edges.
type Plan = (
    Vec<(Vec<usize>, Vec<usize>, Option<usize>, Option<usize>, Option<usize>)>,
    Vec<Option<usize>>,
);

fn build(plan: &Plan) -> Graph {
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

/// Numbers objects in the order in which a walk meets them, and writes the walk down.
#[derive(Default)]
struct Walk {
    ids: HashMap<*const (), usize>,
    trail: Vec<i64>,
    /// What weak pointers refer to, to be numbered at the end.
    weak: Vec<Option<*const ()>>,
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

    fn of(graph: &Graph) -> Vec<i64> {
        let mut walk = Walk::default();
        graph.weak_first.iter().for_each(|weak| walk.weak(weak));
        graph.nodes.iter().for_each(|node| walk.node(node));
        graph.things.iter().for_each(|thing| walk.thing(thing));
        graph.leaves.iter().for_each(|leaf| walk.leaf(leaf));
        let ids = &walk.ids;
        let weak =
            walk.weak.iter().map(|p| p.and_then(|p| ids.get(&p)).map_or(-2, |id| *id as i64));
        walk.trail.iter().copied().chain(weak).collect()
    }
}

/// Breaks all cycles.
fn unlink(graph: Graph) {
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

fn plan() -> impl Strategy<Value = Plan> {
    let edge = 0..100_usize;
    let edges = || vec(edge.clone(), 0..4);
    let maybe = || proptest::option::weighted(0.3, edge.clone());
    (vec((edges(), edges(), maybe(), maybe(), maybe()), 1..40), vec(maybe(), 0..4))
}

proptest! {
    #![proptest_config(crate::common::search::config(64))]

    #[test]
    fn random_graphs(plan in plan()) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let graph = build(&plan);
        let shape = Walk::of(&graph);
        for format in formats() {
            let bytes = format.to_vec_with(&graph, &options).unwrap();
            let loaded: Graph = format.from_slice_with(&bytes, &options)
                .unwrap_or_else(|e| panic!("{format}: {e}\n{}", text(&bytes)));
            prop_assert_eq!(Walk::of(&loaded), shape.clone(), "{}", format);
            let again = format.to_vec_with(&loaded, &options).unwrap();
            prop_assert_eq!(text(&again), text(&bytes), "{}", format);
            unlink(loaded);
        }
        unlink(graph);
    }

    /// Typed → A → `Value` → B → typed.
    #[test]
    fn random_graphs_as_trees(plan in plan()) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let graph = build(&plan);
        let shape = Walk::of(&graph);
        let json = archive::json::to_string_with(&graph, &options).unwrap();
        prop_assert_eq!(Value::of_with(&graph, &options).unwrap(),
            archive::json::from_str(&json).unwrap());
        for from in each_once() {
            let bytes = from.to_vec_with(&graph, &options).unwrap();
            let value: Value = from.from_slice(&bytes)
                .unwrap_or_else(|e| panic!("{from}: {e}\n{}", text(&bytes)));
            // A tree says the same as the text of what it was loaded from.
            prop_assert_eq!(&archive::json::to_string(&value).unwrap(), &json, "{}", from);
            for to in each_once() {
                let bytes = to.to_vec(&value).unwrap();
                let same: Value = to.from_slice(&bytes).unwrap();
                prop_assert_eq!(text(&to.to_vec(&same).unwrap()), text(&bytes));
                let loaded: Graph = to.from_slice_with(&bytes, &options)
                    .unwrap_or_else(|e| panic!("{from} to {to}: {e}\n{}", text(&bytes)));
                prop_assert_eq!(Walk::of(&loaded), shape.clone(), "{} to {}", from, to);
                unlink(loaded);
            }
        }
        unlink(graph);
    }

    /// Newer → A → older → B → newer, where the older program knows next to nothing.
    #[test]
    fn random_graphs_through_an_older_program(plan in plan()) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let graph = build(&plan);
        let shape = Walk::of(&graph);
        let newer = (Rc::new(RefCell::new(Node::default())), graph);
        for from in each_once() {
            let bytes = from.to_vec_with(&newer, &options).unwrap();
            let older: (Rc<RefCell<OldNode>>, Older) = from.from_slice(&bytes)
                .unwrap_or_else(|e| panic!("{from}: {e}\n{}", text(&bytes)));
            for to in each_once() {
                let bytes = to.to_vec(&older).unwrap();
                let loaded: (Rc<RefCell<Node>>, Graph) = to.from_slice_with(&bytes, &options)
                    .unwrap_or_else(|e| panic!("{from} to {to}: {e}\n{}", text(&bytes)));
                prop_assert_eq!(Walk::of(&loaded.1), shape.clone(), "{} to {}", from, to);
                unlink(loaded.1);
            }
        }
        unlink(newer.1);
    }

    /// As above, but the objects are known and what they refer to is not: known and unknown parts
    /// have copies of their own, and nothing is missing.
    #[test]
    fn known_objects_with_unknown_references(plan in plan()) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let graph = build(&plan);
        for from in each_once() {
            let bytes = from.to_vec_with(&graph, &options).unwrap();
            let older: HalfKnown = from.from_slice(&bytes)
                .unwrap_or_else(|e| panic!("{from}: {e}\n{}", text(&bytes)));
            for to in each_once() {
                let bytes = to.to_vec(&older).unwrap();
                let loaded: Graph = to.from_slice_with(&bytes, &options)
                    .unwrap_or_else(|e| panic!("{from} to {to}: {e}\n{}", text(&bytes)));
                prop_assert_eq!(loaded.nodes.len(), graph.nodes.len());
                for (new, old) in loaded.nodes.iter().zip(&graph.nodes) {
                    let (new, old) = (new.borrow(), old.borrow());
                    prop_assert_eq!(new.label, old.label);
                    let labels = |nodes: &[Rc<RefCell<Node>>]| -> Vec<u32> {
                        nodes.iter().map(|node| node.try_borrow().map_or(0, |n| n.label)).collect()
                    };
                    prop_assert_eq!(labels(&new.strong), labels(&old.strong));
                    prop_assert_eq!(new.leaf.as_ref().map(|l| l.label), old.leaf.as_ref().map(|l| l.label));
                    prop_assert_eq!(new.weak.len(), old.weak.len());
                }
                let again = to.to_vec_with(&loaded, &options).unwrap();
                prop_assert!(to.from_slice_with::<Graph>(&again, &options).map(unlink).is_ok());
                unlink(loaded);
            }
        }
        unlink(graph);
    }
}
