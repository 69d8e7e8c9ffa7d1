//! Objects of types that are not registered, in every format.

mod chains;
mod damage;
pub mod model;
mod places;
mod roots;
pub mod sharing;

use crate::common::{Format, forgives, keeps_unknown};

/// Every format, and one of a user's own.
pub fn formats() -> Vec<Format> {
    let mut formats = crate::common::formats();
    formats.retain(|format| keeps_unknown(*format));
    formats.push(Format::of::<crate::common::tree::Tree>());
    formats
}

/// Whether what was kept from one format can be loaded from the other: members without names cannot, from
/// where they need some.
fn goes_into(from: Format, to: Format) -> bool {
    forgives(from) || !forgives(to)
}
