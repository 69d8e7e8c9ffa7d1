//! Self-describing values are written to a writer while they are saved.

use std::io::{self, Write};
use std::rc::Rc;

use archive_binary::Binary;
use archive_core::backend::Sink;
use archive_core::pointer::{PointerHead, PointerKind};
use archive_core::{Backend as _, Encoder as _, Options, Save, Shape, Value};
use archive_derive::Serialize;

/// The output, and its parts.
#[derive(Default)]
struct Parts(Vec<u8>, Vec<usize>);

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        self.1.push(bytes.len());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a value; the file must be the same as in memory. Returns the lengths of the parts.
fn parts<T: Save>(value: &T) -> Vec<usize> {
    let mut parts = Parts::default();
    archive_binary::to_writer(&mut parts, value).unwrap();
    assert!(parts.0 == archive_binary::to_vec(value).unwrap());
    parts.1
}

fn long() -> Value {
    (0..30_000).map(|at| Value::from(format!("number {at}"))).collect()
}

#[test]
fn long_trees_are_written_in_parts() {
    let tree = Value::Object(vec![("a".into(), long()), ("b".into(), long())]);
    let parts = parts(&tree);
    assert!(parts.len() > 5 && parts.iter().all(|part| *part < 70_000), "{parts:?}");
}

/// Objects are found by their offsets in the file, although a part of it was written.
#[test]
fn objects_after_a_long_tree_are_found() {
    let write = |sink: Option<Sink<'_>>| {
        let mut encoder = Binary::encoder(&Options::new(), sink);
        encoder.begin_root(&Shape::Any).unwrap();
        encoder.begin_seq(&Shape::Any, 100_002).unwrap();
        for number in 0..100_000 {
            encoder.item().unwrap();
            encoder.i64(number).unwrap();
        }
        for id in 1..3 {
            let kind = PointerKind::Stored;
            let head = PointerHead { kind, id, shape: &Shape::Any, type_name: None };
            encoder.item().unwrap();
            encoder.begin_pointer(&head).unwrap();
            encoder.str("an object").unwrap();
            encoder.end_pointer(&head).unwrap();
        }
        encoder.end_seq().unwrap();
        encoder.end_root().unwrap();
        Binary::finish(encoder).unwrap()
    };
    let whole = write(None);
    let mut parts = Vec::new();
    let rest = write(Some(&mut |bytes| {
        parts.extend_from_slice(bytes);
        Ok(())
    }));
    assert!(!parts.is_empty());
    parts.extend(rest);
    assert!(parts == whole);
    let value: Value = archive_binary::from_slice(&parts).unwrap();
    assert_eq!(value[100_001]["$value"].as_str(), Some("an object"));
}

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct World {
    before: Value,
    shared: Vec<Rc<Value>>,
    after: Value,
}

/// The data around a tree may still be moved.
#[test]
fn trees_inside_of_typed_values() {
    let shared = Rc::new(long());
    let world = World { before: long(), shared: vec![shared.clone(), shared], after: long() };
    parts(&world);
    let file = archive_binary::to_vec(&world).unwrap();
    assert!(archive_binary::from_slice::<World>(&file).unwrap() == world);
}
