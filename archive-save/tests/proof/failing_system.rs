//! A file system in which one call fails, or with room for a limited number of bytes.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use archive::save::testing::Layer;
use archive::save::{File, FileSystem};

/// Another file system with failures. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Failing {
    system: Arc<dyn FileSystem>,
    plan: Arc<Mutex<Plan>>,
    clock: Arc<Mutex<Option<SystemTime>>>,
}

#[derive(Default)]
struct Plan {
    /// What was called since the last [`begin`](Failing::begin).
    calls: Vec<&'static str>,
    /// The call that fails, and the error.
    fault: Option<(usize, i32)>,
    /// The number of bytes that can still be appended.
    room: Option<usize>,
    /// The file that cannot be opened: `EIO`.
    unreadable: Option<PathBuf>,
    /// The action of another process before the folder is locked.
    before_lock: Option<Box<dyn FnOnce() + Send>>,
}

impl Failing {
    pub(crate) fn new(system: Arc<dyn FileSystem>) -> Failing {
        Failing { system, plan: Arc::default(), clock: Arc::default() }
    }

    /// Counts calls from now on. One may fail with an error of the system.
    pub(crate) fn begin(&self, fault: Option<(usize, i32)>) {
        *self.plan() = Plan { fault, ..Plan::default() };
    }

    /// Sets the clock.
    pub(crate) fn set_clock(&self, now: SystemTime) {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }

    /// From now on this number of bytes can be appended; then the disk is full.
    pub(crate) fn set_room(&self, room: Option<usize>) {
        *self.plan() = Plan { room, ..Plan::default() };
    }

    /// From now on that file cannot be opened.
    pub(crate) fn fail_open(&self, path: Option<&Path>) {
        *self.plan() = Plan { unreadable: path.map(Path::to_owned), ..Plan::default() };
    }

    /// Runs an action as another process, when the folder is locked the next time.
    pub(crate) fn before_lock(&self, act: impl FnOnce() + Send + 'static) {
        self.plan().before_lock = Some(Box::new(act));
    }

    /// Returns the names of the calls.
    pub(crate) fn calls(&self) -> Vec<&'static str> {
        self.plan().calls.clone()
    }

    fn plan(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call<T>(&self, name: &'static str, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let fault = {
            let mut plan = self.plan();
            plan.calls.push(name);
            plan.fault.filter(|(number, _)| number + 1 == plan.calls.len())
        };
        match fault {
            Some((_, code)) => Err(io::Error::from_raw_os_error(code)),
            None => call(),
        }
    }

    fn wrap<'f>(&'f self, file: io::Result<Box<dyn File + 'f>>) -> io::Result<Box<dyn File + 'f>> {
        Ok(Box::new(Open { file: file?, of: self }))
    }
}

struct Open<'f> {
    file: Box<dyn File + 'f>,
    of: &'f Failing,
}

impl File for Open<'_> {
    /// If it fails, half of the bytes are written, or those for which there is room.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = self.of.plan().room.unwrap_or(bytes.len());
        let failed = self.of.call("write", || Ok(()));
        let fits = if failed.is_err() { bytes.len() / 2 } else { bytes.len().min(room) };
        self.file.append(&bytes[..fits])?;
        failed?;
        if let Some(room) = &mut self.of.plan().room {
            *room -= fits;
        }
        if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        self.of.call("sync", || self.file.sync())
    }

    fn length(&mut self) -> io::Result<u64> {
        self.of.call("length", || self.file.length())
    }

    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        self.of.call("read", || self.file.read(from, len))
    }
}

impl Layer for Failing {
    type Below = dyn FileSystem;

    fn below(&self) -> &Self::Below {
        &*self.system
    }

    fn around<T>(
        &self,
        call: &'static str,
        paths: &[&Path],
        mut make: impl FnMut() -> io::Result<T>,
    ) -> io::Result<T> {
        let act = if call == "lock" { self.plan().before_lock.take() } else { None };
        if let Some(act) = act {
            act();
        }
        if call == "open" && self.plan().unreadable.as_deref() == paths.first().copied() {
            return Err(io::Error::from_raw_os_error(super::calls::BAD_SECTOR));
        }
        self.call(call, &mut make)
    }

    fn create_file(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        self.wrap(self.around("create", &[path], || self.system.create(path, like)))
    }

    fn open_file(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        self.wrap(self.around("open", &[path], || self.system.open(path)))
    }

    /// Tests of this process do not wait for each other. Nor does this file system wait for the
    /// other one, which may belong to another process.
    fn identify(&self, path: &Path) -> PathBuf {
        let mut own = OsString::from(format!("failing {:p}: ", Arc::as_ptr(&self.plan)));
        own.push(self.system.identity(path));
        own.into()
    }

    fn time(&self) -> SystemTime {
        let clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        clock.unwrap_or_else(|| self.system.now())
    }
}
