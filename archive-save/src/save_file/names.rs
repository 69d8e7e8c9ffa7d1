//! The names beside a save: `quick.sav.new`, `quick.sav.1`, `quick.sav.damaged`.

use std::io;
use std::path::{Path, PathBuf};

use archive_core::Result;

use crate::fault;
use crate::system::FileSystem;

/// Adds an ending to a name.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns the name under which a save is written.
pub fn new_file(path: &Path) -> PathBuf {
    beside(path, NEW)
}

/// How that name ends.
pub const NEW: &str = ".new";
/// What the ending of a file has that was damaged.
pub const DAMAGED: &str = ".damaged";

/// Returns the second name of a save that is being replaced, until it is the newest backup.
pub fn old_file(path: &Path) -> PathBuf {
    beside(path, OLD)
}

/// How that name ends.
const OLD: &str = ".old";

/// Returns the name of a backup. The first one is the newest, and number 0 is the file itself.
pub fn backup(path: &Path, number: usize) -> PathBuf {
    if number == 0 { path.to_owned() } else { beside(path, &format!(".{number}")) }
}

/// Returns the folder that a file is in. An empty path is the current one.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Lists the names in a folder. There are none if there is no folder.
///
/// # Errors
/// Those of the system.
pub fn names_in(system: &dyn FileSystem, folder: &Path) -> Result<Vec<String>> {
    match system.list(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        names => names.map_err(|error| fault::folder("list", folder, error)),
    }
}

/// Creates a folder if it is missing.
///
/// # Errors
/// Those of the system.
pub fn create_folder(system: &dyn FileSystem, folder: &Path) -> Result {
    system.create_folder(folder).map_err(|error| fault::folder("create", folder, error))
}

/// The files that belong to a save.
pub struct Family {
    /// The newest first. Number 0 is the file itself.
    saves: Vec<(usize, PathBuf)>,
}

impl Family {
    /// Lists the files of a save: beside the file that a symbolic link leads to. There are none if there
    /// is no folder.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read(system: &dyn FileSystem, path: &Path) -> Result<Family> {
        let path = &system.target(path).map_err(|error| fault::io("find", path, error))?;
        let folder = folder_of(path);
        let names = names_in(system, folder)?;
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Family::new(path, names.iter().filter_map(|name| name.strip_prefix(&*own))))
    }

    /// The saves of a file that was listed with these endings. Of a symbolic link they are elsewhere.
    ///
    /// # Errors
    /// Those of the system.
    pub fn listed<'e>(
        system: &dyn FileSystem,
        path: &Path,
        endings: impl Iterator<Item = &'e str>,
    ) -> Result<Family> {
        let target = system.target(path).map_err(|error| fault::io("find", path, error))?;
        if target == path { Ok(Family::new(path, endings)) } else { Family::read(system, path) }
    }

    /// The saves with these endings. What is not the newest backup yet is counted as if it were.
    fn new<'e>(path: &Path, endings: impl Iterator<Item = &'e str>) -> Family {
        let (mut numbers, mut old) = (Vec::new(), 0);
        for ending in endings {
            numbers.extend(number(ending));
            old += usize::from(ending == OLD);
        }
        let with_number = |number: usize| {
            let counted = if number > 0 { number.saturating_add(old) } else { 0 };
            (counted, backup(path, number))
        };
        let mut saves: Vec<_> = numbers.into_iter().map(with_number).collect();
        saves.extend((old > 0).then(|| (1, old_file(path))));
        saves.sort_unstable();
        Family { saves }
    }

    /// Returns the saves, the newest first, each with its number.
    pub fn saves(&self) -> impl Iterator<Item = (usize, &Path)> {
        self.saves.iter().map(|(number, path)| (*number, &**path))
    }
}

/// Returns the number of a save by what follows the name of the file.
fn number(ending: &str) -> Option<usize> {
    match ending.strip_prefix('.') {
        None => ending.is_empty().then_some(0),
        // Not `.01`, nor `.+1`.
        Some(digits) => {
            let number = digits.parse().ok().filter(|number| *number > 0)?;
            (format!("{number}") == digits).then_some(number)
        }
    }
}

/// Whether that follows the name of a save's file in the name of a save: itself, a backup, or what is
/// not one yet.
pub fn is_save(ending: &str) -> bool {
    number(ending).is_some() || ending == OLD
}

/// As many damaged files as are kept of each save and of each of its backups.
const MOST_DAMAGED: usize = 5;

/// Gives a damaged file a second name that no other file has: `quick.sav.damaged`, and then
/// `quick.sav.damaged-2` up to 5. The oldest one makes room for a sixth.
///
/// # Errors
/// Those of the system.
pub fn put_aside(system: &dyn FileSystem, path: &Path) -> Result<PathBuf> {
    let failed = |error| fault::io("put aside", path, error);
    let asides: Vec<PathBuf> = (1..=MOST_DAMAGED).map(|number| aside(path, number)).collect();
    for aside in &asides {
        match system.link(path, aside) {
            Ok(()) => return Ok(aside.clone()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
    }
    // No name is replaced, since between two names of one file a rename does nothing.
    system.remove(&asides[0]).map_err(failed)?;
    for pair in asides.windows(2) {
        system.rename(&pair[1], &pair[0]).map_err(failed)?;
    }
    let newest = &asides[MOST_DAMAGED - 1];
    system.link(path, newest).map_err(failed)?;
    Ok(newest.clone())
}

/// Returns the ending of the damaged file of that number, of a save with that ending.
pub fn damaged(of: &str, number: usize) -> String {
    if number == 1 { format!("{of}{DAMAGED}") } else { format!("{of}{DAMAGED}-{number}") }
}

fn aside(path: &Path, number: usize) -> PathBuf {
    beside(path, &damaged("", number))
}

/// Whether a file belongs to a save by what follows the name of the save's file: it is a save, one
/// that was damaged, or one that was being replaced.
pub fn is_of_family(ending: &str) -> bool {
    let before = ending.split_once(DAMAGED).map_or(ending, |(before, _)| before);
    is_save(before)
}
