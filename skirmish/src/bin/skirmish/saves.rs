//! A game that is kept in slots: in autosaves, or in one slot with its backups.

use std::collections::VecDeque;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use archive::save::{Job, Loaded, Meta, Saves, Slot, SlotState};
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
    let (mut game, last_save, played) = match newest(&saves, name, out)? {
        Some((slot, loaded)) => {
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
            .metadata(&Summary { level: world.level.clone(), blue, red })?;
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
type Found = (Slot, Loaded<World>);

/// Loads the slot, or else the newest save that is good, if there is one.
fn newest(
    saves: &Saves,
    name: Option<&str>,
    out: &mut impl Write,
) -> Result<Option<Found>, Box<dyn Error>> {
    let slots = match name {
        Some(name) => vec![saves.slot(name)?],
        None => saves.list()?,
    };
    let mut damaged = None;
    for slot in slots {
        if slot.state() == SlotState::Empty {
            continue;
        }
        let loaded = match slot.load_with::<World>(&options()) {
            Ok(loaded) => loaded,
            Err(error) if error.kind() == ErrorKind::Syntax => {
                writeln!(out, "{:?} is damaged: {error}", slot.name())?;
                damaged.get_or_insert(error);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        // As after every load of a world.
        loaded.value.check()?;
        for damaged in &loaded.damaged {
            writeln!(out, "{:?} was damaged: {}", slot.name(), damaged.error)?;
        }
        if let Some(backup) = loaded.fell_back {
            let saved = date(loaded.meta.created)?;
            writeln!(out, "This is backup {backup} of {:?}, saved {saved}.", slot.name())?;
        }
        return Ok(Some((slot, loaded)));
    }
    match damaged {
        Some(error) => Err(error.into()),
        None => Ok(None),
    }
}

/// Prints the slots in a folder.
pub fn list(folder: &Path, out: &mut impl Write) -> Result<bool, Box<dyn Error>> {
    let saves = open(folder)?;
    let mut table =
        Table::new(["slot", "title", "level", "blue", "red", "played", "saved", "state"]);
    for slot in saves.list()? {
        let meta = slot.meta();
        let played = SignedDuration::from_secs(meta.play_time.as_secs().try_into()?);
        let state = match (slot.state(), slot.falls_back(), slot.error()) {
            (state, Some(backup), _) => format!("{state}, backup {backup} is good"),
            (state, None, Some(error)) => format!("{state}: {error}"),
            (state, None, None) => state.to_string(),
        };
        let summary = summary(meta)?;
        table.row([
            slot.name().to_owned(),
            meta.title.clone(),
            summary.level,
            summary.blue.to_string(),
            summary.red.to_string(),
            format!("{played:#}"),
            date(meta.created)?,
            state,
        ]);
    }
    write!(out, "{table}")?;
    Ok(true)
}

/// What the game added to a save; nothing in one that it did not save.
fn summary(meta: &Meta) -> archive::Result<Summary> {
    if meta.has_metadata() && meta.game == GAME { meta.metadata() } else { Ok(Summary::default()) }
}

/// A date where the player is.
fn date(time: SystemTime) -> Result<String, jiff::Error> {
    let time = Timestamp::try_from(time)?.to_zoned(TimeZone::system());
    Ok(time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}
