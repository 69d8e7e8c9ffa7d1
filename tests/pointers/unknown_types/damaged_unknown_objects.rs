//! Damaged files end in errors, or in values that can be saved and loaded.

use proptest::prelude::*;

use super::game_and_mod::*;
use super::sharing::world;
use crate::common::damage::damaged;
use crate::common::{Format, each_once};

/// A damaged file is a value or an error, and so is the file that is saved of it.
fn load_anything(format: Format, bytes: &[u8]) {
    let Ok(kept) = format.from_slice_with::<World>(bytes, &plain()) else { return };
    for to in each_once() {
        let Ok(bytes) = to.to_vec_with(&kept, &plain()) else { continue };
        to.from_slice_with::<World>(&bytes, &plain())
            .unwrap_or_else(|e| panic!("{format} to {to}: {e}"));
        let _ = to.from_slice_with::<World>(&bytes, &modded());
    }
}

proptest! {
    #![proptest_config(crate::common::search::config(200))]

    #[test]
    fn damaged_files(flips in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4), cut in any::<usize>()) {
        let world = world();
        for format in each_once() {
            let bytes = format.to_vec_with(&world, &modded()).unwrap();
            for file in damaged(&bytes, &flips, cut) {
                load_anything(format, &file);
            }
        }
    }
}
