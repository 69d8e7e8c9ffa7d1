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

/// Loads a file both ways.
fn both<T: Save + Element + Blank + Serialize>(file: &[u8], options: &Options<'_>) -> [Outcome; 2] {
    calls();
    let straight = outcome(binary::from_slice_with::<T>(file, options), options);
    let general = outcome(generally().from_slice_with::<T>(file, options), options);
    [straight, general]
}

fn check<T: Save + Element + Blank + Serialize>(
    file: &[u8],
    registry: &Registry,
    options: Options<'_>,
) {
    let options = options.registry(registry);
    let [straight, general] = both::<T>(file, &options);
    assert_eq!(straight, general);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn both_ways_load_and_save_the_same(
        recipe in vec(any::<u8>(), 0..200),
        flips in vec((any::<usize>(), any::<u8>()), 1..4),
        cut in any::<usize>(),
        limit in 0..300_u64,
    ) {
        let (known, changed) = (now::registry().unwrap(), later::registry().unwrap());
        let options = Options::new().registry(&known);
        let world = now::World::of(&recipe);
        let file = match (binary::to_vec_with(&world, &options), generally().to_vec_with(&world, &options)) {
            (Ok(straight), Ok(general)) => {
                prop_assert_eq!(&straight, &general);
                straight
            }
            (straight, general) => {
                prop_assert_eq!(
                    straight.map_err(|error| error.to_string()),
                    general.map_err(|error| error.to_string())
                );
                return Ok(());
            }
        };
        dismantle(world);
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
