//! Saves and loads in the background.
// Why: docs/decisions/bevy.md#a-load-in-the-background-reads-and-decodes-later

use std::sync::Arc;

use archive::Format;
use archive::save::{Job, LoadJob, Progress};
use bevy_app::{App, Last};
use bevy_ecs::prelude::*;

use crate::events::{LoadFailed, LoadGame, SaveFailed, Saved};
use crate::report::SaveReport;
use crate::slots;

/// The saves in the background.
#[derive(Resource, Default)]
pub(crate) struct SavingGames(Vec<SavingGame>);

struct SavingGame {
    job: Job,
    report: Arc<SaveReport>,
}

impl SavingGames {
    pub(crate) fn add(&mut self, job: Job, report: SaveReport) {
        self.0.push(SavingGame { job, report: Arc::new(report) });
    }
}

/// The load in the background, as a resource while it runs, for a loading screen. Removing it cancels
/// the load, and triggers nothing.
///
/// ```
/// use archive_bevy::LoadingGame;
/// use bevy_ecs::prelude::*;
///
/// fn show(loading: Option<Res<'_, LoadingGame>>) {
///     if let Some(loading) = loading {
///         println!("{:3.0} %", 100.0 * loading.progress().fraction());
///     }
/// }
/// # let _ = IntoSystem::into_system(show);
/// ```
#[derive(Resource)]
pub struct LoadingGame {
    job: LoadJob<(Format, Vec<u8>)>,
    game: LoadGame,
}

impl LoadingGame {
    pub(crate) fn new(job: LoadJob<(Format, Vec<u8>)>, game: LoadGame) -> Self {
        LoadingGame { job, game }
    }

    /// Returns the progress: how much of the file was read.
    pub fn progress(&self) -> Progress {
        self.job.progress()
    }
}

/// Adds the systems that notice the end of the jobs.
pub(crate) fn add_to(app: &mut App) {
    app.init_resource::<SavingGames>();
    let is_saved = |games: Res<'_, SavingGames>| games.0.iter().any(|it| it.job.is_done());
    let is_loaded =
        |game: Option<Res<'_, LoadingGame>>| game.is_some_and(|game| game.job.is_done());
    app.add_systems(Last, (end_saves.run_if(is_saved), end_load.run_if(is_loaded)));
}

fn end_saves(mut games: ResMut<'_, SavingGames>, mut commands: Commands<'_, '_>) {
    for SavingGame { job, report } in games.0.extract_if(.., |it| it.job.is_done()) {
        match job.wait() {
            Ok(outcome) => commands.trigger(Saved::new(report, outcome.saved())),
            Err(error) => commands.trigger(SaveFailed::new(error)),
        }
    }
}

fn end_load(world: &mut World) {
    let Some(LoadingGame { job, game }) = world.remove_resource() else { return };
    let loaded = match job.wait() {
        Ok(None) => return,
        Ok(Some(read)) => slots::decode(world, game, read),
        Err(error) => Err(error),
    };
    match loaded {
        Ok(Some(loaded)) => world.trigger(loaded),
        Ok(None) => {}
        Err(error) => world.trigger(LoadFailed::new(error)),
    }
}
