//! [`Slot`]: one save of a player.

mod bytes;
mod load;
mod save;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use archive_core::{Error, Result, Source};

use super::SlotState;
use super::autosave::{self, Autosave, Taken};
use super::order::Age;
use crate::background::{Queue, Target};
use crate::meta::Meta;
use crate::save_file::SaveFile;
use crate::system::FileSystem;

/// A slot: a name, the save under it, and the state of the save when the slot was listed.
///
/// The title, play time, thumbnail and metadata that are set apply to the next saves. Those that
/// are not set are empty, and are not copied from the previous save. Clone a slot that is kept for
/// many saves:
///
/// ```
/// # use std::time::{Duration, SystemTime};
/// # use archive::Format;
/// # use archive::save::Saves;
/// # let folder = tempfile::tempdir().unwrap();
/// # let saves = Saves::in_folder(folder.path())?;
/// let slot = saves.slot("campaign")?;
/// for tick in 0..3 {
///     let slot = slot.clone().title(format!("tick {tick}")).play_time(Duration::from_secs(tick));
///     slot.save(&tick, Format::Binary)?;
/// }
/// # assert_eq!(saves.slot("campaign")?.meta().title, "tick 2");
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone)]
pub struct Slot {
    pub(super) name: String,
    pub(super) file: SaveFile,
    pub(super) state: SlotState,
    pub(super) meta: Meta,
    pub(super) falls_back: Option<usize>,
    pub(super) error: Option<Arc<Error>>,
    pub(super) queue: Arc<Queue>,
    pub(super) autosave: Option<Autosave>,
}

impl Slot {
    /// Returns the name. The first save of an [autosave](super::Saves::autosave) may change it.
    pub fn name(&self) -> &str {
        self.taken().map_or(&self.name, |taken| &taken.name)
    }

    /// Returns whether it is one of the [autosaves](super::Saves::autosave): if the name and
    /// [`Meta::autosave`] have the same number. A slot to which the player gave such a name is not
    /// an autosave, nor is a copy of an autosave under another name.
    pub fn is_autosave(&self) -> bool {
        self.autosave.is_some() || autosave::is_of(&self.name, &self.meta)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.taken().map_or(self.file.path(), |taken| &taken.path)
    }

    /// Returns the number of an autosave, once it is saved.
    fn taken(&self) -> Option<&Taken> {
        self.autosave.as_ref()?.taken()
    }

    /// Returns the file.
    pub(super) fn file(&self) -> Cow<'_, SaveFile> {
        match self.taken() {
            Some(taken) => Cow::Owned(SaveFile { path: taken.path.clone(), ..self.file.clone() }),
            None => Cow::Borrowed(&self.file),
        }
    }

    /// Returns the file system.
    pub(crate) fn system(&self) -> &Arc<dyn FileSystem> {
        &self.file.system
    }

    /// Returns the slot over another view of its file system.
    pub(crate) fn over(mut self, system: Arc<dyn FileSystem>) -> Slot {
        self.file.system = system;
        self
    }

    /// Returns what a queued save of the slot replaces.
    fn target(&self) -> Target {
        match self.autosave {
            Some(_) => Target::Autosave,
            None => Target::File(self.path().to_owned()),
        }
    }

    /// Waits for the saves to this slot in the background.
    pub(super) fn wait(&self) {
        // The number of an autosave is known only when it is saved.
        if autosave::number(self.name()).is_some() {
            self.queue.wait(&Target::Autosave);
        }
        self.queue.wait(&Target::File(self.path().to_owned()));
    }

    /// Returns the metadata of the save when the slot was listed. It is empty if there is no save,
    /// or if none can be read.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the state of the slot when it was listed.
    pub fn state(&self) -> SlotState {
        self.state
    }

    /// Returns the number of the backup that a load would use, if the file is damaged or missing: 1
    /// is the newest.
    pub fn falls_back(&self) -> Option<usize> {
        self.falls_back
    }

    /// Returns the error of a slot that is damaged or unreadable.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_deref()
    }

    /// Takes the error out of a slot without clones.
    pub(super) fn take_error(&mut self) -> Option<Error> {
        self.error.take().and_then(Arc::into_inner)
    }

    /// Returns whether the metadata of the save is known.
    pub(super) fn is_known(&self) -> bool {
        !self.meta.format.is_empty()
    }

    /// Returns the properties that determine which of several saves is newer.
    pub(super) fn age(&self) -> Age<'_> {
        let number = autosave::number(&self.name).filter(|_| self.is_autosave());
        let Meta { lineage, created, .. } = &self.meta;
        Age { autosave: number, lineage, date: *created, name: &self.name }
    }

    /// Sets the title that the player sees in a list of saves.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.file = self.file.title(title);
        self
    }

    /// Sets how long the game was played.
    #[must_use]
    pub fn play_time(mut self, time: Duration) -> Self {
        self.file = self.file.play_time(time);
        self
    }

    /// Sets the date of a save. The default is the time of the system.
    #[must_use]
    pub fn created(mut self, time: SystemTime) -> Self {
        self.file = self.file.created(time);
        self
    }

    /// Sets a picture, as the bytes of an image file such as PNG.
    #[must_use]
    pub fn thumbnail(mut self, image: impl Into<Vec<u8>>) -> Self {
        self.file = self.file.thumbnail(image);
        self
    }

    /// Sets further metadata for a list of saves: any value. [`Meta::metadata`] loads it.
    pub fn metadata(mut self, value: impl Source) -> Result<Self> {
        self.file = self.file.metadata(value)?;
        Ok(self)
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Slot");
        debug.field("name", &self.name).field("state", &self.state).finish_non_exhaustive()
    }
}
