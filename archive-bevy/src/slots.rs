//! [`Slots`]: the saves of a player, through `archive::save`.

use std::path::Path;
use std::sync::Arc;

use archive::save::{SaveFile, Saves, Slot, SlotState};
use archive::{Error, ErrorKind, Format, Options, Result};
use bevy_ecs::prelude::*;

use crate::events::{LoadGame, Loaded, Place, SaveGame, Saved};
use crate::jobs::{LoadingGame, SavingGames};
use crate::load::load_from;
use crate::loader::Loader;
use crate::report::LoadReport;
use crate::save::with_snapshot;

type MakeOptions = Arc<dyn Fn() -> Options<'static> + Send + Sync>;

/// The slots of the game, as a resource. Insert it before the first [`SaveGame`] or [`LoadGame`].
#[derive(Resource)]
pub struct Slots {
    saves: Saves,
    options: MakeOptions,
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
        Slots { saves, options: Arc::new(Options::new) }
    }

    /// Sets the options of saves and loads, such as the registry of trait objects.
    #[must_use]
    pub fn options(
        mut self,
        options: impl Fn() -> Options<'static> + Send + Sync + 'static,
    ) -> Self {
        self.options = Arc::new(options);
        self
    }

    /// Returns the saves: to list them in a menu, to delete or rename one.
    pub fn saves(&self) -> &Saves {
        &self.saves
    }
}

/// Returns the function of the options, which are those of files without [`Slots`], too.
fn options(world: &World) -> MakeOptions {
    let slots = world.get_resource::<Slots>();
    slots.map_or_else(|| Arc::new(Options::new) as MakeOptions, |slots| slots.options.clone())
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
    let options = options(world)();
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
    world.get_resource_or_init::<SavingGames>().add(job, report);
    Ok(None)
}

/// Where a game is loaded from.
enum Origin {
    File(Box<SaveFile>),
    Slot(Box<Slot>),
}

impl Origin {
    fn of(world: &World, place: &Place) -> Result<Self> {
        Ok(match place {
            Place::File(path) => Origin::File(Box::new(SaveFile::new(path))),
            Place::Slot(name) => Origin::Slot(Box::new(saves(world)?.slot(name)?)),
            Place::Auto => Origin::Slot(Box::new(newest(saves(world)?)?)),
        })
    }
}

/// Loads a game. Returns nothing if the load continues in the background.
pub(crate) fn load(world: &mut World, game: &LoadGame) -> Result<Option<Loaded>> {
    // It would replace what this load loads.
    world.remove_resource::<LoadingGame>();
    let LoadGame { place, how, is_in_background } = game;
    let (origin, options) = (Origin::of(world, place)?, options(world));
    if *is_in_background {
        let options = move || options();
        let job = match origin {
            Origin::File(file) => file.load_body_in_background_with::<Loader<'_>>(options),
            Origin::Slot(slot) => slot.load_body_in_background_with::<Loader<'_>>(options),
        };
        world.insert_resource(LoadingGame::new(job?, game.clone()));
        return Ok(None);
    }
    let (loaded, report) = load_from(world, how, &options(), |loader, options| {
        loader.read(options, |loader, options| match &origin {
            Origin::File(file) => file.load_into_with(loader, options),
            Origin::Slot(slot) => slot.load_into_with(loader, options),
        })
    })?;
    Ok(Some(event(report, loaded)))
}

/// Loads what was read in the background.
pub(crate) fn decode(world: &mut World, game: LoadGame, read: Body) -> Result<Option<Loaded>> {
    let options = options(world)();
    let loaded = load_from(world, &game.how, &options, |loader, options| {
        let (format, body) = &read.value;
        let loaded =
            loader.read(options, |loader, options| format.load_into_with(loader, body, options));
        loaded.map_err(|error| error.in_file(read.path.display()))
    });
    match loaded {
        Ok(((), report)) => Ok(Some(event(report, read))),
        // This load does the same, and notes that no save may replace the file.
        Err(error) if error.kind() == ErrorKind::NewerVersion => {
            load(world, &LoadGame { is_in_background: false, ..game })
        }
        Err(error) => Err(error),
    }
}

/// A body that was read in the background.
type Body = archive::save::Loaded<(Format, Vec<u8>)>;

fn event<T>(report: Arc<LoadReport>, loaded: archive::save::Loaded<T>) -> Loaded {
    let archive::save::Loaded { meta, fell_back, .. } = loaded;
    Loaded { meta: Some(Arc::new(meta)), fell_back, ..Loaded::new(report) }
}

/// Returns the newest save that can be loaded.
fn newest(saves: &Saves) -> Result<Slot> {
    let is_good = |slot: &Slot| slot.state() == SlotState::Good || slot.falls_back().is_some();
    let slot = saves.list()?.into_iter().find(is_good);
    slot.ok_or_else(|| Error::new(ErrorKind::NotFound, "there is no save to load"))
}
