//! Histories of edits of random graphs: shared objects, cycles and weak pointers.

use std::collections::HashMap;

use archive::path::{Path, Step};
use archive::reflect::{self, Content, Edit};
use archive::{Options, Registry, Value, register};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::common::{each_once, search};
use crate::graphs::graph_objects::{Graph, Holder, Plain, Thing, Walk, build, plan, unlink};

/// The random choices of a change. A place is chosen among those that exist.
#[derive(Clone, Debug)]
struct Choice {
    operation: u8,
    up: u8,
    place: Index,
    other: Index,
}

fn choice() -> impl Strategy<Value = Choice> {
    (0..12_u8, 0..3_u8, any::<Index>(), any::<Index>())
        .prop_map(|(operation, up, place, other)| Choice { operation, up, place, other })
}

fn paths(graph: &Graph, options: &Options<'_>) -> Vec<Path> {
    let rows = reflect::list(graph, &Path::new(), options).unwrap();
    rows.into_iter().map(|row| row.path.to_path()).collect()
}

/// Returns the last name of a path: places with the same one have pointers of one type.
fn name(path: &Path) -> Option<&Step> {
    path.iter().rev().find(|step| matches!(step, Step::Name(_)))
}

fn edit(graph: &Graph, choice: &Choice, options: &Options<'_>) -> Edit {
    let paths = paths(graph, options);
    let path = &paths[choice.place.index(paths.len())];
    let path = Path::from(path[..path.len().saturating_sub(choice.up.into())].to_vec());
    let alike: Vec<_> = paths.iter().filter(|other| name(other) == name(&path)).collect();
    let other = alike.get(choice.other.index(alike.len().max(1))).copied().cloned();
    let other = other.unwrap_or_default();
    let node = || {
        let node = &graph.nodes[choice.other.index(graph.nodes.len())];
        Content::live(node, options).unwrap()
    };
    let edit = Edit::new();
    match choice.operation {
        0..=2 => edit.attach(path, other),
        3 => edit.set(path, Value::Null),
        4 => edit.remove(path),
        5 if !graph.nodes.is_empty() => edit.set(path, node()),
        6 if !graph.nodes.is_empty() => edit.insert(path, node()),
        7 => edit.move_to(path, choice.other.index(4)),
        8 => edit.set(path, Value::Array(vec![])),
        // A tree has objects of its own, if any.
        9 => edit.set(path, reflect::get(graph, &other, options).unwrap_or_default()),
        // The last change is refused.
        10 => edit.attach(path, other).set(Path::parse("weak_first").unwrap(), "text"),
        _ => edit.set(path, 7),
    }
}

/// The compared state: the shape, the objects by their addresses, and all saved values.
fn state(graph: &Graph, options: &Options<'_>) -> (Vec<i64>, HashMap<*const (), usize>, String) {
    let text = archive::json::to_string_with(graph, options).unwrap();
    (Walk::of(graph), Walk::through(graph).ids, text)
}

/// Saves the graph in every format, and compares the loaded ones.
fn saved(graph: &Graph, options: &Options<'_>) {
    let Walk { ids, weak, .. } = Walk::through(graph);
    // Objects that an edit removed from the graph live on in its undo, and are not loaded.
    let is_whole = weak.iter().flatten().all(|object| ids.contains_key(object));
    let shape = Walk::of(graph);
    for format in each_once() {
        let bytes = format.to_vec_with(graph, options).unwrap();
        let loaded: Graph = format.from_slice_with(&bytes, options).unwrap();
        assert_eq!(Walk::of(&loaded), shape, "{format}");
        let difference = reflect::difference(graph, &loaded, options).unwrap();
        assert_eq!(difference.is_none(), is_whole, "{format}: {difference:?}");
        unlink(loaded);
    }
}

proptest! {
    #![proptest_config(search::config(640))]

    #[test]
    fn histories(plan in plan(), choices in prop::collection::vec(choice(), 1..12)) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let mut graph = build(&plan);
        let mut past = vec![];
        for choice in &choices {
            let edit = edit(&graph, choice, &options);
            let before = state(&graph, &options);
            match reflect::apply(&mut graph, &edit, &options) {
                Ok(undo) => {
                    saved(&graph, &options);
                    past.push((before, undo));
                }
                Err(error) => prop_assert_eq!(state(&graph, &options), before, "{:?}: {}", edit, error),
            }
        }
        let mut future = vec![];
        for (before, undo) in past.into_iter().rev() {
            let after = state(&graph, &options);
            let redo = reflect::apply(&mut graph, &undo, &options).unwrap();
            prop_assert_eq!(state(&graph, &options), before, "undo {:?}", undo);
            future.push((after, redo));
        }
        // An object to which the graph has only weak pointers lives in the edit that removed it.
        let mut kept = vec![];
        for (after, redo) in future.into_iter().rev() {
            let before = state(&graph, &options);
            let undo = reflect::apply(&mut graph, &redo, &options).unwrap();
            prop_assert_eq!(&state(&graph, &options), &after, "redo {:?}", redo);
            reflect::apply(&mut graph, &undo, &options).unwrap();
            prop_assert_eq!(state(&graph, &options), before, "second undo {:?}", undo);
            kept.push(reflect::apply(&mut graph, &redo, &options).unwrap());
        }
        unlink(graph);
    }
}

/// An object whose weak pointer comes first gets an id there, and links of two types.
#[test]
fn objects_are_found_by_pointers_of_each_type() {
    let (options, node) = (Options::new(), || (vec![], vec![], None, None, None));
    let mut graph = build(&(vec![node(), node()], vec![]));
    let before = state(&graph, &options);
    let refused = Edit::new().set(Path::new(), "text");
    reflect::apply(&mut graph, &refused, &options).unwrap_err();
    assert_eq!(state(&graph, &options), before);
    let content = Content::live(&graph, &options).unwrap();
    reflect::apply(&mut graph, &Edit::new().set(Path::new(), content), &options).unwrap();
    assert_eq!(state(&graph, &options), before);
}
