//! The names of the files that belong to a save: `quick.sav.new`, `quick.sav.1`,
//! `quick.sav.damaged`.

use std::io;
use std::path::{Path, PathBuf};

use archive_core::Result;

use super::backups::exists;
use crate::fault;
use crate::system::FileSystem;

/// Adds an ending to a name.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns the name under which a save is written.
pub fn new_file(path: &Path) -> PathBuf {
    with_ending(path, NEW)
}

/// The ending of that name.
pub const NEW: &str = ".new";
/// The ending of a damaged file.
pub const DAMAGED: &str = ".damaged";

/// Returns the second name of a save that is being replaced, until it is the newest backup.
pub fn old_file(path: &Path) -> PathBuf {
    with_ending(path, OLD)
}

/// The ending of that name.
pub const OLD: &str = ".old";

/// Returns the name of a backup. The first one is the newest, and number 0 is the file itself.
pub fn backup(path: &Path, number: usize) -> PathBuf {
    if number == 0 { path.to_owned() } else { with_ending(path, &format!(".{number}")) }
}

/// Returns the folder of a file. An empty path is the current folder.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Lists the names in a folder. A missing folder has none.
pub fn names_in(system: &dyn FileSystem, folder: &Path) -> Result<Vec<String>> {
    match system.list(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        names => names.map_err(|error| fault::folder("list", folder, error)),
    }
}

/// Creates a folder if it is missing.
pub fn create_folder(system: &dyn FileSystem, folder: &Path) -> Result {
    system.create_folder(folder).map_err(|error| fault::folder("create", folder, error))
}

/// The kind of file that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Nothing,
    /// A file, or a symbolic link that leads to one or nowhere.
    File,
    /// A folder, a pipe or a device. It is not a save, and is never moved or replaced.
    Other,
}

/// Returns the kind of file that has that name.
pub fn kind_of(system: &dyn FileSystem, path: &Path) -> Result<Named> {
    if !exists(system, path)? {
        return Ok(Named::Nothing);
    }
    match system.open(path) {
        Err(error) if fault::is_other(&error) => Ok(Named::Other),
        // A file that cannot be read exists.
        _ => Ok(Named::File),
    }
}

/// Returns the number of a save from what follows the name of the file.
pub fn number(ending: &str) -> Option<usize> {
    match ending.strip_prefix('.') {
        None => ending.is_empty().then_some(0),
        // Not `.01`, nor `.+1`.
        Some(digits) => {
            let number = digits.parse().ok().filter(|number| *number > 0)?;
            (format!("{number}") == digits).then_some(number)
        }
    }
}

/// Returns whether `ending`, after the name of a save's file, is that of a save: of the file
/// itself, of a backup, or of an old file that is not a backup yet.
pub fn is_save(ending: &str) -> bool {
    number(ending).is_some() || ending == OLD
}

/// The maximum number of damaged files that are kept of each save and of each of its backups.
const MAX_DAMAGED: usize = 5;

/// Gives a damaged file a second, unused name: `quick.sav.damaged`, and then `quick.sav.damaged-2`
/// up to 5. A sixth one replaces the oldest. The name of a folder is skipped.
pub fn quarantine(system: &dyn FileSystem, path: &Path) -> Result<PathBuf> {
    let failed = |error| fault::io("quarantine", path, error);
    let mut asides = Vec::new();
    for number in 1.. {
        let aside = aside(path, number);
        match system.link(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(failed(error));
            }
            Err(_) if kind_of(system, &aside)? == Named::Other => {}
            Err(_) => asides.push(aside),
        }
        if asides.len() == MAX_DAMAGED {
            break;
        }
    }
    // The name is removed first, because a rename does nothing if both are names of one file.
    system.remove(&asides[0]).map_err(failed)?;
    for pair in asides.windows(2) {
        system.rename(&pair[1], &pair[0]).map_err(failed)?;
    }
    let newest = &asides[MAX_DAMAGED - 1];
    system.link(path, newest).map_err(failed)?;
    Ok(newest.clone())
}

/// Returns the ending of the damaged file of that number, of a save with that ending.
pub fn damaged(of: &str, number: usize) -> String {
    if number == 1 { format!("{of}{DAMAGED}") } else { format!("{of}{DAMAGED}-{number}") }
}

fn aside(path: &Path, number: usize) -> PathBuf {
    with_ending(path, &damaged("", number))
}

/// Returns whether `ending`, after the name of a save's file, is that of a file that belongs to the
/// save: a save, a damaged one, or one that was being replaced.
pub fn is_of_family(ending: &str) -> bool {
    let before = ending.split_once(DAMAGED).map_or(ending, |(before, _)| before);
    is_save(before)
}
