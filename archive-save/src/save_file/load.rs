//! Loading a save, and falling back to a backup.

use std::path::{Path, PathBuf};

use archive_core::{Error, ErrorKind, Result};
use archive_format::Format;

use super::SaveFile;
use super::names::{folder_of, new_file, put_aside};
use crate::container::{Head, body};
use crate::fault::{self, damaged};
use crate::meta::Meta;

/// What was loaded, and from which file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded<T> {
    /// The value.
    pub value: T,
    /// What is known of the save. Empty for a file of plain text.
    pub meta: Meta,
    /// The number of the backup that was loaded, if the file is missing or damaged: 1 is the
    /// newest. The player has lost what happened since.
    pub fell_back: Option<usize>,
    /// The newer saves that were damaged.
    pub damaged: Vec<Damaged>,
}

impl<T> Loaded<T> {
    /// Returns whether the newest save was loaded: the file itself.
    pub fn is_newest(&self) -> bool {
        self.fell_back.is_none()
    }
}

/// A save that was damaged, in [`Loaded::damaged`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Damaged {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: Error,
    /// Where it is now. `None` if it is where it was, as in a folder that is read-only.
    pub aside: Option<PathBuf>,
}

impl SaveFile {
    /// Loads the newest save that is good, by `decode`.
    pub(super) fn newest<T>(
        &self,
        decode: impl Fn(Format, &[u8]) -> Result<T>,
    ) -> Result<Loaded<T>> {
        let path = self.target()?;
        let folder = folder_of(&path);
        let new = new_file(&path);
        if self.system.exists(&new).is_ok_and(|exists| exists) {
            // The folder may be read-only, or another process saves there, whose file this is.
            if let Ok(_lock) = self.system.lock(folder) {
                _ = self.system.remove(&new);
            }
        }
        match self.decode(&path, &decode) {
            Ok((value, meta)) => {
                return Ok(Loaded { value, meta, fell_back: None, damaged: Vec::new() });
            }
            Err(error) if !fault::is_damage(&error) && !fault::is_absent(&error) => {
                return Err(error);
            }
            Err(_) => {}
        }
        // No other process saves now, so that only what is damaged is put aside.
        let lock = self.system.lock(folder);
        self.fall_back(&path, &decode, lock.is_ok())
    }

    /// Looks at all saves, from the newest on.
    fn fall_back<T>(
        &self,
        path: &Path,
        decode: &impl Fn(Format, &[u8]) -> Result<T>,
        may_rename: bool,
    ) -> Result<Loaded<T>> {
        let mut damaged: Vec<Damaged> = Vec::new();
        for (number, path) in self.family()?.saves() {
            let (value, meta) = match self.decode(&path, decode) {
                Ok(loaded) => loaded,
                Err(error) if fault::is_absent(&error) => continue,
                Err(error) if fault::is_damage(&error) => {
                    damaged.push(Damaged { path, error, aside: None });
                    continue;
                }
                Err(error) => return Err(error),
            };
            for damaged in damaged.iter_mut().filter(|_| may_rename) {
                let aside = put_aside(&*self.system, &damaged.path);
                let aside = aside.ok().filter(|_| self.system.remove(&damaged.path).is_ok());
                damaged.aside = aside;
            }
            return Ok(Loaded { value, meta, fell_back: (number > 0).then_some(number), damaged });
        }
        match damaged.into_iter().next() {
            Some(newest) => Err(newest.error),
            None => {
                let error = std::io::Error::from(std::io::ErrorKind::NotFound);
                let message = format_args!("there is no save {}", path.display());
                Err(Error::with_source(ErrorKind::Io, message, error))
            }
        }
    }

    /// Loads the save in one file.
    fn decode<T>(
        &self,
        path: &Path,
        decode: &impl Fn(Format, &[u8]) -> Result<T>,
    ) -> Result<(T, Meta)> {
        let (meta, body) = self.read(path)?;
        if self.is_plain() {
            let value = decode(Format::from_name("json")?, &body).map_err(|error| {
                if fault::is_damage(&error) { damaged(path, error) } else { error }
            })?;
            return Ok((value, meta));
        }
        self.check(path, &meta)?;
        let own = self.formats.iter().find(|format| format.name() == meta.format);
        let format = own.copied().map_or_else(|| Format::from_name(&meta.format), Ok)?;
        Ok((decode(format, &body)?, meta))
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

    /// Refuses what another game has saved, or a newer version of this one.
    fn check(&self, path: &Path, meta: &Meta) -> Result {
        let own = &self.draft;
        if !own.game.is_empty() && own.game != meta.game {
            let (path, own, found) = (path.display(), &own.game, &meta.game);
            let message = format_args!("{path} is a save of the game {found:?}, not of {own:?}");
            return Err(Error::new(ErrorKind::WrongType, message));
        }
        let has_version = !own.game.is_empty() || own.game_version > 0;
        if has_version && own.game_version < meta.game_version {
            let (path, own, found) = (path.display(), own.game_version, meta.game_version);
            let message =
                format_args!("{path} was saved by version {found} of the game, and this is {own}");
            return Err(Error::new(ErrorKind::NewerVersion, message));
        }
        Ok(())
    }
}
