//! One save that a power cut interrupts.

use std::path::Path;
use std::sync::Arc;

use archive::Format;
use archive::save::{FileSystem, SaveFile};

use super::dice::Dice;
use super::files_of_a_save::worlds_of;
use super::power_cuts;
use crate::saved_worlds::{World, world};

/// More calls than a save makes.
pub(crate) const CALLS: u64 = 28;

/// The save that is interrupted, counted from 0.
const NEW: usize = 4;

/// The files that the syncs of a save with backups make durable, in order.
pub(crate) const SYNCS: [&str; 4] =
    ["the file", "the second name of the old file", "the new file's name", "a backup's name"];

/// The results of correct histories.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) new: u64,
    pub(crate) old: u64,
    /// How often the power was lost.
    pub(crate) losses: u64,
}

/// One history: four durable saves, a fifth one that a power cut interrupts, perhaps a second cut
/// during the load. No existing save is lost, except the oldest one in favour of the newest.
///
/// # Errors
/// A description of the fault.
pub(crate) fn history(
    seed: u64,
    path: &str,
    lost_sync: Option<u64>,
    seen: &mut Seen,
) -> Result<(), String> {
    let mut dice = Dice(seed);
    let system = power_cuts();
    let backups = dice.below(4) as usize;
    let file = SaveFile::over(system.clone(), path).backups(backups);
    let format = if path.ends_with("json") { Format::Json } else { Format::Binary };
    let worlds: Vec<World> = [(1, 7), (2, 9), (3, 30), (4, 40), (5, 60), (6, 5)]
        .map(|(tick, units)| world(tick, units))
        .into();
    // Not always as many as there can be backups.
    let first = dice.below(3) as usize;
    for world in &worlds[first..NEW] {
        file.save(world, format).map_err(|error| error.to_string())?;
    }
    system.settle();

    if let Some(sync) = lost_sync {
        system.lose_sync(sync);
    }
    let cut = dice.below(CALLS);
    system.cut_at(cut);
    let is_saved = file.save(&worlds[NEW], format).is_ok();
    system.lose_power(dice.below(1 << 20));
    seen.losses += 1;
    if dice.below(3) == 0 {
        system.cut_at(dice.below(12));
        _ = file.load::<World>();
        system.lose_power(dice.below(1 << 20));
        seen.losses += 1;
    }

    let wrong = |what: String| {
        Err(format!("{path}, seed {seed}, cut at call {cut}, `Ok` was {is_saved}: {what}"))
    };
    let loaded = match file.load::<World>() {
        Ok(loaded) => loaded,
        Err(error) => return wrong(error.to_string()),
    };
    let find = |world: &World| worlds.iter().position(|other| other == world);
    match find(&loaded.value) {
        Some(NEW) => seen.new += 1,
        Some(other) if other == NEW - 1 && !is_saved => seen.old += 1,
        Some(other) => return wrong(format!("save {other} was loaded")),
        None => return wrong("a mix was loaded".into()),
    }
    if !loaded.is_newest() || !loaded.damaged.is_empty() {
        return wrong(format!("it fell back, {:?}", loaded.damaged));
    }
    if system
        .paths()
        .iter()
        .any(|path| path.extension().is_some_and(|is| is == "new" || is == "old"))
    {
        return wrong("a file is left".into());
    }
    let shared: Arc<dyn FileSystem> = Arc::new(system.clone());
    let found: Vec<_> = match worlds_of(&shared, Path::new(path)) {
        Ok(found) => found.iter().map(|(world, _)| find(world)).collect(),
        Err(error) => return wrong(error),
    };
    let newest = found[0].unwrap_or(0);
    let expected: Vec<_> = (first..=newest).rev().take(backups + 1).map(Some).collect();
    if found != expected {
        return wrong(format!("the file and its backups are {found:?} and not {expected:?}"));
    }
    // The game continues.
    file.save(&worlds[NEW + 1], format).map_err(|error| error.to_string())?;
    system.lose_power(seed);
    seen.losses += 1;
    match file.load::<World>() {
        Ok(loaded) if loaded.value == worlds[NEW + 1] => Ok(()),
        _ => wrong("the next save is lost".into()),
    }
}
