//! One game, saved in every format, and its endings.

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use archive::Format;
use skirmish::{Game, digest};

use crate::arguments::New;
use crate::show;
use crate::table::{Table, milliseconds, number};
use crate::timed::{MAX_RUNS, least};

/// The result of saving, loading and playing further in one format.
struct Resumed {
    bytes: usize,
    save: Duration,
    load: Duration,
    hash: u64,
}

/// Plays a game to its end, once without an interruption and once for each format with one. Returns
/// whether all ended in the same state.
pub fn prove(
    new: &New,
    ticks: u64,
    at: u64,
    only: Option<Format>,
    out: &mut impl Write,
) -> Result<bool, Box<dyn Error>> {
    let formats: Vec<Format> =
        Format::all().filter(|f| only.is_none_or(|only| only == *f)).collect();
    let names: Vec<&str> = formats.iter().map(Format::name).collect();
    writeln!(
        out,
        "Plays {ticks} ticks and saves the game after tick {at} as {}. Each save is then loaded and\n\
         played to the end, which must be the end of the game that was never interrupted.\n",
        names.join(", ")
    )?;
    let mut game = crate::begin(new)?;
    show::opening(game.world(), out)?;
    let start = Instant::now();
    game.play_to(at);
    writeln!(out, "After {} ticks, when the game is saved:\n", game.world().tick)?;
    show::battle(game.world(), out)?;

    // Only saved here: every game is then resumed on its own.
    let played = start.elapsed();
    let mut saved = Vec::new();
    for format in formats {
        let (bytes, save) = least(|| skirmish::save(game.world(), format));
        saved.push((format, bytes, save));
    }

    let start = Instant::now();
    game.play_to(ticks);
    let played = played + start.elapsed();
    let hash = digest(game.world());
    let mut table = Table::new(["format", "bytes", "save", "load", "final hash"]);
    let mut failures = Vec::new();
    for (format, bytes, save) in saved {
        let name = format.name();
        let resumed = match bytes {
            Ok(bytes) => resume(&bytes, format, save, ticks),
            Err(error) => Err(error.into()),
        };
        match resumed {
            Ok(resumed) => {
                if resumed.hash != hash {
                    failures.push(format!("{name}: the game ended in another state"));
                }
                table.row([
                    name.to_owned(),
                    number(resumed.bytes),
                    milliseconds(resumed.save),
                    milliseconds(resumed.load),
                    format!("{:016x}", resumed.hash),
                ]);
            }
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                table.row([name, "", "", "", "-"].map(str::to_owned));
            }
        }
    }
    table.row(["uninterrupted", "", "", "", &format!("{hash:016x}")].map(str::to_owned));

    writeln!(out, "After {} ticks, {} of playing:\n", game.world().tick, milliseconds(played))?;
    show::battle(game.world(), out)?;
    show::events(game.world(), out)?;
    writeln!(out, "{table}")?;
    writeln!(out, "  times: the shortest of up to {MAX_RUNS} runs\n")?;
    for failure in &failures {
        writeln!(out, "  {failure}")?;
    }
    match &failures[..] {
        [] => writeln!(out, "  every resumed game ended in the state of the uninterrupted one")?,
        _ => writeln!(out, "  not every resumed game ended in the state of the uninterrupted one")?,
    }
    Ok(failures.is_empty())
}

/// Loads a game into a fresh world, and plays it to its end.
fn resume(
    bytes: &[u8],
    format: Format,
    save: Duration,
    ticks: u64,
) -> Result<Resumed, Box<dyn Error>> {
    let (world, load) = least(|| skirmish::load(bytes, format));
    let mut game = Game::resume(world?)?;
    game.play_to(ticks);
    Ok(Resumed { bytes: bytes.len(), save, load, hash: digest(game.world()) })
}
