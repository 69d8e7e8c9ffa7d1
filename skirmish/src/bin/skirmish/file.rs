//! A game that is saved to a file, and resumed from it.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use archive::Format;
use skirmish::{Game, digest, file};

use crate::arguments::{New, SaveTo};
use crate::show::{self, LEGEND};
use crate::table::number;

/// Plays a new game, and saves it on the way.
pub fn save(
    new: &New,
    ticks: u64,
    to: &SaveTo,
    out: &mut impl Write,
) -> Result<bool, Box<dyn Error>> {
    let path = to.path.display();
    writeln!(out, "Plays {ticks} ticks and saves the game after tick {} to {path}.\n", to.at)?;
    let mut game = crate::begin(new)?;
    show::opening(game.world(), out)?;
    keep(&mut game, to, out)?;
    finish(game, ticks, out)
}

/// Resumes a game from a file, and saves it again if requested.
pub fn resume(
    path: &Path,
    format: Option<Format>,
    ticks: u64,
    again: Option<&SaveTo>,
    out: &mut impl Write,
) -> Result<bool, Box<dyn Error>> {
    let (format, world) = file::read(path, format)?;
    writeln!(out, "{} ({format}): {} after tick {}", path.display(), world.level, world.tick)?;
    let mut game = crate::resume(world, ticks)?;
    writeln!(out, "\n{LEGEND}\n")?;
    if let Some(to) = again {
        keep(&mut game, to, out)?;
    }
    finish(game, ticks, out)
}

/// Plays to the tick in which the game is saved, and saves it.
fn keep(game: &mut Game, to: &SaveTo, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let now = game.world().tick;
    if now > to.at {
        return Err(format!("the game is at tick {now} already, after --at {}", to.at).into());
    }
    game.play_to(to.at);
    let (format, bytes) = file::write(&to.path, game.world(), to.format)?;
    let (path, hash) = (to.path.display(), digest(game.world()));
    writeln!(
        out,
        "saved after tick {}: {path} ({format}, {} bytes), hash {hash:016x}",
        to.at,
        number(bytes)
    )?;
    Ok(())
}

/// Plays to the end, and shows it.
fn finish(mut game: Game, ticks: u64, out: &mut impl Write) -> Result<bool, Box<dyn Error>> {
    game.play_to(ticks);
    writeln!(out)?;
    show::battle(game.world(), out)?;
    writeln!(out, "after tick {ticks}: final hash {:016x}", digest(game.world()))?;
    Ok(true)
}
