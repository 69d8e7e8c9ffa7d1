//! The formats of the examples: formats that implement only the required methods.

use archive::format::Backend;
use archive::{ErrorKind, Format, Value};
use proptest::prelude::*;

use crate::common::damage::damaged;
use crate::common::everything::{Everything, sample};
use crate::common::search::config;

// Examples are programs, so some of their functions are not called here.
#[allow(dead_code)]
#[path = "../../examples/own_format.rs"]
mod own_format;
#[allow(dead_code)]
#[path = "../../examples/streaming_format.rs"]
mod streaming_format;

use own_format::Own;
use streaming_format::InLines;

fn formats() -> [Format; 2] {
    [Format::of::<Own>(), Format::of::<InLines>()]
}

#[test]
fn the_examples_run() {
    own_format::main().unwrap();
    streaming_format::main().unwrap();
}

#[test]
fn every_type_of_the_standard_library() {
    for format in formats() {
        let bytes = format.to_vec(&sample()).unwrap();
        let loaded: Everything = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded, sample(), "{format}");
        let tree: Value = format.from_slice(&bytes).unwrap();
        assert_eq!(format.to_vec(&tree).unwrap(), bytes, "{format}");
    }
}

#[test]
fn nesting_is_limited() {
    let deep = "{\n.a\n".repeat(100_000);
    let error = InLines::from_slice::<Value>(deep.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
    let skipped = format!("{{\n.b\n{deep}null\n{}}}\n", "}\n".repeat(100_000));
    InLines::from_slice::<Unknown>(skipped.as_bytes()).unwrap();
    let error = Own::from_slice::<Value>("list 1\n".repeat(100_000).as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
}

#[derive(Default, archive::Serialize)]
struct Unknown {
    known: u8,
}

#[test]
fn members_come_in_any_order_and_once() {
    let load = |text: &str| InLines::from_slice::<[u8; 0]>(text.as_bytes());
    assert_eq!(load("[\n7\n]\n").unwrap_err().kind(), ErrorKind::WrongLength);
    assert_eq!(load("[\n]\nnull\n").unwrap_err().kind(), ErrorKind::TrailingData);
    let error = InLines::from_slice::<Unknown>(b"{\n.known\n1\n.known\n2\n}\n").err().unwrap();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{error}");
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn damaged_input_is_an_error_or_a_value(
        flips in prop::collection::vec((any::<usize>(), any::<u8>()), 0..4),
        cut in any::<usize>(),
    ) {
        for format in formats() {
            let bytes = format.to_vec(&sample()).unwrap();
            for input in damaged(&bytes, &flips, cut) {
                let _ = format.from_slice::<Everything>(&input);
                let _ = format.from_slice_report::<Value>(&input, &archive::Options::new());
            }
        }
    }
}
