//! Writing a save: beside the file, then in its place.

use std::io;
use std::path::Path;

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Result};
use archive_format::Format;

use super::SaveFile;
use super::names::{backup, folder_of, new_file, put_aside};
use super::peek::{self, FIRST};
use super::refusal;
use crate::container::Frames;
use crate::fault;
use crate::lineage::{Branches, Lineage};
use crate::meta::Meta;
use crate::system::FileSystem;

/// Follows a save, and may end it before anything is replaced.
pub(crate) trait Watch {
    /// Is called before each step.
    ///
    /// # Errors
    /// An error ends the save. The old file stays.
    fn next(&self, step: Step) -> Result;
}

/// A step of a save.
pub(crate) enum Step {
    /// It writes the file.
    Write,
    /// It syncs what it has written.
    Sync,
    /// It replaces the file. From here on it cannot be ended.
    Replace,
}

/// A save that is not followed.
pub(crate) struct NoWatch;

impl Watch for NoWatch {
    fn next(&self, _: Step) -> Result {
        Ok(())
    }
}

/// Returns the signature of a type.
pub(crate) fn signature_of(shape: &'static Shape) -> u64 {
    archive_core::__private::signature_of_shape(shape).0
}

/// Removes the new file unless the save has come to its end.
struct Unfinished<'a>(&'a SaveFile, &'a Path);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        _ = self.0.system.remove(self.1);
    }
}

impl SaveFile {
    /// Returns what a save says of itself that the game calls for now. Its lineage is not known yet.
    pub(crate) fn stamp(&self, format: Format, shape: &'static Shape) -> Meta {
        let mut meta = self.draft.clone();
        format.name().clone_into(&mut meta.format);
        meta.signature = signature_of(shape);
        meta.created = self.system.now();
        meta
    }

    /// Writes a save whose body is what `write` writes.
    ///
    /// # Errors
    /// Those of [`save`](SaveFile::save), of `write`, and of the watch.
    pub(crate) fn replace(
        &self,
        mut meta: Meta,
        watch: &dyn Watch,
        write: impl FnOnce(&mut dyn io::Write) -> Result,
    ) -> Result<Meta> {
        let system = &*self.system;
        let (path, is_plain) = (self.target()?, self.is_plain());
        if is_plain && meta.format != "json" {
            let message = format_args!(
                "{} is plain text by its name, and cannot be {}",
                self.path.display(),
                meta.format
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        if self.creates_folder {
            let folder = folder_of(&self.path);
            let created = system.create_folder(folder);
            created.map_err(|error| fault::folder("create", folder, error))?;
        }
        let folder = folder_of(&path);
        let _lock = system.lock(folder).map_err(|error| fault::io("lock", folder, error))?;
        let has_old = system.exists(&path).map_err(|error| fault::io("find", &path, error))?;
        let mut is_damaged = false;
        if !is_plain {
            let before = self.before(&path, has_old, &mut is_damaged)?;
            let branches = Branches::of_this_process();
            meta.lineage = Lineage::next(before.as_ref(), &self.device, branches);
        }

        let new = new_file(&path);
        let unfinished = Unfinished(self, &new);
        self.write_new(&new, &path, (&meta, is_plain), watch, write)?;
        watch.next(Step::Replace)?;
        if is_damaged {
            put_aside(system, &path)?;
        } else if has_old {
            self.make_backup(&path)?;
        }
        system.rename(&new, &path).map_err(|error| fault::io("replace", &path, error))?;
        std::mem::forget(unfinished);
        system.sync_folder(folder).map_err(|error| fault::io("sync", folder, error))?;
        Ok(meta)
    }

    /// Returns the lineage of the save that is to be replaced: that of the file, or if it is not
    /// there or damaged, of the newest backup that is good.
    ///
    /// # Errors
    /// Those of a save that is [refused](SaveFile::accept).
    fn before(&self, path: &Path, has_old: bool, is_damaged: &mut bool) -> Result<Option<Lineage>> {
        // A later library saved it.
        let is_later = |error: &Error| error.kind() == ErrorKind::NewerVersion;
        let lineage = |path: &Path, meta: Meta| {
            self.accept(path, &meta).map_err(refusal::instead)?;
            Ok(Some(meta.lineage))
        };
        if has_old {
            match peek::meta(&*self.system, path) {
                Ok(meta) => return lineage(path, meta),
                Err(error) if fault::is_damage(&error) => *is_damaged = true,
                Err(error) if is_later(&error) => return Err(refusal::instead(error)),
                // It is not for this process to read.
                Err(_) => return Ok(None),
            }
        }
        for (_, path) in self.family()?.saves() {
            match peek::meta(&*self.system, &path) {
                Ok(meta) => return lineage(&path, meta),
                Err(error) if is_later(&error) => return Err(refusal::instead(error)),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Writes the new file, and syncs it.
    fn write_new(
        &self,
        new: &Path,
        path: &Path,
        (meta, is_plain): (&Meta, bool),
        watch: &dyn Watch,
        write: impl FnOnce(&mut dyn io::Write) -> Result,
    ) -> Result {
        let file = self.system.create(new, path);
        let mut file = file.map_err(|error| fault::io("create", new, error))?;
        let mut append = |bytes: &[u8]| {
            file.append(bytes).map_err(|error| fault::io("write", new, error))?;
            watch.next(Step::Write)
        };
        if is_plain {
            let mut plain = Plain { append: &mut append, failure: None };
            let written = write(&mut plain);
            plain.failure.map_or(written, Err)?;
        } else {
            let (head, seed) = meta.to_head()?;
            append(&head)?;
            let mut frames = Frames::new(&mut append, self.compression, seed, head.len())?;
            let written = write(&mut frames);
            frames.finish(written)?;
        }
        watch.next(Step::Sync)?;
        file.sync().map_err(|error| fault::io("sync", new, error))
    }

    /// Makes the file its own newest backup. It keeps its name all the time.
    fn make_backup(&self, path: &Path) -> Result {
        if self.backups == 0 {
            return Ok(());
        }
        let system = &*self.system;
        let first = backup(path, 1);
        // A save that was interrupted has done it.
        if is_same(system, path, &first, self.is_plain()).unwrap_or(false) {
            return Ok(());
        }
        // Up to the first number that is free, or over the oldest one.
        let mut last = 1;
        let exists = |number| {
            let path = backup(path, number);
            system.exists(&path).map_err(|error| fault::io("find", &path, error))
        };
        while exists(last)? && last < self.backups {
            last += 1;
        }
        // A rename replaces nothing: between two names of one file it would do nothing.
        if exists(last)? {
            let path = backup(path, last);
            system.remove(&path).map_err(|error| fault::io("remove", &path, error))?;
        }
        for number in (1..last).rev() {
            let (from, to) = (backup(path, number), backup(path, number + 1));
            system.rename(&from, &to).map_err(|error| fault::io("rename", &from, error))?;
        }
        system.link(path, &first).map_err(|error| fault::io("link", &first, error))
    }
}

/// Whether two files are one save. The metadata of a save are its own, so that its beginning is enough;
/// plain text is compared as a whole.
fn is_same(
    system: &dyn FileSystem,
    first: &Path,
    second: &Path,
    is_plain: bool,
) -> io::Result<bool> {
    let (mut first, mut second) = (system.open(first)?, system.open(second)?);
    let len = if is_plain { u64::MAX } else { FIRST };
    Ok(first.length()? == second.length()? && first.read(0, len)? == second.read(0, len)?)
}

/// A writer of plain text, which keeps the error of the file.
struct Plain<'w> {
    append: &'w mut dyn FnMut(&[u8]) -> Result,
    failure: Option<Error>,
}

impl io::Write for Plain<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.append)(bytes).map_err(|error| {
            let message = error.to_string();
            self.failure.get_or_insert(error);
            io::Error::other(message)
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
