//! A game that is kept in slots: in autosaves, or in one slot with its backups.

use std::collections::VecDeque;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use archive::save::{Job, Loaded, Saves, SlotState};
use archive::{Format, Serialize};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use skirmish::{Side, World, options, saved_options};

use crate::arguments::{Campaign, New};
use crate::table::{Table, count};
use crate::{campaign, show};

/// The name of the game in its saves.
const GAME: &str = "skirmish";

/// The metadata that a list shows in addition to the title.
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

/// Plays a game to its end or to `stop_after`, and saves it in the background.
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
        Some(loaded) => {
            let (tick, slot) = (loaded.value.tick, loaded.slot.unwrap_or_default());
            writeln!(out, "{folder}: resumes {slot:?} after tick {tick}.\n")?;
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

/// Loads the slot, or else the newest good save of this game, if there is one.
fn find(
    saves: &Saves,
    name: Option<&str>,
    out: &mut impl Write,
) -> Result<Option<Loaded<World>>, Box<dyn Error>> {
    let loaded = match name {
        Some(name) => {
            let slot = saves.slot(name)?;
            let is_empty = slot.state() == SlotState::Empty;
            if is_empty { None } else { Some(slot.load_with::<World>(&saved_options())?) }
        }
        None => saves.load_newest_with(&saved_options())?,
    };
    let Some(loaded) = loaded else { return Ok(None) };
    // As after every load of a world.
    loaded.value.check().map_err(|error| error.in_file(loaded.path.display()))?;
    for damaged in &loaded.damaged {
        writeln!(out, "{}", damaged.error)?;
    }
    for slot in &loaded.skipped {
        writeln!(out, "{:?} is {}", slot.name(), slot.state())?;
    }
    if let (Some(backup), Some(slot)) = (loaded.fell_back, &loaded.slot) {
        let saved = date(loaded.meta.created)?;
        writeln!(out, "{slot:?} is backup {backup}, saved {saved}")?;
    }
    Ok(Some(loaded))
}

/// Prints the slots in a folder.
pub fn list(folder: &Path, out: &mut impl Write) -> Result<bool, Box<dyn Error>> {
    if !folder.is_dir() {
        return Err(format!("{} is not a folder of saves", folder.display()).into());
    }
    let mut table =
        Table::new(["slot", "title", "level", "blue", "red", "played", "saved", "state"]);
    for slot in open(folder)?.list()? {
        let meta = slot.meta();
        let summary = if meta.game == GAME { meta.metadata::<Summary>().ok() } else { None };
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

/// A date in the player's time zone.
fn date(time: SystemTime) -> Result<String, jiff::Error> {
    let time = Timestamp::try_from(time)?.to_zoned_datetime(TimeZone::system());
    Ok(time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}
