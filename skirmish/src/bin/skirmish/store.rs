//! A game that is kept in a store: it can be quit anywhere, and goes on with the same command.

use std::error::Error;
use std::io::Write;

use archive::store::Store;
use skirmish::{Game, digest, options};

use crate::arguments::{Campaign, New};
use crate::show;

/// Plays a game to its end or to where it is to stop, and saves it every so many ticks.
pub fn play(
    new: &New,
    ticks: u64,
    campaign: &Campaign,
    out: &mut impl Write,
) -> Result<bool, Box<dyn Error>> {
    let path = campaign.path.display();
    let failed = |error: archive::Error| format!("{path}: {error}");
    let store = Store::open_with(&campaign.path, &options()).map_err(failed)?;

    // A new game, and one that the store has, come about in the same way.
    let mut world = crate::begin(new)?.into_world();
    let was_there = store.attach(&mut world).map_err(failed)?;
    let loaded = store.finish_load().map_err(failed)?;
    // A world has no references to rows. Notes are what a change of types leaves, in any format.
    if !loaded.unclaimed.is_empty() || !loaded.unfit.is_empty() {
        return Err(format!("{path} is not the store of a game that can go on: {loaded}").into());
    }
    world.check().map_err(failed)?;
    if world.tick > ticks {
        return Err(
            format!("the game is at tick {} already, after --ticks {ticks}", world.tick).into()
        );
    }
    let mut game = Game::resume(world)?;
    let begun = game.world().tick;
    match was_there {
        true => writeln!(out, "{path}: goes on after tick {begun}.\n")?,
        false => writeln!(out, "{path}: a new game.\n")?,
    }
    show::opening(game.world(), out)?;

    let stop = campaign.stop_after.and_then(|after| begun.checked_add(after));
    let until = stop.map_or(ticks, |stop| stop.min(ticks));
    let mut last_save = was_there.then_some(begun);
    loop {
        let now = game.world().tick;
        let next_save = (now - now % campaign.every).saturating_add(campaign.every).min(ticks);
        game.play_to(next_save.min(until));
        if next_save > until {
            break;
        }
        store.save(game.world()).map_err(failed)?;
        last_save = Some(next_save);
        if next_save == until {
            break;
        }
    }
    let now = game.world().tick;
    if now < ticks {
        let last_save = last_save.map_or("none".into(), |tick| format!("after tick {tick}"));
        writeln!(out, "stopped after tick {now}; last save: {last_save}")?;
        return Ok(true);
    }
    show::battle(game.world(), out)?;
    writeln!(out, "after tick {ticks}: final hash {:016x}", digest(game.world()))?;
    Ok(true)
}
