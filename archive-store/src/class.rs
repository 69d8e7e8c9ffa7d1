//! [`Class`]: a table of the store, and [`Classes`]: all of them.

use std::any::{TypeId, type_name};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use archive_binary::rows::{Reader, RowTypes, Writer};
use archive_core::__private::plain_name;
use archive_core::{Error, ErrorKind, Result};
use rustc_hash::FxHashMap;

use crate::keys::Keys;
use crate::layout::{self, Record, damaged};
use crate::row::Row;
use crate::storage::{Changes, Storage};

/// A class: the rows of one type.
pub(crate) struct Class {
    pub(crate) name: Rc<str>,
    pub(crate) id: u32,
    /// The type that the program has for it.
    program: OnceCell<(TypeId, &'static str)>,
    /// What the storage says of it; none if it is not in there.
    record: Cell<Option<Record>>,
    /// The number from which the next assigned key follows.
    pub(crate) next: Cell<u64>,
    /// How many rows it has.
    pub(crate) rows: Cell<u64>,
    versions: RefCell<BTreeMap<u32, Rc<Version>>>,
    current: OnceCell<Rc<Version>>,
    /// In a box, as it is large and moves out for each row.
    pub(crate) writer: RefCell<Option<Box<Writer>>>,
    /// What the run that is on, or loading, has met.
    pub(crate) seen: RefCell<Seen>,
    /// The id of the class of the root that owns its rows; 0 if none was met.
    pub(crate) root: Cell<u32>,
}

/// The objects of a class that a walk over the owners has met.
#[derive(Default)]
pub(crate) struct Seen {
    /// Whether a pool has all of them.
    pub(crate) pool: bool,
    pub(crate) keys: Keys,
    /// How many of them have no row in the storage yet.
    pub(crate) new: u64,
}

/// The types that some rows of a class were written with.
pub(crate) struct Version {
    pub(crate) number: u32,
    pub(crate) types: RowTypes,
    /// In a box, as it is large and moves out for each row.
    pub(crate) reader: RefCell<Option<Box<Reader>>>,
    bytes: Vec<u8>,
    matches: OnceCell<bool>,
    stored: Cell<bool>,
}

impl Version {
    fn new(number: u32, types: RowTypes, bytes: Vec<u8>, stored: bool) -> Rc<Self> {
        Rc::new(Version {
            number,
            types,
            reader: RefCell::default(),
            bytes,
            matches: OnceCell::new(),
            stored: Cell::new(stored),
        })
    }

    /// Whether rows load by position into the type of the class.
    pub(crate) fn matches<T: Row>(&self) -> bool {
        *self.matches.get_or_init(|| self.types.matches::<T>())
    }
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
            root: Cell::new(0),
        })
    }

    /// Whether the storage has ever had rows of it.
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
                let message = format!("types {number} of the class `{}`: {error}", self.name);
                Error::with_source(error.kind(), message, error)
            })?;
            let version = Version::new(number, types, bytes.to_vec(), true);
            self.versions.borrow_mut().insert(number, version);
            Ok(true)
        })
    }

    /// Returns the types that a row was written with.
    #[inline]
    pub(crate) fn version(&self, number: u32) -> Result<Rc<Version>> {
        let found = self.versions.borrow().get(&number).cloned();
        found.ok_or_else(|| damaged(&format!("there are no types {number}")))
    }

    /// Returns the types of the program, under the number that rows have them by.
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
                    Some(None) => return Err(damaged("a class has types of the last number")),
                };
                let version = Version::new(number, types, bytes, false);
                versions.insert(number, version.clone());
                version
            }
        };
        Ok(self.current.get_or_init(|| version).clone())
    }

    /// Adds what changed of the class itself.
    pub(crate) fn put_changes(&self, changes: &mut Changes) {
        for version in self.versions.borrow().values().filter(|version| !version.stored.get()) {
            changes.put(&layout::types(self.id, version.number), &version.bytes);
        }
        let record = self.now();
        if self.record.get() != Some(record) && (self.is_stored() || record.rows > 0) {
            changes.put(&layout::class(&self.name), &record.to_bytes());
        }
    }

    /// Notes that the storage has these changes.
    pub(crate) fn changes_are_stored(&self) {
        self.versions.borrow().values().for_each(|version| version.stored.set(true));
        let record = self.now();
        if self.is_stored() || record.rows > 0 {
            self.record.set(Some(record));
        }
    }

    /// Forgets how many rows a save would have left that failed.
    pub(crate) fn changes_failed(&self) {
        self.rows.set(self.stored_rows());
    }

    fn now(&self) -> Record {
        Record { id: self.id, next: self.next.get(), rows: self.rows.get() }
    }

    /// Returns a key that no object of the class has had.
    pub(crate) fn assign(&self) -> Result<u64> {
        let key = self.next.get().max(1);
        match key.checked_add(1) {
            Some(next) => {
                self.next.set(next);
                Ok(key)
            }
            None => Err(Error::new(
                ErrorKind::SizeLimit,
                format_args!("all keys of the class `{}` are used", self.name),
            )),
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
                return Err(damaged("two classes have one number"));
            }
            let class = Class::new(name, record.id, Some(record));
            classes.last.set(classes.last.get().max(record.id));
            classes.by_name.borrow_mut().insert(class.name.clone(), class);
            Ok(true)
        })?;
        classes.all().iter().try_for_each(|class| class.read_versions(storage))?;
        Ok(classes)
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
                    return Err(damaged("the numbers of classes are used up"));
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

    /// Forgets what was met.
    pub(crate) fn see_nothing(&self) {
        self.by_name.borrow().values().for_each(|class| drop(class.seen.take()));
    }
}
