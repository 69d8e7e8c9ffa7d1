//! Loading a save, and falling back to a backup.

use std::path::{Path, PathBuf};

use archive_core::{Element, Error, ErrorKind, Options, Result, Value};
use archive_format::Format;

use super::names::{folder_of, new_file, old_file, put_aside};
use super::{SaveFile, peek};
use crate::fault::{self, damaged};
use crate::lineage::Lineage;
use crate::meta::Meta;
use crate::system::Turn;

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
    /// Loads the newest save that is good.
    pub(super) fn newest<T: Element>(
        &self,
        path: &Path,
        options: &Options<'_>,
    ) -> Result<Loaded<T>> {
        let folder = folder_of(path);
        let is_left = |path: &Path| self.system.exists(path).is_ok_and(|exists| exists);
        if is_left(&new_file(path)) || is_left(&old_file(path)) {
            // The folder may be read-only, or another process saves there, whose files these are.
            if let Some(_turn) = Turn::try_lock(&*self.system, folder) {
                self.tidy(path);
            }
        }
        match self.decode(path, options) {
            Ok(decoded) => {
                let (value, meta) = decoded?;
                return Ok(Loaded { value, meta, fell_back: None, damaged: Vec::new() });
            }
            Err(error) if !fault::is_damage(&error) && !fault::is_absent(&error) => {
                return Err(error);
            }
            Err(_) => {}
        }
        // No other process saves now, so that only what is damaged is put aside.
        let turn = Turn::lock(&*self.system, folder);
        if turn.is_ok() {
            self.tidy(path);
        }
        self.fall_back(path, options, turn.is_ok())
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

    /// Looks at all saves, from the newest on.
    fn fall_back<T: Element>(
        &self,
        path: &Path,
        options: &Options<'_>,
        may_rename: bool,
    ) -> Result<Loaded<T>> {
        let mut damaged: Vec<Damaged> = Vec::new();
        for (number, path) in self.family()?.saves() {
            let (value, meta) = match self.decode(&path, options) {
                Ok(decoded) => decoded?,
                Err(error) if fault::is_absent(&error) => continue,
                Err(error) if fault::is_damage(&error) => {
                    damaged.push(Damaged { path, error, aside: None });
                    continue;
                }
                Err(error) => return Err(error),
            };
            // What the drive cannot read now it may read the next time.
            let renamed = |damaged: &&mut Damaged| damaged.error.kind() != ErrorKind::Io;
            for damaged in damaged.iter_mut().filter(renamed).filter(|_| may_rename) {
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

    /// Loads the save in one file. An error is one of the file, and may be damage. An error in the
    /// result is one of the value: the checksums say that it is what was saved.
    fn decode<T: Element>(&self, path: &Path, options: &Options<'_>) -> Result<Result<(T, Meta)>> {
        let (meta, body) = self.read(path)?;
        if self.is_plain() {
            let value = Format::from_name("json")?.from_slice_with(&body, options);
            // The type may have an error of its own to say about good text.
            let found = value.as_ref().err().filter(|error| fault::is_damage(error));
            if found.is_some() {
                parse(path, &body, options)?;
            }
            return Ok(value.map(|value| (value, meta)));
        }
        self.check(path, &meta)?;
        let own = self.formats.iter().find(|format| format.name() == meta.format);
        let format = own.copied().map_or_else(|| Format::from_name(&meta.format), Ok)?;
        Ok(format.from_slice_with(&body, options).map(|value| (value, meta)))
    }

    /// Reads a whole file, and verifies it.
    ///
    /// # Errors
    /// Those of [`verify`](SaveFile::verify).
    pub(super) fn read(&self, path: &Path) -> Result<(Meta, Vec<u8>)> {
        if self.is_plain() {
            let io = |error| fault::io("read", path, error);
            let text = self.system.open(path).map_err(io)?.read(0, u64::MAX).map_err(io)?;
            return Ok((Meta::default(), text));
        }
        let mut opened = peek::open(&*self.system, path)?;
        let body = opened.frames(path).body()?;
        Ok((opened.meta, body))
    }

    /// Verifies all of a file, which is sound then: every checksum, or that plain text is JSON.
    /// Returns where the save comes from.
    ///
    /// # Errors
    /// Those of [`verify`](SaveFile::verify).
    pub(super) fn sound(&self, path: &Path) -> Result<Lineage> {
        if self.is_plain() {
            let (meta, text) = self.read(path)?;
            // Comments of a person are no damage.
            parse(path, &text, &Options::new().relaxed(true))?;
            return Ok(meta.lineage);
        }
        let mut opened = peek::open(&*self.system, path)?;
        opened.frames(path).verify()?;
        Ok(opened.meta.lineage)
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

/// Finds out whether plain text is JSON.
///
/// # Errors
/// The text is damaged.
fn parse(path: &Path, text: &[u8], options: &Options<'_>) -> Result {
    match Format::from_name("json")?.from_slice_with::<Value>(text, options) {
        Err(error) if fault::is_damage(&error) => Err(damaged(path, error)),
        // It is too deep for a tree, for instance.
        _ => Ok(()),
    }
}
