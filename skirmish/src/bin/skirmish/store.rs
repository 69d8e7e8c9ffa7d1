//! A game that is kept in a store.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use archive::store::Store;
use skirmish::{World, saved_options};

use crate::arguments::{Campaign, New};
use crate::{campaign, show};

/// Plays a game to its end or to `stop_after`, and saves it regularly.
pub fn play(
    new: &New,
    ticks: u64,
    campaign: &Campaign,
    out: &mut impl Write,
) -> Result<bool, Box<dyn Error>> {
    let (path, opened) = open(&campaign.path);
    let failed = |error: archive::Error| format!("{path}: {error}");
    let store = opened.map_err(failed)?;

    // The same code makes a new game, and loads one from the store.
    let mut world = crate::begin(new)?.into_world();
    let was_there = store.attach(&mut world).map_err(failed)?;
    let loaded = store.finish_load().map_err(failed)?;
    // A world has no references to rows, so none can dangle. Notes about changed types occur in any
    // format.
    if !loaded.unclaimed.is_empty() || !loaded.unfit.is_empty() {
        return Err(format!("{path} has no game that can be resumed: {loaded}").into());
    }
    world.check().map_err(failed)?;
    let mut game = crate::resume(world, ticks)?;
    let begun = game.world().tick;
    match was_there {
        true => writeln!(out, "{path}: resumes after tick {begun}.\n")?,
        false => writeln!(out, "{path}: a new game.\n")?,
    }
    show::opening(game.world(), out)?;

    let save = |world: &World| Ok(store.save(world).map(drop).map_err(failed)?);
    let last_save = campaign::play(&mut game, ticks, campaign, save)?;
    campaign::end(&game, ticks, last_save.or(was_there.then_some(begun)), out)?;
    Ok(true)
}

/// Opens a store in a file or on a server. Returns its name in messages, without a password.
fn open(path: &Path) -> (String, archive::Result<Store>) {
    match path.to_str().filter(|path| path.starts_with("postgres://")) {
        Some(address) => {
            let (server, save) = address.split_once('#').unwrap_or((address, "skirmish"));
            (format!("the game `{save}`"), open_on_server(server, save))
        }
        None => (path.display().to_string(), Store::open_with(path, &saved_options())),
    }
}

#[cfg(feature = "postgres")]
fn open_on_server(address: &str, save: &str) -> archive::Result<Store> {
    let database = archive_store_postgres::Database::connect(address)?;
    Store::over_with(database.open(save)?, &saved_options())
}

#[cfg(not(feature = "postgres"))]
fn open_on_server(_: &str, _: &str) -> archive::Result<Store> {
    Err(archive::Error::custom("stores on a server need `--features postgres`"))
}
