//! Events: what an app triggers to save and load, and what it is told afterwards.

use std::sync::Arc;

#[cfg(feature = "save")]
pub(crate) use games::Place;
#[cfg(feature = "save")]
pub use games::{LoadFailed, LoadGame, SaveFailed, SaveGame, Saved};

use bevy_app::App;
use bevy_ecs::prelude::*;

use crate::report::LoadReport;

/// Is triggered when a world was loaded.
#[derive(Event, Clone, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// What was loaded.
    pub report: Arc<LoadReport>,
    /// The title, play time, thumbnail and further metadata of the save, if it is a save file.
    #[cfg(feature = "save")]
    pub meta: Option<Arc<archive::save::Meta>>,
    /// The number of the backup that was loaded, because the save is damaged.
    #[cfg(feature = "save")]
    pub fell_back: Option<usize>,
}

impl Loaded {
    pub(crate) fn new(report: Arc<LoadReport>) -> Self {
        Loaded {
            report,
            #[cfg(feature = "save")]
            meta: None,
            #[cfg(feature = "save")]
            fell_back: None,
        }
    }
}

/// Adds the observers.
pub(crate) fn add_to(app: &mut App) {
    #[cfg(feature = "save")]
    games::add_to(app);
    let _ = app;
}

#[cfg(feature = "save")]
mod games;
