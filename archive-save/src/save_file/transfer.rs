//! Whole save files as bytes, which keep their lineage: for programs that sync saves.

use std::path::{Path, PathBuf};

use archive_core::{Error, ErrorKind, Result};

use super::SaveFile;
use super::bytes::Bytes;
use super::file_names::{create_folder, folder_of, new_file};
use super::peek::{self, Opened};
use super::replace::{Old, Unfinished};
use crate::fault;
use crate::lineage::{Branches, Known, Lineage, Relation, relation};
use crate::meta::Meta;
use crate::system::Turn;

impl SaveFile {
    /// Reads the newest good save, verifies it, and returns its metadata and all bytes of its file:
    /// the file, or if that is missing or damaged, the newest good backup. Returns `None` if there
    /// is no save. Nothing is renamed or removed.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if all saves are damaged, [`ErrorKind::Io`] if one cannot be read,
    /// [`ErrorKind::NewerVersion`] and [`ErrorKind::WrongType`] if a newer version of the game or
    /// another game saved it, and [`ErrorKind::Unsupported`] for a plain text file.
    pub fn read_bytes(&self) -> Result<Option<(Meta, Vec<u8>)>> {
        self.check_lineage()?;
        let mut damage = None;
        for (_, path) in self.family()?.saves() {
            match self.bytes_of(path) {
                Ok(found) => return Ok(Some(found)),
                Err(error) if fault::is_absent(&error) => {}
                Err(error) if fault::is_damage(&error) => _ = damage.get_or_insert(error),
                Err(error) => return Err(error),
            }
        }
        damage.map_or(Ok(None), Err)
    }

    /// Replaces the file by the bytes of a save that continues it, for example one from another
    /// device. The new file has exactly these bytes, so its lineage is unchanged. The old one becomes
    /// a backup, even if the number of [backups](SaveFile::backups) is 0. Nothing happens if both are
    /// the same save. Returns the metadata.
    ///
    /// The folder is locked while the two saves are compared and the file is replaced, so a save that
    /// the game makes meanwhile is not lost. Load the file before the game saves again: the next save
    /// of this process continues the one that it last loaded or saved.
    ///
    /// ```
    /// use archive::save::SaveFile;
    /// use archive::{ErrorKind, Format};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let (desktop, laptop) = (folder.path().join("desktop.sav"), folder.path().join("laptop.sav"));
    /// let (desktop, laptop) = (SaveFile::new(&desktop), SaveFile::new(&laptop));
    /// desktop.save(&1, Format::Binary)?;
    /// let (meta, bytes) = desktop.read_bytes()?.expect("there is a save");
    /// assert_eq!(laptop.save_bytes(&bytes)?, meta);
    /// assert_eq!(laptop.load::<i32>()?.value, 1);
    ///
    /// // The laptop was played meanwhile.
    /// desktop.save(&2, Format::Binary)?;
    /// laptop.save(&3, Format::Binary)?;
    /// let (theirs, bytes) = desktop.read_bytes()?.expect("there is a save");
    /// assert_eq!(laptop.save_bytes(&bytes).unwrap_err().kind(), ErrorKind::Conflict);
    ///
    /// // The player keeps what the laptop has.
    /// let (_, mine) = laptop.read_bytes()?.expect("there is a save");
    /// let both = laptop.resolve(&mine, &theirs.lineage)?;
    /// desktop.save_bytes(&both)?;
    /// assert_eq!(desktop.load::<i32>()?.value, 3);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Conflict`] if the save in the file has progress that the bytes lack;
    /// [`ErrorKind::Syntax`] if the bytes are damaged or not a save, and
    /// [`ErrorKind::NewerVersion`] and [`ErrorKind::WrongType`] if a newer version of the game or
    /// another game saved them; and errors of the system, as [`save`](SaveFile::save). The old file is
    /// then unchanged.
    pub fn save_bytes(&self, bytes: &[u8]) -> Result<Meta> {
        self.check_lineage()?;
        let system = &*self.system;
        let path = self.target()?;
        let incoming = self.incoming();
        let mut opened = self.open_bytes(&incoming, bytes)?;
        opened.frames(&incoming).verify()?;
        let meta = opened.meta;
        if self.creates_folder {
            create_folder(system, folder_of(&self.path))?;
        }
        let folder = folder_of(&path);
        let _turn = Turn::lock(system, folder).map_err(|error| fault::io("lock", folder, error))?;
        // The player may have rejected the old save, so it is kept.
        let keeping = self.clone().backups(self.backups.max(1));
        let (old, there) = keeping.settle(&path, |_| Ok(()))?;
        let is_good = old != Old::Damaged && there.as_ref().is_some_and(|it| it.path == path);
        let there = match there.filter(|_| is_good) {
            Some(there) => Some(there.meta),
            // The newest good backup, if there is one.
            None => match self.read_bytes() {
                Err(error) if fault::is_damage(&error) => None,
                found => found?.map(|(meta, _)| meta),
            },
        };
        match there.map(|there| relation(&meta.lineage, &there.lineage)) {
            Some(Relation::Equal) if is_good => return Ok(meta),
            None | Some(Relation::Equal | Relation::Ahead) => {}
            Some(Relation::Behind | Relation::Diverged) => return Err(has_more(&path)),
        }
        let new = new_file(&path);
        let unfinished = Unfinished(self, &new);
        let file = system.create(&new, &path);
        let mut file = file.map_err(|error| fault::io("create", &new, error))?;
        file.append(bytes).map_err(|error| fault::io("write", &new, error))?;
        file.sync().map_err(|error| fault::io("sync", &new, error))?;
        drop(file);
        self.rename_over(&new, &path, old)?;
        std::mem::forget(unfinished);
        system.sync_folder(folder).map_err(|error| fault::io("sync", folder, error))?;
        if old == Old::Backup {
            // The new save is in place. Steps that fail now are done before the next save.
            _ = keeping.shift(&path);
        }
        Ok(meta)
    }

    /// Returns the bytes of a save that resolves a conflict: it has the value and the metadata of the
    /// save `kept`, and continues both `kept` and the save `other`. So [`relation`] is
    /// [`Relation::Ahead`] for both, on all devices. The [device](SaveFile::device) is that of this
    /// `SaveFile`. No file is written: pass the bytes to [`save_bytes`](SaveFile::save_bytes).
    ///
    /// If this process last loaded `kept` from the file, or saved it there, its next save continues
    /// the new one.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if the bytes are damaged or not a save;
    /// [`ErrorKind::NewerVersion`] and [`ErrorKind::WrongType`] if a newer version of the game or
    /// another game saved them.
    pub fn resolve(&self, kept: &[u8], other: &Lineage) -> Result<Vec<u8>> {
        self.check_lineage()?;
        let incoming = self.incoming();
        let mut opened = self.open_bytes(&incoming, kept)?;
        let (before, mut meta) = (opened.meta.lineage.clone(), opened.meta.clone());
        meta.lineage = Lineage::both(&before, other, &self.device, Branches::of_this_process());
        let (mut bytes, seed) = meta.to_head()?;
        let head = bytes.len();
        bytes.reserve_exact(kept.len());
        let mut sink = |more: &[u8]| bytes.extend_from_slice(more);
        opened.frames(&incoming).copy(seed, head, &mut sink)?;
        Known::of_this_process().replace(&self.own(), &before, &meta.lineage);
        Ok(bytes)
    }

    /// Reads a file with all its bytes, and verifies them.
    fn bytes_of(&self, path: &Path) -> Result<(Meta, Vec<u8>)> {
        let io = |error| fault::io("read", path, error);
        let bytes = self.system.open(path).map_err(io)?.read(0, u64::MAX).map_err(io)?;
        let meta = {
            let mut opened = self.open_bytes(path, &bytes)?;
            opened.frames(path).verify()?;
            opened.meta
        };
        Ok((meta, bytes))
    }

    /// Opens the bytes of a save, whose name in messages is `name`. The body is not verified yet.
    fn open_bytes<'b>(&self, name: &Path, bytes: &'b [u8]) -> Result<Opened<'b>> {
        let opened = peek::open_file(name, Box::new(Bytes(bytes)))?;
        self.accept(name, &opened.meta)?;
        Ok(opened)
    }

    /// Returns the name of a save in memory that is made for the file.
    fn incoming(&self) -> PathBuf {
        PathBuf::from(format!("the save for {}", self.path.display()))
    }

    /// Returns an error for a plain text file.
    fn check_lineage(&self) -> Result {
        if !self.is_plain() {
            return Ok(());
        }
        let message = format_args!("{} is plain text, which has no lineage", self.path.display());
        Err(Error::new(ErrorKind::Unsupported, message))
    }
}

/// The save in a file has progress that another one lacks.
#[cold]
fn has_more(path: &Path) -> Error {
    let message = format_args!(
        "{} has progress that the save which would replace it lacks: only the player can say which \
         to keep",
        path.display()
    );
    Error::new(ErrorKind::Conflict, message)
}
