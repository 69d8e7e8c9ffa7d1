//! A game whose mods change while it is played.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher};
use skirmish::digest;

use crate::arguments::New;
use crate::show;

/// How long a tick takes.
const TICK: Duration = Duration::from_millis(20);

/// How long nothing must have changed: an editor writes a file in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// Plays a new game, and reads the mods again when a file in their folder changes.
pub fn play(
    new: &New,
    ticks: u64,
    mods: &Path,
    out: &mut impl Write,
) -> Result<bool, Box<dyn Error>> {
    let (send, changes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file is an event as well.
        if event.is_ok_and(|event| !matches!(event.kind, EventKind::Access(_))) {
            // The game has ended.
            let _ = send.send(());
        }
    })?;
    watcher.watch(mods, RecursiveMode::Recursive)?;
    let mut game = crate::begin(new)?;
    writeln!(out, "Plays {ticks} ticks and watches {}.", mods.display())?;
    out.flush()?;
    while game.world().tick < ticks {
        if changed(&changes) {
            let tick = game.world().tick;
            match game.reload_mods(mods) {
                Ok(()) => writeln!(out, "tick {tick}: the mods are loaded again")?,
                Err(error) => writeln!(out, "tick {tick}: the old mods stay: {error}")?,
            }
            out.flush()?;
        }
        game.step();
    }
    writeln!(out)?;
    show::battle(game.world(), out)?;
    writeln!(out, "after tick {ticks}: final hash {:016x}", digest(game.world()))?;
    Ok(true)
}

/// Waits for a tick. Returns whether files have changed, after the last change.
fn changed(changes: &Receiver<()>) -> bool {
    if changes.recv_timeout(TICK).is_err() {
        return false;
    }
    while changes.recv_timeout(QUIET).is_ok() {}
    true
}
