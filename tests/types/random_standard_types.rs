//! Random values of all types of the standard library at once: every format, every way to load,
//! and from format to format without the types.

use crate::common::everything::{Everything, Seed, everything};
use crate::common::{forgiving, formats, round_trip, text};
use archive::{Save, Value, json};
use proptest::collection::vec;
use proptest::prelude::*;

fn seed() -> impl Strategy<Value = Seed> {
    let number = prop_oneof![Just(0), Just(u64::MAX), any::<u64>(), 0..100_u64];
    (number, any::<i64>(), any::<String>(), vec(any::<String>(), 0..4), vec(any::<u8>(), 0..6))
        .prop_map(|(number, signed, text, list, bytes)| Seed {
            number,
            signed,
            text,
            list,
            bytes,
            foreign: true,
        })
}

proptest! {
    #![proptest_config(crate::common::search::config(24))]

    #[test]
    fn save_and_load(seed in seed()) {
        round_trip(&everything(&seed));
    }

    /// Nothing of an old value remains.
    #[test]
    fn load_over_another(old in seed(), new in seed()) {
        let new = everything(&new);
        for format in formats() {
            let bytes = format.to_vec(&new).unwrap();
            let mut value = everything(&old);
            format.load_into(&mut value, &bytes).unwrap();
            prop_assert_eq!(&value, &new, "{}", format);
            let again = format.to_vec(&value).unwrap();
            prop_assert_eq!(text(&again), text(&bytes), "{}", format);
        }
    }

    /// Typed → A → `Value` → B → typed, for every pair of formats.
    #[test]
    fn between_formats(seed in seed()) {
        let value = everything(&seed);
        let tree = Value::of(&value).unwrap();
        prop_assert_eq!(&tree.to::<Everything>().unwrap(), &value);
        for from in forgiving() {
            let tree: Value = from.from_slice(&from.to_vec(&value).unwrap()).unwrap();
            prop_assert_eq!(&tree.to::<Everything>().unwrap(), &value, "{}", from);
            for to in forgiving() {
                let bytes = to.to_vec(&tree).unwrap();
                let loaded: Everything = to.from_slice(&bytes)
                    .unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
                prop_assert_eq!(&loaded, &value, "{} to {}", from, to);
            }
        }
    }

    /// Cut short or changed, it is a value or an error.
    #[test]
    fn hostile(seed in seed(), at in any::<prop::sample::Index>(), new in any::<u8>()) {
        let value = everything(&seed);
        for format in formats() {
            let mut bytes = format.to_vec(&value).unwrap();
            let at = at.index(bytes.len());
            prop_assert!(format.from_slice::<Everything>(&bytes[..at]).is_err(), "{}", format);
            bytes[at] = new;
            if let Ok(value) = format.from_slice::<Everything>(&bytes) {
                format.to_vec(&value).unwrap();
            }
        }
    }
}

/// A blank value saves and loads: every type has a valid blank value.
#[test]
fn blanks() {
    fn blank<T: archive::Blank + Save>() -> T {
        T::blank(&archive::Options::new())
    }
    let value: Everything = blank();
    round_trip(&value);
    let loaded: Everything = json::from_str("{}").unwrap();
    assert_eq!(loaded, value);
}
