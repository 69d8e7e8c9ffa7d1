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
    beside(path, ".new")
}

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

/// The files that belong to a save.
pub struct Family {
    path: PathBuf,
    /// The numbers of the saves that exist, the newest first: 0 is the file itself.
    numbers: Vec<usize>,
}

impl Family {
    /// Lists the files of a save. There are none if there is no folder.
    ///
    /// # Errors
    /// Those of the system.
    pub fn read(system: &dyn FileSystem, path: &Path) -> Result<Family> {
        let folder = folder_of(path);
        let names = names_in(system, folder)?;
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let numbers = names.iter().filter_map(|name| number(name.strip_prefix(&*own)?));
        Ok(Family::new(path, numbers.collect()))
    }

    /// The saves with these numbers.
    pub fn new(path: &Path, mut numbers: Vec<usize>) -> Family {
        numbers.sort_unstable();
        Family { path: path.to_owned(), numbers }
    }

    /// Returns the saves, the newest first, each with its number.
    pub fn saves(&self) -> impl Iterator<Item = (usize, PathBuf)> + '_ {
        self.numbers.iter().map(|&number| (number, backup(&self.path, number)))
    }
}

/// Returns the number of a save by what follows the name of the file.
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

/// Gives a damaged file a second name that no other file has: `quick.sav.damaged`, and then
/// `quick.sav.damaged-2`.
///
/// # Errors
/// Those of the system.
pub fn put_aside(system: &dyn FileSystem, path: &Path) -> Result<PathBuf> {
    let mut count = 1_u64;
    loop {
        let ending = if count == 1 { ".damaged".into() } else { format!(".damaged-{count}") };
        let aside = beside(path, &ending);
        match system.link(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => count += 1,
            Err(error) => return Err(fault::io("put aside", path, error)),
        }
    }
}

/// Whether a file belongs to a save by what follows the name of the save's file: it is a save, or
/// one that was damaged.
pub fn is_of_family(ending: &str) -> bool {
    let before = ending.split_once(".damaged").map_or(ending, |(before, _)| before);
    number(before).is_some()
}
