//! `Options::keep_unknown`: objects of types that are not registered survive.

mod chains;
#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod model;
mod places;
mod refusals;
mod roots;
mod sharing;
mod threads;

/// Every format, and one of a user's own.
fn formats() -> Vec<archive::Format> {
    let mut formats = common::formats();
    formats.push(archive::Format::of::<common::tree::Tree>());
    formats
}
