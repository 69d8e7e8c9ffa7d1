//! The stack that the deepest values need: the 2 MiB of a thread are enough in every build.
//!
//! `MEASURE=1 cargo test --test errors stack -- --nocapture` prints how much each type needs in the format
//! that needs most, to the next 64 KiB.

use std::process::{Command, Stdio};
use std::thread;

use archive::{Element, Options, Save, Value, json};

use crate::common::{forgiving, formats};
use crate::levels::{LEVELS, boxed, folder, node, path, tree};

/// Saves and loads the deepest value in all ways.
fn visit<T: Element + Save>(make: fn(usize) -> T) {
    let deepest = make(LEVELS);
    for format in formats() {
        let file = format.to_vec(&deepest).unwrap();
        let value: T = format.from_slice(&file).unwrap();
        let (again, _) = format.from_slice_report::<T>(&file, &Options::new()).unwrap();
        drop((value, again));
    }
    for format in forgiving() {
        let tree: Value = format.from_slice(&format.to_vec(&deepest).unwrap()).unwrap();
        drop(tree.to::<T>().unwrap());
        format.to_vec(&tree).unwrap();
    }
}

/// The same for nested lists, which no type names.
fn lists() {
    let depth = Options::new().settings().limits().nesting();
    let tree: Value = json::from_str(&("[".repeat(depth) + &"]".repeat(depth))).unwrap();
    for format in forgiving() {
        let file = format.to_vec(&tree).unwrap();
        assert_eq!(format.from_slice::<Value>(&file).unwrap(), tree, "{format}");
    }
}

const KINDS: [(&str, fn()); 6] = [
    ("structs in boxes", || visit(boxed)),
    ("lists of structs", || visit(tree)),
    ("maps of structs", || visit(folder)),
    ("lists in struct variants", || visit(node)),
    ("lists in variants", || visit(path)),
    ("lists in lists", lists),
];

/// The body of the test below. It runs in a process of its own, because a stack overflow ends the
/// process.
#[test]
fn child() {
    let Ok(order) = std::env::var("STACK_OF_CHILD") else { return };
    let (kind, size) = order.split_once('=').unwrap();
    let (_, run) = KINDS[kind.parse::<usize>().unwrap()];
    let run = thread::Builder::new().stack_size(size.parse().unwrap()).spawn(run);
    run.unwrap().join().unwrap();
}

fn is_enough(kind: usize, size: usize) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["stack::child", "--exact"]).env("STACK_OF_CHILD", format!("{kind}={size}"));
    child.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
fn two_mebibytes_are_enough() {
    for (index, (kind, _)) in KINDS.iter().enumerate() {
        assert!(is_enough(index, 2 << 20), "{kind}");
        if std::env::var_os("MEASURE").is_some() {
            let step = 64 << 10;
            let need = (1..=32).find(|steps| is_enough(index, steps * step)).unwrap();
            println!("{kind:<26} {:>5} KiB", need * 64);
        }
    }
}
