//! [`Family`]: a save and its backups.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use archive_core::Result;

use super::file_names::{Named, OLD, backup, folder_of, kind_of, names_in, number, old_file};
use crate::fault;
use crate::system::FileSystem;

/// The names of the files in a folder, from one listing.
pub struct Names(Vec<String>);

impl Names {
    /// Lists a folder. A missing folder has no files.
    pub fn read(system: &dyn FileSystem, folder: &Path) -> Result<Names> {
        let mut names = names_in(system, folder)?;
        names.sort_unstable();
        Ok(Names(names))
    }

    /// Returns the rest of each name that begins with `own`.
    fn endings(&self, own: &str) -> impl Iterator<Item = &str> {
        let first = self.0.partition_point(|name| &**name < own);
        self.0[first..].iter().map_while(move |name| name.strip_prefix(own))
    }
}

/// The names of the files in other folders. Each folder is listed once.
#[derive(Default)]
pub struct Others(RefCell<BTreeMap<PathBuf, Rc<Names>>>);

impl Others {
    fn of(&self, system: &dyn FileSystem, folder: &Path) -> Result<Rc<Names>> {
        if let Some(names) = self.0.borrow().get(folder) {
            return Ok(names.clone());
        }
        let names = Rc::new(Names::read(system, folder)?);
        self.0.borrow_mut().insert(folder.to_owned(), names.clone());
        Ok(names)
    }
}

/// The files that belong to a save.
pub struct Family {
    /// The saves, the newest first. Number 0 is the file itself.
    saves: Vec<(usize, PathBuf)>,
    /// The numbers in the names of backups.
    numbers: Vec<usize>,
}

impl Family {
    /// Lists the files of a save, in the folder of the file to which a symbolic link leads. A
    /// missing folder has no files.
    pub fn read(system: &dyn FileSystem, path: &Path) -> Result<Family> {
        let path = &target(system, path)?;
        Ok(Family::among(&Names::read(system, folder_of(path))?, path))
    }

    /// Returns the saves of a file that was listed with these endings. Those of a symbolic link are
    /// in another folder.
    pub fn listed<'e>(
        system: &dyn FileSystem,
        path: &Path,
        endings: impl Iterator<Item = &'e str>,
        others: &Others,
    ) -> Result<Family> {
        let target = target(system, path)?;
        if target == path {
            return Ok(Family::new(path, endings));
        }
        Ok(Family::among(&*others.of(system, folder_of(&target))?, &target))
    }

    fn among(names: &Names, path: &Path) -> Family {
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        Family::new(path, names.endings(&own))
    }

    fn new<'e>(path: &Path, endings: impl Iterator<Item = &'e str>) -> Family {
        let (mut numbers, mut has_old) = (Vec::new(), false);
        for ending in endings {
            numbers.extend(number(ending));
            has_old |= ending == OLD;
        }
        Family::of(path, numbers, has_old)
    }

    /// Returns the saves with these numbers. An old file that is not a backup yet counts as the
    /// newest backup.
    fn of(path: &Path, numbers: Vec<usize>, has_old: bool) -> Family {
        let old = usize::from(has_old);
        let with_number = |&number: &usize| {
            let counted = if number > 0 { number.saturating_add(old) } else { 0 };
            (counted, backup(path, number))
        };
        let mut saves: Vec<_> = numbers.iter().map(with_number).collect();
        saves.extend(has_old.then(|| (1, old_file(path))));
        saves.sort_unstable();
        Family { saves, numbers }
    }

    /// Looks again at a save that was listed before, without listing the folder again: saves made
    /// meanwhile have moved the backups to the numbers from 1 on, without a gap.
    pub fn again(&self, system: &dyn FileSystem, path: &Path) -> Result<Family> {
        let mut numbers = self.numbers.clone();
        numbers.push(0);
        numbers.extend(consecutive(system, path, usize::MAX)?);
        numbers.sort_unstable();
        numbers.dedup();
        let has_old = kind_of(system, &old_file(path))? == Named::File;
        Ok(Family::of(path, numbers, has_old))
    }

    /// Returns the saves, the newest first, each with its number.
    pub fn saves(&self) -> impl Iterator<Item = (usize, &Path)> {
        self.saves.iter().map(|(number, path)| (*number, &**path))
    }
}

fn target(system: &dyn FileSystem, path: &Path) -> Result<PathBuf> {
    system.target(path).map_err(|error| fault::io("find", path, error))
}

/// Returns the numbers of the backups from 1 on up to the first free name, and at most `most` of
/// them. The name of a folder is skipped, as when the backups got their numbers.
pub fn consecutive(system: &dyn FileSystem, path: &Path, most: usize) -> Result<Vec<usize>> {
    let mut numbers = Vec::new();
    for number in 1.. {
        match kind_of(system, &backup(path, number))? {
            _ if numbers.len() == most => break,
            Named::Nothing => break,
            Named::File => numbers.push(number),
            Named::Other => {}
        }
    }
    Ok(numbers)
}
