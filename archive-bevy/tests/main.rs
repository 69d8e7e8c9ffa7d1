//! The tests of `archive-bevy`, in one program.

mod common;
mod entities;
mod errors;
#[cfg(feature = "save")]
mod events;
mod evolution;
mod golden;
mod modes;
mod pointers;
mod random;
mod relations;
mod rivals;
#[cfg(feature = "store")]
mod store;
mod types;
mod whole;
