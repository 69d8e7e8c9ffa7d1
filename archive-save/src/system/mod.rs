//! [`FileSystem`]: the system calls of saves.

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

/// How often, and after which pause, a lock of another process is tried again: ten seconds in all.
const TRIES: u32 = 1_000;
const PAUSE: Duration = Duration::from_millis(10);

/// The system calls of saves. [`System`] is the file system of the operating system;
/// `testing::PowerCuts` is one in memory that loses power (feature `testing`). Implement this trait
/// for consoles and browsers with their own storage.
///
/// An implementation promises:
///
/// - **Durability.** Bytes that were appended before [`File::sync`] returned `Ok` survive a loss of
///   power. Changes of names survive once [`sync_folder`](FileSystem::sync_folder) has returned
///   `Ok`. Before that, any of them may be lost, in any order.
/// - **Atomicity.** A rename replaces the other file in one step: after a loss of power the name
///   belongs to one file or the other. The renamed file has its old name, its new one or both.
/// - **Errors.** A missing file is an error of [`io::ErrorKind::NotFound`]. A call that fails with
///   [`io::ErrorKind::ResourceBusy`], because another program has locked the file, has changed
///   nothing. It is repeated for most of a second, and a rename for ten seconds.
pub trait FileSystem: Send + Sync {
    /// Creates an empty file, and replaces an older one of that name. It gets the permissions and
    /// the owner of the file `like`, if that exists, as far as the process may set them.
    fn create(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>>;

    /// Opens a file for reading. It stays the same file, even if another file takes the name
    /// meanwhile.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] or [`io::ErrorKind::IsADirectory`] if the name is not that
    /// of a file, but of a folder, for example. Saves never move or replace it then.
    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>>;

    /// Returns whether there is a file of that name.
    fn exists(&self, path: &Path) -> io::Result<bool>;

    /// Renames a file, within a folder or to another one. A file with the new name is replaced. If
    /// both are names of one file, nothing happens on Unix.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file a second name. If that is not possible, the file is copied and synced, and the
    /// complete copy gets the name. A failed copy is removed.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if a file has the second name, and errors of the system.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a name, and the file with its last name.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Returns the names of the files in a folder, in any order. Folders in it are left out, and so
    /// are names that are not Unicode.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Creates a folder, and missing folders above it. They survive a loss of power.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;

    /// Makes all changes of names in a folder survive a loss of power.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Returns the file to which a name leads, through symbolic links. It need not exist.
    fn target(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }

    /// Returns a path that is equal for all ways to write the path of one file or folder. It is not
    /// used to open files. File systems that one process uses at the same time must return
    /// different identities.
    fn identity(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// Keeps other processes from saving in a folder until the returned value is dropped. Threads
    /// of this process take turns without it. If no other process can access the files, an
    /// implementation need not do anything.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another process is saving there, and errors of the system.
    fn try_lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        _ = folder;
        Ok(Box::new(()))
    }

    /// As [`try_lock`](FileSystem::try_lock), repeated for up to ten seconds while another process
    /// is saving there.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another process does not end its save, and errors of the
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

    /// Pauses before a call is repeated, because another program has locked the file or is saving
    /// in the folder.
    fn pause(&self, time: Duration) {
        thread::sleep(time);
    }

    /// Returns the time for the date of a save. In browsers the standard library has no clock, and
    /// this is 1970.
    fn now(&self) -> SystemTime {
        // `SystemTime::now` panics in browsers.
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        if has_clock { SystemTime::now() } else { SystemTime::UNIX_EPOCH }
    }
}

/// A file of a [`FileSystem`].
pub trait File: Send {
    /// Appends bytes to a file that was [created](FileSystem::create).
    ///
    /// # Errors
    /// Errors of the system. Some of the bytes may be in the file then.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes all appended bytes survive a loss of power.
    fn sync(&mut self) -> io::Result<()>;

    /// Returns the length in bytes.
    fn length(&mut self) -> io::Result<u64>;

    /// Returns `len` bytes from the offset `from` on, or fewer if the file ends before that. The
    /// length comes from a file that may be damaged: reserve memory only for bytes that exist.
    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>>;
}
