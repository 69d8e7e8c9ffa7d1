//! One save that the power interrupts.

use std::path::Path;
use std::sync::Arc;

use archive::Format;
use archive::save::testing::PowerCuts;
use archive::save::{FileSystem, SaveFile};

use super::dice::Dice;
use super::family::worlds_of;
use crate::worlds::{World, world};

/// More calls than a save makes.
pub(crate) const CALLS: u64 = 24;

/// What came of the histories that were right.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) new: u64,
    pub(crate) old: u64,
    /// How often the power was lost.
    pub(crate) losses: u64,
}

/// One history: two saves that are durable, a third that the power interrupts, perhaps a second cut during the load.
///
/// # Errors
/// What is wrong.
pub(crate) fn history(
    seed: u64,
    path: &str,
    lost_sync: Option<u64>,
    seen: &mut Seen,
) -> Result<(), String> {
    let mut dice = Dice(seed);
    let system = PowerCuts::new();
    let file = SaveFile::over(system.clone(), path).backups(dice.below(3) as usize);
    let format = if path.ends_with("json") { Format::Json } else { Format::Binary };
    let worlds = [world(1, 30), world(2, 40), world(3, 60), world(4, 5)];
    for world in &worlds[..2] {
        file.save(world, format).map_err(|error| error.to_string())?;
    }
    system.settle();

    if let Some(sync) = lost_sync {
        system.lose_sync(sync);
    }
    let cut = dice.below(CALLS);
    system.cut_at(cut);
    let is_saved = file.save(&worlds[2], format).is_ok();
    system.lose_power(dice.below(1 << 20));
    seen.losses += 1;
    if dice.below(3) == 0 {
        system.cut_at(dice.below(6));
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
        Some(2) => seen.new += 1,
        Some(1) if !is_saved => seen.old += 1,
        Some(other) => return wrong(format!("save {other} was loaded")),
        None => return wrong("a mix was loaded".into()),
    }
    if !loaded.is_newest() || !loaded.damaged.is_empty() {
        return wrong(format!("it fell back, {:?}", loaded.damaged));
    }
    if system.paths().iter().any(|path| path.extension().is_some_and(|is| is == "new")) {
        return wrong("a file is left".into());
    }
    let shared: Arc<dyn FileSystem> = Arc::new(system.clone());
    let found: Vec<_> = match worlds_of(&shared, Path::new(path)) {
        Ok(found) => found.iter().map(|(world, _)| find(world)).collect(),
        Err(error) => return wrong(error),
    };
    // Of changes of names any may survive, so that two names may be those of one file.
    if found.contains(&None) || !found.is_sorted_by(|newer, older| newer >= older) {
        return wrong(format!("the file and its backups are {found:?}"));
    }
    // The game goes on.
    file.save(&worlds[3], format).map_err(|error| error.to_string())?;
    system.lose_power(seed);
    seen.losses += 1;
    match file.load::<World>() {
        Ok(loaded) if loaded.value == worlds[3] => Ok(()),
        _ => wrong("the next save is lost".into()),
    }
}
