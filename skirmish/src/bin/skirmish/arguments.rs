//! The command line.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use archive::Format;

/// What `--help` says.
pub const HELP: &str = "\
A squad tactics game that saves in the middle and cannot tell the difference.

Usage: skirmish [OPTIONS]

Plays a game, saves it in the middle in every format, loads each of these, plays on, and shows that
all of them end as the game that was never interrupted. A new game:

  --level PATH    an LDtk project, `.ldtk`; without it, the level that comes with the game
  --units N       units on both sides together, 2 to 100000
  --seed N        where the dice start; 1 if not given
  --ticks N       the tick in which the game ends; 600 if not given
  --at N          the tick after which it is saved; half of --ticks if not given
  --format NAME   in this format only, by its name or its extension

In two processes:

  --save FILE     saves the game to FILE after the tick --at, and plays on to --ticks; the format
                  is the one of the extension unless --format says another
  --resume FILE   goes on from a saved game to --ticks; together with --save and --at it saves it
                  again

In as many processes as it takes (with `--features store`):

  --store PATH    keeps the game in the store PATH, and goes on from there when it is started again
                  with the same command; if there is a game, it has its own level, units and dice
  --every N       saves it every N ticks; 50 if not given
  --stop-after N  quits after N ticks without saving, as if the power had failed

  -h, --help      this text

Exit codes: 0 all is well; 1 a game ended in another state, or a file could not be used; 2 the
command line is wrong.";

/// The most units there may be.
const MOST_UNITS: usize = 100_000;

/// What the command line asks for.
pub enum Request {
    /// The text of `--help`.
    Help,
    /// One game in every format, or in one.
    Prove {
        /// The game.
        new: New,
        /// The tick in which it ends.
        ticks: u64,
        /// The tick after which it is saved.
        at: u64,
        /// The only format.
        format: Option<Format>,
    },
    /// A new game that is saved to a file.
    Save {
        /// The game.
        new: New,
        /// The tick in which it ends.
        ticks: u64,
        /// Where it is saved, and when.
        save: SaveTo,
    },
    /// A game from a file.
    Resume {
        /// The file.
        path: PathBuf,
        /// The format, if the file's content does not tell.
        format: Option<Format>,
        /// The tick in which it ends.
        ticks: u64,
        /// Where it is saved again, and when.
        save: Option<SaveTo>,
    },
    /// A game that is kept in a store.
    #[cfg_attr(not(feature = "store"), expect(dead_code, reason = "only what plays it reads it"))]
    Store {
        /// The game, if the store has none.
        new: New,
        /// The tick in which it ends.
        ticks: u64,
        /// Where it is kept.
        campaign: Campaign,
    },
}

/// A new game.
pub struct New {
    /// The project its level is from.
    pub level: Option<PathBuf>,
    /// How many units there are.
    pub units: Option<usize>,
    /// Where the dice start.
    pub seed: u64,
}

/// Where and when a game is saved.
pub struct SaveTo {
    /// The file.
    pub path: PathBuf,
    /// The format, unless it is that of the extension.
    pub format: Option<Format>,
    /// The tick after which.
    pub at: u64,
}

/// Where a game is kept all the time.
#[cfg_attr(not(feature = "store"), expect(dead_code, reason = "only what plays it reads it"))]
pub struct Campaign {
    /// The store.
    pub path: PathBuf,
    /// How many ticks pass between two saves.
    pub every: u64,
    /// After how many ticks the program quits, if it does.
    pub stop_after: Option<u64>,
}

/// Reads the command line.
pub fn read(arguments: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let mut given = Given { arguments: arguments.collect() };
    if given.arguments.iter().any(|argument| argument == "-h" || argument == "--help") {
        return Ok(Request::Help);
    }
    let level = given.value("--level")?.map(PathBuf::from);
    let units = given.number("--units", 2..=MOST_UNITS)?;
    let seed = given.number("--seed", 0..=u64::MAX)?;
    let ticks = given.number("--ticks", 1..=u64::MAX)?;
    let at = given.number("--at", 0..=u64::MAX)?;
    let save = given.value("--save")?.map(PathBuf::from);
    let resume = given.value("--resume")?.map(PathBuf::from);
    let store = given.value("--store")?.map(PathBuf::from);
    let every = given.number("--every", 1..=u64::MAX)?;
    let stop_after = given.number("--stop-after", 0..=u64::MAX)?;
    let format = match given.value("--format")? {
        Some(name) => Some(Format::from_name(&name.to_string_lossy()).map_err(|e| e.to_string())?),
        None => None,
    };
    if let Some(argument) = given.arguments.front() {
        return Err(format!("{} is no option", argument.display()));
    }

    let ticks = ticks.unwrap_or(600);
    let at_or_half = at.unwrap_or(ticks / 2);
    if at_or_half > ticks {
        return Err(format!("--at {at_or_half} is after --ticks {ticks}"));
    }
    if resume.is_some() {
        let new = [
            ("--level", level.is_some()),
            ("--units", units.is_some()),
            ("--seed", seed.is_some()),
        ];
        if let Some((name, _)) = new.iter().find(|(_, given)| *given) {
            return Err(format!("{name} is for a new game: one that is resumed has its own"));
        }
    }
    if save.is_none() && resume.is_some() && at.is_some() {
        return Err("--at says when to --save, and there is no --save".to_owned());
    }
    if let Some(path) = store {
        let files = [
            ("--save", save.is_some()),
            ("--resume", resume.is_some()),
            ("--at", at.is_some()),
            ("--format", format.is_some()),
        ];
        if let Some((name, _)) = files.iter().find(|(_, given)| *given) {
            return Err(format!("{name} is for files, and --store keeps the game in a store"));
        }
        let new = New { level, units, seed: seed.unwrap_or(1) };
        let campaign = Campaign { path, every: every.unwrap_or(50), stop_after };
        return Ok(Request::Store { new, ticks, campaign });
    }
    if let Some((name, _)) =
        [("--every", every), ("--stop-after", stop_after)].iter().find(|(_, given)| given.is_some())
    {
        return Err(format!("{name} is for a game in a --store, and there is no --store"));
    }
    // When a saved game is saved again, --format is that of the new file.
    let read_as = if save.is_none() { format } else { None };
    let save = save.map(|path| SaveTo { path, format, at: at_or_half });
    let new = New { level, units, seed: seed.unwrap_or(1) };
    Ok(match (resume, save) {
        (Some(path), save) => Request::Resume { path, format: read_as, ticks, save },
        (None, Some(save)) => Request::Save { new, ticks, save },
        (None, None) => Request::Prove { new, ticks, at: at_or_half, format },
    })
}

/// What is left of the command line.
struct Given {
    arguments: VecDeque<OsString>,
}

impl Given {
    /// Takes the value of an option: `--name value` or `--name=value`.
    fn value(&mut self, name: &str) -> Result<Option<OsString>, String> {
        let mut found = None;
        let mut index = 0;
        while index < self.arguments.len() {
            let argument = &self.arguments[index];
            let value =
                argument.to_str().and_then(|text| text.strip_prefix(name)?.strip_prefix('='));
            let value = value.map(OsString::from);
            if value.is_none() && argument != name {
                index += if is_option(argument) { 2 } else { 1 };
                continue;
            }
            self.arguments.remove(index);
            let value = match value {
                Some(value) => Some(value),
                None => self.arguments.remove(index),
            };
            let value = value.filter(|value| !value.is_empty() && !is_option(value));
            let value = value.ok_or_else(|| format!("{name} wants a value"))?;
            if found.replace(value).is_some() {
                return Err(format!("{name} is given twice"));
            }
        }
        Ok(found)
    }

    /// Takes the value of an option that is a number in a range.
    fn number<T>(
        &mut self,
        name: &str,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<Option<T>, String>
    where
        T: FromStr + PartialOrd + std::fmt::Display,
    {
        let Some(text) = self.value(name)? else { return Ok(None) };
        let number = text.to_str().and_then(|text| text.parse().ok());
        let number = number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (from, to) = (range.start(), range.end());
            format!(
                "{name} wants a number from {from} to {to}, not {:?}",
                text.display().to_string()
            )
        })?;
        Ok(Some(number))
    }
}

/// Whether an argument is an option whose value is the next argument.
fn is_option(argument: &OsString) -> bool {
    argument.to_str().is_some_and(|text| text.starts_with("--") && !text.contains('='))
}
