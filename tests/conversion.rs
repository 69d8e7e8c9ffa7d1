//! From one format to another without the program: typed → A → `Value` → B → typed, for every pair.

mod common;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock};

use archive::{Element, Options, Registry, Save, Serialize, Value, json, polymorphic, register};
use common::{forgiving, text};

trait Thing: archive::Polymorphic {
    fn label(&self) -> u32;
    fn peer(&self) -> Option<Rc<RefCell<dyn Thing>>> {
        None
    }
}
polymorphic!(dyn Thing);

#[derive(Clone, Default, Serialize)]
struct Stone(u32);

impl Thing for Stone {
    fn label(&self) -> u32 {
        self.0
    }
}

#[derive(Default, Serialize)]
struct Pair {
    label: u32,
    peer: Option<Rc<RefCell<dyn Thing>>>,
    back: Option<Weak<RefCell<dyn Thing>>>,
}

impl Thing for Pair {
    fn label(&self) -> u32 {
        self.label
    }
    fn peer(&self) -> Option<Rc<RefCell<dyn Thing>>> {
        self.peer.clone()
    }
}

#[derive(Default, Serialize)]
struct Node {
    label: u32,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
}

type Shared = Rc<RefCell<Node>>;

fn node(label: u32) -> Shared {
    Rc::new(RefCell::new(Node { label, ..Node::default() }))
}

fn with_things<R>(run: impl FnOnce(&Options<'_>) -> R) -> R {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Stone, Pair as "pair of things" }).unwrap();
    run(&Options::new().registry(&registry))
}

/// Converts a value between all pairs of formats and hands what comes back to `check`.
fn convert<T: Element + Save>(value: &T, check: impl Fn(T)) {
    with_things(|options| {
        let original = json::to_string_with(value, options).unwrap();
        let tree = Value::of_with(value, options).unwrap();
        assert_eq!(json::to_string(&tree).unwrap(), original);
        for from in forgiving() {
            let bytes = from.to_vec_with(value, options).unwrap();
            // Without registry: a tree needs no types.
            let tree: Value = from.from_slice(&bytes).unwrap_or_else(|e| panic!("{from}: {e}"));
            // The text of a tree is the text of the value, unless the format has maps of its own:
            // then one with names for keys is an object, and the value is the same.
            let written = if from.name() == "msgpack" {
                json::to_string_with(&tree.to_with::<T>(options).unwrap(), options).unwrap()
            } else {
                json::to_string(&tree).unwrap()
            };
            assert_eq!(written, original, "{from}");
            for to in forgiving() {
                let context = format!("{from} to {to}");
                let bytes = to.to_vec(&tree).unwrap_or_else(|e| panic!("{context}: {e}"));
                let same: Value = to.from_slice(&bytes).unwrap();
                assert_eq!(text(&to.to_vec(&same).unwrap()), text(&bytes), "{context}");
                let mut loaded: T = to
                    .from_slice_with(&bytes, options)
                    .unwrap_or_else(|e| panic!("{context}: {e}\n{}", text(&bytes)));
                let again = json::to_string_with(&mut loaded, options).unwrap();
                assert_eq!(again, original, "{context}");
                check(loaded);
            }
        }
    });
}

#[test]
fn shared_objects() {
    let (a, b) = (node(1), node(2));
    a.borrow_mut().next = Some(b.clone());
    b.borrow_mut().back = Rc::downgrade(&a);
    convert(&vec![b.clone(), a.clone(), b], |nodes: Vec<Shared>| {
        assert!(Rc::ptr_eq(&nodes[0], &nodes[2]));
        assert!(Rc::ptr_eq(&nodes[0], nodes[1].borrow().next.as_ref().unwrap()));
        assert!(Rc::ptr_eq(&nodes[1], &nodes[0].borrow().back.upgrade().unwrap()));
    });
    type Kinds =
        (Rc<Cell<u8>>, Rc<Cell<u8>>, Arc<Mutex<String>>, Arc<Mutex<String>>, Arc<RwLock<Stone>>);
    let (cell, mutex) = (Rc::new(Cell::new(3)), Arc::new(Mutex::new("x".to_owned())));
    let lock = Arc::new(RwLock::new(Stone(1)));
    convert(&(cell.clone(), cell, mutex.clone(), mutex, lock), |kinds: Kinds| {
        assert!(Rc::ptr_eq(&kinds.0, &kinds.1) && kinds.0.get() == 3);
        assert!(Arc::ptr_eq(&kinds.2, &kinds.3) && *kinds.2.lock().unwrap() == "x");
        assert_eq!(kinds.4.read().unwrap().0, 1);
    });
}

#[test]
fn cycles() {
    let nodes: Vec<_> = (0..4).map(node).collect();
    for at in 0..4 {
        nodes[at].borrow_mut().next = Some(nodes[(at + 1) % 4].clone());
        nodes[at].borrow_mut().back = Rc::downgrade(&nodes[(at + 3) % 4]);
    }
    let own = node(9);
    own.borrow_mut().next = Some(own.clone());
    let roots = vec![nodes[2].clone(), own.clone()];
    convert(&roots, |roots: Vec<Shared>| {
        let mut at = roots[0].clone();
        for label in [2, 3, 0, 1] {
            assert_eq!(at.borrow().label, label);
            let next = at.borrow().next.clone().unwrap();
            assert!(Rc::ptr_eq(&next.borrow().back.upgrade().unwrap(), &at));
            at = next;
        }
        assert!(Rc::ptr_eq(&at, &roots[0]));
        assert!(Rc::ptr_eq(roots[1].borrow().next.as_ref().unwrap(), &roots[1]));
        roots.iter().for_each(|node| node.borrow_mut().next = None);
    });
    roots.iter().for_each(|node| node.borrow_mut().next = None);
}

#[test]
fn weak_pointers_to_what_comes_later_and_to_nothing() {
    let a = node(1);
    type Weaks = (Vec<Weak<RefCell<Node>>>, Shared, Weak<Stone>);
    let weak = vec![Rc::downgrade(&a), Weak::new()];
    convert(&(weak, a, Weak::new()), |(weak, a, nothing): Weaks| {
        assert!(Rc::ptr_eq(&weak[0].upgrade().unwrap(), &a));
        assert!(weak[1].upgrade().is_none() && nothing.upgrade().is_none());
    });
}

#[test]
fn trait_objects() {
    type Things = (Vec<Box<dyn Thing>>, Vec<Rc<RefCell<dyn Thing>>>, Vec<Rc<dyn Thing>>);
    let first: Rc<RefCell<dyn Thing>> = Rc::new(RefCell::new(Stone(1)));
    let second: Rc<RefCell<dyn Thing>> = Rc::new(RefCell::new(Pair {
        label: 2,
        peer: Some(first.clone()),
        back: Some(Rc::downgrade(&first)),
    }));
    let bare: Rc<dyn Thing> = Rc::new(Stone(3));
    let pair = Pair { label: 4, peer: Some(second.clone()), back: None };
    let things: Things = (
        vec![Box::new(Stone(5)), Box::new(pair)],
        vec![second.clone(), first, second],
        vec![bare.clone(), bare],
    );
    convert(&things, |(boxed, cells, bare): Things| {
        let labels: Vec<u32> = boxed.iter().map(|thing| thing.label()).collect();
        assert_eq!(labels, [5, 4]);
        assert!(Rc::ptr_eq(&boxed[1].peer().unwrap(), &cells[0]));
        assert!(Rc::ptr_eq(&cells[0], &cells[2]));
        assert!(Rc::ptr_eq(&cells[0].borrow().peer().unwrap(), &cells[1]));
        assert!(Rc::ptr_eq(&bare[0], &bare[1]) && bare[0].label() == 3);
    });
}

#[test]
fn bare_pointers() {
    #[derive(Default, Serialize)]
    struct Leaf {
        name: String,
        inner: Option<Rc<Leaf>>,
        back: Weak<Leaf>,
    }
    let inner = Rc::new(Leaf { name: "inner".into(), ..Leaf::default() });
    let leaf = Rc::new_cyclic(|back| Leaf {
        name: "outer".into(),
        inner: Some(inner.clone()),
        back: back.clone(),
    });
    convert(&(vec![leaf.clone(), leaf], inner), |(leaves, inner): (Vec<Rc<Leaf>>, Rc<Leaf>)| {
        assert!(Rc::ptr_eq(&leaves[0], &leaves[1]));
        assert!(Rc::ptr_eq(leaves[0].inner.as_ref().unwrap(), &inner));
        assert!(Rc::ptr_eq(&leaves[0].back.upgrade().unwrap(), &leaves[0]));
    });
    let bytes = Rc::new(vec![1_u8, 2]);
    convert(&(bytes.clone(), bytes), |pair: (Rc<Vec<u8>>, Rc<Vec<u8>>)| {
        assert!(Rc::ptr_eq(&pair.0, &pair.1) && *pair.0 == [1, 2]);
    });
}

#[test]
fn maps_and_enums_that_hold_pointers() {
    #[derive(Default, Serialize)]
    enum Order {
        #[default]
        Idle,
        Follow(Shared),
        Between(Shared, Weak<RefCell<Node>>),
        Guard {
            node: Option<Shared>,
            thing: Box<dyn Thing>,
        },
    }
    #[derive(Default, Serialize)]
    struct World {
        by_name: BTreeMap<String, Shared>,
        by_number: HashMap<u8, Weak<RefCell<Node>>>,
        by_key: BTreeMap<(i8, String), Vec<Option<Shared>>>,
        orders: Vec<Order>,
    }
    let (a, b) = (node(1), node(2));
    a.borrow_mut().next = Some(b.clone());
    let world = World {
        by_name: [("b".into(), b.clone()), ("a".into(), a.clone()), ("$".into(), b.clone())].into(),
        by_number: [(1, Rc::downgrade(&a)), (2, Rc::downgrade(&b)), (3, Weak::new())].into(),
        by_key: [((-1, "k".into()), vec![None, Some(b.clone())])].into(),
        orders: vec![
            Order::Between(b.clone(), Rc::downgrade(&a)),
            Order::Guard { node: Some(a.clone()), thing: Box::new(Stone(6)) },
            Order::Idle,
            Order::Follow(a),
        ],
    };
    convert(&world, |world: World| {
        let (a, b) = (&world.by_name["a"], &world.by_name["b"]);
        let same = Rc::ptr_eq;
        assert!(same(b, &world.by_name["$"]) && same(b, a.borrow().next.as_ref().unwrap()));
        assert!(same(a, &world.by_number[&1].upgrade().unwrap()));
        assert!(same(b, &world.by_number[&2].upgrade().unwrap()));
        assert!(same(b, world.by_key[&(-1, "k".to_owned())][1].as_ref().unwrap()));
        assert!(matches!(&world.orders[0], Order::Between(one, two)
            if same(one, b) && same(&two.upgrade().unwrap(), a)));
        assert!(matches!(&world.orders[1], Order::Guard { node: Some(node), thing }
            if same(node, a) && thing.label() == 6));
        assert!(matches!(&world.orders[3], Order::Follow(node) if same(node, a)));
    });
}

/// Bodies that had to wait, some of them behind trait objects.
#[test]
fn long_chains() {
    let nodes: Vec<_> = (0..1000).map(node).collect();
    for pair in nodes.windows(2) {
        pair[0].borrow_mut().next = Some(pair[1].clone());
        pair[1].borrow_mut().back = Rc::downgrade(&pair[0]);
    }
    let unlink = |first: &Shared| {
        let mut next = Some(first.clone());
        let mut labels = 0..;
        while let Some(node) = next {
            assert_eq!(Some(node.borrow().label), labels.next());
            next = node.borrow_mut().next.take();
            if let Some(next) = &next {
                assert!(Rc::ptr_eq(&next.borrow().back.upgrade().unwrap(), &node));
            }
        }
        labels.start
    };
    let ends = (nodes[0].clone(), nodes[500].clone(), nodes[999].clone());
    convert(&ends, |ends: (Shared, Shared, Shared)| {
        assert_eq!(ends.1.borrow().label, 500);
        assert_eq!(unlink(&ends.0), 1000);
    });
    unlink(&nodes[0]);

    let mut things: Rc<RefCell<dyn Thing>> = Rc::new(RefCell::new(Stone(0)));
    for label in 1..300 {
        things = Rc::new(RefCell::new(Pair { label, peer: Some(things), back: None }));
    }
    convert(&vec![things.clone(), things], |things: Vec<Rc<RefCell<dyn Thing>>>| {
        assert!(Rc::ptr_eq(&things[0], &things[1]));
        let mut at = things[0].clone();
        for label in (0..300).rev() {
            assert_eq!(at.borrow().label(), label);
            let next = at.borrow().peer();
            at = next.unwrap_or(at);
        }
    });
}
