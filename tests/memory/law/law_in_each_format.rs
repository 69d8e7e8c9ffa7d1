//! The law in each format of a list.

use archive::Format;
use archive_test_support::search::{cases, seed};

use super::memory_law::Law;
use super::{costly_shapes, forge, program_files};

/// Checks one format after the other.
fn in_every_format(check: impl Fn(Format, &mut Law)) {
    let mut law = Law::new();
    for format in super::formats() {
        law.warm_up(format);
        check(format, &mut law);
    }
    law.conclude();
}

#[test]
fn the_most_expensive_inputs() {
    in_every_format(costly_shapes::check);
}

/// The number of files that are forged from each.
const FORGED: u32 = 12;

#[test]
fn forged_files() {
    let seed = seed();
    in_every_format(|format, law| {
        for file in program_files::files(format) {
            law.check(format, "a good file", &file);
            for seed in seed..seed + u64::from(cases(FORGED)) {
                law.check(format, "forged", &forge::forge(format, &file, seed));
            }
        }
    });
}
