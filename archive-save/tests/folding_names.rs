//! A file system for which several names are one file, with a hook before calls.

use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use archive::save::testing::PowerCuts;
use archive::save::{File, FileSystem};

use crate::proof::power_cuts;

type Hook = dyn FnMut(&str, &Path) -> io::Result<()> + Send;

/// [`PowerCuts`] whose names are folded. Clones are the same file system.
#[derive(Clone)]
pub(crate) struct Folding {
    pub(crate) inner: PowerCuts,
    /// Names that are equal after this function are one file.
    fold: fn(&str) -> String,
    /// How a name is stored.
    store: fn(&str) -> String,
    hook: Arc<Mutex<Box<Hook>>>,
}

impl Folding {
    pub(crate) fn new(fold: fn(&str) -> String, store: fn(&str) -> String) -> Folding {
        let hook: Box<Hook> = Box::new(|_, _| Ok(()));
        Folding { inner: power_cuts(), fold, store, hook: Arc::new(Mutex::new(hook)) }
    }

    /// One that folds nothing.
    pub(crate) fn plain() -> Folding {
        Folding::new(str::to_owned, str::to_owned)
    }

    /// Runs the hook before each call from now on. For a link, it gets the second name.
    pub(crate) fn on(&self, hook: impl FnMut(&str, &Path) -> io::Result<()> + Send + 'static) {
        *self.hook.lock().unwrap() = Box::new(hook);
    }

    fn before(&self, call: &str, path: &Path) -> io::Result<()> {
        (self.hook.lock().unwrap())(call, path)
    }

    fn key(&self, path: &Path) -> String {
        (self.fold)(&path.to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "/"))
    }

    fn at(&self, path: &Path) -> PathBuf {
        let key = self.key(path);
        let mut there = self.inner.paths().into_iter();
        let there = there.find(|path| self.key(path) == key);
        there.unwrap_or_else(|| (self.store)(path.to_str().unwrap()).into())
    }
}

impl FileSystem for Folding {
    fn create(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        self.before("create", path)?;
        self.inner.create(&self.at(path), like)
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        self.before("open", path)?;
        self.inner.open(&self.at(path))
    }
    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.before("exists", path)?;
        self.inner.exists(&self.at(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.before("rename", from)?;
        self.inner.rename(&self.at(from), &self.at(to))
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.before("link", to)?;
        self.inner.link(&self.at(from), &self.at(to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.before("remove", path)?;
        self.inner.remove(&self.at(path))
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.before("list", folder)?;
        self.inner.list(folder)
    }
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.before("create folder", folder)?;
        self.inner.create_folder(folder)
    }
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.before("sync folder", folder)?;
        self.inner.sync_folder(folder)
    }
    fn lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        self.before("lock", folder)?;
        self.inner.lock(folder)
    }
    fn pause(&self, time: Duration) {
        self.inner.pause(time);
    }
    fn now(&self) -> SystemTime {
        self.inner.now()
    }
}
