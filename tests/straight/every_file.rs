//! Files that were saved, that something happened to, and that were saved by an older program.

use archive::{
    Blank, Element, Format, Limits, Options, Registry, Save, Serialize, binary, dismantle,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::common::damage::damaged;
use super::worlds::{calls, later, now};

/// What comes of a load: the bytes of the value or the error; and what was called meanwhile.
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

/// The format through the archives of every format.
fn generally() -> Format {
    Format::of::<binary::Binary>()
}

/// Loads a file in every way.
fn check<T: Save + Element + Blank + Serialize>(
    file: &[u8],
    registries: &[Registry; 2],
    options: Options<'_>,
) {
    let [compiled, plain] = registries.each_ref().map(|known| options.clone().registry(known));
    calls();
    let expected = outcome(generally().from_slice_with::<T>(file, &plain), &plain);
    for options in [&compiled, &plain] {
        assert_eq!(outcome(binary::from_slice_with::<T>(file, options), options), expected);
    }
    let loaded = generally().from_slice_with::<T>(file, &compiled);
    assert_eq!(outcome(loaded, &compiled), expected);
}

/// Saves a value in every way.
fn save<T: Save>(value: &T, registries: &[Registry; 2]) -> Result<Vec<u8>, String> {
    let [compiled, plain] = registries.each_ref().map(|known| Options::new().registry(known));
    let expected = generally().to_vec_with(value, &plain).map_err(|error| error.to_string());
    for saved in [
        binary::to_vec_with(value, &compiled),
        binary::to_vec_with(value, &plain),
        generally().to_vec_with(value, &compiled),
    ] {
        assert_eq!(saved.map_err(|error| error.to_string()), expected);
    }
    expected
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_way_loads_and_saves_the_same(
        recipe in vec(any::<u8>(), 0..200),
        flips in vec((any::<usize>(), any::<u8>()), 1..4),
        cut in any::<usize>(),
        limit in 0..300_u64,
    ) {
        let (known, changed) = (now::registries().unwrap(), later::registries().unwrap());
        let world = now::World::of(&recipe);
        let saved = save(&world, &known);
        dismantle(world);
        let Ok(file) = saved else { return Ok(()) };
        let limits = |change: fn(&mut Limits, u64)| {
            let mut limits = Limits::default();
            change(&mut limits, limit);
            Options::new().limits(limits)
        };
        check::<now::World>(&file, &known, Options::new());
        check::<later::World>(&file, &changed, Options::new());
        check::<now::World>(&file, &known, limits(|limits, n| limits.elements = n));
        check::<now::World>(&file, &known, limits(|limits, n| limits.depth = n as usize / 8));
        check::<now::World>(&file, &known, limits(|limits, n| limits.pointers = n / 8));
        check::<later::World>(&file, &changed, limits(|limits, n| limits.elements = n));
        for damaged in damaged(&file, &flips, cut) {
            check::<now::World>(&damaged, &known, Options::new());
            check::<later::World>(&damaged, &changed, Options::new());
        }
    }
}
