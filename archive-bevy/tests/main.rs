//! The tests of `archive-bevy`, in one program.

mod common;
mod components_of_bevy;
mod entities;
mod entities_of_bevy;
mod errors;
#[cfg(feature = "save")]
mod events;
mod golden_worlds;
#[cfg(feature = "store")]
mod incremental_saves;
mod kept_relations;
mod modes;
#[cfg(feature = "save")]
mod nasty_worlds;
mod other_versions;
mod pointers_in_components;
mod random_worlds;
mod relations;
mod rivals;
mod whole;
