use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, OnceLock};

use super::*;
use crate::model::error::Result;
use crate::tree::opaque::Unknown;
use crate::tree::value::Value;
use crate::visit::archive::Archive;
use crate::visit::serialize::Serialize;

macro_rules! types {
    ($($name:ident { $($field:ident: $type:ty),* })*) => { $(
        #[derive(Default)]
        struct $name { $($field: $type),* }
        crate::members!($name { $($field),* });
        crate::blank!($name);
    )* };
}

type Shared<T> = Option<Rc<RefCell<T>>>;

types! {
    Texture { name: String, levels: Vec<Vec<u8>> }
    Squad { rally: Shared<Texture>, leader: Weak<RefCell<Unit>>, members: Vec<Weak<RefCell<Unit>>> }
    Unit { squad: Shared<Squad>, other: Shared<Squad>, image: Option<Rc<Texture>> }
    World { squads: Vec<Rc<RefCell<Squad>>>, units: Vec<Rc<RefCell<Unit>>> }

    Node { value: u32, next: Shared<Node> }
    Bare { next: Option<Rc<Bare>> }
    Locked { next: Option<Arc<Mutex<Locked>>> }
    First { second: Shared<Second> }
    Second { thirds: BTreeMap<u8, (bool, Third)> }
    Third { firsts: [Vec<First>; 2] }
    Outer { texture: Texture, inner: Option<Box<Outer2>> }
    Outer2 { chains: Vec<Node> }

    Tree { children: Vec<Tree>, parent: Weak<RefCell<Tree>>, image: Option<Rc<Texture>> }

    Move { x: i32 }
    Follow { leader: Weak<RefCell<Unit>>, path: Vec<u8> }
    Both { first: Option<Box<dyn Order>>, then: Shared<dyn Order> }
    Boxes { orders: Vec<Box<dyn Order>> }
    Queue { orders: Vec<Rc<RefCell<dyn Order>>> }
    Carrier { cargo: Shared<Cargo> }
    Cargo { owner: Shared<dyn Order> }
    Rest { rest: Value }
    Kinds { first: Option<std::result::Result<u8, Bare>> }
}
impl PartialEq for Bare {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Bare {}
impl PartialOrd for Bare {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Bare {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

#[derive(Clone, Default)]
struct ByHand {
    name: String,
}
impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("name", &mut self.name)
    }
}
crate::save_by_clone!(ByHand);
crate::blank!(ByHand);

#[derive(Clone, Default)]
struct Plain {
    x: i32,
}
impl Serialize for Plain {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("x", &mut self.x)
    }
}
crate::save_by_clone!(Plain);
crate::blank!(Plain);

trait Order: crate::visit::polymorphic::Polymorphic {}
crate::polymorphic!(dyn Order);
impl Order for Move {}
impl Order for Follow {}
impl Order for Both {}
impl Order for Boxes {}
impl Order for Queue {}
impl Order for Carrier {}
impl Order for ByHand {}
impl Order for Plain {}
impl Order for Unknown {}

fn chains<T: Serialize>(registry: Option<&Registry>) -> bool {
    let first = may_chain(T::SHAPE, registry);
    assert_eq!(may_chain(T::SHAPE, registry), first, "the second time");
    first
}

#[test]
fn pointers_that_lead_to_themselves() {
    let empty = Registry::new();
    for registry in [None, Some(&empty)] {
        assert!(!chains::<Texture>(registry));
        assert!(!chains::<World>(registry));
        assert!(!chains::<Tree>(registry));
        assert!(!chains::<(Unit, Rc<RefCell<Unit>>, u8)>(registry));

        assert!(chains::<Node>(registry));
        assert!(chains::<Rc<RefCell<Node>>>(registry));
        assert!(chains::<Bare>(registry));
        assert!(chains::<Locked>(registry));
        assert!(chains::<First>(registry));
        assert!(chains::<Second>(registry));
        assert!(chains::<Third>(registry));
        assert!(chains::<Vec<(u8, Option<Rc<RefCell<Third>>>)>>(registry));
        assert!(chains::<Outer>(registry));
        assert!(chains::<Kinds>(registry));
        assert!(!chains::<Weak<RefCell<Node>>>(registry));
        // An unknown part may contain anything.
        assert!(chains::<ByHand>(registry));
        assert!(chains::<Rc<RefCell<ByHand>>>(registry));
        assert!(chains::<Rest>(registry));
    }
}

#[test]
fn keys_of_maps() {
    assert!(may_chain(<BTreeMap<Rc<Bare>, ()>>::SHAPE, None));
    assert!(may_chain(<BTreeMap<(), Rc<Bare>>>::SHAPE, None));
    assert!(!may_chain(<BTreeMap<Rc<u8>, Rc<Texture>>>::SHAPE, None));
}

/// Registers the types.
fn with(types: &[fn(&mut Registry) -> Result]) -> Registry {
    let mut registry = Registry::new();
    types.iter().for_each(|add| add(&mut registry).unwrap());
    registry
}

#[test]
fn trait_objects_are_of_the_registered_types() {
    type Add = fn(&mut Registry) -> Result;
    let weak: Add = |registry| crate::register!(registry, dyn Order { Move, Follow, Plain });
    // (registered types, whether a list of boxes and a queue may be chains)
    let cases: [(Add, bool, bool); 7] = [
        (|_| Ok(()), false, false),
        // No pointer is reached from a box.
        (|registry| crate::register!(registry, dyn Order { Boxes }), false, false),
        (|registry| crate::register!(registry, dyn Order { Both }), true, true),
        (|registry| crate::register!(registry, dyn Order { Queue }), true, true),
        (|registry| crate::register!(registry, dyn Order { Carrier }), true, true),
        (|registry| crate::register!(registry, dyn Order { ByHand }), true, true),
        (|registry| crate::register!(registry, dyn Order { Unknown }), true, true),
    ];
    for (index, (add, boxes, queue)) in cases.into_iter().enumerate() {
        let registry = with(&[weak, add]);
        assert_eq!(chains::<Boxes>(Some(&registry)), boxes, "{index}");
        assert_eq!(chains::<Queue>(Some(&registry)), queue, "{index}");
        assert_eq!(chains::<Vec<Box<dyn Order>>>(Some(&registry)), boxes, "{index}");
        assert!(!chains::<World>(Some(&registry)), "{index}");
    }
    assert!(chains::<Boxes>(None));
    assert!(chains::<Queue>(None));
}

#[test]
fn a_registry_that_changes_forgets() {
    let mut registry = Registry::new();
    crate::register!(registry, dyn Order { Move }).unwrap();
    assert!(!chains::<Queue>(Some(&registry)));
    let copy = registry.clone();
    crate::register!(registry, dyn Order { Queue }).unwrap();
    assert!(chains::<Queue>(Some(&registry)));
    assert!(!chains::<Queue>(Some(&copy)));
    // Without a copy, the registry is changed in place.
    drop(copy);
    let mut registry = Registry::new();
    assert!(!chains::<Queue>(Some(&registry)));
    crate::register!(registry, dyn Order { Both }).unwrap();
    assert!(chains::<Queue>(Some(&registry)));
}

#[test]
fn shapes_that_are_set_later() {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    static ROOT: Shape = Shape::Option(ShapeOf::Data(&SHAPE));
    static POINTER: Shape = Shape::Pointer(ShapeOf::Data(&SHAPE));
    let empty = Registry::new();
    assert!(may_chain(&ROOT, Some(&empty)));
    assert!(may_chain(&POINTER, Some(&empty)));
    SHAPE.set(Shape::Dyn).unwrap();
    assert!(!may_chain(&ROOT, Some(&Registry::new())));
    assert!(may_chain(&ROOT, None));
}
