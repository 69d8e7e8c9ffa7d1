//! Saved files, damaged ones, and those of an older program, in every format: loaded by the
//! functions that are compiled for it, and through the erased archive.

use archive::{
    Blank, Element, Format, Limits, Options, Registry, Save, Serialize, binary, dismantle,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::world_of_pointers::{calls, later, now};
use crate::common::damage::damaged;

/// The result of a load: the bytes of the value or the error, and the calls.
type Outcome = (Result<Vec<u8>, String>, Vec<String>);

fn outcome<T: Save + Blank + Serialize>(
    loaded: archive::Result<T>,
    options: &Options<'_>,
) -> Outcome {
    let calls = calls();
    let free = options.clone().limits(Limits::default());
    let outcome = match loaded {
        Ok(value) => {
            let saved = binary::to_vec_with(&value, &free).map_err(|error| error.to_string());
            dismantle(value);
            saved
        }
        Err(error) => Err(format!("{:?}: {error}", error.kind())),
    };
    (outcome, calls)
}

/// The common part of the results for a damaged file. Functions that are compiled for formats with
/// names load members in the order of the file, and others in that of the type. The orders differ
/// in such a file, so another one of its faults is found first.
fn common(format: Format, damaged: bool, outcome: Outcome) -> Outcome {
    match outcome {
        (Err(_), _) if damaged && format != Format::Binary => (Err(String::new()), Vec::new()),
        other => other,
    }
}

/// Loads a file in every way.
fn check<T: Save + Element + Blank + Serialize>(
    format: Format,
    (file, damaged): (&[u8], bool),
    registries: &[Registry; 2],
    options: Options<'_>,
) {
    let outcome =
        |loaded, options: &Options<'_>| common(format, damaged, outcome::<T>(loaded, options));
    let through_erased = Format::Custom(format.erased());
    let [compiled, plain] = registries.each_ref().map(|known| options.clone().registry(known));
    calls();
    let expected = outcome(through_erased.from_slice_with::<T>(file, &plain), &plain);
    for options in [&compiled, &plain] {
        let loaded = format.from_slice_with::<T>(file, options);
        assert_eq!(outcome(loaded, options), expected, "{format}");
    }
    let loaded = through_erased.from_slice_with::<T>(file, &compiled);
    assert_eq!(outcome(loaded, &compiled), expected, "{format}");
}

/// Saves a value in every way.
fn save<T: Save>(format: Format, value: &T, registries: &[Registry; 2]) -> Result<Vec<u8>, String> {
    let through_erased = Format::Custom(format.erased());
    let [compiled, plain] = registries.each_ref().map(|known| Options::new().registry(known));
    let expected = through_erased.to_vec_with(value, &plain).map_err(|error| error.to_string());
    for saved in [
        format.to_vec_with(value, &compiled),
        format.to_vec_with(value, &plain),
        through_erased.to_vec_with(value, &compiled),
    ] {
        assert_eq!(saved.map_err(|error| error.to_string()), expected, "{format}");
    }
    expected
}

/// A saved world, unchanged and damaged, loaded by both programs and under limits.
fn check_all(format: Format, recipe: &[u8], (flips, cut): (&[(usize, u8)], usize), limit: u64) {
    let (known, changed) = (now::registries().unwrap(), later::registries().unwrap());
    let limits = |change: fn(&mut Limits, u64)| {
        let mut limits = Limits::default();
        change(&mut limits, limit);
        Options::new().limits(limits)
    };
    let world = now::World::of(recipe);
    if let Ok(file) = save(format, &world, &known) {
        let few = || limits(|limits, few| limits.elements = few);
        for options in [
            Options::new(),
            few(),
            limits(|limits, few| limits.depth = few as usize / 8),
            limits(|limits, few| limits.pointers = few / 8),
        ] {
            check::<now::World>(format, (&file, false), &known, options);
        }
        for options in [Options::new(), few()] {
            check::<later::World>(format, (&file, false), &changed, options);
        }
        for damaged in damaged(&file, flips, cut) {
            check::<now::World>(format, (&damaged, true), &known, Options::new());
            check::<later::World>(format, (&damaged, true), &changed, Options::new());
        }
    }
    dismantle(world);
}

proptest! {
    #![proptest_config(crate::common::search::config(200))]

    #[test]
    fn every_way_loads_and_saves_the_same_binary(
        recipe in vec(any::<u8>(), 0..200),
        flips in vec((any::<usize>(), any::<u8>()), 1..4),
        cut in any::<usize>(),
        limit in 0..300_u64,
    ) {
        check_all(Format::Binary, &recipe, (&flips, cut), limit);
    }
}

proptest! {
    #![proptest_config(crate::common::search::config(100))]

    #[test]
    fn every_way_loads_and_saves_the_same_in_other_formats(
        recipe in vec(any::<u8>(), 0..200),
        flips in vec((any::<usize>(), any::<u8>()), 1..4),
        cut in any::<usize>(),
        limit in 0..300_u64,
    ) {
        for format in Format::all().filter(|format| *format != Format::Binary) {
            check_all(format, &recipe, (&flips, cut), limit);
        }
    }
}
