//! [`Class`]: a table of the store, and [`Classes`]: all of them.

mod version;

use std::any::{TypeId, type_name};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use archive_binary::rows::{RowTypes, Writer};
use archive_core::__private::plain_name;
use archive_core::{Error, ErrorKind, Result};
use rustc_hash::FxHashMap;

use crate::keys::Keys;
use crate::known::{Known, RowState};
use crate::last_save::Moment;
use crate::layout::{self, Record, damaged};
use crate::row::Row;
use crate::storage::{Changes, Storage};
pub(crate) use version::{Version, put_version};

/// A class: the rows of one type.
pub(crate) struct Class {
    pub(crate) name: Rc<str>,
    pub(crate) id: u32,
    /// The type that the program has for it.
    program: OnceCell<(TypeId, &'static str)>,
    /// The record in the storage; `None` if the class is not stored yet.
    record: Cell<Option<Record>>,
    /// The number from which the next key is assigned.
    pub(crate) next: Cell<u64>,
    /// How many rows it has.
    rows: Cell<u64>,
    versions: RefCell<BTreeMap<u32, Rc<Version>>>,
    current: OnceCell<Rc<Version>>,
    /// Boxed, because each row takes it out.
    pub(crate) writer: RefCell<Option<Box<Writer>>>,
    /// The objects that the current run, or loading, has visited.
    pub(crate) seen: RefCell<Seen>,
    /// The rows in the storage, once they were loaded.
    pub(crate) known: RefCell<Known>,
    /// The save or load of the pool.
    pub(crate) pool: Cell<RowState>,
    /// Which worlds own its rows.
    pub(crate) owner: Cell<WorldOf>,
}

/// The worlds whose objects have the rows of a class. A world is the class and the key of its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorldOf {
    Unknown,
    One(u32, u64),
    Several,
}

/// The objects of a class that a walk over the owners has visited.
#[derive(Default)]
pub(crate) struct Seen {
    /// Whether a pool owns all of them.
    pub(crate) pool: bool,
    /// The keys of objects outside of a pool.
    pub(crate) keys: Keys,
    /// How many rows a save adds and deletes.
    pub(crate) added: u64,
    pub(crate) deleted: u64,
}

impl Class {
    fn new(name: &str, id: u32, record: Option<Record>) -> Rc<Self> {
        let known = record.unwrap_or_default();
        Rc::new(Class {
            name: name.into(),
            id,
            program: OnceCell::new(),
            record: Cell::new(record),
            next: Cell::new(known.next),
            rows: Cell::new(known.rows),
            versions: RefCell::default(),
            current: OnceCell::new(),
            writer: RefCell::default(),
            seen: RefCell::default(),
            known: RefCell::default(),
            pool: Cell::new(RowState::Absent),
            owner: Cell::new(WorldOf::Unknown),
        })
    }

    /// Whether the storage has ever had rows of the class.
    pub(crate) fn is_stored(&self) -> bool {
        self.record.get().is_some()
    }

    /// Returns how many rows the storage has.
    pub(crate) fn stored_rows(&self) -> u64 {
        self.record.get().map_or(0, |record| record.rows)
    }

    /// Returns how many versions of its type the storage has.
    pub(crate) fn versions(&self) -> usize {
        self.versions.borrow().len()
    }

    fn read_versions(&self, storage: &dyn Storage) -> Result {
        let (from, to) = layout::all_types(self.id);
        storage.scan(&from, &to, &mut |key, bytes| {
            let number = layout::version(key)?;
            let types = RowTypes::from_bytes(bytes).map_err(|error| {
                let message =
                    format!("type version {number} of the class `{}`: {error}", self.name);
                Error::with_source(error.kind(), message, error)
            })?;
            let version = Version::new(number, types, bytes.to_vec(), true);
            self.versions.borrow_mut().insert(number, version);
            Ok(true)
        })
    }

    /// Returns the types that a row was written with, and its content.
    #[inline]
    pub(crate) fn version_of<'a>(&self, row: &'a [u8]) -> Result<(Rc<Version>, &'a [u8])> {
        let (number, content) = version::split(row)?;
        let found = self.versions.borrow().get(&number).cloned();
        let version = found.ok_or_else(|| damaged(&format!("type version {number} is missing")))?;
        Ok((version, content))
    }

    /// Returns the types of the program, with the version number that rows store.
    pub(crate) fn current<T: Row>(&self) -> Result<Rc<Version>> {
        if let Some(version) = self.current.get() {
            return Ok(version.clone());
        }
        let types = RowTypes::of::<T>()?;
        let bytes = types.to_bytes();
        let mut versions = self.versions.borrow_mut();
        let version = match versions.values().find(|version| version.bytes == bytes) {
            Some(version) => version.clone(),
            None => {
                let last = versions.last_key_value().map(|(number, _)| *number);
                let number = match last.map(|last| last.checked_add(1)) {
                    None => 0,
                    Some(Some(next)) => next,
                    Some(None) => return Err(damaged("no type version is left for a class")),
                };
                let version = Version::new(number, types, bytes, false);
                versions.insert(number, version.clone());
                version
            }
        };
        Ok(self.current.get_or_init(|| version).clone())
    }

    /// Adds the changes of the record of the class.
    pub(crate) fn put_changes(&self, changes: &mut Changes) {
        for version in self.versions.borrow().values().filter(|version| !version.stored.get()) {
            changes.put(&layout::types(self.id, version.number), &version.bytes);
        }
        let record = self.now();
        if self.record.get().unwrap_or(Record { next: 0, rows: 0, ..record }) != record {
            changes.put(&layout::class(&self.name), &record.to_bytes());
        }
    }

    /// Notes that the changes are stored.
    pub(crate) fn changes_are_stored(&self) {
        self.versions.borrow().values().for_each(|version| version.stored.set(true));
        let record = self.now();
        if self.is_stored() || record.next > 0 || record.rows > 0 {
            self.record.set(Some(record));
        }
    }

    /// Drops the row counts of a failed save.
    pub(crate) fn changes_failed(&self) {
        self.rows.set(self.stored_rows());
    }

    /// Counts the rows that the class has after the save.
    pub(crate) fn count_rows(&self) {
        let seen = self.seen.borrow();
        let rows = self.known.borrow().len() + seen.added;
        self.rows.set(rows.saturating_sub(seen.deleted));
    }

    /// Notes how many rows the class has after the next changes.
    pub(crate) fn will_have(&self, rows: u64) {
        self.rows.set(rows);
    }

    fn now(&self) -> Record {
        Record { id: self.id, next: self.next.get(), rows: self.rows.get() }
    }

    /// Returns a key that no object of the class has had.
    pub(crate) fn assign(&self) -> Result<u64> {
        let key = self.next.get().max(1);
        let Some(next) = key.checked_add(1) else {
            let message = format_args!("all keys of the class `{}` are used", self.name);
            return Err(Error::new(ErrorKind::SizeLimit, message));
        };
        self.next.set(next);
        Ok(key)
    }

    /// Returns the state of a row.
    #[inline]
    pub(crate) fn row(&self, key: u64) -> RowState {
        self.known.borrow().get(key)
    }

    /// Notes that an object was loaded from a row.
    pub(crate) fn is_loaded(&self, key: u64, now: Moment) {
        self.known.borrow_mut().set(key, RowState::Of(now.number));
    }

    /// Forgets the rows and their objects.
    pub(crate) fn know_nothing(&self) {
        self.known.borrow_mut().clear();
        self.next.set(self.record.get().map_or(0, |record| record.next));
        self.rows.set(self.stored_rows());
        self.pool.set(RowState::Absent);
        self.owner.set(WorldOf::Unknown);
        self.seen.take();
    }

    /// Notes that the row with the largest key of those that are deleted has that key. It is not
    /// assigned again.
    pub(crate) fn gives_up(&self, key: u64) {
        let (next, last) = (self.next.get(), key >> 32);
        // Only with a pool the next key may be that of a row: it is the first of a generation.
        if next as u32 == 0 && last >= next >> 32 {
            self.next.set((last + 1).min(u32::MAX.into()) << 32);
        }
    }

    /// Notes that an object has that key.
    pub(crate) fn uses(&self, key: u64) {
        self.next.set(self.next.get().max(key.saturating_add(1)));
    }
}

/// All classes that the storage or the program has.
#[derive(Default)]
pub(crate) struct Classes {
    by_name: RefCell<BTreeMap<Rc<str>, Rc<Class>>>,
    by_type: RefCell<FxHashMap<TypeId, Rc<Class>>>,
    last: Cell<u32>,
}

impl Classes {
    /// Reads the classes of a storage.
    pub(crate) fn read(storage: &dyn Storage) -> Result<Self> {
        let classes = Classes::default();
        let mut ids = Keys::default();
        let (from, to) = layout::all_classes();
        storage.scan(&from, &to, &mut |key, bytes| {
            let (name, record) = (layout::class_name(key)?, Record::from_bytes(bytes)?);
            if record.id == 0 || record.id == u32::MAX || !ids.insert(record.id.into()) {
                return Err(damaged("two classes have the same number"));
            }
            let class = Class::new(name, record.id, Some(record));
            classes.last.set(classes.last.get().max(record.id));
            classes.by_name.borrow_mut().insert(class.name.clone(), class);
            Ok(true)
        })?;
        classes.all().iter().try_for_each(|class| class.read_versions(storage))?;
        Ok(classes)
    }

    /// Reads the records of the classes again.
    pub(crate) fn read_records(&self, storage: &dyn Storage) -> Result {
        let stored = Classes::read(storage)?;
        for class in self.all() {
            class.record.set(stored.by_name(&class.name).and_then(|class| class.record.get()));
            class.changes_failed();
        }
        Ok(())
    }

    /// Returns the class of a type.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateType`] if another type has it.
    #[inline]
    pub(crate) fn of<T: Row>(&self) -> Result<Rc<Class>> {
        if let Some(class) = self.by_type.borrow().get(&TypeId::of::<T>()) {
            return Ok(class.clone());
        }
        self.bind::<T>()
    }

    #[cold]
    fn bind<T: Row>(&self) -> Result<Rc<Class>> {
        let found = self.by_name(T::CLASS);
        let class = match found {
            Some(class) => class,
            None => {
                let id = self.last.get() + 1;
                if id == u32::MAX {
                    return Err(damaged("no class number is left"));
                }
                self.last.set(id);
                let class = Class::new(T::CLASS, id, None);
                self.by_name.borrow_mut().insert(class.name.clone(), class.clone());
                class
            }
        };
        let program = (TypeId::of::<T>(), type_name::<T>());
        let of = class.program.get_or_init(|| program);
        if of.0 != program.0 {
            let (first, second) = (plain_name(of.1), plain_name(program.1));
            let message = format_args!(
                "`{first}` and `{second}` both have the class `{}`: each type has its own",
                T::CLASS
            );
            return Err(Error::new(ErrorKind::DuplicateType, message));
        }
        self.by_type.borrow_mut().insert(program.0, class.clone());
        Ok(class)
    }

    pub(crate) fn by_name(&self, name: &str) -> Option<Rc<Class>> {
        self.by_name.borrow().get(name).cloned()
    }

    pub(crate) fn by_id(&self, id: u32) -> Option<Rc<Class>> {
        self.by_name.borrow().values().find(|class| class.id == id).cloned()
    }

    /// Returns all classes, in the order of their names.
    pub(crate) fn all(&self) -> Vec<Rc<Class>> {
        self.by_name.borrow().values().cloned().collect()
    }

    /// Returns whether there are rows.
    pub(crate) fn have_rows(&self) -> bool {
        self.by_name.borrow().values().any(|class| class.stored_rows() > 0)
    }

    /// Forgets all rows and objects.
    pub(crate) fn know_nothing(&self) {
        self.by_name.borrow().values().for_each(|class| class.know_nothing());
    }

    /// Forgets which objects were visited.
    pub(crate) fn see_nothing(&self) {
        self.by_name.borrow().values().for_each(|class| drop(class.seen.take()));
    }
}
