//! [`Store`]: opening a store, and the state that its operations share.

mod attach;
mod edit;
mod read;
mod save;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use archive_core::{Error, Options, Result};
use rustc_hash::FxHashMap;

use crate::class::Classes;
use crate::last_save::{LastSave, Moment};
use crate::layout;
use crate::run::Loading;
use crate::shared::{Changed, Entries};
use crate::snapshots::Snapshots;
use crate::storage::{Changes, Redb, Storage};
pub use read::{ClassInfo, Rows, Values};

/// An object store: each class is a table, and each object a row with a key.
///
/// The [page of the crate](crate) shows how a game uses it. A store stays on one thread; the
/// objects may move to others.
#[derive(Clone)]
pub struct Store(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    pub(crate) storage: Box<dyn Storage>,
    pub(crate) options: Options<'static>,
    pub(crate) classes: Classes,
    /// Whether there are rows to load.
    is_loading: Cell<bool>,
    /// How many saves have failed.
    failures: Cell<u32>,
    /// Whether a load failed, so that no world can be saved.
    has_failed: Cell<bool>,
    pub(crate) loading: RefCell<Loading>,
    /// The next save.
    pub(crate) now: Cell<Moment>,
    /// The worlds, by the class and the key of the root.
    worlds: RefCell<FxHashMap<(u32, u64), Rc<World>>>,
    /// Which world each save and load was of: a number, and the world of the saves from that number
    /// on.
    runs: RefCell<Vec<(u32, (u32, u64))>>,
    pub(crate) entries: Entries,
    /// The class and the key of an object that had two owners in the run that failed.
    pub(crate) collision: Cell<Option<(u32, u64)>>,
    /// Whether a commit has failed. If its answer was lost, it may have been made, and the records of the classes are then others.
    pub(crate) has_failed_commit: Cell<bool>,
    busy: Cell<bool>,
    pub(crate) snapshots: Snapshots,
}

/// The state of a world: of its root, and of its shared objects.
pub(crate) struct World {
    pub(crate) id: (u32, u64),
    pub(crate) last_save: LastSave,
    /// Shared objects that were changed since the last save of the world.
    pub(crate) changed: Rc<Changed>,
    /// How many saves had failed when the world was last saved.
    failures: Cell<u32>,
}

impl Store {
    /// Opens the store in a file, or creates it. A store with rows is
    /// [loading](Store::is_loading) until [`finish_load`](Store::finish_load).
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the file is already open, or cannot be
    /// read; [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if it is not a store.
    pub fn open(path: impl AsRef<Path>) -> Result<Store> {
        Store::open_with(path, &Options::new())
    }

    /// As [`open`](Store::open), with options for all operations: the registry of trait objects,
    /// limits, and values that the program provides.
    pub fn open_with(path: impl AsRef<Path>, options: &Options<'static>) -> Result<Store> {
        Store::over_with(Redb::open(path)?, options)
    }

    /// Opens the store in a storage.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if the rows are not those of a store,
    /// and errors of the storage.
    pub fn over(storage: impl Storage + 'static) -> Result<Store> {
        Store::over_with(storage, &Options::new())
    }

    /// As [`over`](Store::over), with options.
    pub fn over_with(storage: impl Storage + 'static, options: &Options<'static>) -> Result<Store> {
        let mut has_snapshots = false;
        let has_header = storage.get(layout::HEADER, &mut |found| {
            has_snapshots = layout::read_header(found)?;
            Ok(())
        })?;
        if !has_header {
            storage.scan(&[], &[], &mut |_, _| Err(layout::no_header()))?;
            let mut changes = Changes::new();
            changes.put(layout::HEADER, &layout::header(false));
            storage.commit(&changes)?;
        }
        let classes = Classes::read(&storage)?;
        let has_rows = classes.have_rows();
        let snapshots = Snapshots::read(&storage, has_snapshots)?;
        Ok(Store(Rc::new(Inner {
            storage: Box::new(storage),
            options: options.clone(),
            classes,
            is_loading: Cell::new(has_rows),
            has_failed: Cell::new(false),
            failures: Cell::new(0),
            loading: RefCell::default(),
            now: Cell::new(Moment::first()),
            worlds: RefCell::default(),
            runs: RefCell::default(),
            entries: Entries::default(),
            collision: Cell::new(None),
            has_failed_commit: Cell::new(false),
            busy: Cell::new(false),
            snapshots,
        })))
    }

    /// Returns whether there are rows to load: the store had some when it was opened, and
    /// [`finish_load`](Store::finish_load) was not called.
    pub fn is_loading(&self) -> bool {
        self.0.is_loading.get()
    }

    /// Starts loading again, as if the store had just been opened: for a quick load, or after an
    /// [`attach`](Store::attach) that failed. A save before the world is loaded is an error.
    pub fn begin_load(&self) -> Result {
        let _busy = self.0.begin()?;
        self.0.load_again();
        Ok(())
    }

    /// Returns the storage, for engines with operations of their own.
    pub fn storage(&self) -> &dyn Storage {
        &*self.0.storage
    }

    /// Returns unused space to the system.
    ///
    /// # Errors
    /// Errors of the storage. Nothing is lost.
    pub fn compact(&self) -> Result {
        let _busy = self.0.begin()?;
        self.0.storage.compact()
    }

    /// Copies the store and its snapshots to a new file, which [`Store::open`] opens. This store
    /// stays open. The complete file replaces an older export in one step. Do not copy the file of
    /// an open store by other means.
    ///
    /// A damaged store is replaced by its export at [`export_path`](crate::storage::export_path):
    /// see [`recover`](crate::storage::recover).
    ///
    /// # Errors
    /// Errors of the storage and of the new file. An older export is then unchanged.
    pub fn export(&self, path: impl AsRef<Path>) -> Result {
        let _busy = self.0.begin()?;
        crate::storage::export(&*self.0.storage, path)
    }

    /// Verifies the storage and the snapshots, and reads every row, also of snapshots, with the
    /// types that it was saved with.
    ///
    /// # Errors
    /// An error that names what is damaged.
    pub fn check(&self) -> Result {
        let busy = self.0.begin()?;
        self.0.storage.check()?;
        drop(busy);
        for class in self.0.classes.all() {
            self.values(&class.name).try_for_each(|row| row.map(drop))?;
        }
        self.check_snapshots()
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("storage", &self.0.storage.name()).finish_non_exhaustive()
    }
}

/// Ends an operation.
pub(crate) struct Busy<'a>(&'a Cell<bool>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Inner {
    /// Begins an operation, which must not be inside another one.
    pub(crate) fn begin(&self) -> Result<Busy<'_>> {
        if self.busy.replace(true) {
            return Err(Error::custom(
                "the store is in use: a `serialize` function may only call `read` and `peek`",
            ));
        }
        let busy = Busy(&self.busy);
        self.collision.set(None);
        if self.has_failed_commit.get() {
            self.classes.read_records(&*self.storage)?;
            self.has_failed_commit.set(false);
        }
        // The last operation may have panicked.
        if !self.is_loading.get() {
            self.classes.see_nothing();
        }
        Ok(busy)
    }

    /// Forgets the world, which is then to be loaded.
    pub(crate) fn load_again(&self) {
        self.forget_world();
        self.is_loading.set(self.classes.have_rows());
    }

    /// Forgets all objects and their rows.
    fn forget_world(&self) {
        self.classes.know_nothing();
        self.loading.take();
        self.entries.clear();
        self.worlds.take();
        self.runs.take();
        self.snapshots.forget_rows();
        self.has_failed.set(false);
        self.now.set(self.now.get().next());
    }

    /// Returns a world, and records that the current moment belongs to it.
    fn world(&self, class: u32, key: u64) -> Rc<World> {
        let id = (class, key);
        let mut runs = self.runs.borrow_mut();
        if runs.last().is_none_or(|(_, last)| *last != id) {
            runs.push((self.now.get().number, id));
        }
        let new = || World {
            id,
            last_save: LastSave::default(),
            changed: Rc::default(),
            failures: Cell::new(self.failures.get()),
        };
        self.worlds.borrow_mut().entry(id).or_insert_with(|| Rc::new(new())).clone()
    }

    /// Returns the world of a save or load.
    pub(crate) fn world_of(&self, number: u32) -> (u32, u64) {
        let runs = self.runs.borrow();
        let after = runs.partition_point(|(first, _)| *first <= number);
        after.checked_sub(1).map_or((0, 0), |at| runs[at].1)
    }
}
