//! The events of save files and slots.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use archive::Format;
use archive::save::Meta;
use bevy_app::App;
use bevy_ecs::prelude::*;

use crate::load::Load;
use crate::report::SaveReport;
use crate::scope::Scope;
use crate::slots;

/// Saves the world to a slot or a file. [`Saved`] or [`SaveFailed`] follows.
///
/// ```
/// use archive_bevy::SaveGame;
/// use bevy_ecs::prelude::*;
///
/// fn quick_save(mut commands: Commands<'_, '_>) {
///     commands.trigger(SaveGame::slot("quick").title("The harbour"));
/// }
/// # let _ = quick_save;
/// ```
#[derive(Event, Clone, Debug)]
pub struct SaveGame {
    pub(crate) place: Place,
    pub(crate) format: Format,
    pub(crate) scope: Scope,
    pub(crate) is_in_background: bool,
    pub(crate) title: String,
    pub(crate) play_time: Duration,
    pub(crate) thumbnail: Vec<u8>,
}

/// Where a save is.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Slot(String),
    /// The next autosave to save to, or the newest save to load.
    Auto,
    File(PathBuf),
}

impl SaveGame {
    fn to(place: Place) -> Self {
        SaveGame {
            place,
            format: Format::Binary,
            scope: Scope::all(),
            is_in_background: false,
            title: String::new(),
            play_time: Duration::ZERO,
            thumbnail: Vec::new(),
        }
    }

    /// Saves to the slot of that name in [`Slots`](crate::Slots).
    pub fn slot(name: impl Into<String>) -> Self {
        Self::to(Place::Slot(name.into()))
    }

    /// Saves to the next autosave in [`Slots`](crate::Slots).
    pub fn autosave() -> Self {
        Self::to(Place::Auto)
    }

    /// Saves to a file without slots.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::to(Place::File(path.into()))
    }

    /// Sets the format. It is [`Format::Binary`] otherwise.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Saves a part of the world.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Encodes the world at once, and writes the file on another thread. [`Saved`] is triggered in the
    /// schedule `Last` of a later frame. A file without slots is written at once all the same.
    #[must_use]
    pub fn in_background(mut self) -> Self {
        self.is_in_background = true;
        self
    }

    /// Sets the title that the player sees in a list of saves.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets how long the game was played.
    #[must_use]
    pub fn play_time(mut self, time: Duration) -> Self {
        self.play_time = time;
        self
    }

    /// Sets a picture, as the bytes of an image file such as PNG.
    #[must_use]
    pub fn thumbnail(mut self, image: impl Into<Vec<u8>>) -> Self {
        self.thumbnail = image.into();
        self
    }
}

/// Loads the world from a slot or a file. [`Loaded`](crate::Loaded) or [`LoadFailed`] follows.
#[derive(Event, Clone, Debug)]
pub struct LoadGame {
    pub(crate) place: Place,
    pub(crate) how: Load,
    pub(crate) is_in_background: bool,
}

impl LoadGame {
    fn from(place: Place) -> Self {
        LoadGame { place, how: Load::replace(), is_in_background: false }
    }

    /// Loads the slot of that name in [`Slots`](crate::Slots).
    pub fn slot(name: impl Into<String>) -> Self {
        Self::from(Place::Slot(name.into()))
    }

    /// Loads the newest save that is good in [`Slots`](crate::Slots).
    pub fn newest() -> Self {
        Self::from(Place::Auto)
    }

    /// Loads a file of [`SaveGame::file`].
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::from(Place::File(path.into()))
    }

    /// Sets the mode. It is [`Load::replace`] otherwise.
    #[must_use]
    pub fn how(mut self, how: Load) -> Self {
        self.how = how;
        self
    }

    /// Reads, verifies and decompresses the file on another thread. The world changes in the schedule
    /// `Last` of a later frame, where the components are decoded and inserted, and [`Loaded`] or
    /// [`LoadFailed`] is triggered. Until then the resource [`LoadingGame`](crate::LoadingGame) has the
    /// progress. A later [`LoadGame`] cancels this one.
    ///
    /// [`Loaded`]: crate::Loaded
    #[must_use]
    pub fn in_background(mut self) -> Self {
        self.is_in_background = true;
        self
    }
}

/// Is triggered when a [`SaveGame`] was written.
#[derive(Event, Clone, Debug)]
#[non_exhaustive]
pub struct Saved {
    /// What was saved.
    pub report: Arc<SaveReport>,
    /// The metadata of the file. `None` for a save in the background that a later one to the same slot
    /// replaced before it was written.
    pub meta: Option<Arc<Meta>>,
}

impl Saved {
    pub(crate) fn new(report: Arc<SaveReport>, meta: Option<Meta>) -> Self {
        Saved { report, meta: meta.map(Arc::new) }
    }
}

/// Is triggered when a [`SaveGame`] failed. The file is what it was.
#[derive(Event, Clone, Debug)]
#[non_exhaustive]
pub struct SaveFailed {
    /// The reason.
    pub error: Arc<archive::Error>,
}

/// Is triggered when a [`LoadGame`] failed. The world is what it was.
#[derive(Event, Clone, Debug)]
#[non_exhaustive]
pub struct LoadFailed {
    /// The reason.
    pub error: Arc<archive::Error>,
}

/// Adds the observers, and the systems of the background.
pub(super) fn add_to(app: &mut App) {
    app.add_observer(|event: On<'_, '_, SaveGame>, mut commands: Commands<'_, '_>| {
        let game = event.event().clone();
        commands.queue(move |world: &mut World| match slots::save(world, &game) {
            Ok(Some(saved)) => world.trigger(saved),
            Ok(None) => {}
            Err(error) => world.trigger(SaveFailed::new(error)),
        });
    });
    app.add_observer(|event: On<'_, '_, LoadGame>, mut commands: Commands<'_, '_>| {
        let game = event.event().clone();
        commands.queue(move |world: &mut World| match slots::load(world, &game) {
            Ok(Some(loaded)) => world.trigger(loaded),
            Ok(None) => {}
            Err(error) => world.trigger(LoadFailed::new(error)),
        });
    });
    crate::jobs::add_to(app);
}

impl SaveFailed {
    pub(crate) fn new(error: archive::Error) -> Self {
        SaveFailed { error: Arc::new(error) }
    }
}

impl LoadFailed {
    pub(crate) fn new(error: archive::Error) -> Self {
        LoadFailed { error: Arc::new(error) }
    }
}
