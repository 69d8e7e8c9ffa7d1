//! [`SaveFile`]: one save, its backups, and how it is written.

mod backups;
mod body;
mod bytes;
mod draft;
mod family;
mod load;
mod loaded;
mod names;
mod peek;
mod read;
mod refusal;
mod replace;
mod rescue;
mod search;
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
pub use loaded::{Damaged, Loaded};
pub(crate) use names::{
    DAMAGED, NEW, create_folder, damaged, is_of_family, is_save, names_in, new_file,
};
pub(crate) use peek::meta;
pub(crate) use refusal::Refusal;
pub(crate) use replace::{NoWatch, Step, Watch, signature_of};
pub(crate) use rescue::Rescue;

/// A save in a file: how it is saved, and what is loaded from it.
///
/// A save replaces the file at once. If the power is cut, the disk is full or the program ends,
/// the file is the old one or the new one, and the new one as soon as the save returned `Ok`. The
/// body is compressed, and every byte of the file is under a checksum.
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
/// metadata and checksums, for people to edit. It is replaced in the same way and has backups.
#[derive(Clone)]
pub struct SaveFile {
    pub(crate) system: Arc<dyn FileSystem>,
    pub(crate) path: PathBuf,
    /// Whether a save creates the folder if it is missing.
    pub(crate) creates_folder: bool,
    pub(crate) draft: Meta,
    pub(crate) device: String,
    pub(crate) created: Option<SystemTime>,
    pub(crate) backups: usize,
    pub(crate) compression: Compression,
    pub(crate) formats: Vec<Format>,
    /// Whether a save is an error if there is a file of that name.
    pub(crate) is_new: bool,
}

impl SaveFile {
    /// Names a file. It need not exist, and nothing is read yet.
    pub fn new(path: impl AsRef<Path>) -> SaveFile {
        SaveFile::over(System, path)
    }

    /// Names a file of a file system.
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

    /// Sets what the player reads in a list of saves.
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

    /// Sets a picture, as the bytes of a file such as PNG. It is not compressed.
    #[must_use]
    pub fn thumbnail(mut self, image: impl Into<Vec<u8>>) -> Self {
        self.draft.thumbnail = image.into();
        self
    }

    /// Sets what else a list of saves shows: any value. [`Meta::metadata`] loads it.
    pub fn metadata(mut self, value: impl Source) -> Result<Self> {
        self.draft.set_metadata(value)?;
        Ok(self)
    }

    /// Sets the name of the game. A save of another game is an error when it is loaded, and when it
    /// would be replaced. By default the name is empty, and every save is loaded and replaced.
    #[must_use]
    pub fn game(mut self, name: impl Into<String>) -> Self {
        self.draft.game = name.into();
        self
    }

    /// Sets the version of the game's saves. A save of a newer version is an error when it is
    /// loaded, and when it would be replaced. By default it is 0, which refuses newer versions if the
    /// [game](SaveFile::game) has a name.
    #[must_use]
    pub fn game_version(mut self, version: u32) -> Self {
        self.draft.game_version = version;
        self
    }

    /// Sets the name of this device, which the [lineage](crate::Lineage) of a save shows. It is
    /// empty by default.
    #[must_use]
    pub fn device(mut self, name: impl Into<String>) -> Self {
        self.device = name.into();
        self
    }

    /// Sets the date of a save, in place of the time of the system.
    #[must_use]
    pub fn created(mut self, time: SystemTime) -> Self {
        self.created = Some(time);
        self
    }

    /// Sets how many older saves are kept beside the file, as `quick.sav.1` and so on. By default
    /// it is one.
    #[must_use]
    pub fn backups(mut self, count: usize) -> Self {
        self.backups = count;
        self
    }

    /// Sets how the body is compressed: by lz4 unless something else is said.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Adds formats of the program's own to the built-in ones, so that saves in them are loaded.
    #[must_use]
    pub fn formats(mut self, formats: impl IntoIterator<Item = Format>) -> Self {
        self.formats.extend(formats);
        self
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves `&value` of a type with `Save`, or `&mut value` of any type with `Serialize`. Returns what
    /// [`peek`](SaveFile::peek) says of the new file.
    ///
    /// The value is encoded first, and then the folder is locked. When it returns `Ok`, the save
    /// survives a loss of power. The old file is verified: if it is damaged, it is put aside, and does
    /// not become a backup.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the system refuses something, with the path
    /// and the cause; [`ErrorKind::NewerVersion`](archive_core::ErrorKind::NewerVersion) if a newer
    /// version of the game, of one of its types or of this library saved the old file, and
    /// [`ErrorKind::WrongType`](archive_core::ErrorKind::WrongType) if another game did: delete it,
    /// or save under another name; those of the value, with the [file](archive_core::Error::file).
    /// The old file is there as before. After an error of the last step alone, the sync of
    /// the folder, the new file is there, and may be lost with the power.
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

    /// Reads what is known of a save without its body: two reads, and a third one if the thumbnail
    /// is large. A file that is cut short is noticed, and so is every change of what is read.
    ///
    /// # Errors
    /// As those of [`load`](SaveFile::load), and [`ErrorKind::Unsupported`](archive_core::ErrorKind::Unsupported) for a file of plain
    /// text, which has no metadata. A save of a newer version of the game is no error.
    pub fn peek(path: impl AsRef<Path>) -> Result<Meta> {
        SaveFile::new(path).meta()
    }

    /// Does what [`peek`](SaveFile::peek) does, for a file of any file system.
    pub fn meta(&self) -> Result<Meta> {
        meta(&*self.system, &self.path)
    }

    /// Reads all of the file and verifies every checksum. Nothing is renamed or removed. A file of
    /// plain text is only read.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if the file is damaged, [`ErrorKind::Io`](archive_core::ErrorKind::Io) if it cannot be read.
    pub fn verify(&self) -> Result {
        self.read(&self.path).map(drop)
    }

    /// Returns whether there is a save: the file or one of its backups.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the system does not say.
    pub fn exists(&self) -> Result<bool> {
        Ok(self.family()?.saves().next().is_some())
    }

    /// Whether the file is text without a head.
    pub(crate) fn is_plain(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
    }

    /// Returns the files beside the target of the path that belong to it.
    pub(crate) fn family(&self) -> Result<Family> {
        Family::read(&*self.system, &self.path)
    }

    /// Returns the files that belong to the save at `path`, to which the path of this one leads, of a listing
    /// that was made before or of a new one.
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
