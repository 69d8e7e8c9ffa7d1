//! Skipped values count against the depth limit like loaded ones. Their types are not known, so
//! only the values that contain others are counted, not the levels.

use std::fmt::Debug;

use archive::{Blank, Error, ErrorKind, Options, Save, Serialize};

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

/// Lacks the same member further inside.
#[derive(Debug, Default, Serialize)]
struct Less {
    last: Option<Nothing>,
}

#[derive(Debug, Default, Serialize)]
struct Nothing {}

/// Requests the later member first.
#[derive(Debug, Default, Serialize)]
struct Reversed<T> {
    last: Option<Inside<T>>,
    first: u8,
}

/// Returns whether a load ended because of the levels of types.
fn has_levels(refused: Option<Error>) -> bool {
    refused.is_some_and(|error| error.message().contains(" levels"))
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
                // An entry of a MessagePack map is not a value of the file.
                let shallow = format.name() == "msgpack" && what.contains("map:");
                let refused = format.from_slice_with::<With<T>>(&once, &options).err();
                let (loaded, levels) = (refused.is_none(), shallow || has_levels(refused));
                let skipped = [
                    format.from_slice_with::<Without>(&once, &options).map(drop),
                    format.from_slice_with::<Reversed<T>>(&once, &options).map(drop),
                ];
                for skipped in skipped {
                    match skipped {
                        Ok(()) => assert!(loaded || levels, "{what}"),
                        Err(error) => {
                            assert!(!loaded, "{what}: {error}");
                            assert_eq!(error.kind(), ErrorKind::DepthLimit, "{what}: {error}");
                            assert!(error.path().starts_with("value"), "{what}: {error}");
                        }
                    }
                }
                let refused = format.from_slice_with::<With<T>>(&twice, &options).err();
                let (loaded, levels) = (refused.is_none(), shallow || has_levels(refused));
                match format.from_slice_with::<Less>(&twice, &options) {
                    Ok(_) => assert!(loaded || levels, "{what}"),
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
fn skipped_values_count() {
    values(&Skipped);
}
