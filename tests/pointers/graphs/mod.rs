//! Random pointer graphs load with the same shape, and save to the same bytes; also after a
//! conversion through trees and through a program that does not know them.

pub mod graph_objects;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::{each_once, formats, text};
use archive::{Options, Registry, Serialize, Value, register};
use proptest::prelude::*;

use graph_objects::{Graph, Holder, Node, Plain, Thing, Walk, build, plan, unlink};

/// The types of an older program.
#[derive(Default, Serialize)]
struct Older {
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

#[derive(Default, Serialize)]
struct OldNode {
    label: u32,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

#[derive(Default, Serialize)]
struct HalfKnown {
    nodes: Vec<Rc<RefCell<OldNode>>>,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

proptest! {
    #![proptest_config(crate::common::search::config(64))]

    #[test]
    fn random_graphs(plan in plan()) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let graph = build(&plan);
        let shape = Walk::of(&graph);
        for format in formats() {
            let bytes = format.to_vec_with(&graph, &options).unwrap();
            let loaded: Graph = format.from_slice_with(&bytes, &options)
                .unwrap_or_else(|e| panic!("{format}: {e}\n{}", text(&bytes)));
            prop_assert_eq!(Walk::of(&loaded), shape.clone(), "{}", format);
            let again = format.to_vec_with(&loaded, &options).unwrap();
            prop_assert_eq!(text(&again), text(&bytes), "{}", format);
            unlink(loaded);
        }
        unlink(graph);
    }

    /// Typed → A → `Value` → B → typed.
    #[test]
    fn random_graphs_as_trees(plan in plan()) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let graph = build(&plan);
        let shape = Walk::of(&graph);
        let json = archive::json::to_string_with(&graph, &options).unwrap();
        prop_assert_eq!(Value::of_with(&graph, &options).unwrap(),
            archive::json::from_str(&json).unwrap());
        for from in each_once() {
            let bytes = from.to_vec_with(&graph, &options).unwrap();
            let value: Value = from.from_slice(&bytes)
                .unwrap_or_else(|e| panic!("{from}: {e}\n{}", text(&bytes)));
            // A tree has the same text as its file.
            prop_assert_eq!(&archive::json::to_string(&value).unwrap(), &json, "{}", from);
            for to in each_once() {
                let bytes = to.to_vec(&value).unwrap();
                let same: Value = to.from_slice(&bytes).unwrap();
                prop_assert_eq!(text(&to.to_vec(&same).unwrap()), text(&bytes));
                let loaded: Graph = to.from_slice_with(&bytes, &options)
                    .unwrap_or_else(|e| panic!("{from} to {to}: {e}\n{}", text(&bytes)));
                prop_assert_eq!(Walk::of(&loaded), shape.clone(), "{} to {}", from, to);
                unlink(loaded);
            }
        }
        unlink(graph);
    }

    /// Newer → A → older → B → newer, where the older program knows almost no types.
    #[test]
    fn random_graphs_through_an_older_program(plan in plan()) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let graph = build(&plan);
        let shape = Walk::of(&graph);
        let newer = (Rc::new(RefCell::new(Node::default())), graph);
        for from in each_once() {
            let bytes = from.to_vec_with(&newer, &options).unwrap();
            let older: (Rc<RefCell<OldNode>>, Older) = from.from_slice(&bytes)
                .unwrap_or_else(|e| panic!("{from}: {e}\n{}", text(&bytes)));
            for to in each_once() {
                let bytes = to.to_vec(&older).unwrap();
                let loaded: (Rc<RefCell<Node>>, Graph) = to.from_slice_with(&bytes, &options)
                    .unwrap_or_else(|e| panic!("{from} to {to}: {e}\n{}", text(&bytes)));
                prop_assert_eq!(Walk::of(&loaded.1), shape.clone(), "{} to {}", from, to);
                unlink(loaded.1);
            }
        }
        unlink(newer.1);
    }

    /// As above, but the objects are known and their references are not: known and unknown parts
    /// have copies of their own, and nothing is missing.
    #[test]
    fn known_objects_with_unknown_references(plan in plan()) {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { Plain, Holder }).unwrap();
        let options = Options::new().registry(&registry);
        let graph = build(&plan);
        for from in each_once() {
            let bytes = from.to_vec_with(&graph, &options).unwrap();
            let older: HalfKnown = from.from_slice(&bytes)
                .unwrap_or_else(|e| panic!("{from}: {e}\n{}", text(&bytes)));
            for to in each_once() {
                let bytes = to.to_vec(&older).unwrap();
                let loaded: Graph = to.from_slice_with(&bytes, &options)
                    .unwrap_or_else(|e| panic!("{from} to {to}: {e}\n{}", text(&bytes)));
                prop_assert_eq!(loaded.nodes.len(), graph.nodes.len());
                for (new, old) in loaded.nodes.iter().zip(&graph.nodes) {
                    let (new, old) = (new.borrow(), old.borrow());
                    prop_assert_eq!(new.label, old.label);
                    let labels = |nodes: &[Rc<RefCell<Node>>]| -> Vec<u32> {
                        nodes.iter().map(|node| node.try_borrow().map_or(0, |n| n.label)).collect()
                    };
                    prop_assert_eq!(labels(&new.strong), labels(&old.strong));
                    prop_assert_eq!(new.leaf.as_ref().map(|l| l.label), old.leaf.as_ref().map(|l| l.label));
                    prop_assert_eq!(new.weak.len(), old.weak.len());
                }
                let again = to.to_vec_with(&loaded, &options).unwrap();
                prop_assert!(to.from_slice_with::<Graph>(&again, &options).map(unlink).is_ok());
                unlink(loaded);
            }
        }
        unlink(graph);
    }
}
