//! [`Saves`]: the slots of a game.

mod autosave;
mod folder;
mod list;
mod manage;
mod name;
mod newest;
mod order;
mod slot;
mod state;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive_core::{Error, ErrorKind, Result, Serialize};
use archive_format::Format;
use directories::ProjectDirs;

use crate::background::Owner;
use crate::container::Compression;
use crate::save_file::{Family, Others, SaveFile, exists, names_in, signature_of};
use crate::system::{FileSystem, Patient, System};
use folder::Folder;
pub use slot::Slot;
use state::Look;
pub use state::SlotState;

/// The slots of a game: saves in one folder. The player may choose the name of each.
///
/// ```
/// use archive::save::{Saves, SlotState};
/// use archive::{Format, Serialize};
///
/// #[derive(Debug, Default, PartialEq, Serialize)]
/// struct World { tick: u64 }
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path().join("saves");
/// // Or `Saves::in_data_dir("skirmish")?`: the folder that the platform has for it.
/// let saves = Saves::in_folder(&folder)?.game("skirmish").game_version(3).backups(3);
/// let slot = saves.slot("Ann's campaign: part 2")?.title("Before the boss");
/// slot.save(&World { tick: 7 }, Format::Binary)?;
///
/// for slot in saves.list()? {
///     assert_eq!(slot.name(), "Ann's campaign: part 2");
///     assert_eq!(slot.meta().title, "Before the boss");
///     assert_eq!(slot.state(), SlotState::Good);
///     assert_eq!(slot.load::<World>()?.value.tick, 7);
/// }
/// # Ok::<(), archive::Error>(())
/// ```
///
/// A slot is a file whose name encodes that of the slot. So no name leads out of the folder, and
/// two names are never one file, even on a file system that ignores case or refuses some
/// characters. A `.sav` file that a player copies into the folder is a slot, too.
///
/// Dropping `Saves` waits for the saves in the background. `std::process::exit` drops nothing, so
/// it loses the queued saves.
pub struct Saves {
    folder: PathBuf,
    /// The settings of all slots. Only the path differs.
    template: SaveFile,
    signature: Option<u64>,
    autosaves: usize,
    queue: Owner,
    is_trash: bool,
}

impl Saves {
    /// Opens the folder that the platform has for the saves of a game. The name is also that of the
    /// [game](Saves::game). The first save creates the folder.
    ///
    /// | platform | folder |
    /// |---|---|
    /// | Linux | `~/.local/share/skirmish/saves`, or in `$XDG_DATA_HOME` |
    /// | Windows | `%APPDATA%\skirmish\data\saves` |
    /// | macOS | `~/Library/Application Support/skirmish/saves` |
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the user has no data folder, or it cannot be read.
    pub fn in_data_dir(game: &str) -> Result<Saves> {
        let Some(folders) = ProjectDirs::from("", "", game) else {
            return Err(Error::new(ErrorKind::Io, "the user has no folder for data"));
        };
        Ok(Saves::in_folder(folders.data_dir().join("saves"))?.game(game))
    }

    /// Opens a folder of saves. A missing folder has no slots, and the first save creates it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if it cannot be read, or is a file.
    pub fn in_folder(folder: impl AsRef<Path>) -> Result<Saves> {
        Saves::over(System, folder)
    }

    /// Opens a folder of a file system.
    pub fn over(system: impl FileSystem + 'static, folder: impl AsRef<Path>) -> Result<Saves> {
        Saves::shared(Arc::new(Patient(system)), folder.as_ref().to_owned())
    }

    fn shared(system: Arc<dyn FileSystem>, folder: PathBuf) -> Result<Saves> {
        names_in(&*system, &folder)?;
        let mut template = SaveFile::shared(system, folder.clone());
        template.creates_folder = true;
        Ok(Saves {
            template,
            folder,
            signature: None,
            autosaves: 3,
            queue: Owner::default(),
            is_trash: false,
        })
    }

    /// Sets the name of the game. Saves of other games are listed as
    /// [`SlotState::OtherGame`], and are neither loaded nor replaced.
    #[must_use]
    pub fn game(mut self, name: impl Into<String>) -> Self {
        self.template = self.template.game(name);
        self
    }

    /// Sets the version of the game's saves. Saves of newer versions are listed as
    /// [`SlotState::NewerGame`], and are neither loaded nor replaced.
    #[must_use]
    pub fn game_version(mut self, version: u32) -> Self {
        self.template = self.template.game_version(version);
        self
    }

    /// Sets the type that the game saves. Slots with other types are listed as
    /// [`SlotState::OtherTypes`].
    #[must_use]
    pub fn types<T: Serialize>(mut self) -> Self {
        self.signature = Some(signature_of(T::SHAPE));
        self
    }

    /// Sets the name of this device, as [`SaveFile::device`] does.
    #[must_use]
    pub fn device(mut self, name: impl Into<String>) -> Self {
        self.template = self.template.device(name);
        self
    }

    /// Sets the number of older saves that each slot keeps. The default is 1. An
    /// [autosave](Saves::autosave) has backups only if its slot is saved again.
    #[must_use]
    pub fn backups(mut self, count: usize) -> Self {
        self.template = self.template.backups(count);
        self
    }

    /// Sets the number of [autosaves](Saves::autosave) that are kept, at least 1. The default is 3.
    #[must_use]
    pub fn autosaves(mut self, count: usize) -> Self {
        self.autosaves = count.max(1);
        self
    }

    /// Sets the compression. The default is lz4.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.template = self.template.compression(compression);
        self
    }

    /// Adds formats of the program, as [`SaveFile::formats`] does.
    #[must_use]
    pub fn formats(mut self, formats: impl IntoIterator<Item = Format>) -> Self {
        self.template = self.template.formats(formats);
        self
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the slot with that name, which may be empty. Spaces around the name are ignored, and
    /// so is the difference between the two ways to write an accented letter in Unicode.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the name is empty, [`ErrorKind::SizeLimit`] if it is too long:
    /// more than 220 letters of English, 73 of Chinese or 36 of Russian. [`ErrorKind::Io`] if the
    /// folder cannot be read.
    pub fn slot(&self, name: &str) -> Result<Slot> {
        self.slot_in(&self.files()?, name)
    }

    /// Returns the slots with these names, in their order, as [`slot`](Saves::slot) does. The folder
    /// is listed once.
    ///
    /// ```
    /// use archive::save::Saves;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// let saves = Saves::in_folder(folder.path())?;
    /// for slot in saves.slots(["campaign", "tutorial"])? {
    ///     println!("{}", slot?.state());
    /// }
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the folder cannot be read. Each name has its own errors.
    pub fn slots<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<Vec<Result<Slot>>> {
        let folder = self.files()?;
        Ok(names.into_iter().map(|name| self.slot_in(&folder, name)).collect())
    }

    fn slot_in(&self, folder: &Folder, name: &str) -> Result<Slot> {
        let name = name::tidy(name);
        let stem = match folder.find(&name) {
            Some(stem) => stem,
            None => name::encode(&name)?,
        };
        let path = folder.path_of(&stem);
        if folder.is_slot(&stem) || !exists(self.system(), &path)? {
            return Ok(self.found_slot(name, folder, &stem).0);
        }
        // The listed file has another name, but is the same file for this file system.
        match folder.find_folded(&stem) {
            Some(stem) => Ok(self.found_slot(name, folder, stem).0),
            None => {
                let (endings, others) = ([""].into_iter(), Others::default());
                let family = Family::listed(self.system(), &path, endings, &others);
                Ok(self.make_slot(name, path, family).0)
            }
        }
    }

    fn system(&self) -> &dyn FileSystem {
        &*self.template.system
    }

    /// Returns the slot of a file without its ending, and its saves.
    fn found_slot(&self, name: String, folder: &Folder, stem: &str) -> (Slot, Option<Family>) {
        let family = folder.family(self.system(), stem);
        self.make_slot(name, folder.path_of(stem), family)
    }

    /// Returns the slot of a file with these saves, and the saves if they can be listed.
    fn make_slot(
        &self,
        name: String,
        path: PathBuf,
        family: Result<Family>,
    ) -> (Slot, Option<Family>) {
        let (look, family) = match family {
            Ok(family) => (Look::at(&family, &self.template, self.signature), Some(family)),
            Err(error) => (Look::unreadable(error), None),
        };
        let Look { state, meta, falls_back, error } = look;
        let file = SaveFile { path, ..self.template.clone() };
        let queue = self.queue.0.clone();
        let error = error.map(Arc::new);
        (Slot { name, file, state, meta, falls_back, error, queue, autosave: None }, family)
    }
}

impl fmt::Debug for Saves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Saves").field("folder", &self.folder).finish_non_exhaustive()
    }
}
