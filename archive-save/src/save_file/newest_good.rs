//! Searching for the newest good save.
// Why: docs/decisions/saves.md#only-damage-falls-back-to-a-backup

use std::path::{Path, PathBuf};

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Options, Result};
use archive_format::Format;

use super::SaveFile;
use super::family::Family;
use super::file_names::{Named, folder_of, kind_of, new_file, old_file};
use super::loaded::Loaded;
use super::replace::signature_of;
use super::rescue::Rescue;
use crate::fault;
use crate::lineage::Known;
use crate::meta::Meta;
use crate::system::Turn;

/// A save that is not damaged.
pub(super) struct Found {
    /// The number of a backup, or 0 for the file itself.
    pub number: usize,
    pub path: PathBuf,
    pub meta: Meta,
    pub body: Vec<u8>,
}

impl SaveFile {
    /// Loads the newest good save with `decode` and these options.
    pub(super) fn newest<T>(
        &self,
        shape: &'static Shape,
        options: &Options<'_>,
        mut decode: impl FnMut(Format, &[u8]) -> Result<T>,
    ) -> Result<Loaded<T>> {
        let mut rescue = Rescue::new(&*self.system);
        if let Some(mut loaded) = self.search(shape, None, &mut rescue, options, &mut decode)? {
            loaded.damaged = rescue.quarantine(self, options);
            return Ok(loaded);
        }
        Err(rescue.into_error().unwrap_or_else(|| {
            let error = std::io::Error::from(std::io::ErrorKind::NotFound);
            let message = format_args!("there is no save {}", self.path.display());
            Error::with_source(ErrorKind::Io, message, error)
        }))
    }

    /// Searches for a good save, the newest first. Adds damaged files to `rescue`. Returns `None`
    /// if all are damaged, or there is none. Lists the folder, unless its files were `listed`
    /// before.
    ///
    /// # Errors
    /// As [`load`](SaveFile::load), except errors about damage.
    pub(crate) fn search<T>(
        &self,
        shape: &'static Shape,
        listed: Option<&Family>,
        rescue: &mut Rescue<'_>,
        options: &Options<'_>,
        decode: &mut impl FnMut(Format, &[u8]) -> Result<T>,
    ) -> Result<Option<Loaded<T>>> {
        let path = self.target()?;
        let folder = folder_of(&path);
        let is_left = |path: &Path| self.system.exists(path).is_ok_and(|exists| exists);
        if is_left(&new_file(&path)) || is_left(&old_file(&path)) {
            // Without the lock nothing is changed: the folder may be read-only, or another process
            // may be saving there.
            if let Some(_turn) = Turn::try_lock(&*self.system, folder) {
                self.tidy(&path, listed);
            }
        }
        let found = match self.intact(&path, options) {
            Ok((meta, body)) => Some(Found { number: 0, path: path.clone(), meta, body }),
            // If there is nothing to load, no lock is taken, because that would create a file.
            Err(error) if fault::is_absent(&error) && listed.is_none() && !self.exists()? => None,
            Err(error) if fault::is_damage(&error) || fault::is_absent(&error) => {
                self.fall_back(&path, listed, rescue, options)?
            }
            Err(error) => return Err(error),
        };
        // The folder is not locked while the value loads: it may save or load in the folder, or
        // wait for a thread that does.
        let Some(found) = found else { return Ok(None) };
        let decoded = self.format(&found.meta).and_then(|format| decode(format, &found.body));
        let (own, signature) = (self.system.identity(&path), signature_of(shape));
        let value = decoded.map_err(|error| {
            if error.kind() == ErrorKind::NewerVersion && !self.is_plain() {
                let known = Known::of_this_process();
                known.refuse(own.clone(), &found.meta.lineage, signature);
            }
            fault::of(&found.path, error)
        })?;
        Ok(Some(self.loaded(value, own, found, signature)))
    }

    /// Reads the newest undamaged save while no other process saves, so that only damaged files are
    /// added to `rescue`.
    fn fall_back(
        &self,
        path: &Path,
        listed: Option<&Family>,
        rescue: &mut Rescue<'_>,
        options: &Options<'_>,
    ) -> Result<Option<Found>> {
        let turn = rescue.lock(folder_of(path));
        if turn.is_some() {
            self.tidy(path, listed);
        }
        for (number, path) in self.family_again(path, listed)?.saves() {
            match self.intact(path, options) {
                Ok((meta, body)) => {
                    return Ok(Some(Found { number, path: path.to_owned(), meta, body }));
                }
                Err(error) if fault::is_absent(&error) => {}
                Err(error) if fault::is_damage(&error) => rescue.add(path.to_owned(), error),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Removes the new file of an interrupted save, and makes the old file a backup, if possible. A
    /// load does not know how many backups the saving program keeps: if there are more than its own
    /// number, this is left to the next save.
    fn tidy(&self, path: &Path, listed: Option<&Family>) {
        _ = self.system.remove(&new_file(path));
        let is_left = kind_of(&*self.system, &old_file(path)).is_ok_and(|is| is == Named::File);
        // Backups that a newer version has left are not shifted.
        if is_left
            && self.keeps_all(path).is_ok_and(|keeps| keeps)
            && self.look(path, listed).is_ok()
        {
            _ = self.adopt(path);
        }
    }

    /// Returns the loaded value of the save whose identity is `own`: of the file, or of a backup.
    /// The next save of this process continues it.
    pub(super) fn loaded<T>(
        &self,
        value: T,
        own: PathBuf,
        found: Found,
        signature: u64,
    ) -> Loaded<T> {
        let Found { number, path: here, meta, .. } = found;
        if !self.is_plain() {
            Known::of_this_process().set(own, &meta.lineage, signature);
        }
        let fell_back = (number > 0).then_some(number);
        let (damaged, skipped) = (Vec::new(), Vec::new());
        Loaded { value, meta, path: here, slot: None, fell_back, damaged, skipped }
    }

    /// Returns the format of a save.
    ///
    /// # Errors
    /// An error if the program lacks the format.
    pub(super) fn format(&self, meta: &Meta) -> Result<Format> {
        let name = if self.is_plain() { "json" } else { &meta.format };
        let own = self.formats.iter().find(|format| !self.is_plain() && format.name() == name);
        own.copied().map_or_else(|| Format::from_name(name), Ok)
    }
}
