//! The law of documents: a random change is refused with its place, or the program loads the file
//! and has the content of the document.

mod alike;
mod choices;
mod edit;
mod zoo;

use archive::binary::{self, Document};
use archive::{Options, Value, dismantle};
use proptest::collection::vec;
use proptest::prelude::*;

use alike::{canonical, difference, sorted};
use choices::Tape;
use zoo::Zoo;

proptest! {
    #![proptest_config(crate::common::search::config(4_000))]

    #[test]
    fn changed_documents_load_or_are_refused(
        recipe in vec(any::<u8>(), 0..700),
        changes in vec(any::<u8>(), 0..80),
        count in 1_usize..5,
    ) {
        let registry = zoo::registry();
        let options = Options::new().registry(&registry);
        let zoo = Zoo::of(&mut Tape::new(recipe));
        let file = binary::to_vec_with(&zoo, &options);
        dismantle(zoo);
        let file = file.unwrap();
        let mut document = Document::from_slice(&file).unwrap();
        let same = document.to_vec();
        prop_assert!(same.as_ref().is_ok_and(|same| *same == file), "{:?}\n{}", same.err(), document.value);
        let original = document.value.clone();
        let mut tape = Tape::new(changes);
        let mut rounds = false;
        for _ in 0..count {
            rounds |= edit::edit(&mut document.value, &mut tape);
        }
        let shown = &document.value;
        match document.to_vec() {
            Err(error) => {
                let in_root = shown.as_object().map(<[_]>::len) != original.as_object().map(<[_]>::len);
                prop_assert!(!error.path().is_empty() || in_root || shown["plain"].as_array().is_none(), "{error}");
            }
            Ok(changed) => {
                let context = || format!("\n{original}\n{shown}");
                let tree: Value = binary::from_slice(&changed).unwrap();
                let again = Document::from_slice(&changed).unwrap().to_vec();
                let again = again.map_err(|error| TestCaseError::fail(format!("again: {error}{}", context())))?;
                // A deferred object moves to a reference that a change put before it.
                prop_assert!(again == changed || !shown["chain"]["$deferred"].is_null(), "not the same again{}", context());
                let again: Value = binary::from_slice(&again).unwrap();
                let found = difference(&canonical(&tree), &canonical(&again), false);
                prop_assert!(found.is_none(), "again{}{}", found.unwrap(), context());
                let found = difference(&canonical(shown), &canonical(&tree), rounds);
                prop_assert!(found.is_none(), "file{}{}", found.unwrap(), context());
                let loaded = binary::from_slice_with::<Zoo>(&changed, &options);
                let loaded = loaded.map_err(|error| TestCaseError::fail(format!("{error}{}", context())))?;
                let again = Value::of_with(&loaded, &options);
                dismantle(loaded);
                let found = difference(&canonical(&sorted(shown.clone())), &canonical(&sorted(again.unwrap())), rounds);
                prop_assert!(found.is_none(), "program{}{}", found.unwrap(), context());
            }
        }
    }

    /// Files with a self-describing root accept every tree, as far as they can load it.
    #[test]
    fn changed_values_without_types(recipe in vec(any::<u8>(), 0..20), changes in vec(any::<u8>(), 0..60)) {
        let mut tape = Tape::new(recipe);
        let value: Value = tape.list(4, zoo::any).into();
        let file = binary::to_vec(&value).unwrap();
        super::unchanged(&file);
        let mut document = Document::from_slice(&file).unwrap();
        let mut tape = Tape::new(changes);
        for _ in 0..3 {
            edit::edit(&mut document.value, &mut tape);
        }
        if let Ok(changed) = document.to_vec() {
            let tree: Value = binary::from_slice(&changed).unwrap();
            let found = difference(&canonical(&document.value), &canonical(&tree), false);
            prop_assert!(found.is_none(), "{}\n{value}\n{}", found.unwrap(), document.value);
        }
    }
}
