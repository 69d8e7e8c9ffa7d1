//! Searching for the newest save that is good.

use std::path::Path;

use archive_core::{Error, ErrorKind, Result};
use archive_format::Format;

use super::SaveFile;
use super::loaded::Loaded;
use super::names::{folder_of, new_file};
use super::rescue::Rescue;
use crate::container::{Head, body};
use crate::fault::{self, damaged};
use crate::meta::Meta;

impl SaveFile {
    /// Loads the newest save that is good, by `decode`.
    pub(super) fn newest<T>(
        &self,
        mut decode: impl FnMut(Format, &[u8]) -> Result<T>,
    ) -> Result<Loaded<T>> {
        let mut rescue = Rescue::new(&*self.system);
        if let Some(mut loaded) = self.search(&mut rescue, &mut decode)? {
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
        decode: &mut impl FnMut(Format, &[u8]) -> Result<T>,
    ) -> Result<Option<Loaded<T>>> {
        let path = self.target()?;
        let folder = folder_of(&path);
        let new = new_file(&path);
        if self.system.exists(&new).is_ok_and(|exists| exists) {
            // The folder may be read-only, or another process saves there, whose file this is.
            if rescue.has(folder) {
                _ = self.system.remove(&new);
            } else if let Ok(_lock) = self.system.lock(folder) {
                _ = self.system.remove(&new);
            }
        }
        match self.decode(&path, decode) {
            Ok((value, meta)) => return Ok(Some(self.loaded(value, meta, &path, 0))),
            Err(error) if !fault::is_damage(&error) && !fault::is_absent(&error) => {
                return Err(error);
            }
            Err(_) => {}
        }
        // No other process saves from here on, so that only what is damaged is put aside.
        rescue.lock(folder);
        for (number, path) in self.family()?.saves() {
            match self.decode(&path, decode) {
                Ok((value, meta)) => return Ok(Some(self.loaded(value, meta, &path, number))),
                Err(error) if fault::is_absent(&error) => {}
                Err(error) if fault::is_damage(&error) => rescue.add(path, error),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn loaded<T>(&self, value: T, meta: Meta, path: &Path, number: usize) -> Loaded<T> {
        let (path, fell_back) = (path.to_owned(), (number > 0).then_some(number));
        let (damaged, skipped) = (Vec::new(), Vec::new());
        Loaded { value, meta, path, slot: None, fell_back, damaged, skipped }
    }

    /// Loads the save in one file.
    fn decode<T>(
        &self,
        path: &Path,
        decode: &mut impl FnMut(Format, &[u8]) -> Result<T>,
    ) -> Result<(T, Meta)> {
        let (meta, body) = self.read(path)?;
        if self.is_plain() {
            let value = decode(Format::from_name("json")?, &body).map_err(|error| {
                if fault::is_damage(&error) { damaged(path, error) } else { fault::of(path, error) }
            })?;
            return Ok((value, meta));
        }
        self.accept(path, &meta)?;
        let own = self.formats.iter().find(|format| format.name() == meta.format);
        let format = own.copied().map_or_else(|| Format::from_name(&meta.format), Ok);
        let value = format.and_then(|format| decode(format, &body));
        Ok((value.map_err(|error| fault::of(path, error))?, meta))
    }

    /// Reads a whole file, and verifies it.
    ///
    /// # Errors
    /// Those of [`verify`](SaveFile::verify).
    pub(super) fn read(&self, path: &Path) -> Result<(Meta, Vec<u8>)> {
        let io = |error| fault::io("read", path, error);
        let file = self.system.open(path).map_err(io)?.read(0, u64::MAX).map_err(io)?;
        if self.is_plain() {
            return Ok((Meta::default(), file));
        }
        let head = Head::read(path, &file)?;
        let body = body(path, &file, &head)?;
        Ok((Meta::read(path, head.sections)?, body))
    }
}
