//! Random objects that refer to each other.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive_core::Value;
use archive_derive::Serialize;

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Leaf {
    name: String,
}

/// Strong cycles through these cannot be loaded, because they have no cell.
#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Bare {
    value: u8,
    node: Option<Rc<RefCell<Node>>>,
    leaf: Option<Rc<Leaf>>,
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Group {
    pair: (Weak<RefCell<Node>>, Option<Rc<RefCell<Node>>>),
    list: Vec<Weak<RefCell<Node>>>,
    map: BTreeMap<String, Weak<RefCell<Other>>>,
    count: u32,
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
enum Choice {
    #[default]
    None,
    Node(Weak<RefCell<Node>>),
    Leaf {
        leaf: Option<Rc<Leaf>>,
    },
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Other {
    node: Option<Rc<RefCell<Node>>>,
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Node {
    value: u16,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
    leaf: Rc<Leaf>,
    bare: Option<Rc<Bare>>,
    other: Option<Rc<RefCell<Other>>>,
    group: Group,
    choice: Choice,
    maybe: Option<Weak<RefCell<Node>>>,
    shape: Option<Rc<RefCell<dyn Figure>>>,
    tree: Value,
}

pub(super) trait Figure: archive_core::Polymorphic {}
archive_core::polymorphic!(dyn Figure);

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
pub(super) struct Circle {
    radius: u8,
    node: Weak<RefCell<Node>>,
}
#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
pub(super) struct Square {
    side: Option<Rc<Leaf>>,
}
impl Figure for Circle {}
impl Figure for Square {}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
pub(super) struct World {
    leaves: Vec<Rc<Leaf>>,
    nodes: Vec<Rc<RefCell<Node>>>,
    others: Vec<Rc<RefCell<Other>>>,
    chosen: Option<Rc<RefCell<Node>>>,
    seen: Weak<RefCell<Node>>,
    figures: Vec<Rc<RefCell<dyn Figure>>>,
    group: Group,
    end: u32,
}

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) % below as u64) as usize
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        // Half of them are empty.
        if all.is_empty() || self.below(2) == 0 {
            None
        } else {
            Some(all[self.below(all.len())].clone())
        }
    }
}

pub(super) fn world(random: &mut Random) -> World {
    let leaf = |at| Rc::new(Leaf { name: format!("leaf {at}") });
    let leaves: Vec<_> = (0..1 + random.below(3)).map(leaf).collect();
    // Some chains are so long that objects are stored after the root.
    let count = if random.below(6) == 0 { 70 } else { 1 + random.below(5) };
    let nodes: Vec<_> = (0..count).map(|_| Rc::new(RefCell::new(Node::default()))).collect();
    let others: Vec<_> =
        (0..random.below(3)).map(|_| Rc::new(RefCell::new(Other::default()))).collect();
    let bares: Vec<Rc<Bare>> = (0..random.below(3))
        .map(|at| {
            Rc::new(Bare { value: at as u8, node: random.of(&nodes), leaf: random.of(&leaves) })
        })
        .collect();
    let mut figures: Vec<Rc<RefCell<dyn Figure>>> = Vec::new();
    for at in 0..random.below(4) {
        let node = random.of(&nodes).as_ref().map(Rc::downgrade).unwrap_or_default();
        figures.push(match at % 2 {
            0 => Rc::new(RefCell::new(Circle { radius: at as u8, node })),
            _ => Rc::new(RefCell::new(Square { side: random.of(&leaves) })),
        });
    }
    let weak =
        |node: Option<Rc<RefCell<Node>>>| node.as_ref().map(Rc::downgrade).unwrap_or_default();
    let group = |random: &mut Random| Group {
        pair: (weak(random.of(&nodes)), random.of(&nodes)),
        list: (0..random.below(3)).map(|_| weak(random.of(&nodes))).collect(),
        map: others.iter().map(|other| ("key".to_owned(), Rc::downgrade(other))).collect(),
        count: 300,
    };
    let cycles = random.below(2) == 0;
    for (at, node) in nodes.iter().enumerate() {
        let choice = match random.below(3) {
            0 => Choice::None,
            1 => Choice::Node(weak(random.of(&nodes))),
            _ => Choice::Leaf { leaf: random.of(&leaves) },
        };
        // Without cycles, objects refer to those after them.
        let targets = if cycles { &nodes[..] } else { &nodes[at + 1..] };
        let next = match count {
            70 => nodes.get(at + 1).cloned(),
            _ => random.of(targets),
        };
        let group = if cycles { group(random) } else { Group::default() };
        let bare = if cycles { None } else { random.of(&bares).filter(|bare| bare.node.is_none()) };
        *node.borrow_mut() = Node {
            value: at as u16,
            next,
            back: weak(random.of(&nodes)),
            leaf: leaves[random.below(leaves.len())].clone(),
            bare,
            other: if cycles { random.of(&others) } else { None },
            group,
            choice,
            maybe: (random.below(2) == 0).then(|| weak(random.of(&nodes))),
            shape: random.of(&figures),
            tree: if random.below(4) == 0 {
                Value::from(vec![Value::from(7)])
            } else {
                Value::Null
            },
        };
    }
    for other in &others {
        other.borrow_mut().node = random.of(&nodes);
    }
    let bare = bares.iter().find(|bare| bare.node.is_some()).cloned();
    if let (Some(bare), false) = (bare, cycles) {
        // It refers to a node, so a node that nothing else refers to must own it.
        let first = Rc::new(RefCell::new(Node { bare: Some(bare), ..Node::default() }));
        let mut nodes = vec![first];
        nodes.extend(world_nodes(&leaves));
        return World { leaves, nodes, figures, ..World::default() };
    }
    World {
        leaves: if random.below(2) == 0 { leaves } else { Vec::new() },
        chosen: random.of(&nodes),
        seen: weak(random.of(&nodes)),
        group: group(random),
        nodes,
        others,
        figures,
        end: 7,
    }
}

fn world_nodes(leaves: &[Rc<Leaf>]) -> Vec<Rc<RefCell<Node>>> {
    let node =
        |leaf: &Rc<Leaf>| Rc::new(RefCell::new(Node { leaf: leaf.clone(), ..Node::default() }));
    leaves.iter().map(node).collect()
}
