//! [`Layer`]: a file system over another one.

use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{File, FileSystem};

/// A file system that forwards its calls to another one and wraps each of them. Every layer is a
/// [`FileSystem`].
///
/// ```
/// use std::io;
/// use std::path::Path;
///
/// use archive::Format;
/// use archive::save::testing::{Layer, PowerCuts};
/// use archive::save::SaveFile;
///
/// /// A drive on which renames fail.
/// struct Stubborn(PowerCuts);
///
/// impl Layer for Stubborn {
///     type Below = PowerCuts;
///
///     fn below(&self) -> &PowerCuts {
///         &self.0
///     }
///     fn around<T>(
///         &self,
///         call: &'static str,
///         _: &[&Path],
///         mut make: impl FnMut() -> io::Result<T>,
///     ) -> io::Result<T> {
///         if call == "rename" { Err(io::ErrorKind::PermissionDenied.into()) } else { make() }
///     }
/// }
///
/// let file = SaveFile::over(Stubborn(PowerCuts::new()), "quick.sav");
/// let error = file.save("new", Format::Binary).unwrap_err();
/// assert!(error.message().starts_with("cannot replace quick.sav"));
/// ```
pub trait Layer: Send + Sync {
    /// The type of the file system below.
    type Below: FileSystem + ?Sized;

    /// Returns the file system below.
    fn below(&self) -> &Self::Below;

    /// Makes a call that may fail. `call` is the name of the function, with spaces in place of `_`,
    /// and `paths` are its paths: for a rename and a link the old one and the new one.
    fn around<T>(
        &self,
        call: &'static str,
        paths: &[&Path],
        mut make: impl FnMut() -> io::Result<T>,
    ) -> io::Result<T> {
        _ = (call, paths);
        make()
    }

    /// Creates a file, as [`FileSystem::create`] does.
    fn create_file(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        self.around("create", &[path], || self.below().create(path, like))
    }

    /// Opens a file, as [`FileSystem::open`] does.
    fn open_file(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        self.around("open", &[path], || self.below().open(path))
    }

    /// Returns the [identity](FileSystem::identity) of a file or a folder.
    fn identify(&self, path: &Path) -> PathBuf {
        self.below().identity(path)
    }

    /// Returns the [time](FileSystem::now).
    fn time(&self) -> SystemTime {
        self.below().now()
    }
}

impl<L: Layer> FileSystem for L {
    fn create(&self, path: &Path, like: &Path) -> io::Result<Box<dyn File + '_>> {
        self.create_file(path, like)
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        self.open_file(path)
    }
    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.around("exists", &[path], || self.below().exists(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.around("rename", &[from, to], || self.below().rename(from, to))
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.around("link", &[from, to], || self.below().link(from, to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.around("remove", &[path], || self.below().remove(path))
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.around("list", &[folder], || self.below().list(folder))
    }
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.around("create folder", &[folder], || self.below().create_folder(folder))
    }
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.around("sync folder", &[folder], || self.below().sync_folder(folder))
    }
    fn target(&self, path: &Path) -> io::Result<PathBuf> {
        self.around("target", &[path], || self.below().target(path))
    }
    fn identity(&self, path: &Path) -> PathBuf {
        self.identify(path)
    }
    fn try_lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        self.around("try lock", &[folder], || self.below().try_lock(folder))
    }
    fn lock(&self, folder: &Path) -> io::Result<Box<dyn Any + Send>> {
        self.around("lock", &[folder], || self.below().lock(folder))
    }
    fn pause(&self, time: Duration) {
        self.below().pause(time);
    }
    fn now(&self) -> SystemTime {
        self.time()
    }
}

/// A shared file system.
impl<F: FileSystem + ?Sized> Layer for Arc<F> {
    type Below = F;

    fn below(&self) -> &F {
        self
    }
}
