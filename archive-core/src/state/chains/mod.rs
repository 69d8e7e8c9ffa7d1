//! Computes from a shape whether values may contain long chains of shared objects, or sets and maps
//! with pointers in their keys.
// Why: docs/decisions/pointers.md#values-without-chains-are-not-searched

#[cfg(test)]
mod tests;

use std::sync::{PoisonError, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::model::shape::{Class, HEAP, Payload, SET, Shape, ShapeOf};
use crate::state::registry::Registry;

/// The possible contents of values of a shape.
#[derive(Clone, Copy)]
struct Holds {
    /// [`may_chain`].
    chains: bool,
    /// [`has_keys`].
    keys: bool,
    /// Whether parts may contain anything.
    open: bool,
}

/// The possible contents of values, by the address of the shape. Shapes are never freed.
pub(crate) struct Chains(RwLock<FxHashMap<usize, Holds>>);

impl Chains {
    pub(crate) const fn new() -> Self {
        Chains(RwLock::new(FxHashMap::with_hasher(FxBuildHasher)))
    }

    /// Returns the possible contents of a value of that shape. The trait objects in it have the
    /// given shapes, which are always the same; without them, they may have any shape.
    fn held_by(&self, shape: &'static Shape, objects: Option<&[&'static Shape]>) -> Holds {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key(shape)).copied();
        known.unwrap_or_else(|| {
            let graph = Graph::of(shape, objects);
            let (chains, (keys, open)) = (graph.lead_to_chains(), graph.lead_to_keys());
            let holds =
                |node: usize| Holds { chains: chains[node], keys: keys[node], open: open[node] };
            let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
            known.extend(graph.index.iter().map(|(key, node)| (*key, holds(*node))));
            holds(graph.index[&key(shape)])
        })
    }
}

impl Default for Chains {
    fn default() -> Self {
        Chains::new()
    }
}

/// A registry is copied before it changes. Other results apply to the changed copy.
impl Clone for Chains {
    fn clone(&self) -> Self {
        Chains::new()
    }
}

/// Returns whether a value of that shape may contain a chain of shared objects of unlimited length
/// or a cycle: whether another pointer of the same shape can be reached from a strong pointer.
/// Parts that the shape does not describe may contain anything.
///
/// Trait objects are of the types in the registry. Without a registry, they may be of any type.
pub(crate) fn may_chain(shape: &'static Shape, registry: Option<&Registry>) -> bool {
    held_by(shape, registry).chains
}

/// Returns whether a value of that shape, or an object that it refers to, may contain a set, a map or
/// a heap with pointers in its keys. Parts that the shape does not describe contain none.
pub(crate) fn has_keys(shape: &'static Shape, registry: Option<&Registry>) -> bool {
    held_by(shape, registry).keys
}

/// Like [`has_keys`]; parts that the shape does not describe may contain anything.
pub(crate) fn may_key(shape: &'static Shape, registry: Option<&Registry>) -> bool {
    let holds = held_by(shape, registry);
    holds.keys || holds.open
}

fn held_by(shape: &'static Shape, registry: Option<&Registry>) -> Holds {
    static UNREGISTERED: Chains = Chains::new();
    match registry {
        Some(registry) => {
            let (chains, objects) = registry.chains();
            chains.held_by(shape, Some(objects))
        }
        None => UNREGISTERED.held_by(shape, None),
    }
}

fn key(shape: &'static Shape) -> usize {
    std::ptr::from_ref(shape).addr()
}

/// The shapes inside a shape.
struct Graph {
    /// The nodes: first the one for all trait objects, then one for each shape.
    nodes: Vec<Node>,
    /// The indices of the nodes, by the addresses of the shapes.
    index: FxHashMap<usize, usize>,
}

/// The index of the node for all trait objects.
const OBJECTS: usize = 0;

#[derive(Default)]
struct Node {
    is_pointer: bool,
    /// Whether values may contain anything.
    is_open: bool,
    /// The nodes of the values that a value contains or holds alive.
    to: Vec<usize>,
    is_weak: bool,
    /// The nodes of the objects that a weak pointer refers to.
    weak_to: Vec<usize>,
    /// The nodes of the keys, for a set, a map or a heap.
    keys: Vec<usize>,
}

impl Graph {
    fn of(shape: &'static Shape, objects: Option<&[&'static Shape]>) -> Self {
        let all = Node { is_open: objects.is_none(), ..Node::default() };
        let mut graph = Graph { nodes: vec![all], index: FxHashMap::default() };
        let mut new = Vec::new();
        graph.find(shape, &mut new);
        for object in objects.unwrap_or_default() {
            let to = graph.find(object, &mut new);
            graph.nodes[OBJECTS].to.push(to);
        }
        while let Some(shape) = new.pop() {
            let mut node = Node::default();
            graph.fill(&mut node, shape, &mut new);
            let index = graph.index[&key(shape)];
            graph.nodes[index] = node;
        }
        graph
    }

    /// Returns the node for the shape. If it is new, the shape is added to the list.
    fn find(&mut self, shape: &'static Shape, new: &mut Vec<&'static Shape>) -> usize {
        *self.index.entry(key(shape)).or_insert_with(|| {
            new.push(shape);
            self.nodes.push(Node::default());
            self.nodes.len() - 1
        })
    }

    fn fill(&mut self, node: &mut Node, shape: &'static Shape, new: &mut Vec<&'static Shape>) {
        node.is_pointer = matches!(shape, Shape::Pointer(_));
        let mut add = |node: &mut Node, of: &ShapeOf| match of {
            // It may be set later.
            ShapeOf::Data(shape) if shape.get().is_none() => node.is_open = true,
            of => match of.get() {
                Shape::Primitive(..) => {}
                // A trait object, or a tree, which has no pointers.
                Shape::Any if node.is_pointer => node.to.push(OBJECTS),
                shape => node.to.push(self.find(shape, new)),
            },
        };
        match shape {
            Shape::Primitive(..) => {}
            Shape::Weak(object) => {
                let mut strong = Node { is_pointer: true, ..Node::default() };
                add(&mut strong, object);
                (node.is_weak, node.weak_to) = (true, strong.to);
            }
            Shape::Dyn => node.to.push(OBJECTS),
            Shape::Any => node.is_open = true,
            Shape::Seq(item, name) => {
                add(node, item);
                if matches!(*name, SET | HEAP) {
                    node.keys.clone_from(&node.to);
                }
            }
            Shape::Array(item, ..) | Shape::Option(item) | Shape::Pointer(item) => add(node, item),
            Shape::Tuple(items, ..) => items.iter().for_each(|item| add(node, item)),
            Shape::Map(key, value) => {
                add(node, key);
                node.keys.clone_from(&node.to);
                add(node, value);
            }
            Shape::Class(class) => add_members(node, class, &mut add),
            Shape::Enum(info) => {
                for variant in info.variants {
                    match &variant.payload {
                        Payload::Unit => {}
                        Payload::Newtype(item) => add(node, item),
                        Payload::Tuple(items) => items.iter().for_each(|item| add(node, item)),
                        Payload::Struct(class) => add_members(node, class, &mut add),
                    }
                }
            }
        }
    }

    /// Returns for each node whether its values may contain a chain: whether an open node, or a
    /// pointer in a cycle, can be reached from it.
    fn lead_to_chains(&self) -> Vec<bool> {
        let mut from = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            node.to.iter().for_each(|to| from[*to].push(index));
        }
        let mut leads: Vec<bool> = self.nodes.iter().map(|node| node.is_open).collect();
        // Kosaraju's algorithm finds the groups of nodes that can all be reached from each other.
        let mut placed = vec![false; self.nodes.len()];
        for root in self.outermost_first() {
            if placed[root] {
                continue;
            }
            let together = spread(vec![root], &from, &mut placed);
            let is_cycle = together.len() > 1 || self.nodes[root].to.contains(&root);
            if is_cycle && together.iter().any(|index| self.nodes[*index].is_pointer) {
                together.iter().for_each(|index| leads[*index] = true);
            }
        }
        let ends = (0..leads.len()).filter(|index| leads[*index]).collect();
        spread(ends, &from, &mut leads);
        leads
    }

    /// Returns for each node whether its values may reach keys with pointers, and whether they may reach
    /// anything.
    fn lead_to_keys(&self) -> (Vec<bool>, Vec<bool>) {
        let mut from = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            node.to.iter().chain(&node.weak_to).for_each(|to| from[*to].push(index));
        }
        let lead_to = |ends: &dyn Fn(&Node) -> bool| {
            let mut leads = vec![false; self.nodes.len()];
            let ends = (0..leads.len()).filter(|index| ends(&self.nodes[*index])).collect();
            spread(ends, &from, &mut leads);
            leads
        };
        let points = lead_to(&|node| node.is_open || node.is_pointer || node.is_weak);
        let keys = lead_to(&|node| node.keys.iter().any(|key| points[*key]));
        (keys, lead_to(&|node| node.is_open))
    }

    /// Returns the nodes in an order in which a node comes before those that are reached from it,
    /// except in cycles.
    fn outermost_first(&self) -> impl Iterator<Item = usize> + use<> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        for root in 0..self.nodes.len() {
            // The nodes on the path from the root, and the number of edges followed from each.
            let mut path =
                if std::mem::replace(&mut seen[root], true) { vec![] } else { vec![(root, 0)] };
            while let Some((node, followed)) = path.last_mut() {
                match self.nodes[*node].to.get(*followed) {
                    Some(next) => {
                        *followed += 1;
                        if !std::mem::replace(&mut seen[*next], true) {
                            path.push((*next, 0));
                        }
                    }
                    None => {
                        order.push(*node);
                        path.pop();
                    }
                }
            }
        }
        order.into_iter().rev()
    }
}

/// Marks the given nodes and all unmarked nodes that are reached from them. Returns these nodes.
fn spread(mut nodes: Vec<usize>, edges: &[Vec<usize>], marks: &mut [bool]) -> Vec<usize> {
    nodes.iter().for_each(|node| marks[*node] = true);
    let mut done = 0;
    while let Some(node) = nodes.get(done).copied() {
        done += 1;
        for next in &edges[node] {
            if !std::mem::replace(&mut marks[*next], true) {
                nodes.push(*next);
            }
        }
    }
    nodes
}

fn add_members(node: &mut Node, class: &Class, add: &mut impl FnMut(&mut Node, &ShapeOf)) {
    match class.members {
        Some(members) => members.iter().for_each(|member| add(node, &member.shape)),
        None => node.is_open = true,
    }
}
