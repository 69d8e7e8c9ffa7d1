//! `Options::keep_unknown`: objects of types that are not registered survive, in every format.

mod damaged_unknown_objects;
mod every_place;
pub mod game_and_mod;
mod roots;
pub mod sharing;
mod unknown_chains;

use crate::common::{Format, forgives, keeps_unknown};

/// Every format, and one of a user's own.
pub fn formats() -> Vec<Format> {
    let mut formats = crate::common::formats();
    formats.retain(|format| keeps_unknown(*format));
    formats.push(Format::of::<crate::common::tree::Tree>());
    formats
}

/// Whether an object that was kept from one format can be loaded from the other one: members
/// without names cannot, if names are needed.
fn goes_into(from: Format, to: Format) -> bool {
    forgives(from) || !forgives(to)
}
