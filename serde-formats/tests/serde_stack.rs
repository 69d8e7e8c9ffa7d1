//! How much stack loads in serde formats take at the default depth limit: 2 MiB, what threads get unless they
//! ask for more, are enough in every build.
//!
//! In `serde-formats`, `MEASURE=1 cargo test --test serde_stack -- --nocapture` prints how much each format needs, to the next
//! 64 KiB; with `--release` in the other build.

use archive_test_support as common;

use std::process::{Command, Stdio};
use std::thread;

use archive::{ErrorKind, Format, Options, Serialize, Value, json};
use common::serde_formats::{finds_names, serde_formats};

#[derive(Default, Serialize)]
struct Node {
    name: String,
    next: Option<Box<Node>>,
}

#[derive(Default, Serialize)]
struct Nothing {
    name: String,
}

/// Members in another order, so that what comes first is kept as a tree.
#[derive(Default, Serialize)]
struct Reversed {
    next: Option<Box<Reversed>>,
    name: String,
}

fn chain(length: usize) -> Node {
    let node = |next| Node { name: "n".into(), next };
    (1..length).fold(node(None), |next, _| node(Some(Box::new(next))))
}

/// Loads what nests as deep as it may, in all ways, and what nests deeper.
fn load(format: Format) {
    let options = Options::new().max_depth(10_000);
    let deepest = (1..200).rev().find_map(|length| {
        let file = format.to_vec(&chain(length)).ok()?;
        format.from_slice::<Node>(&file).is_ok().then_some(file)
    });
    let deepest = deepest.expect("a chain that is saved and loads");
    if !finds_names(format) {
        return;
    }
    format.from_slice::<Nothing>(&deepest).unwrap();
    format.from_slice::<Reversed>(&deepest).unwrap();
    format.from_slice::<Value>(&deepest).unwrap();
    let mut tree = Value::Null;
    for _ in 0..1_000 {
        tree = Value::Object(vec![("name".into(), "n".into()), ("next".into(), tree)]);
    }
    // Made by a format that takes no stack, as far as the other can have it from there.
    let text = json::to_vec_with(&tree, &options).unwrap();
    let file = match format.name() {
        "serde_json" => text,
        "rmp_serde named" => {
            let file = archive::msgpack::to_vec_with(&tree, &options);
            file.unwrap()
        }
        _ => return,
    };
    for error in [
        format.from_slice::<Node>(&file).err(),
        format.from_slice::<Nothing>(&file).err(),
        format.from_slice::<Reversed>(&file).err(),
        format.from_slice::<Value>(&file).err(),
    ] {
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::DepthLimit), "{format}");
    }
}

/// What the test below runs in a process of its own, since one without stack is ended by the system.
#[test]
fn child() {
    let Ok(ask) = std::env::var("STACK_OF_CHILD") else { return };
    let (name, size) = ask.rsplit_once('=').unwrap();
    let format = *serde_formats().iter().find(|format| format.name() == name).unwrap();
    let run = thread::Builder::new().stack_size(size.parse().unwrap()).spawn(move || load(format));
    run.unwrap().join().unwrap();
}

fn is_enough(format: Format, size: usize) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["child", "--exact"]).env("STACK_OF_CHILD", format!("{}={size}", format.name()));
    child.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
fn two_mebibytes_are_enough() {
    for format in serde_formats() {
        load(format);
        assert!(is_enough(format, 2 << 20), "{format}");
        if std::env::var_os("MEASURE").is_some() {
            let step = 64 << 10;
            let need = (1..=32).find(|steps| is_enough(format, steps * step)).unwrap();
            println!("{:<20} {:>5} KiB", format.name(), need * 64);
        }
    }
}
