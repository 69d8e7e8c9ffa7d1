//! The command line.

mod given;

use std::ffi::OsString;
use std::path::PathBuf;

use archive::Format;
use given::Given;

/// The text of `--help`.
pub const HELP: &str = "\
A squad tactics game that saves in the middle and cannot tell the difference.

Usage: skirmish [OPTIONS]

Plays a game, saves it in the middle in every format, loads each of these, plays on, and shows that
all of them end as the game that was never interrupted. A new game:

  --level PATH    an LDtk project, `.ldtk`; without it, the level that comes with the game
  --units N       units on both sides together, 2 to 100000
  --seed N        the seed of the random numbers; 1 if not given
  --ticks N       the tick in which the game ends; 600 if not given
  --mods DIR      uses the mods in the folder DIR, also with --resume, --saves and --store; needs
                  `--features mods`, and `--features scripts` for mods with scripts
  --watch         plays a new game slowly, and loads the mods again when they change on disk;
                  needs `--features watch`
  --at N          the tick after which it is saved; half of --ticks if not given
  --format NAME   in this format only, by its name or its extension

In two processes:

  --save FILE     saves the game to FILE after the tick --at, and plays on to --ticks; the format
                  is the one of the extension unless --format says another
  --resume FILE   continues a saved game to --ticks; together with --save and --at it saves it
                  again

In as many processes as it takes (with `--features saves` and `--features store`):

  --saves DIR     keeps the game in autosaves in the folder DIR, and continues from the newest save
                  there when it is started again with the same command; if there is a game, it has
                  its own level, units and dice
  --slot NAME     keeps it in that slot in place of autosaves, and continues from there
  --list          prints the slots in --saves DIR, and plays nothing
  --store PATH    keeps the game in the store PATH in the same way; with `--features postgres` PATH may
                  be the address of a server, postgres://USER@HOST/DATABASE#NAME
  --every N       saves it every N ticks; 50 if not given
  --stop-after N  quits after N ticks without saving, as if the power had failed

  -h, --help      this text

Exit codes: 0 all is well; 1 a game ended in another state, or a file could not be used; 2 the
command line is wrong.";

/// The maximum number of units.
const MAX_UNITS: usize = 100_000;

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
    /// A new game whose mods may change.
    #[cfg_attr(not(feature = "watch"), expect(dead_code, reason = "only what plays it reads it"))]
    Watch {
        /// The game.
        new: New,
        /// The tick in which it ends.
        ticks: u64,
        /// The folder of the mods.
        mods: PathBuf,
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
        /// The format, if it cannot be detected from the content.
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
    /// A game that is kept in a folder of saves.
    #[cfg_attr(not(feature = "saves"), expect(dead_code, reason = "only what plays it reads it"))]
    Saves {
        /// The game, if there is no save.
        new: New,
        /// The tick in which it ends.
        ticks: u64,
        /// The slot; `None` for autosaves.
        slot: Option<String>,
        /// Where it is kept.
        campaign: Campaign,
    },
    /// The slots in a folder.
    #[cfg_attr(not(feature = "saves"), expect(dead_code, reason = "only what lists them reads it"))]
    List {
        /// The folder.
        folder: PathBuf,
    },
}

/// A new game.
pub struct New {
    /// The project of the level.
    pub level: Option<PathBuf>,
    /// How many units there are.
    pub units: Option<usize>,
    /// The seed of the dice.
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

/// Where a game is saved regularly.
#[cfg_attr(
    not(any(feature = "saves", feature = "store")),
    expect(dead_code, reason = "only what plays it reads it")
)]
pub struct Campaign {
    /// The store, or the folder of the saves.
    pub path: PathBuf,
    /// How many ticks pass between two saves.
    pub every: u64,
    /// After how many ticks the program quits, if not at the end.
    pub stop_after: Option<u64>,
}

/// Reads the command line: the folder of mods, and what to do.
pub fn read(
    arguments: impl Iterator<Item = OsString>,
) -> Result<(Option<PathBuf>, Request), String> {
    let mut given = Given { arguments: arguments.collect() };
    let watch = given.flag("--watch");
    let mods = given.value("--mods")?.map(PathBuf::from);
    if !watch {
        return Ok((mods, request(given)?));
    }
    let Some(folder) = &mods else { return Err("--watch needs --mods".to_owned()) };
    match request(given)? {
        Request::Prove { new, ticks, format: None, .. } => {
            let watch = Request::Watch { new, ticks, mods: folder.clone() };
            Ok((mods, watch))
        }
        Request::Help => Ok((mods, Request::Help)),
        _ => Err("--watch plays a new game, and saves nothing".to_owned()),
    }
}

fn request(mut given: Given) -> Result<Request, String> {
    if given.arguments.iter().any(|argument| argument == "-h" || argument == "--help") {
        return Ok(Request::Help);
    }
    let list = given.flag("--list");
    let level = given.value("--level")?.map(PathBuf::from);
    let units = given.number("--units", 2..=MAX_UNITS)?;
    let seed = given.number("--seed", 0..=u64::MAX)?;
    let ticks = given.number("--ticks", 1..=u64::MAX)?;
    let at = given.number("--at", 0..=u64::MAX)?;
    let save = given.value("--save")?.map(PathBuf::from);
    let resume = given.value("--resume")?.map(PathBuf::from);
    let store = given.value("--store")?.map(PathBuf::from);
    let saves = given.value("--saves")?.map(PathBuf::from);
    let slot = given.value("--slot")?.map(|name| name.to_string_lossy().into_owned());
    let every = given.number("--every", 1..=u64::MAX)?;
    let stop_after = given.number("--stop-after", 0..=u64::MAX)?;
    let format = match given.value("--format")? {
        Some(name) => Some(Format::from_name(&name.to_string_lossy()).map_err(|e| e.to_string())?),
        None => None,
    };
    if let Some(argument) = given.arguments.front() {
        return Err(format!("unknown option `{}`", argument.display()));
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
        if let Some(name) = first(&new) {
            return Err(format!("{name} is only for new games: a resumed game has its own"));
        }
    }
    if save.is_none() && resume.is_some() && at.is_some() {
        return Err("--at needs --save".to_owned());
    }
    let in_folder = [("--slot", slot.is_some()), ("--list", list)];
    if saves.is_none()
        && let Some(name) = first(&in_folder)
    {
        return Err(format!("{name} needs --saves"));
    }
    let playing = [
        ("--slot", slot.is_some()),
        ("--every", every.is_some()),
        ("--stop-after", stop_after.is_some()),
    ];
    if list && let Some(name) = first(&playing) {
        return Err(format!("{name} cannot be used with --list"));
    }
    let kept = match (saves, store) {
        (Some(_), Some(_)) => {
            return Err("--saves and --store cannot be used together".to_owned());
        }
        (Some(path), None) => Some((path, true, "--saves keeps the game in slots")),
        (None, Some(path)) => Some((path, false, "--store keeps the game in a store")),
        (None, None) => None,
    };
    if let Some((path, in_slots, keeps)) = kept {
        let files = [
            ("--save", save.is_some()),
            ("--resume", resume.is_some()),
            ("--at", at.is_some()),
            ("--format", format.is_some()),
        ];
        if let Some(name) = first(&files) {
            return Err(format!("{name} is only for files, but {keeps}"));
        }
        if list {
            return Ok(Request::List { folder: path });
        }
        let new = New { level, units, seed: seed.unwrap_or(1) };
        let campaign = Campaign { path, every: every.unwrap_or(50), stop_after };
        return Ok(match in_slots {
            true => Request::Saves { new, ticks, slot, campaign },
            false => Request::Store { new, ticks, campaign },
        });
    }
    let keeping = [("--every", every.is_some()), ("--stop-after", stop_after.is_some())];
    if let Some(name) = first(&keeping) {
        return Err(format!("{name} needs --saves or --store"));
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

/// The first of some options that is given.
fn first<'n>(options: &[(&'n str, bool)]) -> Option<&'n str> {
    options.iter().find(|(_, given)| *given).map(|(name, _)| *name)
}
