#![doc = include_str!("../README.md")]

mod app;
#[cfg(feature = "asset")]
pub mod asset;
mod bevy_types;
mod column;
pub mod entity;
mod events;
mod ids;
#[cfg(feature = "save")]
mod jobs;
mod keep;
mod load;
mod loader;
mod mark;
mod registered;
mod relation;
mod report;
mod resource;
mod save;
mod scope;
#[cfg(feature = "save")]
mod slots;
mod snapshot;
#[cfg(feature = "store")]
pub mod store;
mod whole;

pub use app::{SaveApp, SavePlugin};
pub use bevy_types::*;
pub use events::Loaded;
#[cfg(feature = "save")]
pub use events::{LoadFailed, LoadGame, SaveFailed, SaveGame, Saved};
#[cfg(feature = "save")]
pub use jobs::LoadingGame;
pub use load::{Load, load, load_with};
pub use mark::{Save, SaveId};
pub use report::{LoadReport, SaveReport, Unsaved};
pub use save::{save, save_with};
pub use scope::Scope;
#[cfg(feature = "save")]
pub use slots::Slots;

/// Items that macros refer to; not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use archive::Result;
    pub use bevy_ecs::entity::Entity;
}

/// The page that shows moonshine-save's example in both libraries.
#[cfg(doctest)]
#[doc = include_str!("../docs/MOONSHINE.md")]
pub mod moonshine {}
