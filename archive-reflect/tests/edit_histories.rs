//! Random edits that are undone and redone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::path::{Path, Step};
use archive::reflect::{self, Content, Edit};
use archive::{Error, Options, Result, Serialize, Value, json};
use archive_test_support::search;
use proptest::prelude::*;

/// A node of a graph with every kind of place.
#[derive(Default, Serialize)]
#[archive(after_load = not_thirteen)]
struct Node {
    hp: u8,
    name: String,
    list: Vec<Leaf>,
    fixed: [i16; 3],
    maybe: Option<Leaf>,
    kind: Kind,
    map: BTreeMap<String, Leaf>,
    next: Option<Rc<RefCell<Node>>>,
    weak: Weak<RefCell<Node>>,
    tree: Value,
    #[archive(skip)]
    cache: u32,
}

fn not_thirteen(node: &Node) -> Result {
    if node.hp == 13 { Err(Error::custom("unlucky")) } else { Ok(()) }
}

#[derive(Default, Clone, Serialize)]
struct Leaf {
    weight: f32,
    #[archive(skip_if_default)]
    count: u8,
    #[archive(skip)]
    cache: u32,
}

#[derive(Default, Clone, Serialize)]
enum Kind {
    #[default]
    Unit,
    New(u8),
    Pair(u8, String),
    Named {
        leaf: Leaf,
    },
}

#[derive(Default, Serialize)]
struct World {
    nodes: Vec<Rc<RefCell<Node>>>,
    chosen: Option<Rc<RefCell<Node>>>,
}

fn world() -> World {
    let node = |i: u8| {
        let leaf = Leaf { weight: i.into(), count: i % 2, cache: 70 };
        Rc::new(RefCell::new(Node {
            hp: i,
            name: format!("node {i}"),
            list: vec![leaf.clone(); usize::from(i)],
            fixed: [i.into(); 3],
            maybe: i.is_multiple_of(2).then(|| leaf.clone()),
            kind: [
                Kind::Unit,
                Kind::New(i),
                Kind::Pair(i, "p".into()),
                Kind::Named { leaf: leaf.clone() },
            ][usize::from(i) % 4]
                .clone(),
            map: (0..i).map(|key| (format!("k {key}"), leaf.clone())).collect(),
            next: None,
            weak: Weak::new(),
            tree: json::from_str(r#"{"a":[1,{"b":null}],"c":"d"}"#).unwrap(),
            cache: 700,
        }))
    };
    let nodes: Vec<_> = (0..4).map(node).collect();
    for (i, node) in nodes.iter().enumerate() {
        node.borrow_mut().next = (i % 2 == 1).then(|| nodes[(i + 1) % 4].clone());
        node.borrow_mut().weak = Rc::downgrade(&nodes[(i + 2) % 4]);
    }
    World { chosen: Some(nodes[1].clone()), nodes }
}

/// The random choices of an edit. A place is chosen among those that exist.
#[derive(Clone, Debug)]
struct Choice {
    place: prop::sample::Index,
    other: prop::sample::Index,
    up: u8,
    operation: u8,
    content: Value,
}

fn choice() -> impl Strategy<Value = Choice> {
    let contents = vec![
        "null",
        "0",
        "13",
        "-1",
        "300",
        "2.5",
        r#""text""#,
        r#""Unit""#,
        r#"{"New":3}"#,
        r#"{"Pair":[1,"q"]}"#,
        r#"{"Pair":[1]}"#,
        r#"{"Named":{"leaf":{"weight":1}}}"#,
        r#"{"weight":4,"count":1}"#,
        r#"{"weight":"x"}"#,
        "[]",
        "[1,2,3]",
        r#"[{"weight":1},{"count":2}]"#,
        r#"[["k 0",{"weight":5}],["new",{}]]"#,
        r#"{"hp":13,"list":[]}"#,
        r#"{"hp":9,"name":"other","fixed":[7,8,9]}"#,
        r#"{"$id":1}"#,
    ];
    let content = prop::sample::select(contents).prop_map(|text| json::from_str(text).unwrap());
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8, 0..10u8, content).prop_map(
        |(place, other, up, operation, content)| Choice { place, other, up, operation, content },
    )
}

/// Returns an edit of a place that exists, which may be refused.
fn edit(world: &World, choice: &Choice) -> Edit {
    let rows = reflect::list(world, &Path::new(), &Options::new()).unwrap();
    let place = |index: &prop::sample::Index, up: u8| -> Path {
        let path = rows[index.index(rows.len())].path.to_path();
        path[..path.len().saturating_sub(up.into())].iter().cloned().collect()
    };
    let (path, other) = (place(&choice.place, choice.up), place(&choice.other, choice.up));
    let edit = Edit::new();
    match choice.operation {
        0 => edit.remove(path),
        1 => edit.insert(path, choice.content.clone()),
        2 => edit.move_to(path, choice.other.index(4)),
        3 => edit.attach(path, other),
        4 => edit.variant(path, ["Unit", "New", "Pair", "Named"][choice.other.index(4)]),
        5 => edit.set(path, Value::Null),
        // Several; the last may be refused.
        6 => edit.set(path, choice.content.clone()).set(other, choice.content.clone()),
        7 => match path.last() {
            Some(Step::Name(_)) => edit.insert(path.join(&["new".into()]), choice.content.clone()),
            _ => edit.insert(path, Content::default()),
        },
        _ => edit.set(path, choice.content.clone()),
    }
}

/// The world as text, and the pointers that are equal.
fn state(world: &World) -> (String, Vec<*const RefCell<Node>>) {
    let mut pointers: Vec<_> = world.nodes.iter().map(Rc::as_ptr).collect();
    pointers.extend(world.chosen.iter().map(Rc::as_ptr));
    for node in &world.nodes {
        let node = node.borrow();
        pointers.extend(node.next.iter().map(Rc::as_ptr));
        if let Some(weak) = node.weak.upgrade() {
            pointers.push(Rc::as_ptr(&weak));
        }
    }
    (json::to_string(world).unwrap(), pointers)
}

/// The unsaved fields of the existing values. All of them were set at the beginning.
fn caches(world: &World) -> (usize, usize) {
    let (mut kept, mut all) = (0, 0);
    let mut count = |cache: u32, wanted: u32| {
        all += 1;
        kept += usize::from(cache == wanted);
    };
    for node in &world.nodes {
        let node = node.borrow();
        count(node.cache, 700);
        node.list
            .iter()
            .chain(&node.maybe)
            .chain(node.map.values())
            .for_each(|leaf| count(leaf.cache, 70));
    }
    (kept, all)
}

proptest! {
    #![proptest_config(search::config(3_000))]

    #[test]
    fn edits_are_undone_and_redone(choices in prop::collection::vec(choice(), 1..12)) {
        let (mut world, options) = (world(), Options::new());
        let _all = world.nodes.clone();
        let mut history = vec![];
        for choice in &choices {
            let edit = edit(&world, choice);
            let (before, skipped) = (state(&world), caches(&world));
            match reflect::apply(&mut world, &edit, &options) {
                Ok(undo) => history.push((before, undo)),
                Err(error) => {
                    prop_assert_eq!(&state(&world), &before, "{:?}: {}", edit, error);
                    if edit.changes().len() == 1 {
                        prop_assert_eq!(caches(&world), skipped, "{:?}: {}", edit, error);
                    }
                }
            }
        }
        let mut future = vec![];
        for (before, undo) in history.into_iter().rev() {
            let after = state(&world);
            let redo = reflect::apply(&mut world, &undo, &options).unwrap();
            prop_assert_eq!(&state(&world), &before, "undo {:?}", undo);
            future.push((after, redo));
        }
        for (after, redo) in future.into_iter().rev() {
            let before = state(&world);
            let undo = reflect::apply(&mut world, &redo, &options).unwrap();
            prop_assert_eq!(&state(&world), &after, "redo {:?}", redo);
            reflect::apply(&mut world, &undo, &options).unwrap();
            prop_assert_eq!(&state(&world), &before, "second undo {:?}", undo);
            reflect::apply(&mut world, &redo, &options).unwrap();
        }
    }

    /// An edit without live objects has the same effect on a world that was loaded elsewhere.
    #[test]
    fn saved_edits_apply_elsewhere(choices in prop::collection::vec(choice(), 1..6)) {
        let (mut world, options) = (world(), Options::new());
        let _all = world.nodes.clone();
        let mut there: World = json::from_str(&json::to_string(&world).unwrap()).unwrap();
        let _all_there = there.nodes.clone();
        for choice in &choices {
            let edit = edit(&world, choice);
            // A reference to an object that the edit does not hold cannot be saved.
            let Some(text) = json::to_string(&edit).ok().filter(|text| !text.contains("$id")) else {
                continue;
            };
            let edits: [Edit; 2] = [
                json::from_str(&text).unwrap(),
                archive::binary::from_slice(&archive::binary::to_vec(&edit).unwrap()).unwrap(),
            ];
            let here = reflect::apply(&mut world, &edit, &options).map(drop).map_err(|e| e.to_string());
            for (edit, last) in edits.iter().zip([false, true]) {
                let result = reflect::apply(&mut there, edit, &options);
                prop_assert_eq!(result.as_ref().map(drop).map_err(|e| e.to_string()), here.clone());
                if let (Ok(undo), false) = (result, last) {
                    reflect::apply(&mut there, &undo, &options).unwrap();
                }
            }
            prop_assert_eq!(json::to_string(&there).unwrap(), json::to_string(&world).unwrap());
        }
    }
}
