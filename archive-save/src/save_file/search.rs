//! Searching for the newest save that is good.

use std::path::Path;

use archive_core::{Error, ErrorKind, Options, Result};
use archive_format::Format;

use super::loaded::Loaded;
use super::names::{folder_of, new_file, old_file};
use super::rescue::Rescue;
use super::{SaveFile, read};
use crate::fault;
use crate::lineage::Known;
use crate::meta::Meta;
use crate::system::Turn;

impl SaveFile {
    /// Loads the newest save that is good, by `decode` with these options.
    pub(super) fn newest<T>(
        &self,
        options: &Options<'_>,
        mut decode: impl FnMut(Format, &[u8]) -> Result<T>,
    ) -> Result<Loaded<T>> {
        let mut rescue = Rescue::new(&*self.system);
        if let Some(mut loaded) = self.search(&mut rescue, options, &mut decode)? {
            loaded.damaged = rescue.put_aside();
            return Ok(loaded);
        }
        Err(rescue.into_error().unwrap_or_else(|| {
            let error = std::io::Error::from(std::io::ErrorKind::NotFound);
            let message = format_args!("there is no save {}", self.path.display());
            Error::with_source(ErrorKind::Io, message, error)
        }))
    }

    /// Looks for a save that is good, from the newest on. What is damaged is left to `rescue`.
    /// Returns `None` if all are damaged, or there is none.
    ///
    /// # Errors
    /// Those of [`load`](SaveFile::load), but for those of damage.
    pub(crate) fn search<T>(
        &self,
        rescue: &mut Rescue<'_>,
        options: &Options<'_>,
        decode: &mut impl FnMut(Format, &[u8]) -> Result<T>,
    ) -> Result<Option<Loaded<T>>> {
        let path = self.target()?;
        let folder = folder_of(&path);
        let is_left = |path: &Path| self.system.exists(path).is_ok_and(|exists| exists);
        if is_left(&new_file(&path)) || is_left(&old_file(&path)) {
            // The folder may be read-only, or another process saves there, whose files these are.
            let is_locked = rescue.has(folder);
            let turn = if is_locked { None } else { Turn::try_lock(&*self.system, folder) };
            if is_locked || turn.is_some() {
                self.tidy(&path);
            }
        }
        match self.decode(&path, options, decode) {
            Ok(decoded) => {
                return decoded.map(|decoded| Some(self.loaded(decoded, &path, &path, 0)));
            }
            Err(error) if !fault::is_damage(&error) && !fault::is_absent(&error) => {
                return Err(error);
            }
            Err(_) => {}
        }
        // No other process saves from here on, so that only what is damaged is put aside.
        if rescue.lock(folder) {
            self.tidy(&path);
        }
        for (number, here) in self.family()?.saves() {
            match self.decode(&here, options, decode) {
                Ok(decoded) => {
                    return decoded.map(|decoded| Some(self.loaded(decoded, &path, &here, number)));
                }
                Err(error) if fault::is_absent(&error) => {}
                Err(error) if fault::is_damage(&error) => rescue.add(here, error),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Removes what a save left that did not come to its end, and makes the old file a backup, as far
    /// as possible. A load does not know how many backups the program that saves keeps: where there
    /// are more than its own number, the next save does it.
    fn tidy(&self, path: &Path) {
        _ = self.system.remove(&new_file(path));
        if self.keeps_all(path).is_ok_and(|keeps| keeps) {
            _ = self.adopt(path);
        }
    }

    /// Returns what was loaded of the save at `path`: that file, or the backup of that number `here`.
    /// This process continues it.
    fn loaded<T>(
        &self,
        (value, meta): (T, Meta),
        path: &Path,
        here: &Path,
        number: usize,
    ) -> Loaded<T> {
        if !self.is_plain() {
            Known::of_this_process().set(self.system.identity(path), &meta.lineage);
        }
        let (path, fell_back) = (here.to_owned(), (number > 0).then_some(number));
        let (damaged, skipped) = (Vec::new(), Vec::new());
        Loaded { value, meta, path, slot: None, fell_back, damaged, skipped }
    }

    /// Loads the save in one file. An error is one of the file, and may be damage. An error in the
    /// result is one of the value: the checksums say that it is what was saved.
    fn decode<T>(
        &self,
        path: &Path,
        options: &Options<'_>,
        decode: &mut impl FnMut(Format, &[u8]) -> Result<T>,
    ) -> Result<Result<(T, Meta)>> {
        let (meta, body) = self.read(path)?;
        let value = if self.is_plain() {
            let value = decode(Format::from_name("json")?, &body);
            // The type may have an error of its own to say about good text.
            if value.as_ref().is_err_and(fault::is_damage) {
                read::parse(path, &body, options)?;
            }
            value
        } else {
            self.accept(path, &meta)?;
            let own = self.formats.iter().find(|format| format.name() == meta.format);
            let format = own.copied().map_or_else(|| Format::from_name(&meta.format), Ok);
            format.and_then(|format| decode(format, &body))
        };
        Ok(value.map(|value| (value, meta)).map_err(|error| fault::of(path, error)))
    }
}
