//! A game that is saved regularly: it can be quit anywhere, and the same command resumes it.

use std::error::Error;
use std::io::{self, Write};

use skirmish::{Game, World, digest};

use crate::arguments::Campaign;
use crate::show;

/// Plays a game to its end or to `stop_after`, and saves it regularly. Returns the tick of the last
/// save, if there was one.
pub fn play(
    game: &mut Game,
    ticks: u64,
    campaign: &Campaign,
    mut save: impl FnMut(&World) -> Result<(), Box<dyn Error>>,
) -> Result<Option<u64>, Box<dyn Error>> {
    let stop = campaign.stop_after.and_then(|after| game.world().tick.checked_add(after));
    let until = stop.map_or(ticks, |stop| stop.min(ticks));
    let mut last_save = None;
    loop {
        let now = game.world().tick;
        let next_save = (now - now % campaign.every).saturating_add(campaign.every).min(ticks);
        game.play_to(next_save.min(until));
        if next_save > until {
            return Ok(last_save);
        }
        save(game.world())?;
        last_save = Some(next_save);
        if next_save == until {
            return Ok(last_save);
        }
    }
}

/// Shows how the game ended, or where it stopped.
pub fn end(
    game: &Game,
    ticks: u64,
    last_save: Option<u64>,
    out: &mut impl Write,
) -> io::Result<()> {
    let now = game.world().tick;
    if now < ticks {
        let last_save = last_save.map_or("none".into(), |tick| format!("after tick {tick}"));
        return writeln!(out, "stopped after tick {now}; last save: {last_save}");
    }
    show::battle(game.world(), out)?;
    writeln!(out, "after tick {ticks}: final hash {:016x}", digest(game.world()))
}
