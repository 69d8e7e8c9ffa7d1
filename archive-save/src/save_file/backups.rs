//! The old file becomes the newest backup, once the new one is in its place.

use std::io;
use std::path::Path;

use archive_core::Result;

use super::SaveFile;
use super::names::{backup, folder_of, old_file};
use crate::fault;
use crate::system::FileSystem;

/// As many bytes as are compared at once.
const CHUNK: u64 = 1 << 20;

impl SaveFile {
    /// Makes the file under its second name the newest backup. A rename over a save comes only after
    /// that save has survived under its next number, so that none is lost with the power.
    ///
    /// # Errors
    /// Those of the system. What was not done yet is done by [`adopt`](SaveFile::adopt).
    pub(super) fn shift(&self, path: &Path) -> Result {
        let (system, folder) = (&*self.system, folder_of(path));
        // Up to the first number that is free, or over the oldest one.
        let mut last = 1;
        while last < self.backups && exists(system, &backup(path, last))? {
            last += 1;
        }
        for number in (0..last).rev() {
            let from = if number == 0 { old_file(path) } else { backup(path, number) };
            let to = backup(path, number + 1);
            system.rename(&from, &to).map_err(|error| fault::io("rename", &from, error))?;
            if number > 0 {
                system.sync_folder(folder).map_err(|error| fault::io("sync", folder, error))?;
            }
        }
        Ok(())
    }

    /// Makes the file that an interrupted save has left under its second name the newest backup.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn adopt(&self, path: &Path) -> Result {
        let (system, folder, old) = (&*self.system, folder_of(path), old_file(path));
        if !exists(system, &old)? {
            return Ok(());
        }
        system.sync_folder(folder).map_err(|error| fault::io("sync", folder, error))?;
        // It was not replaced, or it is a backup already.
        if is_same(system, path, &old)? || is_same(system, &backup(path, 1), &old)? {
            return remove(system, &old);
        }
        for number in 1.. {
            let here = backup(path, number);
            if !exists(system, &here)? {
                break;
            }
            // A rename that the power has interrupted.
            if is_same(system, &here, &backup(path, number + 1))? {
                remove(system, &here)?;
                break;
            }
        }
        self.shift(path)
    }

    /// Whether this program keeps as many backups as there are, and some at all. If not, they are
    /// those of another program.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn keeps_all(&self, path: &Path) -> Result<bool> {
        Ok(self.backups > 0 && !exists(&*self.system, &backup(path, self.backups + 1))?)
    }
}

/// Returns whether there is a file.
///
/// # Errors
/// Those of the system.
pub fn exists(system: &dyn FileSystem, path: &Path) -> Result<bool> {
    system.exists(path).map_err(|error| fault::io("find", path, error))
}

fn remove(system: &dyn FileSystem, path: &Path) -> Result {
    system.remove(path).map_err(|error| fault::io("remove", path, error))
}

/// Whether two files are there and have the same bytes.
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
