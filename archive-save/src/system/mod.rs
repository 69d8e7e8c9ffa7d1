//! [`FileSystem`]: all calls of the system that saves make.

mod disk;
mod layer;
mod retry;
mod turn;

use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

pub(crate) use archive_core::__private::os_error;
pub use disk::System;
pub use layer::Layer;
pub(crate) use retry::Patient;
pub(crate) use turn::Turn;

/// How often, and after how long, a lock that another process has is tried again: for ten seconds.
const TRIES: u32 = 1_000;
const PAUSE: Duration = Duration::from_millis(10);

/// All calls of the system that saves make. [`System`] is the file system of the operating system;
/// `testing::PowerCuts` is one in memory that loses power (feature `testing`). Consoles and browsers with storage of their own implement this trait.
///
/// An implementation promises:
///
/// - **Durability.** What was appended before [`File::sync`] returned `Ok` survives a loss of
///   power. Changes of names survive once [`sync_folder`](FileSystem::sync_folder) returned `Ok`.
///   Before that, any of them may be lost, in any order.
/// - **Atomicity.** A rename replaces the other file at once: after a loss of power the name
///   belongs to the one file or to the other. The file that is renamed has its old name, its new
///   one or both.
/// - **Errors.** A file that is not there is an error of [`io::ErrorKind::NotFound`]. A call that fails
///   with [`io::ErrorKind::ResourceBusy`], since another program has the file, has done nothing. It is
///   made again for most of a second, and a rename for ten.
pub trait FileSystem: Send + Sync {
    /// Creates a new file that is empty, in the place of an older one of that name. It gets the
    /// permissions and the owner of the file `like`, if there is one, as far as the process may set
    /// them.
    fn create(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>>;

    /// Opens a file for reading. It stays the same file, even if the name is given to another one
    /// meanwhile.
    ///
    /// # Errors
    /// Those of the system. [`io::ErrorKind::InvalidInput`] or [`io::ErrorKind::IsADirectory`] says that
    /// something else than a file has the name, such as a folder, which is never moved or replaced then.
    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>>;

    /// Returns whether there is a file of that name.
    fn exists(&self, path: &Path) -> io::Result<bool>;

    /// Gives a file another name, in the same folder or in another one. A file that has that name
    /// is replaced. If both are names of one file, nothing happens on Unix.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file a second name. Where that is not possible, the file is copied and synced, and
    /// the copy gets the name when all of it is there. A copy that fails is removed.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if a file has the second name, and those of the system.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a name, and the file with its last name.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Returns the names of the files in a folder, in any order. Folders in it are left out, and so
    /// are names that are not Unicode.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Creates a folder, and the folders above it that are missing. They survive a loss
    /// of power.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;

    /// Makes all changes of names in a folder survive a loss of power.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Returns the file that a name leads to, through symbolic links. It need not exist.
    fn target(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }

    /// Returns what all ways to write the path of one file, or of one folder, have in common. It is
    /// not used to open anything. File systems that are used in one process at the same time return
    /// different ones.
    fn identity(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// Keeps other processes from saving in a folder until the returned value is dropped. Threads
    /// of this process take turns without it. An implementation whose files no other process has
    /// need not do anything.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another process saves there, and those of the system.
    fn try_lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        _ = folder;
        Ok(Box::new(()))
    }

    /// As [`try_lock`](FileSystem::try_lock), for ten seconds again and again as long as another
    /// process saves there.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another process does not end its save, and those of the
    /// system.
    fn lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        for _ in 1..TRIES {
            match self.try_lock(folder) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.pause(PAUSE),
                result => return result,
            }
        }
        self.try_lock(folder)
    }

    /// Pauses before a call is made again, because another program has the file or saves in the folder.
    fn pause(&self, time: Duration) {
        thread::sleep(time);
    }

    /// Returns the time that a save is given as its date. Browsers have no clock here: it is 1970.
    fn now(&self) -> SystemTime {
        // `SystemTime::now` panics there.
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        if has_clock { SystemTime::now() } else { SystemTime::UNIX_EPOCH }
    }
}

/// A file of a [`FileSystem`].
pub trait File: Send {
    /// Appends bytes to a file that was [created](FileSystem::create).
    ///
    /// # Errors
    /// Those of the system. Some of the bytes may be in the file then.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes everything that was appended survive a loss of power.
    fn sync(&mut self) -> io::Result<()>;

    /// Returns the length in bytes.
    fn length(&mut self) -> io::Result<u64>;

    /// Returns `len` bytes from the offset `from` on, or those that there are, and no more. The
    /// length comes from a file that may be damaged: memory is taken only for bytes that exist.
    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>>;
}
