//! [`LoadJob`]: a load on another thread.

use std::fmt;
use std::sync::Arc;
use std::thread;

use archive_core::{Element, Error, Options, Result, Serialize};
use archive_format::Format;

use super::follow::Follow;
use super::job::{Phase, Progress};
use super::task::catch;
use super::work::Work;
use crate::save_file::{Loaded, SaveFile};
use crate::saves::Slot;
use crate::system::FileSystem;

/// A load on another thread, for a loading screen. Dropping it cancels the load.
///
/// ```
/// use archive::Format;
/// use archive::save::Saves;
///
/// # let folder = tempfile::tempdir().unwrap();
/// let saves = Saves::in_folder(folder.path())?;
/// let slot = saves.slot("campaign")?;
/// slot.save(&vec![1, 2, 3], Format::Binary)?;
///
/// let job = slot.load_in_background::<Vec<i32>>()?;
/// while !job.is_done() {
///     println!("{:3.0} %", 100.0 * job.progress().fraction()); // once a frame
/// #   std::thread::yield_now();
/// }
/// let loaded = job.wait()?.expect("it was not cancelled");
/// assert_eq!(loaded.value, [1, 2, 3]);
/// # Ok::<(), archive::Error>(())
/// ```
pub struct LoadJob<T> {
    work: Arc<Work<Option<Loaded<T>>>>,
}

impl<T> LoadJob<T> {
    /// Returns the progress of the load. While it is [`Reading`](Phase::Reading), the bytes are
    /// those of the file on the drive. If the file is damaged and a backup is loaded, they start
    /// again at 0.
    pub fn progress(&self) -> Progress {
        self.work.progress()
    }

    /// Returns whether the load has ended, so that [`wait`](LoadJob::wait) returns at once.
    pub fn is_done(&self) -> bool {
        self.progress().phase == Phase::Done
    }

    /// Cancels the load. No more of the file is read. A value that is being decoded is dropped when
    /// it is complete.
    pub fn cancel(&self) {
        self.work.cancel();
    }

    /// Waits for the end of the load. Returns `None` if it was cancelled.
    ///
    /// # Errors
    /// As [`SaveFile::load`](crate::SaveFile::load), and an error if the value panics while it is
    /// loaded.
    pub fn wait(self) -> Result<Option<Loaded<T>>> {
        self.work.wait()
    }
}

impl<T: Send + 'static> LoadJob<T> {
    /// Loads on a new thread, over a file system that counts the bytes read.
    fn start(
        system: &Arc<dyn FileSystem>,
        load: impl FnOnce(Arc<dyn FileSystem>) -> Result<Loaded<T>> + Send + 'static,
    ) -> Result<Self> {
        let (work, system) = (Arc::<Work<_>>::default(), system.clone());
        let job = LoadJob { work: work.clone() };
        let run = move || {
            let system = Arc::new(Follow::new(system, work.clone()));
            let panicked = || Err(Error::custom("the value panicked while it was loaded"));
            let result = catch(|| load(system)).unwrap_or_else(panicked);
            work.end_as(match result {
                _ if work.is_cancelled() => Ok(None),
                result => result.map(Some),
            });
        };
        thread::Builder::new().name("load".into()).spawn(run).map_err(Error::io)?;
        Ok(job)
    }
}

impl<T> Drop for LoadJob<T> {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl<T> fmt::Debug for LoadJob<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LoadJob").field(&self.progress()).finish()
    }
}

impl SaveFile {
    /// Loads as [`load`](SaveFile::load) does, on another thread. A value that cannot be sent to another
    /// thread, such as one with `Rc`, is read there as
    /// [bytes](SaveFile::load_body_in_background) and decoded here.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if no thread can be created. All other errors
    /// come from [`LoadJob::wait`].
    pub fn load_in_background<T: Element + Send + 'static>(&self) -> Result<LoadJob<T>> {
        self.load_in_background_with(Options::new)
    }

    /// As [`load_in_background`](SaveFile::load_in_background), with options, which are created on
    /// the thread that uses them.
    pub fn load_in_background_with<T: Element + Send + 'static>(
        &self,
        options: impl FnOnce() -> Options<'static> + Send + 'static,
    ) -> Result<LoadJob<T>> {
        let file = self.clone();
        LoadJob::start(&self.system, move |system| {
            SaveFile { system, ..file }.load_with(&options())
        })
    }

    /// Reads the newest good save on another thread, verifies and decompresses it, and returns its
    /// format and its body. For a value that has to be decoded on the thread of the game. `T` is the
    /// type of this value.
    ///
    /// ```
    /// use std::rc::Rc;
    ///
    /// use archive::Format;
    /// use archive::save::SaveFile;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("quick.sav");
    /// let file = SaveFile::new(&path);
    /// file.save(&Rc::new(7), Format::Binary)?;
    /// let job = file.load_body_in_background::<Rc<u32>>()?;
    /// let (format, body) = job.wait()?.expect("it was not cancelled").value;
    /// let value: Rc<u32> = format.from_slice(&body)?;
    /// assert_eq!(*value, 7);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// The save counts as loaded, so the next save replaces it. After
    /// [`ErrorKind::NewerVersion`](archive_core::ErrorKind::NewerVersion) call [`load`](SaveFile::load), which
    /// notes that no save may replace the file.
    ///
    /// # Errors
    /// As [`load_in_background`](SaveFile::load_in_background), without those of the value.
    pub fn load_body_in_background<T: Serialize + ?Sized>(
        &self,
    ) -> Result<LoadJob<(Format, Vec<u8>)>> {
        self.load_body_in_background_with::<T>(Options::new)
    }

    /// As [`load_body_in_background`](SaveFile::load_body_in_background), with options, which are
    /// created on the other thread.
    pub fn load_body_in_background_with<T: Serialize + ?Sized>(
        &self,
        options: impl FnOnce() -> Options<'static> + Send + 'static,
    ) -> Result<LoadJob<(Format, Vec<u8>)>> {
        let file = self.clone();
        LoadJob::start(&self.system, move |system| {
            SaveFile { system, ..file }.newest_body::<T>(&options())
        })
    }
}

impl Slot {
    /// Loads as [`load`](Slot::load) does, on another thread, after the saves of the slot in the
    /// background.
    pub fn load_in_background<T: Element + Send + 'static>(&self) -> Result<LoadJob<T>> {
        self.load_in_background_with(Options::new)
    }

    /// As [`load_in_background`](Slot::load_in_background), with options, which are created on the
    /// thread that uses them.
    pub fn load_in_background_with<T: Element + Send + 'static>(
        &self,
        options: impl FnOnce() -> Options<'static> + Send + 'static,
    ) -> Result<LoadJob<T>> {
        let slot = self.clone();
        LoadJob::start(self.system(), move |system| slot.over(system).load_with(&options()))
    }

    /// As [`SaveFile::load_body_in_background`], after the saves of the slot in the background.
    pub fn load_body_in_background<T: Serialize + ?Sized>(
        &self,
    ) -> Result<LoadJob<(Format, Vec<u8>)>> {
        self.load_body_in_background_with::<T>(Options::new)
    }

    /// As [`SaveFile::load_body_in_background_with`], after the saves of the slot in the background.
    pub fn load_body_in_background_with<T: Serialize + ?Sized>(
        &self,
        options: impl FnOnce() -> Options<'static> + Send + 'static,
    ) -> Result<LoadJob<(Format, Vec<u8>)>> {
        let slot = self.clone();
        LoadJob::start(self.system(), move |system| slot.over(system).load_body::<T>(&options()))
    }
}
