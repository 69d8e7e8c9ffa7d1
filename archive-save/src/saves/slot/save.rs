//! The saves of a [`Slot`]: here and in the background.

use archive_core::{Options, Result, Save, Serialize, Source};
use archive_format::Format;

use super::Slot;
use crate::background::{Job, Place, Task};
use crate::fault;
use crate::meta::Meta;

impl Slot {
    /// Saves a value, as [`SaveFile::save`](crate::SaveFile::save) does. A save of this slot that is queued in the
    /// background is replaced, and one that is under way ends first. All autosaves are one slot for
    /// this.
    ///
    /// # Errors
    /// As [`SaveFile::save`](crate::SaveFile::save).
    pub fn save(&self, value: impl Source, format: Format) -> Result<Meta> {
        self.save_with(value, format, &Options::new())
    }

    /// As [`save`](Slot::save), with options.
    ///
    /// # Errors
    /// As [`SaveFile::save`](crate::SaveFile::save).
    pub fn save_with(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Meta> {
        self.queue.replace_and_wait(&self.place());
        let meta = self.file.save_with(value, format, options)?;
        if let Some(pruning) = &self.pruning {
            pruning.run();
        }
        Ok(meta)
    }

    /// Encodes a value here, and compresses and writes it on another thread. The caller is kept for
    /// the time of [`Format::to_vec`] alone.
    ///
    /// A second save of a slot waits in a queue while the first one is written, and a third one
    /// replaces the queued one. So does an autosave replace another one that is queued. Where
    /// other slots are saved before it, the first save of a slot can be replaced as well.
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
        let body =
            format.to_vec_with(value, options).map_err(|error| fault::of(self.path(), error))?;
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
        match self.pruning {
            Some(_) => Place::Autosave,
            None => Place::File(self.path().to_owned()),
        }
    }

    fn push(
        &self,
        meta: Meta,
        encode: impl FnOnce() -> Result<Vec<u8>> + Send + 'static,
    ) -> Result<Job> {
        let (file, pruning) = (self.file.clone(), self.pruning.clone());
        self.queue.push(Task::new(self.place(), self.path(), move |progress| {
            let encode = || encode().map_err(|error| fault::of(file.path(), error));
            let meta = progress.save(&file, meta, encode)?;
            if let Some(pruning) = pruning {
                pruning.run();
            }
            Ok(meta)
        }))
    }
}
