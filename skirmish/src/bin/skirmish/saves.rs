//! A game that is kept in slots: in autosaves, or in one slot with its backups.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use archive::save::{Job, Loaded, Saves, Slot, SlotState};
use archive::{ErrorKind, Format, Serialize};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use skirmish::{Side, World, options};

use crate::arguments::{Campaign, New};
use crate::table::{Table, count};
use crate::{campaign, show};

/// Whose saves they are.
const GAME: &str = "skirmish";

/// What a list shows beside the title.
#[derive(Default, Serialize)]
struct Summary {
    level: String,
    tick: u64,
    blue: usize,
    red: usize,
}

/// The saves in a folder.
fn open(folder: &Path) -> archive::Result<Saves> {
    Ok(Saves::in_folder(folder)?.game(GAME).types::<World>().backups(3).autosaves(5))
}

/// Plays a game to its end or to where it is to stop, and saves it in the background.
pub fn play(
    new: &New,
    ticks: u64,
    name: Option<&str>,
    campaign: &Campaign,
    out: &mut impl Write,
) -> Result<bool, Box<dyn Error>> {
    let started = Instant::now();
    let saves = open(&campaign.path)?;
    let folder = campaign.path.display();
    let (mut game, last_save, played) = match find(&saves, name, out)? {
        Some((loaded, slot)) => {
            let tick = loaded.value.tick;
            writeln!(out, "{folder}: goes on with {:?} after tick {tick}.\n", slot.name())?;
            (crate::resume(loaded.value, ticks)?, Some(tick), loaded.meta.play_time)
        }
        None => {
            let game = crate::begin(new)?;
            writeln!(out, "{folder}: a new game.\n")?;
            (game, None, Duration::ZERO)
        }
    };
    show::opening(game.world(), out)?;

    let mut jobs = VecDeque::<Job>::new();
    let save = |world: &World| {
        while jobs.front().is_some_and(Job::is_done) {
            jobs.pop_front().map(Job::wait).transpose()?;
        }
        let slot = match name {
            Some(name) => saves.slot(name)?,
            None => saves.autosave()?,
        };
        let (blue, red) = (world.strength(Side::Blue), world.strength(Side::Red));
        let left = count(world.units.len(), "unit", "units");
        let slot = slot
            .title(format!("tick {}, {left} left", world.tick))
            .play_time(played + started.elapsed())
            .metadata(&Summary { level: world.level.clone(), tick: world.tick, blue, red })?;
        jobs.push_back(slot.save_in_background_with(world, Format::Binary, &options())?);
        Ok(())
    };
    let last_save = campaign::play(&mut game, ticks, campaign, save)?.or(last_save);
    for job in jobs {
        job.wait()?;
    }
    campaign::end(&game, ticks, last_save, out)?;
    Ok(true)
}

/// A save that can be played on.
type Found = (Loaded<World>, Slot);

/// Loads the slot, or else the newest save of this game that is good, if there is one.
fn find(
    saves: &Saves,
    name: Option<&str>,
    out: &mut impl Write,
) -> Result<Option<Found>, Box<dyn Error>> {
    let found = match name {
        Some(name) => {
            let slot = saves.slot(name)?;
            let is_empty = slot.state() == SlotState::Empty;
            if is_empty { None } else { Some((load(&slot)?, slot)) }
        }
        None => newest(saves, out)?,
    };
    let Some((loaded, slot)) = found else { return Ok(None) };
    // As after every load of a world.
    let refused = |error| format!("{}: {error}", slot.path().display());
    loaded.value.check().map_err(refused)?;
    for damaged in &loaded.damaged {
        writeln!(out, "{}", damaged.error)?;
    }
    if let Some(backup) = loaded.fell_back {
        let saved = date(loaded.meta.created)?;
        writeln!(out, "{:?} is backup {backup}, saved {saved}", slot.name())?;
    }
    Ok(Some((loaded, slot)))
}

/// Loads the newest save of this game that is good, and says which ones are damaged.
fn newest(saves: &Saves, out: &mut impl Write) -> Result<Option<Found>, Box<dyn Error>> {
    let is_lost = |slot: &Slot| slot.state() == SlotState::Damaged && slot.falls_back().is_none();
    let mut slots: Vec<Slot> = slots(saves)?.into_iter().map(|(slot, _)| slot).collect();
    slots.retain(|slot| is_lost(slot) || slot.meta().game == GAME);
    // The date of such a save is lost as well. It may have been the newest.
    slots.sort_by_key(|slot| !is_lost(slot));
    let mut damaged = false;
    for slot in slots {
        match load(&slot) {
            Ok(loaded) => return Ok(Some((loaded, slot))),
            Err(error) if error.kind() == ErrorKind::Syntax => {
                writeln!(out, "{error}")?;
                damaged = true;
            }
            // An older save would hide it, and the game would go on from there for ever.
            Err(error) => return Err(error.into()),
        }
    }
    match damaged {
        true => Err(format!("no save in {} can be loaded", saves.folder().display()).into()),
        false => Ok(None),
    }
}

fn load(slot: &Slot) -> archive::Result<Loaded<World>> {
    slot.load_with(&options())
}

/// Prints the slots in a folder.
pub fn list(folder: &Path, out: &mut impl Write) -> Result<bool, Box<dyn Error>> {
    // Opening it would create it.
    if !folder.is_dir() {
        return Err(format!("{} is no folder of saves", folder.display()).into());
    }
    let mut table =
        Table::new(["slot", "title", "level", "blue", "red", "played", "saved", "state"]);
    for (slot, summary) in slots(&open(folder)?)? {
        let meta = slot.meta();
        let state = match (slot.falls_back(), slot.error()) {
            (Some(backup), _) => format!("{}, backup {backup} is good", slot.state()),
            (None, Some(error)) => error.to_string(),
            (None, None) => slot.state().to_string(),
        };
        let cells = match summary {
            Some(summary) => [
                meta.title.clone(),
                summary.level,
                summary.blue.to_string(),
                summary.red.to_string(),
                format!("{:#}", SignedDuration::from_secs(meta.play_time.as_secs().try_into()?)),
                date(meta.created)?,
            ],
            None => [&*meta.title, "-", "-", "-", "-", "-"].map(str::to_owned),
        };
        let [title, level, blue, red, played, saved] = cells;
        table.row([slot.name().to_owned(), title, level, blue, red, played, saved, state]);
    }
    write!(out, "{table}")?;
    Ok(true)
}

/// All slots, the newest first, with what this game added to them.
fn slots(saves: &Saves) -> archive::Result<Vec<(Slot, Option<Summary>)>> {
    let with_summary = |slot: Slot| {
        let meta = slot.meta();
        let summary = if meta.game == GAME { meta.metadata().ok() } else { None };
        (slot, summary)
    };
    let mut slots: Vec<(Slot, Option<Summary>)> =
        saves.list()?.into_iter().map(with_summary).collect();
    // Two saves may have one date.
    slots.sort_by_key(|(slot, summary)| {
        Reverse((slot.meta().created, summary.as_ref().map(|summary| summary.tick)))
    });
    Ok(slots)
}

/// A date where the player is.
fn date(time: SystemTime) -> Result<String, jiff::Error> {
    let time = Timestamp::try_from(time)?.to_zoned(TimeZone::system());
    Ok(time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}
