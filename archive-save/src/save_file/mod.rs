//! [`SaveFile`]: a save in a file, with its backups.

mod backups;
mod body;
mod bytes;
mod draft;
mod family;
mod file_names;
mod load;
mod loaded;
mod newest_good;
mod peek;
mod read;
mod refusal;
mod replace;
mod rescue;
mod transfer;
mod versions;
mod write;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use archive_core::{Options, Result, Source};
use archive_format::Format;

use crate::container::Compression;
use crate::fault;
use crate::meta::Meta;
use crate::system::{FileSystem, Patient, System};
pub(crate) use backups::exists;
pub(crate) use draft::{Draft, There};
pub(crate) use family::{Family, Others};
pub(crate) use file_names::{
    DAMAGED, NEW, create_folder, damaged, is_of_family, is_save, names_in, new_file,
};
pub use loaded::{Damaged, Loaded};
pub(crate) use peek::meta;
pub(crate) use refusal::Refusal;
pub(crate) use replace::{NoWatch, Stage, Watch, signature_of};
pub(crate) use rescue::Rescue;

/// A save in a file: the settings with which it is saved and loaded.
///
/// A save replaces the file in one step. If the power is cut, the disk is full or the program ends,
/// the file is the old one or the new one. After the save has returned `Ok`, it is the new one. The
/// body is compressed, and checksums cover every byte of the file.
///
/// ```
/// use std::time::Duration;
///
/// use archive::save::SaveFile;
/// use archive::{Format, Serialize};
///
/// #[derive(Debug, Default, PartialEq, Serialize)]
/// struct World { tick: u64 }
/// #[derive(Debug, Default, PartialEq, Serialize)]
/// struct Summary { chapter: String, level: u32 }
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("quick.sav");
/// let world = World { tick: 7 };
/// let summary = Summary { chapter: "The harbour".into(), level: 3 };
/// SaveFile::new(&path)
///     .title("Before the boss")
///     .play_time(Duration::from_secs(5_400))
///     .metadata(&summary)?
///     .backups(3)
///     .save(&world, Format::Binary)?;
///
/// let meta = SaveFile::peek(&path)?;
/// assert_eq!(meta.title, "Before the boss");
/// assert_eq!(meta.metadata::<Summary>()?, summary);
///
/// let loaded = SaveFile::new(&path).load::<World>()?;
/// assert_eq!(loaded.value, world);
/// assert!(loaded.is_newest());
/// # Ok::<(), archive::Error>(())
/// ```
///
/// A file whose name ends in `.json` is plain text: JSON as [`Format::Json`] writes it, without
/// metadata and checksums, for people to edit. It is replaced in the same way, and has backups.
#[derive(Clone)]
pub struct SaveFile {
    pub(crate) system: Arc<dyn FileSystem>,
    pub(crate) path: PathBuf,
    /// Whether a save creates a missing folder.
    pub(crate) creates_folder: bool,
    pub(crate) draft: Meta,
    pub(crate) device: String,
    pub(crate) created: Option<SystemTime>,
    pub(crate) backups: usize,
    pub(crate) compression: Compression,
    pub(crate) formats: Vec<Format>,
    /// Whether a save is an error if the file exists.
    pub(crate) is_new: bool,
}

impl SaveFile {
    /// Creates a save for the file at that path. The file need not exist, and nothing is read yet.
    pub fn new(path: impl AsRef<Path>) -> SaveFile {
        SaveFile::over(System, path)
    }

    /// Creates a save for a file of a file system.
    pub fn over(system: impl FileSystem + 'static, path: impl AsRef<Path>) -> SaveFile {
        SaveFile::shared(Arc::new(Patient(system)), path.as_ref().to_owned())
    }

    pub(crate) fn shared(system: Arc<dyn FileSystem>, path: PathBuf) -> SaveFile {
        SaveFile {
            system,
            path,
            creates_folder: false,
            draft: Meta::default(),
            device: String::new(),
            created: None,
            backups: 1,
            compression: Compression::default(),
            formats: Vec::new(),
            is_new: false,
        }
    }

    /// Sets the title that the player sees in a list of saves.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.draft.title = title.into();
        self
    }

    /// Sets how long the game was played.
    #[must_use]
    pub fn play_time(mut self, time: Duration) -> Self {
        self.draft.play_time = time;
        self
    }

    /// Sets a picture, as the bytes of an image file such as PNG. It is not compressed.
    #[must_use]
    pub fn thumbnail(mut self, image: impl Into<Vec<u8>>) -> Self {
        self.draft.thumbnail = image.into();
        self
    }

    /// Sets further metadata for a list of saves: any value. [`Meta::metadata`] loads it.
    pub fn metadata(mut self, value: impl Source) -> Result<Self> {
        self.draft.set_metadata(value)?;
        Ok(self)
    }

    /// Sets the name of the game. Loading or replacing a save of another game is an error. The
    /// default is an empty name, with which every save is loaded and replaced.
    #[must_use]
    pub fn game(mut self, name: impl Into<String>) -> Self {
        self.draft.game = name.into();
        self
    }

    /// Sets the version of the game's saves. Loading or replacing a save of a newer version is an
    /// error. The default is 0, which refuses newer versions if the [game](SaveFile::game) has a
    /// name.
    #[must_use]
    pub fn game_version(mut self, version: u32) -> Self {
        self.draft.game_version = version;
        self
    }

    /// Sets the name of this device, which is stored in the [lineage](crate::Lineage) of a save.
    /// The default is an empty name.
    #[must_use]
    pub fn device(mut self, name: impl Into<String>) -> Self {
        self.device = name.into();
        self
    }

    /// Sets the date of a save. The default is the time of the system.
    #[must_use]
    pub fn created(mut self, time: SystemTime) -> Self {
        self.created = Some(time);
        self
    }

    /// Sets the number of older saves that are kept in the same folder, as `quick.sav.1` and so on.
    /// The default is 1.
    #[must_use]
    pub fn backups(mut self, count: usize) -> Self {
        self.backups = count;
        self
    }

    /// Sets the compression of the body. The default is lz4.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Adds formats of the program to the built-in ones, so that saves in them can be loaded.
    #[must_use]
    pub fn formats(mut self, formats: impl IntoIterator<Item = Format>) -> Self {
        self.formats.extend(formats);
        self
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves `&value` of a type with `Save`, or `&mut value` of any type with `Serialize`. Returns
    /// the metadata that [`peek`](SaveFile::peek) reads from the new file.
    ///
    /// The value is encoded first, and then the folder is locked. When `save` returns `Ok`, the
    /// save survives a loss of power. The old file is verified: a damaged file is renamed, and does
    /// not become a backup.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if a system call fails, with the path and the
    /// cause; [`ErrorKind::NewerVersion`](archive_core::ErrorKind::NewerVersion) if a newer version
    /// of the game, of one of its types or of this library saved the old file, and
    /// [`ErrorKind::WrongType`](archive_core::ErrorKind::WrongType) if another game did: delete it,
    /// or save under another name; and errors of the value, with the
    /// [file](archive_core::Error::file). The old file is then unchanged. Only if the last step
    /// fails, the sync of the folder, the new file has replaced it, but may not survive a loss of
    /// power.
    pub fn save(&self, value: impl Source, format: Format) -> Result<Meta> {
        self.save_with(value, format, &Options::new())
    }

    /// As [`save`](SaveFile::save), with options.
    pub fn save_with(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Meta> {
        let draft = self.stamp(format, value.shape(), options);
        self.replace(draft, &NoWatch, &self.encode(value, format, options)?)
    }

    /// Reads the metadata of a save without its body: two reads, and a third one if the thumbnail
    /// is large. Detects a file that is cut short, and any change of the bytes that it reads.
    ///
    /// # Errors
    /// As [`load`](SaveFile::load), and
    /// [`ErrorKind::Unsupported`](archive_core::ErrorKind::Unsupported) for a plain text file,
    /// which has no metadata. A save of a newer version of the game is not an error.
    pub fn peek(path: impl AsRef<Path>) -> Result<Meta> {
        SaveFile::new(path).meta()
    }

    /// As [`peek`](SaveFile::peek), for a file of any file system.
    pub fn meta(&self) -> Result<Meta> {
        meta(&*self.system, &self.path)
    }

    /// Reads the whole file and verifies every checksum. Nothing is renamed or removed. A plain
    /// text file is only read.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if the file is damaged, [`ErrorKind::Io`](archive_core::ErrorKind::Io) if it cannot be read.
    pub fn verify(&self) -> Result {
        self.read(&self.path).map(drop)
    }

    /// Returns whether there is a save: the file or one of its backups.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the system does not answer.
    pub fn exists(&self) -> Result<bool> {
        Ok(self.family()?.saves().next().is_some())
    }

    /// Whether the file is text without a head.
    pub(crate) fn is_plain(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
    }

    /// Returns the files that belong to the target of the path.
    pub(crate) fn family(&self) -> Result<Family> {
        Family::read(&*self.system, &self.path)
    }

    /// Returns the files that belong to the save at `path`, the target of this save's path, from an
    /// earlier listing or a new one.
    fn family_again(&self, path: &Path, listed: Option<&Family>) -> Result<Family> {
        listed.map_or_else(|| self.family(), |listed| listed.again(&*self.system, path))
    }

    pub(crate) fn target(&self) -> Result<PathBuf> {
        self.system.target(&self.path).map_err(|error| fault::io("find", &self.path, error))
    }
}

impl fmt::Debug for SaveFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SaveFile").field("path", &self.path).finish_non_exhaustive()
    }
}
