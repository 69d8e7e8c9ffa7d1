//! Two processes that save to one slot at the same time.

use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;

use archive::Format;
use archive::save::{FileSystem, System};

use super::files_of_a_save::{number, numbered, numbers_of};
use super::killed_saver::{BACKUPS, saves_in};
use crate::saved_worlds::World;

const SLOT: &str = "shared";

/// Saves so many worlds: the even ones, or the odd ones.
pub(crate) fn save_all(folder: &Path, who: u64, count: u64) -> Result<(), String> {
    let slot = saves_in(folder)?.slot(SLOT).map_err(|error| error.to_string())?;
    for at in 0..count {
        let saved = slot.save(&numbered(at * 2 + who), Format::Binary);
        saved.map_err(|error| format!("process {who}, save {at}: {error}"))?;
    }
    Ok(())
}

/// Starts two processes that [save](save_all), and loads all the time meanwhile. Returns how often it loaded.
pub(crate) fn two(
    folder: &Path,
    count: u64,
    child: impl Fn(u64) -> Command,
) -> Result<u64, String> {
    let slot = saves_in(folder)?.slot(SLOT).map_err(|error| error.to_string())?;
    let spawn = |who| child(who).spawn().map_err(|error| error.to_string());
    let mut children = [spawn(0)?, spawn(1)?];
    let (mut loads, mut last) = (0, [None; 2]);
    let is_running = |child: &mut Child| match child.try_wait() {
        Ok(None) => Ok(true),
        Ok(Some(status)) if status.success() => Ok(false),
        ended => Err(format!("a process that saves has failed: {ended:?}")),
    };
    loop {
        let running = [is_running(&mut children[0])?, is_running(&mut children[1])?];
        if loads > 0 || running == [false, false] || slot.path().exists() {
            let loaded = slot.load::<World>().map_err(|error| error.to_string())?;
            let now = number(&loaded.value)?;
            let last = &mut last[now as usize % 2];
            if !loaded.is_newest() || !loaded.damaged.is_empty() || Some(now) < *last {
                return Err(format!("save {now} after {last:?}, {:?}", loaded.damaged));
            }
            (loads, *last) = (loads + 1, Some(now));
        }
        if running == [false, false] {
            break;
        }
    }
    let system: Arc<dyn FileSystem> = Arc::new(System);
    let numbers = numbers_of(&system, slot.path())?;
    // The file and its backups are the last saves, without gaps.
    for who in 0..2 {
        let own: Vec<u64> = numbers.iter().copied().filter(|number| number % 2 == who).collect();
        let expected = (0..count).rev().map(|at| at * 2 + who).take(own.len());
        if numbers.len() != BACKUPS + 1 || !own.iter().copied().eq(expected) {
            return Err(format!("the file and its backups are {numbers:?}"));
        }
    }
    Ok(loads)
}
