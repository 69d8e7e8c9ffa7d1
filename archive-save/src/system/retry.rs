//! [`Patient`]: repeats calls while another program has locked a file.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::os_error::{again, again_to_replace};
use super::{File, FileSystem, Layer};

/// The maximum time that a thread waits for other threads to close a file.
const MAX_TIME: Duration = Duration::from_secs(10);

/// How often this process has opened each file. On Windows an open file cannot be replaced.
static OPEN: Mutex<BTreeMap<PathBuf, usize>> = Mutex::new(BTreeMap::new());
/// Signals that a file was closed.
static CLOSED: Condvar = Condvar::new();

fn open() -> MutexGuard<'static, BTreeMap<PathBuf, usize>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file system that repeats calls while a virus scanner or a sync client has locked the file, or
/// another thread loads it.
pub struct Patient<F>(pub F);

impl<F: FileSystem> Patient<F> {
    /// Returns a pause that also ends when this process has closed the files.
    fn until_closed<'p>(&'p self, paths: &'p [&Path]) -> impl FnMut(Duration) + 'p {
        let mut end = None;
        move |time| {
            self.0.pause(time);
            let mut open = open();
            while paths.iter().any(|path| open.contains_key(*path)) {
                let now = Instant::now();
                let rest = end.get_or_insert(now + MAX_TIME).saturating_duration_since(now);
                if rest.is_zero() {
                    break;
                }
                open = CLOSED.wait_timeout(open, rest).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    fn wrap<'f>(&'f self, file: Box<dyn File + 'f>, closed: Closed) -> Box<dyn File + 'f> {
        Box::new(Open { file, pause: Box::new(|time| self.0.pause(time)), _closed: closed })
    }
}

impl<F: FileSystem> Layer for Patient<F> {
    type Below = F;

    fn below(&self) -> &F {
        &self.0
    }

    fn around<T>(
        &self,
        call: &'static str,
        paths: &[&Path],
        make: impl FnMut() -> io::Result<T>,
    ) -> io::Result<T> {
        match call {
            "rename" => again_to_replace(make, self.until_closed(paths)),
            "create" | "remove" => again(make, self.until_closed(paths)),
            _ => again(make, |time| self.0.pause(time)),
        }
    }

    fn create_file(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        let file = self.around("create", &[path], || self.0.create(path, like))?;
        Ok(self.wrap(file, Closed::later(path)))
    }

    fn open_file(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        // It is noted before it is opened, so that every open file is noted.
        let closed = Closed::later(path);
        Ok(self.wrap(self.around("open", &[path], || self.0.open(path))?, closed))
    }
}

struct Open<'f> {
    file: Box<dyn File + 'f>,
    pause: Box<dyn Fn(Duration) + Send + 'f>,
    /// Dropped after the file.
    _closed: Closed,
}

/// Notes that a file is closed when it is dropped.
struct Closed(PathBuf);

impl Closed {
    /// Notes that a file is open.
    fn later(path: &Path) -> Closed {
        *open().entry(path.to_owned()).or_default() += 1;
        Closed(path.to_owned())
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        let mut open = open();
        if let Some(count) = open.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.0);
            }
        }
        CLOSED.notify_all();
    }
}

/// `append` is not repeated, because a part of the bytes may have been written.
impl File for Open<'_> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)
    }
    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
    fn length(&mut self) -> io::Result<u64> {
        again(|| self.file.length(), &self.pause)
    }
    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        again(|| self.file.read(from, len), &self.pause)
    }
}
