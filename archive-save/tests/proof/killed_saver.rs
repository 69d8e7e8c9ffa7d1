//! A process that saves numbered worlds and is killed.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use archive::Format;
use archive::save::{FileSystem, Saves, SlotState, System};

use super::dice::Dice;
use super::files_of_a_save::{number, numbered, numbers_of};
use crate::saved_worlds::World;

const SLOT: &str = "Ann's campaign";
const FILE: &str = "+ann%27s campaign.sav";
/// The text that a process prints before it saves.
const BEGUN: &str = "begun";
pub(crate) const BACKUPS: usize = 3;

/// The state after a kill.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// A save that was not complete.
    pub(crate) leftovers: u64,
    /// A save that was complete, but not printed.
    pub(crate) unprinted: u64,
    /// An old file that was not a backup yet.
    pub(crate) between: u64,
}

/// Opens the folder as a game does.
pub(crate) fn saves_in(folder: &Path) -> Result<Saves, String> {
    let saves = Saves::in_folder(folder).map_err(|error| error.to_string())?;
    Ok(saves.game("prove").backups(BACKUPS))
}

/// Saves one world after the other, each second one in the background, and prints the number of each. It never ends.
pub(crate) fn save_until_killed(folder: &Path) -> ! {
    println!("{BEGUN}");
    let saves = saves_in(folder).unwrap();
    let slot = saves.slot(SLOT).unwrap();
    let is_empty = slot.state() == SlotState::Empty;
    let last = if is_empty { 0 } else { slot.load::<World>().unwrap().value.tick };
    for tick in last + 1.. {
        let world = numbered(tick);
        if tick % 2 == 0 {
            slot.save(&world, Format::Binary).unwrap();
        } else {
            slot.save_in_background(&world, Format::MessagePack).unwrap().wait().unwrap();
        }
        println!("{tick}");
        std::io::stdout().flush().unwrap();
    }
    unreachable!("numbers do not end")
}

/// Starts a process that [saves until it is killed](save_until_killed), kills it after a random time, and checks the folder, whose
/// save was `before`. Returns the number of the save that is there now.
pub(crate) fn kill_once(
    child: &mut Command,
    folder: &Path,
    before: u64,
    dice: &mut Dice,
    seen: &mut Seen,
) -> Result<u64, String> {
    let mut child = child.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    // How long a process takes to start differs between systems.
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    _ = lines.find(|line| line.as_ref().is_ok_and(|line| line.ends_with(BEGUN)));
    std::thread::sleep(Duration::from_micros(dice.below(60_000)));
    child.kill().map_err(|error| error.to_string())?;
    child.wait().map_err(|error| error.to_string())?;
    let numbers = lines.filter_map(|line| line.ok()?.parse::<u64>().ok());
    let printed = numbers.last().unwrap_or(before);

    let system: Arc<dyn FileSystem> = Arc::new(System);
    let path = folder.join(FILE);
    let names = || system.list(folder).map_err(|error| error.to_string());
    seen.leftovers += u64::from(names()?.iter().any(|name| name.ends_with(".new")));
    seen.between += u64::from(names()?.iter().any(|name| name.ends_with(".old")));
    let slot = saves_in(folder)?.slot(SLOT).map_err(|error| error.to_string())?;
    let found = match slot.load::<World>() {
        Ok(loaded) if loaded.is_newest() && loaded.damaged.is_empty() => number(&loaded.value)?,
        Ok(loaded) => return Err(format!("it fell back: {:?}", loaded.damaged)),
        // It was killed in its first save.
        Err(_) if printed == 0 && !path.exists() => 0,
        Err(error) => return Err(error.to_string()),
    };
    // The next save may exist, if the process was killed before it printed that.
    if found != printed && found != printed + 1 {
        return Err(format!("the save {found} where {printed} was the last"));
    }
    seen.unprinted += u64::from(found > printed);
    let expected = [".archive-lock", FILE].map(str::to_owned).into_iter();
    let backups = (1..=BACKUPS).map(|number| format!("{FILE}.{number}"));
    let expected: Vec<String> = expected.chain(backups).collect();
    if let Some(other) = names()?.into_iter().find(|name| !expected.contains(name)) {
        return Err(format!("{other} is left"));
    }
    let numbers = numbers_of(&system, &path)?;
    let all = (BACKUPS + 1).min(found as usize);
    if numbers.len() != all || numbers.iter().zip(0..).any(|(number, at)| *number + at != found) {
        return Err(format!("{numbers:?} are the file and its backups"));
    }
    Ok(found)
}
