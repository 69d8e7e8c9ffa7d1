//! [`System`]: the files of the operating system.

use std::any::Any;
use std::fs::{self, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{File, FileSystem, os_error};

/// The file system of the operating system.
///
/// On Windows programs cannot sync folders. NTFS writes changes of names to a journal, in order.
/// The lock file is synced instead of the folder, so that the journal is written soon. A loss of
/// power before that leaves the old save, although the new one returned `Ok`. This was not tested
/// on a drive. On macOS a sync is `F_FULLFSYNC`, which includes the cache of the drive.
///
/// While a process saves in a folder it locks the file `.archive-lock` in it. The file is not
/// removed.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

/// The name of the lock file in a folder.
const LOCK: &str = ".archive-lock";
/// The maximum number of symbolic links that are followed, as on Linux.
const MAX_LINKS: usize = 40;

impl FileSystem for System {
    fn create(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        match self.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // `create_new` does not follow a symbolic link that someone creates meanwhile.
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        copy_permissions(&file, like)?;
        Ok(Box::new(Open(file)))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        // Opening a pipe does not return until someone writes to it, and a device has no end.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        Ok(Box::new(Open(fs::File::open(path)?)))
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        match fs::symlink_metadata(path) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let is_read_only = || fs::metadata(to).is_ok_and(|to| to.permissions().readonly());
        fs::rename(from, to).map_err(|error| os_error::of_rename(error, is_read_only))
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::hard_link(from, to) {
            Ok(()) => Ok(()),
            // Some systems report first that they have no hard links.
            Err(_) if self.exists(to)? => Err(io::ErrorKind::AlreadyExists.into()),
            // Some file systems have no hard links, and Linux does not allow links to files of
            // other users.
            Err(_) => {
                let mut copied = to.as_os_str().to_owned();
                copied.push(".copy");
                let copied = Path::new(&copied);
                let done = copy(from, copied).and_then(|()| self.rename(copied, to));
                done.inspect_err(|_| _ = self.remove(copied))
            }
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(in_here(folder)).map_err(|error| in_place_of(folder, error))? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                names.extend(entry.file_name().into_string().ok());
            }
        }
        Ok(names)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        let missing: Vec<&Path> =
            folder.ancestors().take_while(|folder| !in_here(folder).is_dir()).collect();
        fs::create_dir_all(in_here(folder)).map_err(|error| in_place_of(folder, error))?;
        for folder in missing {
            self.sync_folder(folder.parent().unwrap_or(Path::new("")))?;
        }
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if cfg!(unix) {
            return fs::File::open(in_here(folder))?.sync_all();
        }
        // Windows does not open folders. A change of another file comes after the names in the
        // journal.
        if let Ok(lock) = OpenOptions::new().write(true).open(folder.join(LOCK)) {
            _ = lock.set_modified(SystemTime::now()).and_then(|()| lock.sync_all());
        }
        Ok(())
    }

    fn target(&self, path: &Path) -> io::Result<PathBuf> {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_symlink() => {
                    let target = fs::read_link(&path)?;
                    path = path.parent().unwrap_or(Path::new("")).join(target);
                }
                _ => return Ok(path),
            }
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "too many levels of symbolic links"))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        if let Ok(path) = fs::canonicalize(in_here(path)) {
            return path;
        }
        // The file does not exist yet.
        let folder = fs::canonicalize(in_here(path.parent().unwrap_or(Path::new(""))));
        match (folder, path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    }

    fn try_lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        let file = open_lock(&folder.join(LOCK))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let message = "another process is saving in this folder";
                Err(io::Error::new(io::ErrorKind::WouldBlock, message))
            }
            Err(TryLockError::Error(error)) if !has_no_locks(&error) => Err(error),
            _ => Ok(Box::new(file)),
        }
    }
}

/// Opens the lock file, and creates it if it is missing. Does not follow a symbolic link.
fn open_lock(path: &Path) -> io::Result<fs::File> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(_) if fs::symlink_metadata(path).is_ok_and(|is| is.is_file()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{LOCK} is not a regular file"),
            ));
        }
        file => return file,
    }
    // The file may belong to another user.
    let file = OpenOptions::new().write(true).open(path);
    file.or_else(|error| fs::File::open(path).map_err(|_| error))
}

/// Returns whether a file system has no locks. NFS without its daemon reports that no locks are
/// left (`ENOLCK`).
fn has_no_locks(error: &io::Error) -> bool {
    let none_left = if cfg!(any(target_os = "linux", target_os = "android")) { 37 } else { 77 };
    error.kind() == io::ErrorKind::Unsupported
        || cfg!(unix) && error.raw_os_error() == Some(none_left)
}

/// Copies a file and syncs the copy, which is read-only if the file is. Does not follow a symbolic
/// link with the name of the copy.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut from = fs::File::open(from)?;
    let mut copied = OpenOptions::new().write(true).create_new(true).open(to)?;
    io::copy(&mut from, &mut copied)?;
    // On Windows a read-only file could not be replaced.
    if cfg!(unix) {
        copied.set_permissions(from.metadata()?.permissions())?;
    }
    copied.sync_all()
}

/// Returns the error for a folder that cannot be used: Windows does not report that a file is in
/// its place.
fn in_place_of(folder: &Path, error: io::Error) -> io::Error {
    let is_file = |path: &Path| fs::metadata(path).is_ok_and(|is| !is.is_dir());
    match cfg!(windows) && folder.ancestors().any(is_file) {
        true => io::ErrorKind::NotADirectory.into(),
        false => error,
    }
}

/// Returns the folder, where an empty path is the current one.
fn in_here(folder: &Path) -> &Path {
    if folder == Path::new("") { Path::new(".") } else { folder }
}

#[cfg(unix)]
fn copy_permissions(file: &fs::File, like: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let Ok(like) = fs::metadata(like) else { return Ok(()) };
    let own = file.metadata()?;
    // If the process may not set the owner, it stays the owner itself, as with every editor. The
    // mode is set last, because a change of the owner clears bits of it.
    if own.uid() != like.uid() {
        _ = fchown(file, Some(like.uid()), None);
    }
    let is_group_kept = own.gid() == like.gid() || fchown(file, None, Some(like.gid())).is_ok();
    // Another group must not get the permissions of the old one.
    let lost = if is_group_kept { 0 } else { 0o2070 };
    file.set_permissions(fs::Permissions::from_mode(like.mode() & 0o7777 & !lost))
}

#[cfg(not(unix))]
fn copy_permissions(_: &fs::File, _: &Path) -> io::Result<()> {
    // A new file inherits the access list of its folder. A read-only file could not be replaced.
    Ok(())
}

struct Open(fs::File);

impl File for Open {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        let here = self.length()?.saturating_sub(from).min(len);
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(here).map_err(io::Error::other)?)?;
        self.0.seek(SeekFrom::Start(from))?;
        (&self.0).take(here).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
