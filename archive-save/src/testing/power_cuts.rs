//! [`PowerCuts`]: a file system in memory that loses power.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::disk::Disk;
use super::random::Random;
use crate::system::{File, FileSystem};

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
struct Number(u64);

impl Default for Number {
    fn default() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Number(LAST.fetch_add(1, Ordering::Relaxed))
    }
}

#[derive(Debug, Default)]
struct State {
    number: Number,
    disk: Disk,
    calls: Vec<Call>,
    /// The call from which on there is no power.
    cut: Option<u64>,
    /// The call that fails, and as what.
    fault: Option<(u64, io::ErrorKind)>,
    /// The sync that does nothing and says that it did, counted from 0.
    lost_sync: Option<u64>,
    syncs: u64,
}

impl PowerCuts {
    /// A file system without files. All folders exist.
    pub fn new() -> PowerCuts {
        PowerCuts::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
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
        (state.cut, state.fault, state.lost_sync) = (None, None, None);
        state.disk.lose_power(&mut Random(seed));
    }

    /// Makes everything survive that was done so far, and what was set to fail work again.
    pub fn settle(&self) {
        let mut state = self.state();
        (state.cut, state.fault, state.lost_sync) = (None, None, None);
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
    fn call<T>(
        &self,
        call: Call,
        perform: impl FnOnce(&mut State) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut state = self.state();
        let number = state.calls.len() as u64;
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
    /// Whether a sync does what it says.
    fn syncs(&mut self) -> bool {
        self.syncs += 1;
        self.lost_sync != Some(self.syncs - 1)
    }
}

/// An open file.
struct Open<'s> {
    system: &'s PowerCuts,
    path: PathBuf,
    file: usize,
}

impl File for Open<'_> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.system.call(Call::Append(self.path.clone()), |state| {
            state.disk.file(self.file).extend_from_slice(bytes);
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.system.call(Call::Sync(self.path.clone()), |state| {
            if state.syncs() {
                state.disk.sync(self.file);
            }
            Ok(())
        })
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.system.state().disk.file(self.file).len() as u64)
    }

    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        self.system.call(Call::Read(self.path.clone()), |state| {
            let file = state.disk.file(self.file);
            let rest = usize::try_from(from).ok().and_then(|from| file.get(from..));
            let rest = rest.unwrap_or_default();
            Ok(rest[..rest.len().min(usize::try_from(len).unwrap_or(usize::MAX))].to_vec())
        })
    }
}

impl FileSystem for PowerCuts {
    fn create(&self, path: &Path, _: &Path) -> io::Result<Box<dyn File + '_>> {
        let file = self.call(Call::Create(path.into()), |state| Ok(state.disk.create(path)))?;
        Ok(Box::new(Open { system: self, path: path.into(), file }))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        let file = self.call(Call::Open(path.into()), |state| state.disk.find(path))?;
        Ok(Box::new(Open { system: self, path: path.into(), file }))
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        Ok(self.state().disk.find(path).is_ok())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(Call::Rename(from.into(), to.into()), |state| {
            let file = state.disk.find(from)?;
            // As on Unix, nothing happens between two names of one file.
            if state.disk.find(to).is_ok_and(|other| other == file) {
                return Ok(());
            }
            state.disk.rename(file, from, to);
            Ok(())
        })
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(Call::Link(from.into(), to.into()), |state| {
            let file = state.disk.find(from)?;
            if state.disk.find(to).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            state.disk.bind(to, Some(file));
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(Call::Remove(path.into()), |state| {
            state.disk.find(path)?;
            state.disk.bind(path, None);
            Ok(())
        })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.call(Call::List(folder.into()), |state| {
            let here = state.disk.names().filter(|path| path.parent() == Some(folder));
            let names = here.filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
            Ok(names.collect())
        })
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.call(Call::CreateFolder(folder.into()), |_| Ok(()))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.call(Call::SyncFolder(folder.into()), |state| {
            if state.syncs() {
                state.disk.sync_folder(folder);
            }
            Ok(())
        })
    }

    /// Each one of these is a file system of its own.
    fn identity(&self, path: &Path) -> PathBuf {
        let mut own = OsString::from(format!("power cuts {}: ", self.state().number.0));
        own.push(path);
        own.into()
    }

    /// A second after 1970 for each call: the same in each run.
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.state().calls.len() as u64)
    }
}
