//! [`Store`]: opening, and what all of its operations share.

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
use crate::layout;
use crate::mark::{Mark, Moment};
use crate::run::Loading;
use crate::shared::{Changed, Entries};
use crate::storage::{Changes, Redb, Storage};
pub use read::{ClassInfo, Rows, Values};

/// An object store: each class is a table, and each object a row with a key.
///
/// The [page of the crate](crate) shows how a game uses it. A store is used by one thread; the
/// objects may be anywhere.
#[derive(Clone)]
pub struct Store(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    pub(crate) storage: Box<dyn Storage>,
    pub(crate) options: Options<'static>,
    pub(crate) classes: Classes,
    /// Whether there are rows, and loading was not finished.
    is_loading: Cell<bool>,
    /// How many saves have failed.
    failures: Cell<u32>,
    /// Whether a load failed, so that there is no world to save.
    has_failed: Cell<bool>,
    pub(crate) loading: RefCell<Loading>,
    /// The save that is next.
    pub(crate) now: Cell<Moment>,
    /// The worlds, by the class and the key of the root.
    worlds: RefCell<FxHashMap<(u32, u64), Rc<World>>>,
    /// Which worlds the saves and loads were of: the first number of each, if it is another world
    /// than that of the number before.
    runs: RefCell<Vec<(u32, (u32, u64))>>,
    pub(crate) entries: Entries,
    /// The class and the key of an object that had two owners in the run that failed.
    pub(crate) collision: Cell<Option<(u32, u64)>>,
    busy: Cell<bool>,
}

/// A world of a store: what is known of its root, and of its shared objects.
pub(crate) struct World {
    pub(crate) id: (u32, u64),
    pub(crate) mark: Mark,
    /// Shared objects that were changed since the last save of the world.
    pub(crate) changed: Rc<Changed>,
    /// How many saves had failed when it was last saved.
    failures: Cell<u32>,
}

impl Store {
    /// Opens the store in a file, or creates it. A store with rows is
    /// [loading](Store::is_loading) until [`finish_load`](Store::finish_load).
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if another process has the file open, or it
    /// cannot be read; [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if it is no store.
    pub fn open(path: impl AsRef<Path>) -> Result<Store> {
        Store::open_with(path, &Options::new())
    }

    /// As [`open`](Store::open), with the options with which all operations save and load: the
    /// registry of trait objects, limits, and what the program provides.
    pub fn open_with(path: impl AsRef<Path>, options: &Options<'static>) -> Result<Store> {
        Store::over_with(Redb::open(path)?, options)
    }

    /// Opens the store in a storage.
    ///
    /// # Errors
    /// Those of the storage; [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if what it has
    /// is no store.
    pub fn over(storage: impl Storage + 'static) -> Result<Store> {
        Store::over_with(storage, &Options::new())
    }

    /// As [`over`](Store::over), with options.
    pub fn over_with(storage: impl Storage + 'static, options: &Options<'static>) -> Result<Store> {
        let has_header = storage.get(layout::HEADER, &mut layout::check_header)?;
        if !has_header {
            storage.scan(&[], &[], &mut |_, _| Err(layout::no_header()))?;
            let mut changes = Changes::new();
            changes.put(layout::HEADER, &layout::header());
            storage.commit(&changes)?;
        }
        let classes = Classes::read(&storage)?;
        let has_rows = classes.have_rows();
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
            busy: Cell::new(false),
        })))
    }

    /// Returns whether there are rows to load: the store had some when it was opened, and
    /// [`finish_load`](Store::finish_load) was not called.
    pub fn is_loading(&self) -> bool {
        self.0.is_loading.get()
    }

    /// Begins to load again, as if the store had just been opened: for a quick load, or after an
    /// [`attach`](Store::attach) that failed. What is saved next, without loading, is an error.
    pub fn begin_load(&self) -> Result {
        let _busy = self.0.begin()?;
        self.0.forget_world();
        self.0.is_loading.set(self.0.classes.have_rows());
        Ok(())
    }

    /// Returns the storage, for engines with operations of their own.
    pub fn storage(&self) -> &dyn Storage {
        &*self.0.storage
    }

    /// Returns space that rows no longer need to the system.
    ///
    /// # Errors
    /// Those of the storage. Nothing is lost.
    pub fn compact(&self) -> Result {
        let _busy = self.0.begin()?;
        self.0.storage.compact()
    }

    /// Copies the store to a new file that [`Store::open`] opens, while this one stays open. The file
    /// appears at once when it is complete, in the place of an older export. A file of an open store
    /// must not be copied by other means.
    ///
    /// An export at [`export_path`](crate::storage::export_path) is what
    /// [`recover`](crate::storage::recover) puts in the place of a store that is damaged.
    ///
    /// # Errors
    /// Those of the storage and of the new file. An older export is as before then.
    pub fn export(&self, path: impl AsRef<Path>) -> Result {
        let _busy = self.0.begin()?;
        crate::storage::export(&*self.0.storage, path)
    }

    /// Verifies the storage, and reads every row with the types that it was saved with.
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
        Ok(())
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("storage", &self.0.storage.name()).finish_non_exhaustive()
    }
}

/// Ends an operation.
struct Busy<'a>(&'a Cell<bool>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Inner {
    /// Begins an operation that must not be inside of another.
    fn begin(&self) -> Result<Busy<'_>> {
        if self.busy.replace(true) {
            return Err(Error::custom(
                "the store is in use: functions of types can `read` and `peek`, and nothing else",
            ));
        }
        self.collision.set(None);
        // A panic may have ended the last operation.
        if !self.is_loading.get() {
            self.classes.see_nothing();
        }
        Ok(Busy(&self.busy))
    }

    /// Forgets what is known of objects and their rows.
    fn forget_world(&self) {
        self.classes.know_nothing();
        self.loading.take();
        self.entries.clear();
        self.worlds.take();
        self.runs.take();
        self.has_failed.set(false);
        self.now.set(self.now.get().next());
    }

    /// Returns a world, which the moment is of.
    fn world(&self, class: u32, key: u64) -> Rc<World> {
        let id = (class, key);
        let mut runs = self.runs.borrow_mut();
        if runs.last().is_none_or(|(_, last)| *last != id) {
            runs.push((self.now.get().number, id));
        }
        let new = || World {
            id,
            mark: Mark::default(),
            changed: Rc::default(),
            failures: Cell::new(self.failures.get()),
        };
        self.worlds.borrow_mut().entry(id).or_insert_with(|| Rc::new(new())).clone()
    }

    /// Returns the world that a save or a load was of.
    pub(crate) fn world_of(&self, number: u32) -> (u32, u64) {
        let runs = self.runs.borrow();
        let after = runs.partition_point(|(first, _)| *first <= number);
        after.checked_sub(1).map_or((0, 0), |at| runs[at].1)
    }
}
