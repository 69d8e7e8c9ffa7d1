//! Shared, weak, polymorphic and deferred pointers.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use crate::common::{Binary, data};
use archive_core::{Backend, ErrorKind, Options, Polymorphic, Registry, Value};
use archive_derive::Serialize;

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Node {
    value: u32,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
}

type Link = Rc<RefCell<Node>>;

fn node(value: u32, next: Option<Link>) -> Link {
    Rc::new(RefCell::new(Node { value, next, back: Weak::new() }))
}

#[test]
fn shared_and_cyclic() {
    let a = node(1, None);
    let b = node(2, Some(a.clone()));
    a.borrow_mut().next = Some(b.clone());
    a.borrow_mut().back = Rc::downgrade(&b);
    let list = vec![a.clone(), b, a.clone()];
    let file = Binary::to_vec(&list).unwrap();
    // a: id 1, value 1, next: id 2 with its object (value 2, next 1, back null), back 2; then 2, 1.
    assert_eq!(data(&file), [3, 1, 1, 1, 2, 2, 1, 1, 0, 2, 2, 1]);
    let loaded: Vec<Link> = Binary::from_slice(&file).unwrap();
    assert!(Rc::ptr_eq(&loaded[0], &loaded[2]));
    assert!(Rc::ptr_eq(loaded[0].borrow().next.as_ref().unwrap(), &loaded[1]));
    assert!(Rc::ptr_eq(&loaded[0].borrow().back.upgrade().unwrap(), &loaded[1]));
    assert_eq!(loaded[1].borrow().value, 2);
    let tree: Value = Binary::from_slice(&file).unwrap();
    let untyped = Binary::to_vec(&tree).unwrap();
    let loaded: Vec<Link> = Binary::from_slice(&untyped).unwrap();
    assert!(Rc::ptr_eq(loaded[0].borrow().next.as_ref().unwrap(), &loaded[1]));
    a.borrow_mut().next = None;
}

#[test]
fn long_chain() {
    let mut head = node(0, None);
    for value in 1..100_000 {
        head = node(value, Some(head));
    }
    let file = Binary::to_vec(&head).unwrap();
    let loaded: Link = Binary::from_slice(&file).unwrap();
    let (mut count, mut at) = (0, Some(loaded));
    while let Some(node) = at {
        count += 1;
        at = node.borrow_mut().next.take();
    }
    assert_eq!(count, 100_000);
    let mut at = Some(head);
    while let Some(node) = at {
        at = node.borrow_mut().next.take();
    }
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Old {
    removed: Vec<Link>,
    any: Value,
    kept: Option<Link>,
    weak: Weak<RefCell<Node>>,
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct New {
    weak: Weak<RefCell<Node>>,
    kept: Option<Link>,
}

#[test]
fn object_in_a_removed_member() {
    let deep = (0..200).fold(node(7, None), |next, value| node(value, Some(next)));
    let old = Old {
        removed: vec![deep.clone(), node(5, None)],
        any: Value::from(1),
        kept: Some(deep.clone()),
        weak: Rc::downgrade(&deep),
    };
    let file = Binary::to_vec(&old).unwrap();
    let new: New = Binary::from_slice(&file).unwrap();
    let kept = new.kept.unwrap();
    assert!(Rc::ptr_eq(&new.weak.upgrade().unwrap(), &kept));
    let (mut count, mut at) = (0, Some(kept));
    while let Some(node) = at {
        count += 1;
        at = node.borrow_mut().next.take();
    }
    assert_eq!(count, 201);
    // The same through a tree, whose pointers are objects.
    let tree: Value = Binary::from_slice(&file).unwrap();
    let new: New = Binary::from_slice(&Binary::to_vec(&tree).unwrap()).unwrap();
    assert!(Rc::ptr_eq(&new.weak.upgrade().unwrap(), new.kept.as_ref().unwrap()));
}

#[test]
fn object_in_a_removed_member_of_a_tree() {
    let shared = node(1, Some(node(2, None)));
    let old = Old {
        removed: vec![shared.clone()],
        any: Value::Null,
        kept: shared.borrow().next.clone(),
        weak: Weak::new(),
    };
    let tree: Value = Binary::from_slice(&Binary::to_vec(&old).unwrap()).unwrap();
    let file = Binary::to_vec(&tree).unwrap();
    let new: New = Binary::from_slice(&file).unwrap();
    assert_eq!(new.kept.unwrap().borrow().value, 2);
}

#[test]
fn weak_alone() {
    let target = node(1, None);
    let weak = vec![Rc::downgrade(&target), Weak::new()];
    let file = Binary::to_vec(&weak).unwrap();
    assert_eq!(data(&file), [2, 1, 0]);
    let options = Options::new();
    let (loaded, report) =
        Binary::from_slice_report::<Vec<Weak<RefCell<Node>>>>(&file, &options).unwrap();
    assert!(loaded.iter().all(|weak| weak.upgrade().is_none()));
    assert_eq!(report.dangling().count(), 1, "{report}");
}

trait Command: Polymorphic {
    fn name(&self) -> String;
}
archive_core::polymorphic!(dyn Command);

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Move {
    to: u8,
    then: Vec<Box<dyn Command>>,
}
#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Wait {
    seconds: f32,
}
impl Command for Move {
    fn name(&self) -> String {
        let then: Vec<String> = self.then.iter().map(|command| command.name()).collect();
        format!("move to {} {then:?}", self.to)
    }
}
impl Command for Wait {
    fn name(&self) -> String {
        format!("wait {}", self.seconds)
    }
}

#[test]
fn polymorphic() {
    let mut registry = Registry::new();
    archive_core::register!(registry, dyn Command { Move, Wait }).unwrap();
    let options = Options::new().registry(&registry);
    let shared: Rc<RefCell<dyn Command>> = Rc::new(RefCell::new(Wait { seconds: 2.0 }));
    let inner: Vec<Box<dyn Command>> = vec![Box::new(Wait { seconds: 1.0 })];
    type World = (Vec<Box<dyn Command>>, Vec<Rc<RefCell<dyn Command>>>);
    let world: World = (vec![Box::new(Move { to: 3, then: inner })], vec![shared.clone(), shared]);
    let file = Binary::to_vec_with(&world, &options).unwrap();
    let expected = [1, 1, 3, 1, 2, 0, 0, 0x80, 0x3f, 2, 1, 0, 0, 0, 0x40, 1];
    assert_eq!(data(&file), expected);
    let (boxed, shared): World = Binary::from_slice_with(&file, &options).unwrap();
    assert_eq!(boxed[0].name(), "move to 3 [\"wait 1\"]");
    assert!(Rc::ptr_eq(&shared[0], &shared[1]));
    assert_eq!(shared[0].borrow().name(), "wait 2");
    let tree: Value = Binary::from_slice_with(&file, &options).unwrap();
    let untyped = Binary::to_vec(&tree).unwrap();
    let (boxed, shared): World = Binary::from_slice_with(&untyped, &options).unwrap();
    assert_eq!(boxed[0].name(), "move to 3 [\"wait 1\"]");
    assert!(Rc::ptr_eq(&shared[0], &shared[1]));
    let error = Binary::from_slice::<World>(&file).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::UnknownType, "{error}");
}

#[test]
fn forged_ids() {
    let shared = node(1, None);
    let file = Binary::to_vec(&vec![shared.clone(), shared]).unwrap();
    assert_eq!(data(&file), [2, 1, 1, 0, 0, 1]);
    for (at, id, kind) in [
        (6 + 5, 2, ErrorKind::BadPointer),
        (6 + 5, 127, ErrorKind::BadPointer),
        (6 + 1, 2, ErrorKind::BadPointer),
        (6 + 5, 0, ErrorKind::WrongType),
    ] {
        let mut forged = file.clone();
        forged[at] = id;
        let error = Binary::from_slice::<Vec<Link>>(&forged).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.position().is_some(), "{error}");
    }
}
