//! Two processes that save to one slot at the same time.

use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;

use archive::Format;
use archive::save::{FileSystem, System};

use super::family::{number, numbered, worlds_of};
use super::killed::saves_in;
use crate::worlds::World;

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
    let (mut loads, mut counter) = (0, 0);
    let is_running = |child: &mut Child| match child.try_wait() {
        Ok(None) => Ok(true),
        Ok(Some(status)) if status.success() => Ok(false),
        ended => Err(format!("a process that saves has failed: {ended:?}")),
    };
    loop {
        let running = [is_running(&mut children[0])?, is_running(&mut children[1])?];
        if counter > 0 || running == [false, false] || slot.path().exists() {
            let loaded = slot.load::<World>().map_err(|error| error.to_string())?;
            number(&loaded.value)?;
            let now = loaded.meta.lineage.counter();
            if !loaded.is_newest() || !loaded.damaged.is_empty() || now < counter {
                return Err(format!("save {now} after {counter}, {:?}", loaded.damaged));
            }
            (loads, counter) = (loads + 1, now);
        }
        if running == [false, false] {
            break;
        }
    }
    if counter != count * 2 {
        return Err(format!("save {counter} is there after {} saves", count * 2));
    }
    let system: Arc<dyn FileSystem> = Arc::new(System);
    let worlds = worlds_of(&system, slot.path())?;
    for ((newer, newer_meta), (older, older_meta)) in worlds.iter().zip(&worlds[1..]) {
        let (newer, older) = (number(newer)?, number(older)?);
        if newer_meta.lineage.parent() != older_meta.lineage.id() {
            return Err(format!(
                "{older} is the backup before {newer}, which has replaced another"
            ));
        }
    }
    Ok(loads)
}
