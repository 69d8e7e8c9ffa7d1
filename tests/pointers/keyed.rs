//! Sets, maps and heaps whose keys are shared pointers: they come back complete, however the objects
//! refer to each other, and equal worlds give equal bytes. The model is the plan of a world, which uses no
//! code of the library.

#[path = "keyed/model.rs"]
mod model;
#[path = "keyed/worlds.rs"]
mod worlds;

use crate::common::{forgives, formats, text};
use archive::Options;
use proptest::prelude::*;

use model::plan;
use worlds::{forwards, reversed, threads};

proptest! {
    #![proptest_config(crate::common::search::config(256))]

    /// Loaded by the same program, by one whose members are in another order, and with a report.
    #[test]
    fn keyed_worlds_come_back(plan in plan()) {
        let world = forwards::build(&plan, true);
        let expected = plan.expected();
        prop_assert_eq!(&forwards::walk(&world), &expected);
        for format in formats() {
            let bytes = format.to_vec(&world).unwrap();
            let fail = |error: &archive::Error| panic!("{format}: {error}\n{}", text(&bytes));
            let loaded = format.from_slice::<forwards::World>(&bytes).inspect_err(fail).unwrap();
            prop_assert_eq!(&forwards::walk(&loaded), &expected, "{}\n{}", format, text(&bytes));
            let again = format.to_vec(&loaded).unwrap();
            prop_assert_eq!(text(&again), text(&bytes), "{}", format);
            forwards::unlink(loaded);
            if forgives(format) {
                let loaded =
                    format.from_slice::<reversed::World>(&bytes).inspect_err(fail).unwrap();
                let seen = reversed::walk(&loaded);
                prop_assert_eq!(&seen, &expected, "{}\n{}", format, text(&bytes));
                reversed::unlink(loaded);
            }
            let (loaded, report) = format
                .from_slice_report::<forwards::World>(&bytes, &Options::new())
                .inspect_err(fail).unwrap();
            prop_assert_eq!(&forwards::walk(&loaded), &expected, "{}\n{}", format, text(&bytes));
            prop_assert_eq!(report.repeated().count(), 0);
            forwards::unlink(loaded);
        }
        forwards::unlink(world);
        // A heap is sorted while its owner is locked.
        let mut plan = plan;
        plan.units.iter_mut().for_each(|unit| unit.keys.heap.clear());
        let (world, expected) = (threads::build(&plan, true), plan.expected());
        for format in formats() {
            let bytes = format.to_vec(&world).unwrap();
            let loaded = format.from_slice::<threads::World>(&bytes)
                .unwrap_or_else(|error| panic!("{format}: {error}\n{}", text(&bytes)));
            prop_assert_eq!(&threads::walk(&loaded), &expected, "{}\n{}", format, text(&bytes));
            threads::unlink(loaded);
        }
        threads::unlink(world);
    }

    /// Objects that differ in nothing but their place in the world.
    #[test]
    fn equal_worlds_give_equal_bytes(plan in plan()) {
        let worlds: Vec<_> = (0..4).map(|_| forwards::build(&plan, false)).collect();
        for format in formats() {
            let first = format.to_vec(&worlds[0]).unwrap();
            for world in &worlds[1..] {
                prop_assert_eq!(text(&format.to_vec(world).unwrap()), text(&first), "{}", format);
            }
        }
        worlds.into_iter().for_each(forwards::unlink);
    }
}
