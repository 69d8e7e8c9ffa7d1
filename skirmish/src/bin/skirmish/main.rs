//! A squad tactics game that can be saved after any tick and resumed without a difference.
//!
//! ```text
//! cargo run --release -p skirmish                plays, saves in every format, plays on
//! cargo run --release -p skirmish -- --help      lists the options
//! ```
//!
//! The game is in the library `skirmish`; this is the program around it. `arguments` reads the
//! command line, `prove` saves one game in every format and compares the endings, `file` saves a
//! game to a file and resumes it, in two processes, `campaign` keeps one all the time: `saves` in
//! slots, `store` in a store. `watch` loads mods again that change.

mod arguments;
#[cfg(any(feature = "saves", feature = "store"))]
mod campaign;
mod file;
mod prove;
#[cfg(feature = "saves")]
mod saves;
mod show;
#[cfg(feature = "store")]
mod store;
mod table;
mod timed;
#[cfg(feature = "watch")]
mod watch;

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use arguments::{HELP, New, Request};
use show::LEGEND;
use skirmish::{Game, Level, Settings, World};

fn main() -> ExitCode {
    let (mods, request) = match arguments::read(env::args_os().skip(1)) {
        Ok(read) => read,
        Err(message) => {
            eprintln!("error: {message}\n`skirmish --help` shows the usage");
            return ExitCode::from(2);
        }
    };
    if let Some(folder) = mods
        && let Err(error) = use_mods(&folder)
    {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    let mut out = io::stdout().lock();
    let done = match &request {
        Request::Help => writeln!(out, "{HELP}\n\n{LEGEND}").map(|()| true).map_err(Into::into),
        Request::Prove { new, ticks, at, format } => {
            prove::prove(new, *ticks, *at, *format, &mut out)
        }
        #[cfg(feature = "watch")]
        Request::Watch { new, ticks, mods } => watch::play(new, *ticks, mods, &mut out),
        #[cfg(not(feature = "watch"))]
        Request::Watch { .. } => Err(without("watching", "--features watch", "--mods DIR --watch")),
        Request::Save { new, ticks, save } => file::save(new, *ticks, save, &mut out),
        Request::Resume { path, format, ticks, save } => {
            file::resume(path, *format, *ticks, save.as_ref(), &mut out)
        }
        #[cfg(feature = "store")]
        Request::Store { new, ticks, campaign } => store::play(new, *ticks, campaign, &mut out),
        #[cfg(not(feature = "store"))]
        Request::Store { .. } => Err(without("stores", "--features store", "--store PATH")),
        #[cfg(feature = "saves")]
        Request::Saves { new, ticks, slot, campaign } => {
            saves::play(new, *ticks, slot.as_deref(), campaign, &mut out)
        }
        #[cfg(feature = "saves")]
        Request::List { folder } => saves::list(folder, &mut out),
        #[cfg(not(feature = "saves"))]
        Request::Saves { .. } | Request::List { .. } => {
            Err(without("slots", "--features saves", "--saves DIR"))
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader has closed the pipe.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "mods")]
fn use_mods(folder: &Path) -> Result<(), Box<dyn Error>> {
    skirmish::mods::Mods::read(folder)?.install();
    Ok(())
}

#[cfg(not(feature = "mods"))]
fn use_mods(_: &Path) -> Result<(), Box<dyn Error>> {
    Err(without("mods", "--features mods", "--mods DIR"))
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Returns the error for a missing feature of the program.
#[cfg(not(all(feature = "saves", feature = "store", feature = "watch")))]
fn without(what: &str, feature: &str, option: &str) -> Box<dyn Error> {
    format!(
        "this program was built without {what}: build it with `{feature}`, as in \
         `cargo run -p skirmish {feature} -- {option}`"
    )
    .into()
}

/// Begins a new game.
fn begin(new: &New) -> Result<Game, Box<dyn Error>> {
    let level = match &new.level {
        Some(path) => Level::read(path)?,
        None => Level::own(),
    };
    Ok(Game::new(&level, &Settings { seed: new.seed, units: new.units })?)
}

/// Resumes a saved game that ends in a tick.
fn resume(world: World, ticks: u64) -> Result<Game, Box<dyn Error>> {
    if world.tick > ticks {
        return Err(
            format!("the game is at tick {} already, after --ticks {ticks}", world.tick).into()
        );
    }
    Ok(Game::resume(world)?)
}
