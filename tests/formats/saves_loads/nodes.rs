//! Random values of a recursive type with everything that limits count.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::{Rc, Weak};

use archive::{Archive, Options, Polymorphic, Registry, Result, Serialize, Value};
use archive::{blank, polymorphic, register, save_by_clone};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub enum Node {
    #[default]
    Nothing,
    Number(u16),
    Text(String),
    Boxed(Box<Node>),
    Record(Record),
    Shared(Rc<RefCell<Node>>),
    Twice(Twice),
    Watched(Watched),
    Bare(Rc<Node>),
    Maybe(Option<Option<Box<Node>>>),
    List(Vec<Node>),
    Pairs(BTreeMap<u8, Node>),
    Texts(BTreeMap<String, Node>),
    Named {
        #[archive(as_object)]
        by_name: BTreeMap<String, Node>,
        #[archive(as_object)]
        by_number: BTreeMap<u16, Node>,
        #[archive(as_object)]
        lists: Vec<BTreeMap<u8, BTreeMap<String, Node>>>,
    },
    Grids(BTreeMap<(u8, u8), Node>),
    Tuple((u8, Box<Node>, ())),
    Items(Box<[Node; 2]>),
    Several(u8, Box<Node>),
    Marks(Vec<Mark>),
    Nones(Vec<()>),
    Few([(); 3]),
    Place(Place),
    Places(Vec<Place>),
    Rows(Vec<[u8; 3]>),
    Grid([[i16; 2]; 2]),
    Bytes(#[archive(bytes)] Vec<u8>),
    Tree(Value),
    Wild(Wild),
    Open(Open),
    ByHand(ByHand),
    Units(Vec<Only>),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Record {
    number: u8,
    next: Option<Box<Node>>,
    marks: Vec<Mark>,
    mark: Mark,
}

/// Takes no bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Mark;

/// Takes none either, if marks take none.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Only {
    mark: Mark,
    nothing: ((), [(); 2]),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    at: (f32, f32),
    tags: [u8; 2],
}

/// One object at two places.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Twice {
    first: Rc<RefCell<Node>>,
    second: Rc<RefCell<Node>>,
}

/// An object, and references that own nothing: to it, and to some that are not saved.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Watched {
    held: Rc<RefCell<Node>>,
    watch: Weak<RefCell<Node>>,
    bare: Weak<Node>,
    cell: Weak<RefCell<Node>>,
    #[archive(skip)]
    #[allow(dead_code)] // it holds what the weak pointers point to
    elsewhere: (Rc<Node>, Rc<RefCell<Node>>),
}

impl Watched {
    fn new(held: Rc<RefCell<Node>>) -> Self {
        let elsewhere = (Rc::new(Node::Nothing), Rc::new(RefCell::new(Node::Nothing)));
        let watch = Rc::downgrade(&held);
        let (bare, cell) = (Rc::downgrade(&elsewhere.0), Rc::downgrade(&elsewhere.1));
        Watched { held, watch, bare, cell, elsewhere }
    }
}

impl PartialEq for Watched {
    fn eq(&self, other: &Self) -> bool {
        self.held == other.held && self.watch.upgrade() == other.watch.upgrade()
    }
}

/// Members that the type lacks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Open {
    number: u8,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByHand {
    few: [(); 2],
    next: Option<Box<Node>>,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("few", &mut self.few)?;
        ar.serialize("next", &mut self.next)
    }
}
blank!(ByHand);
save_by_clone!(ByHand);

pub trait Thing: Polymorphic + Debug {
    fn node(&self) -> &Node;
}
polymorphic!(dyn Thing);

#[derive(Clone, Debug, Default, Serialize)]
pub struct Holder {
    node: Node,
}

impl Thing for Holder {
    fn node(&self) -> &Node {
        &self.node
    }
}

#[derive(Debug, Serialize)]
pub struct Wild(Box<dyn Thing>);

impl Default for Wild {
    fn default() -> Self {
        Wild(Box::new(Holder::default()))
    }
}
impl Clone for Wild {
    fn clone(&self) -> Self {
        Wild(Box::new(Holder { node: self.0.node().clone() }))
    }
}
impl PartialEq for Wild {
    fn eq(&self, other: &Self) -> bool {
        self.0.node() == other.0.node()
    }
}

/// Knows the type of the trait object.
pub fn options() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Holder }).unwrap();
    Options::new().registry(&registry)
}

fn leaf() -> impl Strategy<Value = Node> {
    prop_oneof![
        Just(Node::Nothing),
        any::<u16>().prop_map(Node::Number),
        "[a-c]{0,3}".prop_map(Node::Text),
        (0..24_usize).prop_map(|n| Node::Marks(vec![Mark; n])),
        (0..24_usize).prop_map(|n| Node::Nones(vec![(); n])),
        (0..6_usize).prop_map(|n| Node::Units(vec![Only::default(); n])),
        Just(Node::Few([(); 3])),
        Just(Node::Place(Place::default())),
        (0..6_usize).prop_map(|n| Node::Places(vec![Place::default(); n])),
        (0..6_usize).prop_map(|n| Node::Rows(vec![[7; 3]; n])),
        Just(Node::Grid([[1, 2], [3, 4]])),
        vec(any::<u8>(), 0..9).prop_map(Node::Bytes),
        tree().prop_map(Node::Tree),
        (any::<u8>(), 0..3_u64).prop_map(|(n, id)| Node::Tree(pointers(n, id))),
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Null), any::<i8>().prop_map(Value::from)];
    leaf.prop_recursive(4, 8, 3, |tree| {
        prop_oneof![
            vec(tree.clone(), 0..4).prop_map(Value::Array),
            members(tree).prop_map(Value::Object),
        ]
    })
}

/// A tree with objects in it. Those of different trees are different ones.
fn pointers(number: u8, id: u64) -> Value {
    let value = |name: &str, value: Value| (name.to_owned(), value);
    let content = Value::Array(vec![Value::from(number)]);
    let object = vec![value("$id", Value::from(id + 1)), value("$value", content)];
    let again = vec![value("$id", Value::from(id + 1))];
    let gone = vec![value("$weak", Value::from(id + 9))];
    Value::Array(vec![Value::Object(object), Value::Object(again), Value::Object(gone)])
}

fn members(tree: impl Strategy<Value = Value>) -> impl Strategy<Value = Vec<(String, Value)>> {
    btree_map("[a-c]", tree, 0..3).prop_map(|members| members.into_iter().collect())
}

/// A random value.
pub fn node() -> impl Strategy<Value = Node> {
    leaf().prop_recursive(10, 24, 3, |node| {
        let boxed = node.clone().prop_map(Box::new);
        let cell = node.clone().prop_map(|node| Rc::new(RefCell::new(node)));
        prop_oneof![
            boxed.clone().prop_map(Node::Boxed),
            (any::<u8>(), proptest::option::of(boxed.clone()), 0..5_usize).prop_map(
                |(number, next, marks)| Node::Record(Record {
                    number,
                    next,
                    marks: vec![Mark; marks],
                    mark: Mark
                })
            ),
            cell.clone().prop_map(Node::Shared),
            cell.clone().prop_map(|first| Node::Twice(Twice { second: first.clone(), first })),
            cell.prop_map(|held| Node::Watched(Watched::new(held))),
            node.clone().prop_map(|node| Node::Bare(Rc::new(node))),
            proptest::option::of(proptest::option::of(boxed.clone())).prop_map(Node::Maybe),
            vec(node.clone(), 0..4).prop_map(Node::List),
            btree_map(any::<u8>(), node.clone(), 0..3).prop_map(Node::Pairs),
            btree_map("[a-c]{1,2}", node.clone(), 0..3).prop_map(Node::Texts),
            (
                btree_map("[a-c]{1,2}", node.clone(), 0..3),
                btree_map(any::<u16>(), node.clone(), 0..2),
                vec(btree_map(any::<u8>(), btree_map("[a-c]", node.clone(), 0..2), 0..2), 0..2)
            )
                .prop_map(|(by_name, by_number, lists)| Node::Named {
                    by_name,
                    by_number,
                    lists
                }),
            btree_map(any::<(u8, u8)>(), node.clone(), 0..2).prop_map(Node::Grids),
            (any::<u8>(), boxed.clone()).prop_map(|(n, node)| Node::Tuple((n, node, ()))),
            (any::<u8>(), boxed.clone()).prop_map(|(n, node)| Node::Several(n, node)),
            (node.clone(), node.clone()).prop_map(|(a, b)| Node::Items(Box::new([a, b]))),
            node.prop_map(|node| Node::Wild(Wild(Box::new(Holder { node })))),
            (any::<u8>(), btree_map("[x-z]", tree(), 0..3))
                .prop_map(|(number, rest)| Node::Open(Open { number, rest })),
            boxed.prop_map(|next| Node::ByHand(ByHand { few: [(); 2], next: Some(next) })),
        ]
    })
}

/// Whether a value was loaded equal. The ids of objects are those of the file, and a weak pointer
/// to an object that is not in the file is null afterwards.
pub fn same(loaded: &Node, value: &Node) -> bool {
    let tree = |node: &Node| {
        let text = archive::json::to_string_with(node, &options()).unwrap();
        let mut tree = serde_json::from_str(&text).unwrap();
        let mut ids = Vec::new();
        stored(&tree, &mut ids);
        renumber(&mut tree, &ids);
        tree
    };
    loaded == value || tree(loaded) == tree(value)
}

/// The ids of the objects that are stored, in their order.
fn stored(tree: &serde_json::Value, ids: &mut Vec<u64>) {
    if let (Some(id), Some(_)) = (tree.get("$id"), tree.get("$value")) {
        ids.extend(id.as_u64());
    }
    match tree {
        serde_json::Value::Array(items) => items.iter().for_each(|item| stored(item, ids)),
        serde_json::Value::Object(members) => members.values().for_each(|it| stored(it, ids)),
        _ => {}
    }
}

/// Numbers the objects in this order.
fn renumber(tree: &mut serde_json::Value, ids: &[u64]) {
    let place = |id: &serde_json::Value| ids.iter().position(|known| Some(*known) == id.as_u64());
    if tree.get("$weak").is_some_and(|id| place(id).is_none()) {
        *tree = serde_json::Value::Null;
    }
    for name in ["$id", "$weak"] {
        if let Some(id) = tree.get_mut(name) {
            *id = place(id).into();
        }
    }
    match tree {
        serde_json::Value::Array(items) => items.iter_mut().for_each(|it| renumber(it, ids)),
        serde_json::Value::Object(members) => {
            members.values_mut().for_each(|it| renumber(it, ids));
        }
        _ => {}
    }
}
