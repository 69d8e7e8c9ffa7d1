//! Lists and maps that do not announce their length.

use std::collections::BTreeMap;

use archive::ErrorKind;

use crate::common::uncounted::{Uncounted, UncountedMap};
use crate::common::{Format, formats};

fn needs_lengths(format: Format) -> bool {
    ["binary", "columns", "fingerprint", "bare"].contains(&format.name())
}

#[test]
fn are_saved_as_those_of_known_length() {
    for len in [0, 1, 15, 16, 70_000] {
        let value: (Vec<u32>, u8) = ((0..len).collect(), 7);
        for format in formats() {
            let bytes = format.to_vec(&(Uncounted(value.0.clone()), 7_u8)).unwrap();
            let loaded: (Vec<u32>, u8) = format.from_slice(&bytes).unwrap();
            assert!(loaded == value, "{format}, {len}");
            // Bins makes an array of numbers only if it knows how many there are.
            let same = bytes == format.to_vec(&value).unwrap();
            assert!(same || format.name() == "bins", "{format}, {len}");
        }
    }
    for len in [0, 1, 15, 16, 2000] {
        let value: (BTreeMap<u32, String>, u8) =
            ((0..len).map(|n| (n, n.to_string())).collect(), 7);
        for format in formats() {
            let saved = format.to_vec(&(UncountedMap(value.0.clone()), 7_u8));
            if needs_lengths(format) {
                let error = saved.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Unsupported, "{format}: {error}");
                assert_eq!(error.path(), "[0]", "{format}: {error}");
            } else {
                let saved = saved.unwrap_or_else(|error| panic!("{format}, {len}: {error}"));
                assert!(saved == format.to_vec(&value).unwrap(), "{format}, {len}");
                let loaded: (BTreeMap<u32, String>, u8) = format.from_slice(&saved).unwrap();
                assert!(loaded == value, "{format}, {len}");
            }
        }
    }
}
