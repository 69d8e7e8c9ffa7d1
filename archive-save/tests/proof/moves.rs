//! One slot that is copied, renamed or deleted while the power is cut.

use std::path::Path;
use std::sync::Arc;

use archive::Format;
use archive::save::testing::{Call, PowerCuts};
use archive::save::{FileSystem, Saves};

use super::dice::Dice;
use super::files_of_a_save::worlds_of;
use super::power_cuts;
use crate::saved_worlds::world;

/// The operation on the slot `a`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Move {
    Copy,
    Rename,
    Delete,
    Restore,
}

pub(crate) const MOVES: [Move; 4] = [Move::Copy, Move::Rename, Move::Delete, Move::Restore];

/// More calls than a move makes.
pub(crate) const CALLS: u64 = 30;

impl Move {
    /// Runs it on the slot `a`. [`Restore`](Move::Restore) expects a deleted slot.
    pub(crate) fn run(self, saves: &Saves) -> archive::Result {
        match self {
            Move::Copy => saves.copy("a", "b").map(drop),
            Move::Rename => saves.rename("a", "b").map(drop),
            Move::Delete => saves.delete("a"),
            Move::Restore => saves.restore("a").map(drop),
        }
    }

    /// Returns the old and the new place of the slot in the folder of the saves.
    pub(crate) fn places(self) -> [&'static str; 2] {
        match self {
            Move::Copy | Move::Rename => ["a.sav", "b.sav"],
            Move::Delete => ["a.sav", "trash/a.sav"],
            Move::Restore => ["trash/a.sav", "a.sav"],
        }
    }

    /// Returns whether the slot is where it was, and where it goes, as these say.
    pub(crate) fn is_right(self, is_done: bool, was: bool, goes: bool) -> bool {
        match (self, is_done) {
            (Move::Copy, _) => was && (goes || !is_done),
            (_, true) => goes && !was,
            (_, false) => goes || was,
        }
    }
}

/// Returns a durable slot of three saves.
fn prepare(step: Move) -> archive::Result<(PowerCuts, Saves)> {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves")?.backups(2);
    for tick in 0..3 {
        saves.slot("a")?.save(&world(tick, 20), Format::Binary)?;
    }
    if step == Move::Restore {
        saves.delete("a")?;
    }
    system.settle();
    Ok((system, saves))
}

/// Returns the calls that a move makes.
pub(crate) fn calls(step: Move) -> archive::Result<Vec<Call>> {
    let (system, saves) = prepare(step)?;
    system.take_calls();
    step.run(&saves)?;
    Ok(system.take_calls())
}

/// One history: a durable slot of three saves, and a move that a power cut interrupts.
///
/// # Errors
/// A description of the fault.
pub(crate) fn history(seed: u64, step: Move, lost_sync: Option<u64>) -> Result<(), String> {
    let mut dice = Dice(seed);
    let (system, saves) = prepare(step).map_err(|error| error.to_string())?;

    if let Some(sync) = lost_sync {
        system.lose_sync(sync);
    }
    let cut = dice.below(CALLS);
    system.cut_at(cut);
    let is_done = step.run(&saves).is_ok();
    system.lose_power(dice.below(1 << 20));

    let wrong = |what: String| {
        Err(format!("{step:?}, seed {seed}, cut at call {cut}, `Ok` was {is_done}: {what}"))
    };
    let shared: Arc<dyn FileSystem> = Arc::new(system.clone());
    let places = step.places().map(|place| {
        // A load removes the remains of a save.
        let path = Path::new("saves").join(place);
        _ = archive::save::SaveFile::over(system.clone(), &path)
            .load::<crate::saved_worlds::World>();
        let is_there = system.get(&path).is_ok();
        worlds_of(&shared, &path).map(|worlds| {
            let is_newest = worlds.first().is_some_and(|(newest, _)| *newest == world(2, 20));
            is_there && is_newest
        })
    });
    let [was, goes] = match places {
        [Ok(was), Ok(goes)] => [was, goes],
        [Err(error), _] | [_, Err(error)] => return wrong(error),
    };
    if system.paths().iter().any(|path| path.extension().is_some_and(|is| is == "new")) {
        return wrong("a file is left".into());
    }
    if step.is_right(is_done, was, goes) {
        Ok(())
    } else {
        wrong(format!("it is where it was: {was}, and where it goes: {goes}"))
    }
}
