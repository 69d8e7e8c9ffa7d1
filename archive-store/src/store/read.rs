//! Reading objects without loading a world.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::rc::Rc;

use archive_binary::Decoder;
use archive_binary::rows::RowTypes;
use archive_core::{Element, Error, ErrorKind, Result, Value};

use super::Store;
use crate::class::Class;
use crate::last_save::LastSave;
use crate::layout;
use crate::reference::Ref;
use crate::row::Row;
use crate::run::{Kind, Run};

/// A class of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClassInfo {
    /// Its name.
    pub name: String,
    /// The number of rows.
    pub rows: u64,
    /// The number of versions of the type with which they were written.
    pub versions: usize,
}

impl Store {
    /// Returns the classes of the store, by name.
    pub fn classes(&self) -> Vec<ClassInfo> {
        let stored = self.0.classes.all().into_iter().filter(|class| class.is_stored());
        let info = |class: Rc<Class>| ClassInfo {
            name: class.name.to_string(),
            rows: class.stored_rows(),
            versions: class.versions(),
        };
        stored.map(info).collect()
    }

    /// Reads one object, and the objects that it owns.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if two rows own one object, and errors of the storage and of
    /// the rows.
    pub fn read<T: Row>(&self, at: Ref<T>) -> Result<Option<T>> {
        let run = Run::new(&self.0, Kind::Read);
        let options = run.options(&self.0.options);
        let class = self.0.classes.of::<T>()?;
        let mut value = T::try_blank(&options)?;
        let pull = || run.pull(&class, at.key(), (&mut value, &LastSave::default()), &options);
        let found = run.load_root(&options, pull)?;
        Ok(found.then_some(value))
    }

    /// Reads a part of an object as a type that has some of its members, such as the parameters
    /// that the constructor of the object needs.
    pub fn peek<T: Row, P: Element>(&self, key: u64) -> Result<Option<P>> {
        let class = self.0.classes.of::<T>()?;
        self.part(&class, key)
    }

    /// Reads one object without the program's types.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] if there is no such class, and errors of the storage and of the
    /// row.
    pub fn value(&self, class: &str, key: u64) -> Result<Option<Value>> {
        let class = self.0.classes.by_name(class).ok_or_else(|| no_class(class))?;
        self.part(&class, key)
    }

    /// Returns the types with which the rows of a class were written, in the order of their versions.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] if there is no such class.
    pub fn row_types(&self, class: &str) -> Result<Vec<RowTypes>> {
        let class = self.0.classes.by_name(class).ok_or_else(|| no_class(class))?;
        Ok(class.all_types())
    }

    /// Reads the objects of a class one by one with a decoder: for tools that copy them without trees. `visit`
    /// gets the key of each object, and the index of its types in [`row_types`](Store::row_types).
    ///
    /// ```
    /// use archive::store::Store;
    /// use archive::store::storage::Memory;
    ///
    /// #[derive(Default, archive::Serialize)]
    /// struct World { tick: u64 }
    /// archive::store::persistent!(World = "world");
    ///
    /// let store = Store::over(Memory::new())?;
    /// store.save(&World { tick: 7 })?;
    /// let mut found = Vec::new();
    /// store.decode_rows("world", |key, types, decoder| {
    ///     use archive::format::Decoder;
    ///     found.push((key, types, decoder.stored_type().unwrap().into_owned()));
    ///     decoder.skip()
    /// })?;
    /// assert_eq!(found, [(1, 0, "World".to_owned())]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] if there is no such class, and errors of the storage, of the rows and of
    /// `visit`.
    pub fn decode_rows(
        &self,
        class: &str,
        mut visit: impl FnMut(u64, usize, &mut Decoder<'_>) -> Result,
    ) -> Result {
        let class = self.0.classes.by_name(class).ok_or_else(|| no_class(class))?;
        let mut pages = Pages::new(self, Ok(class));
        let mut read = |store: &Store, class: &Class, key: u64, row: &[u8]| {
            let mut load = || {
                let (version, content) = class.version_of(row)?;
                let index = class.index_of(&version);
                version.read(|reader| {
                    reader.decode(content, &store.0.options, |decoder| visit(key, index, decoder))
                })
            };
            load().map_err(|error| crate::run::in_row(class, key, error))
        };
        while let Some(done) = pages.next(&mut read) {
            done?;
        }
        Ok(())
    }

    fn part<P: Element>(&self, class: &Class, key: u64) -> Result<Option<P>> {
        let mut found = None;
        self.0.storage.get(&layout::row(class.id, key), &mut |row| {
            found = Some(self.decode(class, key, row)?);
            Ok(())
        })?;
        Ok(found)
    }

    pub(crate) fn decode<P: Element>(&self, class: &Class, key: u64, row: &[u8]) -> Result<P> {
        let run = Run::new(&self.0, Kind::Read);
        let options = run.options(&self.0.options);
        let load = || {
            let (version, content) = class.version_of(row)?;
            version.read(|reader| reader.load(content, &options))
        };
        load().map_err(|error| crate::run::in_row(class, key, error))
    }

    /// Reads the objects of a class one by one, in the order of their keys. Only a page of rows is
    /// in memory.
    pub fn rows<T: Row>(&self) -> Rows<T> {
        let class = self.0.classes.of::<T>();
        Rows { pages: Pages::new(self, class), of: PhantomData }
    }

    /// As [`rows`](Store::rows), without the program's types.
    pub fn values(&self, class: &str) -> Values {
        let class = self.0.classes.by_name(class).ok_or_else(|| no_class(class));
        Values { pages: Pages::new(self, class) }
    }
}

#[cold]
pub(super) fn no_class(name: &str) -> Error {
    Error::new(ErrorKind::UnknownType, format_args!("the store has no class `{name}`"))
}

/// The rows of a class, page by page.
struct Pages {
    store: Store,
    class: Option<Rc<Class>>,
    failed: Option<Error>,
    page: VecDeque<(u64, Vec<u8>)>,
    next: Option<u64>,
}

/// The number of bytes after which a page ends.
const PAGE: usize = 64 << 10;

impl Pages {
    fn new(store: &Store, class: Result<Rc<Class>>) -> Self {
        let (class, failed) = match class {
            Ok(class) => (Some(class), None),
            Err(error) => (None, Some(error)),
        };
        Pages { store: store.clone(), class, failed, page: VecDeque::new(), next: Some(0) }
    }

    fn next<P>(
        &mut self,
        decode: impl FnOnce(&Store, &Class, u64, &[u8]) -> Result<P>,
    ) -> Option<Result<P>> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        let class = self.class.clone()?;
        if self.page.is_empty()
            && let Some(from) = self.next.take()
            && let Err(error) = self.read(&class, from)
        {
            self.class = None;
            return Some(Err(error));
        }
        let (key, row) = self.page.pop_front()?;
        Some(decode(&self.store, &class, key, &row))
    }

    fn read(&mut self, class: &Class, from: u64) -> Result {
        let (_, to) = layout::all_rows(class.id);
        let (page, next) = (&mut self.page, &mut self.next);
        let mut bytes = 0;
        self.store.0.storage.scan(&layout::row(class.id, from), &to, &mut |key, row| {
            let key = layout::row_key(key)?;
            bytes += row.len();
            page.push_back((key, row.to_vec()));
            if bytes >= PAGE {
                *next = key.checked_add(1);
                return Ok(false);
            }
            Ok(true)
        })
    }
}

/// The objects of a class, from [`Store::rows`].
pub struct Rows<T> {
    pages: Pages,
    of: PhantomData<fn() -> T>,
}

impl<T: Row> Iterator for Rows<T> {
    type Item = Result<(Ref<T>, T)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.pages.next(|store, class, key, row| {
            let run = Run::new(&store.0, Kind::Read);
            let options = run.options(&store.0.options);
            let mut value = T::try_blank(&options)?;
            run.load_root(&options, || {
                run.fill(class, (key, false), row, (&mut value, &LastSave::default()), &options)?;
                Ok(true)
            })?;
            Ok((Ref::new(key), value))
        })
    }
}

/// The objects of a class as values, from [`Store::values`].
pub struct Values {
    pages: Pages,
}

impl Iterator for Values {
    type Item = Result<(u64, Value)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.pages.next(|store, class, key, row| Ok((key, store.decode(class, key, row)?)))
    }
}
