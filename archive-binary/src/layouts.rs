//! [`Layouts`]: the classes of hand-written functions, found while their objects are written.
//!
//! A hand-written function can branch, so the members of an object are known only when the object
//! ends. Every sequence of members is a path in a tree. An object follows the tree, member by
//! member, and first tries the branch that was taken last time. The node at the end of the object
//! is its class.

use archive_core::Result;
use archive_core::shape::{Class, Shape};
use rustc_hash::FxHashMap;

use crate::intern::TypeTable;
use crate::names::{Known, NameId};
use crate::types::TypeId;

/// A node of the tree: a sequence of members of objects with one class name and version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node(u32);

impl Node {
    /// Returns the node that was created after this one, which usually is one member further.
    #[inline]
    fn next(self) -> Node {
        Node(self.0.wrapping_add(1))
    }
}

/// The classes of hand-written functions.
#[derive(Default)]
pub(crate) struct Layouts {
    nodes: Vec<NodeData>,
    /// For each node: the member that came next last time.
    after: Vec<After>,
    /// By the address of the class.
    known: FxHashMap<usize, Node>,
    /// The classes that were used last, by [`slot`].
    recent: [Option<(usize, Node)>; RECENT],
    roots: FxHashMap<(NameId, u32), Node>,
    branches: FxHashMap<(Node, NameId, TypeId), Node>,
    /// The type of each layout.
    classes: Vec<TypeId>,
}

/// A node: the last member of a sequence, or the class before its first member.
struct NodeData {
    /// The sequence without this member.
    before: Option<Node>,
    name: NameId,
    kind: TypeId,
    version: u32,
    /// The number of the layout that ends here.
    layout: Option<u32>,
    /// For a class: the layout number of its last object.
    predicted: u32,
}

/// The number of entries of the direct-mapped cache.
const RECENT: usize = 16;

/// Returns the slot of a class in `recent`. Classes that are used together often have adjacent
/// addresses, so all bits of the address are used.
#[inline(always)]
fn slot(address: usize) -> usize {
    const RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
    ((address as u64).wrapping_mul(RATIO) >> 60) as usize % RECENT
}

/// The member that came next last time, with the data for recognising it. A separate vector keeps
/// these close together in memory.
struct After {
    name: Known,
    /// The shape from which the member's type was created, if there was a member.
    shape: Option<&'static Shape>,
    /// The node after the member, if it does not come directly after this one.
    elsewhere: Option<Node>,
}

impl Layouts {
    /// Returns the type of each layout.
    pub(crate) fn classes(&self) -> &[TypeId] {
        &self.classes
    }

    /// Returns the node at which the objects of a class begin.
    #[inline]
    pub(crate) fn root(&mut self, class: &'static Class, types: &mut TypeTable) -> Node {
        let address = std::ptr::from_ref(class).addr();
        match self.recent[slot(address)] {
            Some((recent, node)) if recent == address => node,
            _ => self.find_root(class, types),
        }
    }

    fn find_root(&mut self, class: &'static Class, types: &mut TypeTable) -> Node {
        let address = std::ptr::from_ref(class).addr();
        let root = match self.known.get(&address) {
            Some(node) => *node,
            None => self.versioned(types.names.intern(class.name()), types.version_of(class)),
        };
        self.known.insert(address, root);
        self.recent[slot(address)] = Some((address, root));
        root
    }

    fn versioned(&mut self, name: NameId, version: u32) -> Node {
        if let Some(root) = self.roots.get(&(name, version)) {
            return *root;
        }
        let root = self.push(NodeData {
            before: None,
            name,
            kind: TypeId::OBJECT,
            version,
            layout: None,
            predicted: 0,
        });
        self.roots.insert((name, version), root);
        root
    }

    /// Returns the layout number that an object of the class will probably have.
    #[inline]
    pub(crate) fn predicted(&self, root: Node) -> u32 {
        self.step(root).predicted
    }

    /// Returns the node after a member, if that member came next last time.
    #[inline(always)]
    pub(crate) fn follows(&self, at: Node, name: &str, shape: &'static Shape) -> Option<Node> {
        // Compares the text of the name, not its address: a temporary name may have the address of
        // an earlier one.
        let after = self.after.get(at.0 as usize)?;
        let known = after.shape?;
        if !std::ptr::eq(known, shape) || !after.name.is(name) {
            return None;
        }
        // Computes the next node instead of loading it, so that the processor need not wait for
        // memory.
        if after.elsewhere.is_some() { self.elsewhere(at) } else { Some(at.next()) }
    }

    #[cold]
    fn elsewhere(&self, at: Node) -> Option<Node> {
        self.after.get(at.0 as usize)?.elsewhere
    }

    /// Returns the node after a member.
    pub(crate) fn member(
        &mut self,
        at: Node,
        name: &str,
        shape: &'static Shape,
        types: &mut TypeTable,
    ) -> Node {
        let (name, kind) = (types.names.intern(name), types.intern(shape));
        let after = match self.branches.get(&(at, name, kind)) {
            Some(after) => *after,
            None => {
                let after = self.push(NodeData {
                    before: Some(at),
                    name,
                    kind,
                    version: 0,
                    layout: None,
                    predicted: 0,
                });
                self.branches.insert((at, name, kind), after);
                after
            }
        };
        let name = Known::new(types.names.get(name));
        let elsewhere = (after != at.next()).then_some(after);
        self.after[at.0 as usize] = After { name, shape: Some(shape), elsewhere };
        after
    }

    /// Returns the layout number of an object that ends here.
    ///
    /// # Errors
    /// An error if a name occurs twice in the object.
    #[inline]
    pub(crate) fn finish(&mut self, root: Node, end: Node, types: &mut TypeTable) -> Result<u32> {
        let layout = match self.step(end).layout {
            Some(layout) => layout,
            None => self.add(root, end, types)?,
        };
        self.nodes[root.0 as usize].predicted = layout;
        Ok(layout)
    }

    #[cold]
    fn add(&mut self, root: Node, end: Node, types: &mut TypeTable) -> Result<u32> {
        let mut members = Vec::new();
        let mut node = end;
        while let Some(before) = self.step(node).before {
            members.push((self.step(node).name, self.step(node).kind));
            node = before;
        }
        members.reverse();
        let class = self.step(root);
        let kind = types.add_class(class.name, class.version, members)?;
        let layout = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        self.classes.push(kind);
        self.nodes[end.0 as usize].layout = Some(layout);
        Ok(layout)
    }

    fn push(&mut self, step: NodeData) -> Node {
        let node = Node(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(step);
        self.after.push(After { name: Known::new(""), shape: None, elsewhere: None });
        node
    }

    #[inline]
    fn step(&self, node: Node) -> &NodeData {
        &self.nodes[node.0 as usize]
    }
}
