//! The saves of a [`Slot`]: on this thread and in the background.

use archive_core::{Options, Result, Save, Serialize, Source};
use archive_format::Format;

use super::Slot;
use crate::background::{Job, Task};
use crate::meta::Meta;
use crate::save_file::{Draft, NoWatch, SaveFile};
use crate::saves::autosave::Autosave;

impl Slot {
    /// Saves a value, as [`SaveFile::save`] does. A running save of this slot in the background
    /// ends first. A queued save is replaced; if this save fails, the queued one is made after all.
    /// All autosaves count as one slot here.
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
        let hold = self.queue.hold(self.target());
        let file = self.file();
        let body = file.encode(value, format, options)?;
        let meta = save(&file, self.autosave.as_ref(), draft, |file, draft| {
            file.replace(draft, &NoWatch, &body)
        })?;
        hold.saved();
        Ok(meta)
    }

    /// Encodes a value on this thread, and compresses and writes it on another one. The caller
    /// waits only as long as [`Format::to_vec`] takes.
    ///
    /// A second save of a slot is queued while the first one is written, and a third one takes the
    /// place of the queued one. In the same way an autosave takes the place of a queued autosave.
    /// If other slots are saved first, even the first save of a slot can be replaced. If the later
    /// save fails or is cancelled, the earlier one is made after all.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if no thread can be created, and errors of
    /// the value. All other errors come from [`Job::wait`].
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

    /// Clones a value on this thread, and encodes, compresses and writes it on another one. The
    /// page `docs/SAVES.md` says when the caller waits less than with
    /// [`save_in_background`](Slot::save_in_background), and when it waits longer.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if no thread can be created. All other errors
    /// come from [`Job::wait`].
    pub fn save_clone_in_background<T>(&self, value: &T, format: Format) -> Result<Job>
    where
        T: Serialize + Save + Clone + Send + 'static,
    {
        self.save_clone_in_background_with(value, format, Options::new)
    }

    /// As [`save_clone_in_background`](Slot::save_clone_in_background), with options, which are
    /// created on the thread that uses them.
    pub fn save_clone_in_background_with<T>(
        &self,
        value: &T,
        format: Format,
        options: impl FnOnce() -> Options<'static> + Send + 'static,
    ) -> Result<Job>
    where
        T: Serialize + Save + Clone + Send + 'static,
    {
        // The options are created on the other thread, so they are not known here.
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
        self.queue.push(self.target(), task)
    }
}

/// Saves with `save` to the file of the slot, or to the file of the autosave's number.
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
