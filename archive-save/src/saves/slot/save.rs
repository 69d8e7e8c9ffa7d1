//! The saves of a [`Slot`]: here and in the background.

use archive_core::{Options, Result, Save, Serialize, Source};
use archive_format::Format;

use super::Slot;
use crate::background::{Job, Task};
use crate::meta::Meta;
use crate::save_file::{Draft, NoWatch, SaveFile};
use crate::saves::autosave::Autosave;

impl Slot {
    /// Saves a value, as [`SaveFile::save`] does. A save of this slot that is under way in the
    /// background ends first. One that is queued is replaced, or if this one fails, it is made
    /// after all. All autosaves are one slot for this.
    pub fn save(&self, value: impl Source, format: Format) -> Result<Meta> {
        self.save_with(value, format, &Options::new())
    }

    /// As [`save`](Slot::save), with options.
    pub fn save_with(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Meta> {
        let draft = self.file.stamp(format, value.shape(), options);
        let hold = self.queue.hold(self.place());
        let file = self.file();
        let body = file.encode(value, format, options)?;
        let meta = save(&file, self.autosave.as_ref(), draft, |file, draft| {
            file.replace(draft, &NoWatch, &body)
        })?;
        hold.saved();
        Ok(meta)
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
    pub fn save_in_background_with(
        &self,
        value: impl Source,
        format: Format,
        options: &Options<'_>,
    ) -> Result<Job> {
        let draft = self.file.stamp(format, value.shape(), options);
        let body = self.file().encode(value, format, options)?;
        self.push(draft, move |_| Ok(body))
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
    pub fn save_clone_in_background_with<T>(
        &self,
        value: &T,
        format: Format,
        options: impl FnOnce() -> Options<'static> + Send + 'static,
    ) -> Result<Job>
    where
        T: Serialize + Save + Clone + Send + 'static,
    {
        // The options are made where they are used, and so are not known here.
        let draft = self.file.stamp(format, <T as Serialize>::SHAPE, &Options::new());
        let value = value.clone();
        self.push(draft, move |file| file.encode(&value, format, &options()))
    }

    fn push(
        &self,
        draft: Draft,
        encode: impl FnOnce(&SaveFile) -> Result<Vec<u8>> + Send + 'static,
    ) -> Result<Job> {
        let (file, autosave) = (self.file().into_owned(), self.autosave.clone());
        let task = Task::new(move |work| {
            let body = work.encode(|| encode(&file))?;
            save(&file, autosave.as_ref(), draft, |file, draft| work.save(file, draft, &body))
        });
        self.queue.push(self.place(), task)
    }
}

/// Saves to a file by `save`, or if it is that of an autosave, to the one that this has.
fn save(
    file: &SaveFile,
    autosave: Option<&Autosave>,
    draft: Draft,
    save: impl Fn(&SaveFile, Draft) -> Result<Meta>,
) -> Result<Meta> {
    match autosave {
        None => save(file, draft),
        Some(autosave) => autosave.save(file, &draft, save),
    }
}
