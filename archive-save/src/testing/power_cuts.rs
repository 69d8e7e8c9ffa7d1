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

/// A file system in memory that knows what would survive a loss of power. It loses power, and fails,
/// at any call that a test chooses. Clones are the same file system.
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

/// The number of a file system. No other one of this process has it.
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
    /// The call from which on there is no power.
    pub(super) cut: Option<u64>,
    /// The call that fails, and as what.
    pub(super) fault: Option<(u64, io::ErrorKind)>,
    /// The sync that does nothing and says that it did, counted from 0.
    pub(super) lost_sync: Option<u64>,
    pub(super) syncs: u64,
    /// How many more calls find a file in use by another program, and whether that lets it be opened.
    pub(super) held: BTreeMap<PathBuf, (u32, bool)>,
}

impl PowerCuts {
    /// A file system without files. All folders exist.
    pub fn new() -> PowerCuts {
        PowerCuts::default()
    }

    /// One with the laws of Windows. Names ignore case, and end without dots and spaces; names of
    /// devices, such as `nul`, are not those of files. A file that is open is neither renamed,
    /// replaced nor removed, and one that is [read-only](PowerCuts::set_read_only) neither replaced
    /// nor removed. Another program has each file for a moment that was written or renamed, as a
    /// virus scanner has. Names are in a journal: a loss of power leaves the first ones of the
    /// changes that were not synced.
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

    /// Lets another program have a file for that many calls, which fail with
    /// [`io::ErrorKind::ResourceBusy`] and are not counted as calls. Tests of a program that gives up
    /// need more of them than a save makes again.
    ///
    /// # Errors
    /// Those of a name that no file can have.
    pub fn hold(&self, path: impl AsRef<Path>, calls: u32) -> io::Result<()> {
        let mut state = self.state();
        let key = state.disk.rules().key(path.as_ref())?;
        state.held.insert(key, (calls, false));
        Ok(())
    }

    /// Makes a file read-only, or lets it be written again. On Unix that changes nothing, since names
    /// are changed by who may write to the folder.
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

    /// Cuts the power after that many further calls: all later ones fail until
    /// [`lose_power`](PowerCuts::lose_power).
    pub fn cut_at(&self, call: u64) {
        let mut state = self.state();
        state.cut = Some(state.calls.len() as u64 + call);
    }

    /// Lets one call fail, after that many further ones.
    pub fn fail_at(&self, call: u64, kind: io::ErrorKind) {
        let mut state = self.state();
        state.fault = Some((state.calls.len() as u64 + call, kind));
    }

    /// Lets one sync, of a file or of a folder, do nothing and return `Ok`, after that many further
    /// syncs.
    pub fn lose_sync(&self, sync: u64) {
        let mut state = self.state();
        state.lost_sync = Some(state.syncs + sync);
    }

    /// The power is gone and comes back. Of what was not synced nothing, a part or all survives: any
    /// changes of names, and any sectors of 512 bytes of files, some of them torn. Of a rename the new
    /// name may survive and the old one with it. Where only the
    /// length of a file survived there are zeros. The seed decides.
    pub fn lose_power(&self, seed: u64) {
        let mut state = self.state();
        state.end_faults();
        state.disk.lose_power(&mut Random(seed));
    }

    /// Makes everything survive that was done so far, and what was set to fail work again.
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

    /// Puts a file there, in the place of one of that name, so that it survives.
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

    /// Makes a call, unless it is one that fails.
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
    /// Lets everything work again.
    fn end_faults(&mut self) {
        (self.cut, self.fault, self.lost_sync) = (None, None, None);
        self.held.clear();
    }

    /// Whether a sync does what it says.
    pub(super) fn syncs(&mut self) -> bool {
        self.syncs += 1;
        self.lost_sync != Some(self.syncs - 1)
    }

    /// Whether no other program has the files of a call.
    ///
    /// # Errors
    /// A sharing violation if one has.
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

    /// A file has been written or renamed: on Windows another program looks at it.
    pub(super) fn let_others_look(&mut self, path: &Path) {
        if let (true, Ok(key)) = (self.disk.rules().is_windows(), self.disk.rules().key(path)) {
            let calls = self.calls.len() as u32 % (MAX_HELD + 1);
            self.held.insert(key, (calls, true));
        }
    }
}

/// For as many calls another program has a file that was written. A rename finds two such files.
const MAX_HELD: u32 = 2;
