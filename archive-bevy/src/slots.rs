//! [`Slots`]: the saves of a player, through `archive::save`.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use archive::save::{Job, SaveFile, Saves, Slot, SlotState};
use archive::{Error, ErrorKind, Options, Result};
use bevy_ecs::prelude::*;

use crate::events::Place;
use crate::events::{LoadGame, Loaded, SaveFailed, SaveGame, Saved};
use crate::load::load_from;
use crate::report::SaveReport;
use crate::save::with_snapshot;

/// The slots of the game, as a resource. Insert it before the first [`SaveGame`] or [`LoadGame`].
#[derive(Resource)]
pub struct Slots {
    saves: Saves,
    options: Box<dyn Fn() -> Options<'static> + Send + Sync>,
    jobs: Mutex<Vec<Running>>,
}

/// A save in the background.
struct Running {
    job: Job,
    report: Arc<SaveReport>,
}

impl Slots {
    /// Returns slots in the folder that the platform has for the data of the game.
    pub fn in_data_dir(game: &str) -> Result<Self> {
        Ok(Self::new(Saves::in_data_dir(game)?.game(game)))
    }

    /// Returns slots in a folder.
    pub fn in_folder(folder: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::new(Saves::in_folder(folder)?))
    }

    /// Returns slots with the given settings: how many backups and autosaves there are, the version of
    /// the game, another file system.
    pub fn new(saves: Saves) -> Self {
        Slots { saves, options: Box::new(Options::new), jobs: Mutex::default() }
    }

    /// Sets the options of saves and loads, such as the registry of trait objects.
    #[must_use]
    pub fn options(
        mut self,
        options: impl Fn() -> Options<'static> + Send + Sync + 'static,
    ) -> Self {
        self.options = Box::new(options);
        self
    }

    /// Returns the saves: to list them in a menu, to delete or rename one.
    pub fn saves(&self) -> &Saves {
        &self.saves
    }
}

/// Returns the options, which are those of files without [`Slots`], too.
fn options(world: &World) -> Options<'static> {
    world.get_resource::<Slots>().map_or_else(Options::new, |slots| (slots.options)())
}

fn saves(world: &World) -> Result<&Saves> {
    let slots = world.get_resource::<Slots>().ok_or_else(|| {
        Error::new(ErrorKind::MissingContext, "the world has no resource `archive_bevy::Slots`")
    })?;
    Ok(&slots.saves)
}

/// Saves a game. Returns nothing if the save runs in the background.
pub(crate) fn save(world: &mut World, game: &SaveGame) -> Result<Option<Saved>> {
    let SaveGame { place, format, scope, is_in_background, title, play_time, thumbnail } = game;
    let options = options(world);
    let slot = match place {
        Place::File(path) => {
            let file = SaveFile::new(path).title(title).play_time(*play_time);
            let file = file.thumbnail(thumbnail.clone());
            let (meta, report) = with_snapshot(world, scope, &options, |snapshot, options| {
                file.save_with(snapshot, *format, options)
            })?;
            return Ok(Some(Saved::new(Arc::new(report), Some(meta))));
        }
        Place::Slot(name) => saves(world)?.slot(name)?,
        Place::Auto => saves(world)?.autosave()?,
    };
    let slot = slot.title(title).play_time(*play_time).thumbnail(thumbnail.clone());
    if !*is_in_background {
        let (meta, report) = with_snapshot(world, scope, &options, |snapshot, options| {
            slot.save_with(snapshot, *format, options)
        })?;
        return Ok(Some(Saved::new(Arc::new(report), Some(meta))));
    }
    let (job, report) = with_snapshot(world, scope, &options, |snapshot, options| {
        slot.save_in_background_with(snapshot, *format, options)
    })?;
    let slots = world.resource::<Slots>();
    let mut jobs = slots.jobs.lock().unwrap_or_else(PoisonError::into_inner);
    jobs.push(Running { job, report: Arc::new(report) });
    Ok(None)
}

/// Triggers the events of saves in the background that have ended.
pub(crate) fn finish(slots: Option<Res<'_, Slots>>, mut commands: Commands<'_, '_>) {
    let Some(slots) = slots else { return };
    let mut jobs = slots.jobs.lock().unwrap_or_else(PoisonError::into_inner);
    for Running { job, report } in jobs.extract_if(.., |it| it.job.is_done()) {
        match job.wait() {
            Ok(outcome) => commands.trigger(Saved::new(report, outcome.saved())),
            Err(error) => commands.trigger(SaveFailed::new(error)),
        }
    }
}

/// Loads a game.
pub(crate) fn load(world: &mut World, game: &LoadGame) -> Result<Loaded> {
    let options = options(world);
    let slot = match &game.place {
        Place::File(path) => {
            let file = SaveFile::new(path);
            let (loaded, report) = load_from(world, &game.how, &options, |loader, options| {
                file.load_into_with(loader, options)
            })?;
            return Ok(event(report, loaded));
        }
        Place::Slot(name) => saves(world)?.slot(name)?,
        Place::Auto => newest(saves(world)?)?,
    };
    let (loaded, report) = load_from(world, &game.how, &options, |loader, options| {
        slot.load_into_with(loader, options)
    })?;
    Ok(event(report, loaded))
}

fn event(report: Arc<crate::LoadReport>, loaded: archive::save::Loaded<()>) -> Loaded {
    let archive::save::Loaded { meta, fell_back, .. } = loaded;
    Loaded { meta: Some(Arc::new(meta)), fell_back, ..Loaded::new(report) }
}

/// Returns the newest save that can be loaded.
fn newest(saves: &Saves) -> Result<Slot> {
    let is_good = |slot: &Slot| slot.state() == SlotState::Good || slot.falls_back().is_some();
    let slot = saves.list()?.into_iter().find(is_good);
    slot.ok_or_else(|| Error::new(ErrorKind::NotFound, "there is no save to load"))
}
