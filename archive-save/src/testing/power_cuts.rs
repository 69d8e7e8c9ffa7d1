//! [`PowerCuts`]: a file system in memory that loses power.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::disk::Disk;
use super::random::Random;
use super::rules::Rules;
use crate::system::os_error;

/// A file system in memory that simulates losses of power. It loses power, or fails, at any call
/// that a test chooses. Clones are the same file system.
///
/// ```
/// use archive::Format;
/// use archive::save::SaveFile;
/// use archive::save::testing::PowerCuts;
///
/// let system = PowerCuts::new();
/// let file = SaveFile::over(system.clone(), "quick.sav");
/// file.save("old", Format::Binary)?;
/// for call in 0.. {
///     system.cut_at(call);
///     let result = file.save("new", Format::Binary);
///     system.lose_power(call);
///     let loaded = file.load::<String>()?.value;
///     assert!(loaded == "new" || loaded == "old" && result.is_err());
///     if result.is_ok() {
///         break;
///     }
/// }
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PowerCuts(Arc<Mutex<State>>);

/// A call of a file system, in [`PowerCuts::take_calls`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call {
    /// Create a file.
    Create(PathBuf),
    /// Open a file for reading.
    Open(PathBuf),
    /// Read from a file.
    Read(PathBuf),
    /// Append to a file.
    Append(PathBuf),
    /// Sync a file.
    Sync(PathBuf),
    /// Rename a file.
    Rename(PathBuf, PathBuf),
    /// Give a file a second name.
    Link(PathBuf, PathBuf),
    /// Remove a file.
    Remove(PathBuf),
    /// List a folder.
    List(PathBuf),
    /// Create a folder.
    CreateFolder(PathBuf),
    /// Sync a folder.
    SyncFolder(PathBuf),
}

/// The number of a file system, which is unique in this process.
#[derive(Debug)]
pub(super) struct Number(pub(super) u64);

impl Default for Number {
    fn default() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Number(LAST.fetch_add(1, Ordering::Relaxed))
    }
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) number: Number,
    pub(super) disk: Disk,
    pub(super) calls: Vec<Call>,
    /// The call from which on there is no power, if the power was cut.
    pub(super) cut: Option<u64>,
    /// The call that fails, and the kind of its error.
    pub(super) fault: Option<(u64, io::ErrorKind)>,
    /// The sync that does nothing but returns `Ok`, counted from 0.
    pub(super) lost_sync: Option<u64>,
    pub(super) syncs: u64,
    /// How many more calls find a file locked by another program, and whether the lock allows
    /// opening it.
    pub(super) held: BTreeMap<PathBuf, (u32, bool)>,
}

impl PowerCuts {
    /// Creates a file system without files. All folders exist.
    pub fn new() -> PowerCuts {
        PowerCuts::default()
    }

    /// Creates a file system with the rules of Windows. Names ignore case, and dots and spaces at
    /// their end; names of devices, such as `nul`, are not those of files. An open file cannot be
    /// renamed, replaced or removed, and a [read-only](PowerCuts::set_read_only) one cannot be
    /// replaced or removed. Another program locks each file for a moment after it was written or
    /// renamed, as a virus scanner does. Names are in a journal: after a loss of power the first
    /// unsynced changes survive.
    ///
    /// ```
    /// use std::io;
    /// use std::path::Path;
    ///
    /// use archive::save::FileSystem;
    /// use archive::save::testing::PowerCuts;
    ///
    /// let system = PowerCuts::windows();
    /// system.put("saves/Quick.sav", *b"old");
    /// assert_eq!(system.get("SAVES/quick.sav. ")?, b"old");
    ///
    /// system.put("new.sav", *b"new");
    /// let open = system.open(Path::new("saves/quick.sav"))?;
    /// let replace = || system.rename(Path::new("new.sav"), Path::new("saves/quick.sav"));
    /// assert_eq!(replace().unwrap_err().kind(), io::ErrorKind::ResourceBusy);
    /// drop(open);
    /// replace()?;
    /// # Ok::<(), io::Error>(())
    /// ```
    pub fn windows() -> PowerCuts {
        let state = State { disk: Disk::new(Rules::Windows), ..State::default() };
        PowerCuts(Arc::new(Mutex::new(state)))
    }

    /// Locks a file for that many calls, as if by another program. The calls fail with
    /// [`io::ErrorKind::ResourceBusy`] and are not counted as calls. To test a program that gives
    /// up, use more calls than a save repeats.
    ///
    /// # Errors
    /// An error if no file can have that name.
    pub fn hold(&self, path: impl AsRef<Path>, calls: u32) -> io::Result<()> {
        let mut state = self.state();
        let key = state.disk.rules().key(path.as_ref())?;
        state.held.insert(key, (calls, false));
        Ok(())
    }

    /// Makes a file read-only, or writable again. On Unix that has no effect, because only the
    /// permissions of the folder matter for changes of names.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if there is none.
    pub fn set_read_only(&self, path: impl AsRef<Path>, is_read_only: bool) -> io::Result<()> {
        let mut state = self.state();
        let file = state.disk.find(path.as_ref())?;
        state.disk.set_read_only(file, is_read_only);
        Ok(())
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cuts the power after that many further calls. All later calls fail until
    /// [`lose_power`](PowerCuts::lose_power).
    pub fn cut_at(&self, call: u64) {
        let mut state = self.state();
        state.cut = Some(state.calls.len() as u64 + call);
    }

    /// Makes one call fail, after that many further ones.
    pub fn fail_at(&self, call: u64, kind: io::ErrorKind) {
        let mut state = self.state();
        state.fault = Some((state.calls.len() as u64 + call, kind));
    }

    /// Makes one sync, of a file or of a folder, do nothing and return `Ok`, after that many
    /// further syncs.
    pub fn lose_sync(&self, sync: u64) {
        let mut state = self.state();
        state.lost_sync = Some(state.syncs + sync);
    }

    /// Loses the power and restores it. None, some or all unsynced changes survive: any changes of
    /// names, and any sectors of 512 bytes of files, some of them torn. After a rename both the new
    /// and the old name may survive. Where only the length of a file survived there are zeros. The
    /// seed determines the result.
    pub fn lose_power(&self, seed: u64) {
        let mut state = self.state();
        state.end_faults();
        state.disk.lose_power(&mut Random(seed));
    }

    /// Makes all changes so far durable, and removes all faults that were set.
    pub fn settle(&self) {
        let mut state = self.state();
        state.end_faults();
        state.disk.settle();
    }

    /// Returns all calls since the last time, with those that failed.
    pub fn take_calls(&self) -> Vec<Call> {
        let mut state = self.state();
        (state.cut, state.fault) = (None, None);
        std::mem::take(&mut state.calls)
    }

    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if there is none.
    pub fn get(&self, path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
        let mut state = self.state();
        let file = state.disk.find(path.as_ref())?;
        Ok(state.disk.file(file).clone())
    }

    /// Creates or replaces a file, durably.
    pub fn put(&self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        let mut state = self.state();
        let file = state.disk.create(path.as_ref());
        *state.disk.file(file) = bytes.into();
        state.disk.settle();
    }

    /// Returns the paths of all files, in order.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.state().disk.names().cloned().collect()
    }

    /// Makes a call, unless it is set to fail.
    pub(super) fn call<T>(
        &self,
        call: Call,
        perform: impl FnOnce(&mut State) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut state = self.state();
        let number = state.calls.len() as u64;
        if state.cut.is_none_or(|cut| number < cut) {
            state.use_by_others(&call)?;
        }
        state.calls.push(call);
        if state.cut.is_some_and(|cut| number >= cut) {
            return Err(io::Error::other("the power is gone"));
        }
        match state.fault {
            Some((fault, kind)) if fault == number => Err(kind.into()),
            _ => perform(&mut state),
        }
    }
}

impl State {
    /// Removes all faults.
    fn end_faults(&mut self) {
        (self.cut, self.fault, self.lost_sync) = (None, None, None);
        self.held.clear();
    }

    /// Returns whether the next sync takes effect.
    pub(super) fn syncs(&mut self) -> bool {
        self.syncs += 1;
        self.lost_sync != Some(self.syncs - 1)
    }

    /// Checks that no other program has locked the files of a call.
    ///
    /// # Errors
    /// A sharing violation if one is locked.
    fn use_by_others(&mut self, call: &Call) -> io::Result<()> {
        let (first, second) = match call {
            Call::Create(path) | Call::Open(path) | Call::Remove(path) => (path, None),
            Call::Rename(from, to) | Call::Link(from, to) => (from, Some(to)),
            _ => return Ok(()),
        };
        for path in [first].into_iter().chain(second) {
            let Ok(key) = self.disk.rules().key(path) else { continue };
            match self.held.get_mut(&key) {
                Some((_, true)) if matches!(call, Call::Open(_) | Call::Link(..)) => {}
                Some((0, _)) => _ = self.held.remove(&key),
                Some((calls, _)) => {
                    *calls -= 1;
                    return Err(os_error::windows(os_error::SHARING_VIOLATION));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Locks a file that was written or renamed, on Windows, as another program that reads it does.
    pub(super) fn let_others_look(&mut self, path: &Path) {
        if let (true, Ok(key)) = (self.disk.rules().is_windows(), self.disk.rules().key(path)) {
            let calls = self.calls.len() as u32 % (MAX_HELD + 1);
            self.held.insert(key, (calls, true));
        }
    }
}

/// The maximum number of calls for which another program locks a file that was written. A rename
/// may find two such files.
const MAX_HELD: u32 = 2;
