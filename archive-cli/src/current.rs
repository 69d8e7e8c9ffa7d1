//! Detects that a file was changed since it was read, and locks it while it is replaced.

use std::fs::{File, Metadata, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use archive::{Error, ErrorKind, Result};

/// The metadata of a file that every write changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp([i128; 6]);

impl Stamp {
    /// Returns the stamp of a file, if the file can be replaced.
    #[cfg(unix)]
    pub fn of(file: &Metadata) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let nanoseconds = |seconds: i64, rest: i64| i128::from(seconds) << 32 | i128::from(rest);
        let stamp = Stamp([
            file.dev().into(),
            file.ino().into(),
            file.len().into(),
            nanoseconds(file.mtime(), file.mtime_nsec()),
            nanoseconds(file.ctime(), file.ctime_nsec()),
            0,
        ]);
        file.is_file().then_some(stamp)
    }

    /// Returns the stamp of a file, if the file can be replaced.
    #[cfg(not(unix))]
    pub fn of(file: &Metadata) -> Option<Stamp> {
        let modified = file.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        let nanoseconds = i128::try_from(modified.as_nanos()).ok()?;
        file.is_file().then_some(Stamp([file.len().into(), nanoseconds, 0, 0, 0, 0]))
    }

    /// Returns whether both are stamps of one file on Unix, which may have been written to.
    fn is_same_file(&self, other: &Stamp) -> bool {
        self.0[..2] == other.0[..2]
    }
}

/// A lock that other commands respect. On Unix it locks the file and not its path, so it ends when
/// the file is replaced. Windows cannot replace an open file, so there it locks an empty file in
/// the folder for temporary files, whose name is derived from the path.
pub struct Lock {
    _file: Option<File>,
}

impl Lock {
    /// Locks the file at a path.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if another process does not release the file within ten seconds, and
    /// errors of the system.
    pub fn take(path: &Path) -> Result<Lock> {
        const PATIENCE: Duration = Duration::from_secs(10);
        let failed = |error: io::Error| {
            let message = format!("cannot lock {}: {error}", path.display());
            Error::with_source(ErrorKind::Io, message, error)
        };
        let start = Instant::now();
        loop {
            let file = match cfg!(unix) {
                true => File::open(path),
                false => File::options().create(true).append(true).open(lock_path(path)),
            };
            let file = file.map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(failed(io::Error::other("another process has locked it")));
                }
                // Some file systems have no locks.
                Err(TryLockError::Error(_)) => return Ok(Lock { _file: None }),
            }
            if !cfg!(unix) {
                return Ok(Lock { _file: Some(file) });
            }
            let own = Stamp::of(&file.metadata().map_err(failed)?);
            let now = Stamp::of(&std::fs::metadata(path).map_err(failed)?);
            // The last owner of the lock may have replaced the file.
            if own.zip(now).is_none_or(|(own, now)| own.is_same_file(&now)) {
                return Ok(Lock { _file: Some(file) });
            }
        }
    }
}

/// Returns the file that is locked in place of the one at a path.
fn lock_path(path: &Path) -> PathBuf {
    let mut name = DefaultHasher::new();
    path.hash(&mut name);
    std::env::temp_dir().join(format!("archive-{:016x}.lock", name.finish()))
}

/// Returns whether a file has these bytes.
pub fn has_bytes(path: &Path, mut bytes: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(bytes.is_empty()),
            Ok(count) => match bytes.strip_prefix(&buffer[..count]) {
                Some(rest) => bytes = rest,
                None => return Ok(false),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
