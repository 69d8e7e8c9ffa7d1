//! [`Patient`]: calls that are made again while another program has a file.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::os_error::{self, again};
use super::{File, FileSystem};

/// For how long a thread waits in all until the others have closed a file.
const MOST: Duration = Duration::from_secs(10);

/// What this process has open. On Windows it is not replaced then.
static OPEN: Mutex<Opened> = Mutex::new(Opened { files: BTreeMap::new(), closed: 0 });
/// A file is open no more.
static CLOSED: Condvar = Condvar::new();

struct Opened {
    /// How often each file is open.
    files: BTreeMap<PathBuf, usize>,
    /// How many were closed so far.
    closed: u64,
}

fn open() -> MutexGuard<'static, Opened> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file system whose calls are made again while a virus scanner or a sync client has the file, or
/// another thread loads it.
pub struct Patient<F>(pub F);

impl<F: FileSystem> Patient<F> {
    /// Makes a call again as long as another program has the file.
    fn again<T>(&self, call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
        again(call, |time| self.0.pause(time))
    }

    /// As [`again`](Patient::again), and first as long as this process has one of those files open.
    fn alone<T>(&self, paths: &[&Path], mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
        let end = Instant::now() + MOST;
        loop {
            let closed = open().closed;
            match self.again(&mut call) {
                Err(error) if os_error::is_busy(&error) && others_close(paths, closed, end) => {}
                result => return result,
            }
        }
    }

    fn wrap<'f>(&'f self, file: Box<dyn File + 'f>, closed: Closed) -> Box<dyn File + 'f> {
        Box::new(Open { file, pause: Box::new(|time| self.0.pause(time)), _closed: closed })
    }
}

/// Waits until this process has closed those files. Returns whether it has closed any file since `closed` were
/// closed, before the end.
fn others_close(paths: &[&Path], closed: u64, end: Instant) -> bool {
    let mut open = open();
    loop {
        let rest = end.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            return false;
        }
        if !paths.iter().any(|path| open.files.contains_key(*path)) {
            return open.closed != closed;
        }
        open = CLOSED.wait_timeout(open, rest).unwrap_or_else(PoisonError::into_inner).0;
    }
}

impl<F: FileSystem> FileSystem for Patient<F> {
    fn create(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        let file = self.alone(&[path], || self.0.create(path, like))?;
        Ok(self.wrap(file, Closed::later(path)))
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        // Whoever finds it open also finds it here.
        let closed = Closed::later(path);
        Ok(self.wrap(self.again(|| self.0.open(path))?, closed))
    }
    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.again(|| self.0.exists(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.alone(&[from, to], || self.0.rename(from, to))
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.again(|| self.0.link(from, to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.alone(&[path], || self.0.remove(path))
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.again(|| self.0.list(folder))
    }
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.again(|| self.0.create_folder(folder))
    }
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.again(|| self.0.sync_folder(folder))
    }
    fn target(&self, path: &Path) -> io::Result<PathBuf> {
        self.again(|| self.0.target(path))
    }
    fn identity(&self, path: &Path) -> PathBuf {
        self.0.identity(path)
    }
    fn try_lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        self.again(|| self.0.try_lock(folder))
    }
    fn lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        self.again(|| self.0.lock(folder))
    }
    fn pause(&self, time: Duration) {
        self.0.pause(time);
    }
    fn now(&self) -> SystemTime {
        self.0.now()
    }
}

struct Open<'f> {
    file: Box<dyn File + 'f>,
    pause: Box<dyn Fn(Duration) + Send + 'f>,
    /// It is dropped after the file.
    _closed: Closed,
}

/// Says that a file is closed when it is dropped.
struct Closed(PathBuf);

impl Closed {
    /// Says that a file is open.
    fn later(path: &Path) -> Closed {
        *open().files.entry(path.to_owned()).or_default() += 1;
        Closed(path.to_owned())
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        let mut open = open();
        open.closed += 1;
        if let Some(count) = open.files.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                open.files.remove(&self.0);
            }
        }
        CLOSED.notify_all();
    }
}

/// Of what was appended a part may be there, so that is not done again.
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
