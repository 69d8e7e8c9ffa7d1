//! Edits and paths that are meant to break something.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::path::{Path, Step};
use archive::reflect::{self, Content, Edit};
use archive::{ErrorKind, Options, Serialize, Value, json};

#[derive(Default, Serialize)]
struct Node {
    #[archive(range = 0.0..=10.0)]
    weight: f32,
    list: Vec<u8>,
    map: BTreeMap<String, u8>,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
    boxed: Option<Box<Node>>,
    #[archive(skip)]
    cache: u8,
}

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

/// Two nodes in a circle.
fn circle() -> Vec<Rc<RefCell<Node>>> {
    let node = || Node { weight: 1.0, list: vec![1, 2, 3], cache: 9, ..Node::default() };
    let nodes = [node(), node()].map(|node| Rc::new(RefCell::new(node)));
    for (i, node) in nodes.iter().enumerate() {
        node.borrow_mut().next = Some(nodes[1 - i].clone());
        node.borrow_mut().back = Rc::downgrade(&nodes[1 - i]);
    }
    nodes.into()
}

/// Breaks the cycle of the objects.
fn dissolve(nodes: Vec<Rc<RefCell<Node>>>) {
    nodes.iter().for_each(|node| node.borrow_mut().next = None);
}

#[test]
fn paths_as_long_as_they_get() {
    let (mut nodes, options) = (circle(), Options::new());
    let long = Path::from(
        [Step::from(0)].into_iter().chain((0..100_000).map(|_| "next".into())).collect::<Vec<_>>(),
    );
    let before = json::to_string(&nodes).unwrap();
    let errors = [
        reflect::get(&nodes, &long, &options).unwrap_err(),
        reflect::get_as::<f32>(&nodes, &long, &options).unwrap_err(),
        reflect::list(&nodes, &long, &options).unwrap_err(),
        reflect::complete(&nodes, &(long.to_string() + "."), &options).unwrap_err(),
        reflect::apply(&mut nodes, &Edit::new().set(long.clone(), Value::Null), &options)
            .unwrap_err(),
        reflect::apply(&mut nodes, &Edit::new().remove(long.clone()), &options).unwrap_err(),
        reflect::apply(&mut nodes, &Edit::new().rename(long.clone(), "x"), &options).unwrap_err(),
        reflect::apply(&mut nodes, &Edit::new().attach(path("[0].next"), long.clone()), &options)
            .unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
    }
    // A tree that is deeper than values may be. Dropping one takes stack.
    let mut tree = Value::Null;
    for _ in 0..1_000 {
        tree = Value::Object(vec![("next".to_owned(), tree)]);
    }
    let tree = Value::Array(vec![tree, Value::Object(vec![])]);
    let error = reflect::merge(&mut nodes, &tree, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
    assert_eq!(json::to_string(&nodes).unwrap(), before);
    dissolve(nodes);
}

#[test]
fn indexes_as_large_as_they_get() {
    let (mut nodes, options) = (circle(), Options::new());
    let before = json::to_string(&nodes).unwrap();
    let error = Path::parse("[0].list[18446744073709551616]").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    let last = path(&format!("[0].list[{}]", usize::MAX));
    for edit in [
        Edit::new().set(last.clone(), 1),
        Edit::new().insert(last.clone(), 1),
        Edit::new().remove(last.clone()),
        Edit::new().move_to(last.clone(), 0),
        Edit::new().move_to(path("[0].list[0]"), usize::MAX),
        Edit::new().insert(path(&format!("[{}]", usize::MAX)), Value::Null),
    ] {
        let error = reflect::apply(&mut nodes, &edit, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{edit:?}: {error}");
        assert_eq!(json::to_string(&nodes).unwrap(), before);
    }
    assert_eq!(reflect::get(&nodes, &last, &options).unwrap_err().kind(), ErrorKind::NotFound);
    dissolve(nodes);
}

#[test]
fn not_a_number_is_in_no_range() {
    let (mut nodes, options) = (circle(), Options::new());
    for number in [f32::NAN, f32::INFINITY, -0.5] {
        let edit = Edit::new().set(path("[0].weight"), number);
        let error = reflect::apply(&mut nodes, &edit, &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[0].weight"));
        assert_eq!(nodes[0].borrow().weight, 1.0);
    }
    reflect::apply(&mut nodes, &Edit::new().set(path("[0].weight"), -0.0_f32), &options).unwrap();
    dissolve(nodes);
}

/// An undo is made for the value after the edit, and for no other one.
#[test]
fn an_edit_is_undone_twice() {
    let (mut nodes, options) = (circle(), Options::new());
    let edit = Edit::new().insert(path("[0].list[0]"), 7).remove(path("[0].list[3]"));
    let undo = reflect::apply(&mut nodes, &edit, &options).unwrap();
    assert_eq!(nodes[0].borrow().list, [7, 1, 2]);
    reflect::apply(&mut nodes, &undo, &options).unwrap();
    assert_eq!(nodes[0].borrow().list, [1, 2, 3]);
    // It still makes its changes: 3 is inserted before the item at 3, and the first one is removed.
    reflect::apply(&mut nodes, &undo, &options).unwrap();
    assert_eq!(nodes[0].borrow().list, [2, 3, 3]);

    let undo = reflect::apply(&mut nodes, &Edit::new().remove(path("[1]")), &options).unwrap();
    reflect::apply(&mut nodes, &undo, &options).unwrap();
    reflect::apply(&mut nodes, &undo, &options).unwrap();
    assert!(nodes.len() == 3 && Rc::ptr_eq(&nodes[1], &nodes[2]));

    let undo = Edit::new().insert(path("[0].map.a"), 1);
    let undo = reflect::apply(&mut nodes, &undo, &options).unwrap();
    reflect::apply(&mut nodes, &undo, &options).unwrap();
    let error = reflect::apply(&mut nodes, &undo, &options).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::NotFound, "[0].map"));
    dissolve(nodes);
}

#[test]
fn values_that_are_put_into_themselves() {
    let (mut nodes, options) = (circle(), Options::new());
    let first = nodes[0].clone();
    // An object in itself.
    let edit = Edit::new().attach(path("[0].next"), path("[0]")).move_to(path("[0]"), 0);
    let undo = reflect::apply(&mut nodes, &edit, &options).unwrap();
    assert!(Rc::ptr_eq(first.borrow().next.as_ref().unwrap(), &first));
    let weight = path("[0].next.next.next.weight");
    assert_eq!(reflect::get_as::<f32>(&nodes, &weight, &options).unwrap(), 1.0);
    reflect::apply(&mut nodes, &undo, &options).unwrap();
    assert!(!Rc::ptr_eq(first.borrow().next.as_ref().unwrap(), &first));

    // A list in an item of itself: the content is a copy.
    #[derive(Default, Serialize)]
    struct Tree(Vec<Tree>);
    let mut tree = Tree(vec![Tree(vec![]), Tree(vec![Tree(vec![])])]);
    let edit = Edit::new().attach(path("[0]"), Path::new());
    reflect::apply(&mut tree, &edit, &options).unwrap();
    assert_eq!(json::to_string(&tree).unwrap(), "[[[],[[]]],[[]]]");

    // An object that an edit holds, in itself.
    let content = Content::live(&first, &options).unwrap();
    let edit = Edit::new()
        .set(path("[0].boxed"), Value::Object(vec![]))
        .set(path("[0].boxed.next"), content);
    let undo = reflect::apply(&mut nodes, &edit, &options).unwrap();
    let held = first.borrow().boxed.as_ref().and_then(|boxed| boxed.next.clone());
    assert!(Rc::ptr_eq(&held.unwrap(), &first));
    reflect::apply(&mut nodes, &undo, &options).unwrap();
    drop((undo, edit));
    assert!(first.borrow().boxed.is_none() && first.borrow().cache == 9);
    dissolve(nodes);
}

#[test]
fn the_tree_of_a_cycle_is_not_an_override() {
    let (mut nodes, options) = (circle(), Options::new());
    let before = json::to_string(&nodes).unwrap();
    let tree: Value = json::from_str(&before).unwrap();
    let error = reflect::merge(&mut nodes, &tree, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadPointer, "{error}");
    assert_eq!(json::to_string(&nodes).unwrap(), before);
    let error = json::from_str::<Edit>(r#"[{"op":"set","path":"[0]","value":{"$id":1}}]"#)
        .and_then(|edit| reflect::apply(&mut nodes, &edit, &options).map(drop))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadPointer, "{error}");
    assert_eq!(json::to_string(&nodes).unwrap(), before);
    dissolve(nodes);
}

#[test]
fn a_borrowed_cell_stops_an_edit_and_its_changes_are_undone() {
    let (mut nodes, options) = (circle(), Options::new());
    let before = json::to_string(&nodes).unwrap();
    let second = nodes[1].clone();
    for edit in [
        Edit::new().set(path("[0].weight"), 2).set(path("[1].weight"), 2),
        Edit::new().set(path("[0].weight"), 2).remove(path("[0].next.list[0]")),
        Edit::new().set(path("[0].weight"), 2).attach(path("[0].next"), path("[0].next.next")),
        Edit::new().remove(path("[0].list[0]")).rename(path("[1].map.x"), "y"),
    ] {
        let guard = second.borrow_mut();
        let error = reflect::apply(&mut nodes, &edit, &options).unwrap_err();
        drop(guard);
        assert_eq!(error.kind(), ErrorKind::Borrowed, "{edit:?}: {error}");
        assert_eq!(json::to_string(&nodes).unwrap(), before);
        assert_eq!(nodes[0].borrow().cache, 9);
    }
    dissolve(nodes);
}
