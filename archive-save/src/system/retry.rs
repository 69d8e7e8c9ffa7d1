//! [`Patient`]: calls that are made again while another program has a file.

use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{File, FileSystem, os_error};

/// How long to pause before each further call, in milliseconds.
const PAUSES: [u64; 4] = [10, 25, 50, 100];

/// A file system whose calls are made again while a virus scanner or a sync client has the file.
pub struct Patient<F>(pub F);

impl<F: FileSystem> Patient<F> {
    /// Makes a call again as long as another program has the file.
    fn again<T>(&self, call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
        again(call, |time| self.0.pause(time))
    }

    fn wrap<'f>(&'f self, file: Box<dyn File + 'f>) -> Box<dyn File + 'f> {
        Box::new(Open { file, pause: Box::new(|time| self.0.pause(time)) })
    }
}

fn again<T>(mut call: impl FnMut() -> io::Result<T>, pause: impl Fn(Duration)) -> io::Result<T> {
    for milliseconds in PAUSES {
        match call() {
            Err(error) if os_error::is_busy(&error) => pause(Duration::from_millis(milliseconds)),
            result => return result,
        }
    }
    call()
}

impl<F: FileSystem> FileSystem for Patient<F> {
    fn create(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        Ok(self.wrap(self.again(|| self.0.create(path, like))?))
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        Ok(self.wrap(self.again(|| self.0.open(path))?))
    }
    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.again(|| self.0.exists(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.again(|| self.0.rename(from, to))
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.again(|| self.0.link(from, to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.again(|| self.0.remove(path))
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::{Error, ErrorKind};

    use super::again;

    /// Returns the result of a call that fails `times` times with that kind, and the pauses.
    fn failing(times: usize, error: impl Fn() -> Error) -> (bool, Vec<u128>) {
        let (mut calls, pauses) = (0, RefCell::new(Vec::new()));
        let call = || {
            calls += 1;
            if calls > times { Ok(()) } else { Err(error()) }
        };
        let result = again(call, |pause| pauses.borrow_mut().push(pause.as_millis()));
        (result.is_ok(), pauses.into_inner())
    }

    #[test]
    fn busy_files_are_tried_five_times() {
        let busy = || Error::from(ErrorKind::ResourceBusy);
        assert_eq!(failing(0, busy), (true, vec![]));
        assert_eq!(failing(1, busy), (true, vec![10]));
        assert_eq!(failing(4, busy), (true, vec![10, 25, 50, 100]));
        assert_eq!(failing(5, busy), (false, vec![10, 25, 50, 100]));
        // `EBUSY`; access that is denied, a sharing violation and a lock on a part of the file.
        let codes: &[i32] = if cfg!(windows) { &[5, 32, 33] } else { &[16] };
        for &code in codes {
            assert_eq!(failing(1, || Error::from_raw_os_error(code)), (true, vec![10]), "{code}");
        }
    }

    #[test]
    fn other_errors_are_final() {
        assert_eq!(failing(1, || Error::from_raw_os_error(2)), (false, vec![]));
    }
}
