//! Makes the old file the newest backup, after the new one has replaced it.

use std::io;
use std::path::Path;

use archive_core::Result;

use super::SaveFile;
use super::family::consecutive;
use super::file_names::{Named, backup, folder_of, kind_of, old_file};
use crate::fault;
use crate::system::FileSystem;

/// The number of bytes that are compared at once.
const CHUNK: u64 = 1 << 20;

impl SaveFile {
    /// Makes the old file, under its second name, the newest backup. A save is replaced only after
    /// it is durable under its next number, so a loss of power loses none. Only files are moved or
    /// replaced: the name of a folder is skipped.
    ///
    /// # Errors
    /// Errors of the system. [`adopt`](SaveFile::adopt) does the remaining steps later.
    pub(super) fn shift(&self, path: &Path) -> Result {
        let (system, folder) = (&*self.system, folder_of(path));
        // Up to the first free number, or over the oldest backup.
        let most = self.backups.max(1);
        let mut numbers = consecutive(system, path, most)?;
        if numbers.len() < most {
            numbers.push(free_after(system, path, numbers.last().copied().unwrap_or(0))?);
        }
        for at in (0..numbers.len()).rev() {
            let from = if at == 0 { old_file(path) } else { backup(path, numbers[at - 1]) };
            let to = backup(path, numbers[at]);
            system.rename(&from, &to).map_err(|error| fault::io("rename", &from, error))?;
            if at > 0 {
                system.sync_folder(folder).map_err(|error| fault::io("sync", folder, error))?;
            }
        }
        Ok(())
    }

    /// Makes the old file that an interrupted save left under its second name the newest backup.
    pub(super) fn adopt(&self, path: &Path) -> Result {
        let (system, folder, old) = (&*self.system, folder_of(path), old_file(path));
        if kind_of(system, &old)? != Named::File {
            return Ok(());
        }
        system.sync_folder(folder).map_err(|error| fault::io("sync", folder, error))?;
        let numbers = consecutive(system, path, usize::MAX)?;
        // It was not replaced, or is a backup already.
        for number in [0].iter().chain(numbers.first()) {
            if is_same(system, &backup(path, *number), &old)? {
                return remove(system, &old);
            }
        }
        for pair in numbers.windows(2) {
            // A loss of power interrupted the rename.
            if is_same(system, &backup(path, pair[0]), &backup(path, pair[1]))? {
                remove(system, &backup(path, pair[0]))?;
                break;
            }
        }
        self.shift(path)
    }

    /// Returns whether this program keeps backups, and as many as there are. Otherwise they belong
    /// to another program.
    pub(super) fn keeps_all(&self, path: &Path) -> Result<bool> {
        let most = self.backups.saturating_add(1);
        Ok(self.backups > 0 && consecutive(&*self.system, path, most)?.len() <= self.backups)
    }
}

/// Returns the first number after `number` whose name is free.
fn free_after(system: &dyn FileSystem, path: &Path, mut number: usize) -> Result<usize> {
    loop {
        number += 1;
        if !exists(system, &backup(path, number))? {
            return Ok(number);
        }
    }
}

/// Returns whether there is a file.
pub fn exists(system: &dyn FileSystem, path: &Path) -> Result<bool> {
    system.exists(path).map_err(|error| fault::io("find", path, error))
}

fn remove(system: &dyn FileSystem, path: &Path) -> Result {
    system.remove(path).map_err(|error| fault::io("remove", path, error))
}

/// Returns whether both files exist and have the same bytes.
fn is_same(system: &dyn FileSystem, first: &Path, second: &Path) -> Result<bool> {
    let compared = || -> io::Result<bool> {
        let (mut first, mut second) = (system.open(first)?, system.open(second)?);
        let len = first.length()?;
        let mut is_same = second.length()? == len;
        for from in (0..len).step_by(CHUNK as usize) {
            is_same = is_same && first.read(from, CHUNK)? == second.read(from, CHUNK)?;
        }
        Ok(is_same)
    };
    match compared() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        compared => compared.map_err(|error| fault::io("read", first, error)),
    }
}
