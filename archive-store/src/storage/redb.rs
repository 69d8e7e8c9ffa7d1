//! [`Redb`]: rows in one file, by the embedded database redb.

mod backend;
mod failure;
mod handle;
mod place;
mod rows;
mod sealed;
mod version;

use std::cell::RefCell;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use archive_core::__private::os_error;
use archive_core::{Error, Result};
use redb::StorageBackend;
use redb::backends::FileBackend;

use backend::Again;
use failure::{Failure, Place};
use handle::{Handle, Table};

/// A storage in one file, by the embedded database [redb](https://docs.rs/redb).
///
/// Only one `Redb` in all processes has a file open for writing. For reading, a file may be
/// [open several times](Redb::open_read_only). Never copy a file while it is open:
/// [`export`](super::export) writes a copy.
///
/// Each row has a checksum, so reading a damaged row is an error. [`check`] verifies the whole
/// file.
///
/// After a disk error the next call opens the file again. A failed commit leaves the file
/// unchanged.
///
/// [`check`]: super::Storage::check
pub struct Redb {
    place: Place,
    backend: Arc<dyn StorageBackend>,
    is_read_only: bool,
    /// `None` after an error; the next call opens the database again.
    open: RefCell<Option<Open>>,
}

/// A database that is open.
struct Open {
    handle: Handle,
    /// The rows as of the last commit. The table stays open, because opening it takes longer than a
    /// read.
    table: Option<Rc<Table>>,
}

impl Redb {
    /// Opens the file, or creates it. Nothing is renamed or removed, even if the file is damaged:
    /// [`recover`](super::recover) does that.
    ///
    /// ```
    /// use archive::store::storage::{Changes, Redb, Storage};
    ///
    /// # fn main() -> archive::Result {
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("campaign.store");
    /// let storage = Redb::open(&path)?;
    /// let mut changes = Changes::new();
    /// changes.put(b"level", b"7");
    /// storage.commit(&changes)?;
    ///
    /// let error = Redb::open(&path).err().unwrap();
    /// assert!(error.message().ends_with("is open already, in this program or in another one"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the file is open already, or cannot be
    /// read and written; [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if it is damaged or
    /// not a store; [`ErrorKind::Unsupported`](archive_core::ErrorKind::Unsupported) if its format
    /// is newer or older.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Redb::open_file(path.as_ref(), false)
    }

    /// Opens an existing file for reading. Several processes may do that at once, while none has it
    /// open for writing.
    ///
    /// # Errors
    /// As [`open`](Redb::open). A file that was not closed, because its process was killed, must be
    /// opened for writing once before it can be opened for reading.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self> {
        Redb::open_file(path.as_ref(), true)
    }

    /// Opens a store on a backend of redb, such as one in memory that fails on purpose. After an
    /// error the backend is closed and used again. Messages call it `name`.
    pub fn with_backend(backend: impl StorageBackend, name: impl Into<String>) -> Result<Self> {
        Redb::connect(Place::new(name.into(), None), Arc::new(backend), false)
    }

    /// Closes the storage, as dropping it does.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the file could not be marked as closed. No
    /// commit is lost.
    pub fn close(self) -> Result {
        match self.open.take() {
            Some(open) => self.guarded(|| {
                drop(open.table);
                open.handle.close()
            }),
            None => Ok(()),
        }
    }

    fn open_file(path: &Path, is_read_only: bool) -> Result<Self> {
        let place = Place::new(path.display().to_string(), Some(path.into()));
        // A store with an export was not empty.
        if place.has_export() && !is_read_only {
            match fs::metadata(path) {
                Ok(data) if data.is_file() && data.len() == 0 => {
                    return Err(place.explain(Failure::Damaged("the file is empty".into())));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(place.explain(Failure::Damaged("the file no longer exists".into())));
                }
                _ => {}
            }
        }
        // On Unix a folder can be opened as a file, and on Windows access to one is denied.
        if path.is_dir() {
            return Err(place.explain(Failure::Open(io::ErrorKind::IsADirectory.into())));
        }
        let open = || match is_read_only {
            true => File::open(path),
            false => {
                OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
            }
        };
        let file = os_error::again(open, std::thread::sleep);
        let file = file.map_err(|error| place.explain(Failure::Open(error)))?;
        let backend = FileBackend::new(file).map_err(|error| place.explain(error))?;
        Redb::connect(place, Arc::new(backend), is_read_only)
    }

    /// Returns whether a file is open, in this program or in another one.
    pub(super) fn is_open(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        let Ok(backend) = FileBackend::new(file) else { return false };
        let open = catch_unwind(|| redb::Builder::new().open_read_only_with_backend(backend));
        matches!(open, Ok(Err(redb::DatabaseError::DatabaseAlreadyOpen)))
    }

    fn connect(place: Place, backend: Arc<dyn StorageBackend>, is_read_only: bool) -> Result<Self> {
        let redb = Redb { place, backend, is_read_only, open: RefCell::default() };
        redb.table()?;
        Ok(redb)
    }

    /// Returns the rows. Opens the database again if it was closed.
    fn table(&self) -> Result<Rc<Table>> {
        if let Some(Open { table: Some(table), .. }) = &*self.open.borrow() {
            return Ok(table.clone());
        }
        let handle = match self.open.take() {
            Some(open) => open.handle,
            None => self.guarded(|| {
                let begins = !self.is_read_only && !self.place.has_export();
                Handle::open(Again::new(self.backend.clone(), begins), self.is_read_only)
            })?,
        };
        let table = self.guarded(|| handle.table().map(Rc::new));
        let (table, result) = match table {
            Ok(table) => (Some(table.clone()), Ok(table)),
            Err(error) => (None, Err(error)),
        };
        self.open.replace(Some(Open { handle, table }));
        if result.is_err() {
            self.shut();
        }
        result
    }

    /// Runs an operation of redb, and closes the database if it fails. The operation may panic on a
    /// damaged file. See `docs/decisions/store.md#panics-of-redb-are-errors`.
    fn guarded<T, E: Into<Failure>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T> {
        let failure = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(error)) => error.into(),
            Err(panic) => Failure::Panic(failure::text_of(&*panic)),
        };
        self.shut();
        Err(self.place.explain(failure))
    }

    /// Creates the error for rows that are damaged.
    fn damaged(&self, what: impl fmt::Display) -> Error {
        self.place.explain(Failure::Damaged(what.to_string()))
    }

    /// Closes the database and ignores errors. redb may panic on a damaged file here, too.
    fn shut(&self) {
        if let Ok(mut open) = self.open.try_borrow_mut() {
            let open = open.take();
            let _ = catch_unwind(AssertUnwindSafe(|| drop(open)));
        }
    }
}

impl Drop for Redb {
    fn drop(&mut self) {
        self.shut();
    }
}

impl fmt::Debug for Redb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Redb").field(&self.place.name).finish()
    }
}
