//! What nobody asks for counts against the depth limit as what is loaded does.

use std::fmt::Debug;

use archive::{Blank, ErrorKind, Options, Save, Serialize};

use crate::common::forgiving;
use crate::same_limits::{Check, values};

#[derive(Debug, Default, Serialize)]
struct With<T> {
    first: u8,
    value: T,
    last: Option<Inside<T>>,
}

#[derive(Debug, Default, Serialize)]
struct Inside<T> {
    value: Option<T>,
}

/// Lacks a member.
#[derive(Debug, Default, Serialize)]
struct Without {
    first: u8,
}

/// Lacks the same further inside.
#[derive(Debug, Default, Serialize)]
struct Less {
    last: Option<Nothing>,
}

#[derive(Debug, Default, Serialize)]
struct Nothing {}

/// Asks first for what comes after it.
#[derive(Debug, Default, Serialize)]
struct Reversed<T> {
    last: Option<Inside<T>>,
    first: u8,
}

struct Skipped;

impl Check for Skipped {
    fn check<T: Serialize + Save + Blank + Clone + PartialEq + Debug>(&self, value: T) {
        for format in forgiving() {
            let with = |value: T, last: Option<T>| {
                let last = last.map(|value| Inside { value: Some(value) });
                format.to_vec(&With { first: 1, value, last }).unwrap()
            };
            let (once, twice) =
                (with(value.clone(), None), with(value.clone(), Some(value.clone())));
            for depth in 1..=11 {
                let options = Options::new().max_depth(depth);
                let what = format!("{format}, depth {depth}: {value:?}");
                // An entry of a map that MessagePack has itself is no level of the file.
                let shallow = format.name() == "msgpack" && what.contains("map:");
                let loaded = format.from_slice_with::<With<T>>(&once, &options).is_ok();
                let skipped = [
                    format.from_slice_with::<Without>(&once, &options).map(drop),
                    format.from_slice_with::<Reversed<T>>(&once, &options).map(drop),
                ];
                for skipped in skipped {
                    match skipped {
                        Ok(()) => assert!(loaded || shallow, "{what}"),
                        Err(error) => {
                            assert!(!loaded, "{what}: {error}");
                            assert_eq!(error.kind(), ErrorKind::DepthLimit, "{what}: {error}");
                            assert!(error.path().starts_with("value"), "{what}: {error}");
                        }
                    }
                }
                let loaded = format.from_slice_with::<With<T>>(&twice, &options).is_ok();
                match format.from_slice_with::<Less>(&twice, &options) {
                    Ok(_) => assert!(loaded || shallow, "{what}"),
                    Err(error) => {
                        assert!(!loaded, "{what}: {error}");
                        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{what}: {error}");
                        assert!(!error.path().is_empty(), "{what}: {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_passed_over_counts() {
    values(&Skipped);
}
