//! Writing a save to a new file, which then replaces the old one.

use std::io;
use std::path::Path;

use archive_core::shape::Shape;
use archive_core::{Options, Result, Source};
use archive_format::Format;

use super::SaveFile;
use super::backups::exists;
use super::draft::{Draft, There, Types};
use super::family::Family;
use super::file_names::{Named, create_folder, folder_of, kind_of, new_file, old_file, quarantine};
use super::{peek, refusal};
use crate::fault;
use crate::lineage::{Branches, Known, Lineage};
use crate::meta::Meta;
use crate::system::Turn;

/// Follows a save, and may end it before anything is replaced.
pub(crate) trait Watch {
    /// Called before each step.
    ///
    /// # Errors
    /// An error ends the save. The old file is then unchanged.
    fn next(&self, step: Stage) -> Result;
}

/// A step of a save.
pub(crate) enum Stage {
    /// That many bytes of the body were written.
    Write(usize),
    /// The new file is synced.
    Sync,
    /// The file is replaced. From here on the save cannot be ended.
    Replace,
}

/// A save that is not followed.
pub(crate) struct NoWatch;

impl Watch for NoWatch {
    fn next(&self, _: Stage) -> Result {
        Ok(())
    }
}

/// Returns the signature of a type.
pub(crate) fn signature_of(shape: &'static Shape) -> u64 {
    archive_describe::signature_of_shape(shape).0
}

/// What happens to the old file.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Old {
    /// There is no old file, or it need not be kept.
    Nothing,
    /// It becomes the newest backup.
    Backup,
    /// It is renamed to a damaged file.
    Damaged,
}

/// Removes the new file, unless the save was completed.
pub(super) struct Unfinished<'a>(pub &'a SaveFile, pub &'a Path);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        _ = self.0.system.remove(self.1);
    }
}

impl SaveFile {
    /// Returns the metadata of a save that is requested now. Its lineage is not known yet.
    pub(crate) fn stamp(
        &self,
        format: Format,
        shape: &'static Shape,
        options: &Options<'_>,
    ) -> Draft {
        let mut meta = self.draft.clone();
        format.name().clone_into(&mut meta.format);
        meta.signature = signature_of(shape);
        meta.created = self.created.unwrap_or_else(|| self.system.now());
        meta.round();
        let registry = options.settings().registry().cloned();
        Draft { meta, types: Some(Types { format, shape, registry }) }
    }

    /// Encodes a value.
    pub(crate) fn encode(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        format.to_vec_with(value, options).map_err(|error| fault::of(&self.path, error))
    }

    /// Writes a save.
    ///
    /// # Errors
    /// As [`save`](SaveFile::save), and errors of the watch.
    pub(crate) fn replace(&self, draft: Draft, watch: &dyn Watch, body: &[u8]) -> Result<Meta> {
        let system = &*self.system;
        let (path, is_plain) = (self.target()?, self.is_plain());
        self.check_plain(&draft.meta)?;
        if self.creates_folder {
            create_folder(system, folder_of(&self.path))?;
        }
        let folder = folder_of(&path);
        let _turn = Turn::lock(system, folder).map_err(|error| fault::io("lock", folder, error))?;
        let own = system.identity(&path);
        let loads = |there: &There| self.loads(&draft, &own, there);
        let (old, there) = self.settle(&path, loads)?;
        let (mut meta, branches) = (draft.meta, Branches::of_this_process());
        let before = there.map(|there| Known::of_this_process().before(&own, there.meta.lineage));
        if !is_plain {
            meta.lineage = Lineage::next(before.as_ref(), &self.device, branches);
        }

        let new = new_file(&path);
        let unfinished = Unfinished(self, &new);
        let written = self.write_new(&new, &path, &meta, watch, body);
        let replaced = written.and_then(|()| {
            watch.next(Stage::Replace)?;
            self.rename_over(&new, &path, old)
        });
        if let Err(error) = replaced {
            meta.lineage.undo(before.as_ref(), branches);
            return Err(error);
        }
        std::mem::forget(unfinished);
        if !is_plain {
            Known::of_this_process().set(own, &meta.lineage, meta.signature);
        }
        system.sync_folder(folder).map_err(|error| fault::io("sync", folder, error))?;
        if old == Old::Backup {
            // The new save is in place. Steps that fail now are done before the next save.
            _ = self.shift(&path);
        }
        Ok(meta)
    }

    /// Makes the old file of an interrupted save a backup. Returns what happens to the old file, and
    /// the save that would be replaced.
    ///
    /// # Errors
    /// As [`look`](SaveFile::look), and those of `check`.
    pub(super) fn settle(
        &self,
        path: &Path,
        check: impl Fn(&There) -> Result,
    ) -> Result<(Old, Option<There>)> {
        match kind_of(&*self.system, &old_file(path))? {
            Named::File => {
                // Do not rotate backups that a newer version wrote.
                self.look(path, None)?.1.iter().try_for_each(&check)?;
                self.adopt(path)?;
            }
            Named::Other if self.backups > 0 => return Err(fault::not_a_file(&old_file(path))),
            _ => {}
        }
        let (old, there) = self.look(path, None)?;
        there.iter().try_for_each(check)?;
        Ok((old, there))
    }

    /// Returns what happens to the old file, and the save that would be replaced. Lists the folder
    /// for backups, unless they were `listed` before.
    ///
    /// # Errors
    /// An error if the save is [refused](SaveFile::accept), and errors of the system.
    pub(super) fn look(
        &self,
        path: &Path,
        listed: Option<&Family>,
    ) -> Result<(Old, Option<There>)> {
        let mut old = Old::Nothing;
        if exists(&*self.system, path)? {
            if self.is_new {
                return Err(fault::io("create", path, io::ErrorKind::AlreadyExists.into()));
            }
            let good = if self.backups > 0 { Old::Backup } else { Old::Nothing };
            match self.sound(path) {
                Ok(meta) => return Ok((good, Some(There { path: path.to_owned(), meta }))),
                Err(error) if fault::is_damage(&error) => old = Old::Damaged,
                Err(error) if refusal::is_refusal(&error) => return Err(refusal::instead(error)),
                Err(_) if kind_of(&*self.system, path)? == Named::Other => {
                    return Err(fault::not_a_file(&self.path));
                }
                // This process may not read it; treat it as good.
                Err(_) => return Ok((good, None)),
            }
        }
        for (_, path) in self.family_again(path, listed)?.saves() {
            let meta = peek::meta(&*self.system, path);
            match meta.and_then(|meta| self.accept(path, &meta).map(|()| meta)) {
                Ok(meta) => return Ok((old, Some(There { path: path.to_owned(), meta }))),
                Err(error) if refusal::is_refusal(&error) => return Err(refusal::instead(error)),
                Err(_) => {}
            }
        }
        Ok((old, None))
    }

    /// Renames the new file over the old one, after the old one has a durable second name.
    pub(super) fn rename_over(&self, new: &Path, path: &Path, old: Old) -> Result {
        let (system, folder) = (&*self.system, folder_of(path));
        let kept = match old {
            Old::Nothing => None,
            Old::Damaged => Some(quarantine(system, path)?),
            Old::Backup => {
                let kept = old_file(path);
                system.link(path, &kept).map_err(|error| fault::io("link", &kept, error))?;
                Some(kept)
            }
        };
        let synced = if kept.is_some() { system.sync_folder(folder) } else { Ok(()) };
        let renamed = synced.map_err(|error| fault::io("sync", folder, error)).and_then(|()| {
            system.rename(new, path).map_err(|error| fault::io("replace", path, error))
        });
        if let (Err(_), Some(kept)) = (&renamed, kept) {
            _ = system.remove(&kept);
        }
        renamed
    }
}
