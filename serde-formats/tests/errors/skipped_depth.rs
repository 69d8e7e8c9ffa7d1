//! Skipped values count against the depth limit like loaded ones.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;

use archive::{Archive, Blank, ErrorKind, Format, Options, Result, Save, Serialize};

use crate::shared::serde_formats::serde_forgiving;

#[derive(Debug, Default, Serialize)]
struct With<T> {
    first: u8,
    value: T,
    last: u8,
}

#[derive(Debug, Default, Serialize)]
struct Without {
    first: u8,
    last: u8,
}

/// Requests the last member first, so that the members before it are kept for some time.
#[derive(Debug, Default)]
struct ByHand {
    first: u8,
    last: u8,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("last", &mut self.last)?;
        ar.serialize("first", &mut self.first)
    }
}
archive::blank!(ByHand);

#[derive(Clone, Debug, Default, Serialize)]
struct Node {
    next: Option<Box<Node>>,
    list: Vec<u8>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Shared {
    next: Option<Rc<RefCell<Shared>>>,
}

#[derive(Clone, Debug, Default, Serialize)]
enum Choice {
    #[default]
    None,
    One(Vec<u8>),
    Two {
        inner: Option<Box<Choice>>,
    },
}

fn check<T: Serialize + Save + Blank + Clone + Debug>(formats: &[Format], value: T) {
    for format in formats {
        let file = format.to_vec(&With { first: 1, value: value.clone(), last: 2 }).unwrap();
        for depth in 1..=24 {
            let options = Options::new().max_depth(depth);
            let what = format!("{format}, depth {depth}: {value:?}");
            let loaded = format.from_slice_with::<With<T>>(&file, &options).map(drop);
            for skipped in [
                format.from_slice_with::<Without>(&file, &options).map(drop),
                format.from_slice_with::<ByHand>(&file, &options).map(drop),
            ] {
                match (&loaded, skipped) {
                    (Ok(()), skipped) => skipped.unwrap_or_else(|e| panic!("{what}: {e}")),
                    (Err(_), Ok(())) => panic!("{what}: skipped, but not loaded"),
                    (Err(_), Err(error)) => {
                        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{what}: {error}");
                        assert!(error.path().starts_with("value") || depth == 1, "{what}: {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn skipped_values_count() {
    let formats = &serde_forgiving();
    check(formats, vec![vec![vec![vec![1_u8]]]]);
    check(formats, ([[[1_u8; 2]; 2]; 2], ((1_u8,),)));
    let node = |next| Node { next, list: vec![1] };
    let chain = (0..4).fold(node(None), |next, _| node(Some(Box::new(next))));
    check(formats, chain);
    check(formats, BTreeMap::from([(1_u8, vec![1_u8])]));
    check(formats, Choice::Two { inner: Some(Box::new(Choice::One(vec![1]))) });
    let shared = |next| Shared { next };
    let chain = (0..3).fold(shared(None), |next, _| shared(Some(Rc::new(RefCell::new(next)))));
    check(formats, chain);
}
