//! [`Slot`]: one save of a player.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use archive_core::{Element, Error, Options, Result, Save, Serialize, Source};
use archive_format::Format;

use super::SlotState;
use super::autosave::{self, Autosave, Taken};
use crate::background::{Job, Place, Queue, Task};
use crate::meta::Meta;
use crate::save_file::{Loaded, NoWatch, SaveFile};

/// A slot: a name, the save under it, and what was known of that when the slot was looked at.
///
/// Title, play time, thumbnail and metadata that are set are those of the next save. What is not set
/// is empty in it, and is not taken over from the save before.
pub struct Slot {
    pub(super) name: String,
    pub(super) file: SaveFile,
    pub(super) state: SlotState,
    pub(super) meta: Meta,
    pub(super) falls_back: Option<usize>,
    pub(super) error: Option<Error>,
    pub(super) queue: Arc<Queue>,
    pub(super) autosave: Option<Autosave>,
}

impl Slot {
    /// Returns the name. An [autosave](super::Saves::autosave) may get another one by its first
    /// save.
    pub fn name(&self) -> &str {
        self.taken().map_or(&self.name, |taken| &taken.name)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.taken().map_or(self.file.path(), |taken| &taken.path)
    }

    /// Returns the number that an autosave has, once it is saved.
    fn taken(&self) -> Option<&Taken> {
        self.autosave.as_ref()?.taken()
    }

    /// Returns the file.
    fn file(&self) -> Cow<'_, SaveFile> {
        match self.taken() {
            Some(taken) => Cow::Owned(SaveFile { path: taken.path.clone(), ..self.file.clone() }),
            None => Cow::Borrowed(&self.file),
        }
    }

    /// Returns what is known of the save, as of when the slot was looked at. It is empty if there
    /// is none, or if nothing of it can be read.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns what a list says of the slot, as of when it was looked at.
    pub fn state(&self) -> SlotState {
        self.state
    }

    /// Returns the number of the backup that a load would take, if the file is damaged or missing:
    /// 1 is the newest.
    pub fn falls_back(&self) -> Option<usize> {
        self.falls_back
    }

    /// Returns what is wrong with a slot that is damaged.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Returns whether anything is known of the save.
    pub(super) fn is_known(&self) -> bool {
        self.error.is_none() || self.falls_back.is_some()
    }

    /// Returns what says which of two saves is newer: the date, and of two autosaves of one date
    /// their numbers.
    pub(super) fn age(&self) -> (SystemTime, Option<u64>) {
        (self.meta.created, autosave::number(&self.name))
    }

    /// Sets what the player reads in a list of saves.
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

    /// Sets a picture, as the bytes of a file such as PNG.
    #[must_use]
    pub fn thumbnail(mut self, image: impl Into<Vec<u8>>) -> Self {
        self.file = self.file.thumbnail(image);
        self
    }

    /// Sets what else a list of saves shows: any value. [`Meta::metadata`] loads it.
    ///
    /// # Errors
    /// Those of the value.
    pub fn metadata(mut self, value: impl Source) -> Result<Self> {
        self.file = self.file.metadata(value)?;
        Ok(self)
    }

    /// Saves a value, as [`SaveFile::save`] does. A save of this slot that is under way in the
    /// background ends first. One that is queued is replaced, or if this one fails, it is made
    /// after all. All autosaves are one slot for this.
    ///
    /// # Errors
    /// As [`SaveFile::save`].
    pub fn save(&self, value: impl Source, format: Format) -> Result<Meta> {
        self.save_with(value, format, &Options::new())
    }

    /// As [`save`](Slot::save), with options.
    ///
    /// # Errors
    /// As [`SaveFile::save`].
    pub fn save_with(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Meta> {
        let hold = self.queue.hold(self.place());
        let meta = match &self.autosave {
            None => self.file.save_with(value, format, options)?,
            Some(autosave) => {
                let meta = self.file.stamp(format, value.shape());
                let body = format.to_vec_with(value, options)?;
                autosave
                    .save(&self.file, &meta, |file, meta| file.replace(meta, &NoWatch, &body))?
            }
        };
        hold.saved();
        Ok(meta)
    }

    /// Loads the newest save that is good, as [`SaveFile::load`] does, after the saves of this slot
    /// in the background.
    ///
    /// # Errors
    /// As [`SaveFile::load`].
    pub fn load<T: Element>(&self) -> Result<Loaded<T>> {
        self.load_with(&Options::new())
    }

    /// As [`load`](Slot::load), with options.
    ///
    /// # Errors
    /// As [`SaveFile::load`].
    pub fn load_with<T: Element>(&self, options: &Options<'_>) -> Result<Loaded<T>> {
        self.wait();
        self.file().load_with(options)
    }

    /// Reads all of the file and verifies every checksum, as [`SaveFile::verify`] does, after the
    /// saves of this slot in the background.
    ///
    /// # Errors
    /// As [`SaveFile::verify`].
    pub fn verify(&self) -> Result {
        self.wait();
        self.file().verify()
    }

    /// Encodes a value here, and compresses and writes it on another thread. The caller is kept for
    /// the time of [`Format::to_vec`] alone.
    ///
    /// A second save of a slot waits in a queue while the first one is written, and a third one
    /// takes the place of the queued one. So does an autosave take the place of another one that is
    /// queued. Where other slots are saved before it, this can happen to the first save of a slot
    /// as well. If the later save fails or is cancelled, the earlier one is made after all.
    ///
    /// # Errors
    /// Those of the value, and [`ErrorKind::Io`](archive_core::ErrorKind::Io) if there can be no
    /// thread. All others come from [`Job::wait`].
    pub fn save_in_background(&self, value: impl Source, format: Format) -> Result<Job> {
        self.save_in_background_with(value, format, &Options::new())
    }

    /// As [`save_in_background`](Slot::save_in_background), with options.
    ///
    /// # Errors
    /// As [`save_in_background`](Slot::save_in_background).
    pub fn save_in_background_with(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Job> {
        let meta = self.file.stamp(format, value.shape());
        let body = format.to_vec_with(value, options)?;
        self.push(meta, move || Ok(body))
    }

    /// Clones a value here, and encodes, compresses and writes it on another thread. The page
    /// `docs/SAVES.md` says when that takes less time here than
    /// [`save_in_background`](Slot::save_in_background), and when it takes more.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if there can be no thread. All others come
    /// from [`Job::wait`].
    pub fn save_clone_in_background<T>(&self, value: &T, format: Format) -> Result<Job>
    where
        T: Serialize + Save + Clone + Send + 'static,
    {
        self.save_clone_in_background_with(value, format, Options::new)
    }

    /// As [`save_clone_in_background`](Slot::save_clone_in_background), with options, which are
    /// made on the thread that uses them.
    ///
    /// # Errors
    /// As [`save_clone_in_background`](Slot::save_clone_in_background).
    pub fn save_clone_in_background_with<T>(
        &self,
        value: &T,
        format: Format,
        options: impl FnOnce() -> Options<'static> + Send + 'static,
    ) -> Result<Job>
    where
        T: Serialize + Save + Clone + Send + 'static,
    {
        let meta = self.file.stamp(format, <T as Serialize>::SHAPE);
        let value = value.clone();
        self.push(meta, move || format.to_vec_with(&value, &options()))
    }

    /// Returns the place of a save in the queue.
    fn place(&self) -> Place {
        match self.autosave {
            Some(_) => Place::Autosave,
            None => Place::File(self.path().to_owned()),
        }
    }

    /// Waits for the saves to this slot in the background.
    pub(super) fn wait(&self) {
        // Which of them an autosave will be is known when it is saved.
        if autosave::number(self.name()).is_some() {
            self.queue.wait(&Place::Autosave);
        }
        self.queue.wait(&Place::File(self.path().to_owned()));
    }

    fn push(
        &self,
        meta: Meta,
        encode: impl FnOnce() -> Result<Vec<u8>> + Send + 'static,
    ) -> Result<Job> {
        let (file, autosave) = (self.file.clone(), self.autosave.clone());
        let task = Task::new(move |work| {
            let body = work.encode(encode)?;
            match autosave {
                None => work.save(&file, meta, &body),
                Some(autosave) => {
                    autosave.save(&file, &meta, |file, meta| work.save(file, meta, &body))
                }
            }
        });
        self.queue.push(self.place(), task)
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Slot");
        debug.field("name", &self.name).field("state", &self.state).finish_non_exhaustive()
    }
}
