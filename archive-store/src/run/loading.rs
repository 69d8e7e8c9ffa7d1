//! Filling objects from their rows.

use std::borrow::Cow;
use std::cell::RefMut;

use archive_core::{Error, ErrorKind, Options, Report, Result};

use super::places::in_row;
use super::{Kind, Owner, Run};
use crate::class::{Class, Version};
use crate::known::RowState;
use crate::last_save::{LastSave, hash};
use crate::layout;
use crate::report::Findings;
use crate::row::Row;

/// How an object was filled.
pub(crate) enum Filled {
    /// All values of the row fit.
    Whole,
    /// Some values of the row do not fit.
    Unfit,
    /// The program does not accept the object. It is blank.
    Refused(Error),
}

impl Run {
    /// Fills an object from its row, if there is one.
    pub(crate) fn pull<T: Row>(
        &self,
        class: &Class,
        key: u64,
        (value, last_save): (&mut T, &LastSave),
        options: &Options<'_>,
    ) -> Result<bool> {
        self.read_row(class, key, |row| {
            let mut new = false;
            if matches!(self.kind, Kind::Load) {
                new = self.meet(class, key)?;
                class.uses(key);
            }
            let is_root = self.owner.get().is_none();
            match self.fill(class, (key, new), row, (&mut *value, last_save), options)? {
                Filled::Refused(error) if is_root => return Err(in_row(class, key, error)),
                Filled::Refused(error) => self.found().refused(class, key, &error),
                _ => {}
            }
            if matches!(self.kind, Kind::Load) {
                class.is_loaded(key, self.store.now.get());
            }
            Ok(())
        })
    }

    /// Reads a row. A storage error fails the whole load.
    fn read_row(
        &self,
        class: &Class,
        key: u64,
        mut read: impl FnMut(&[u8]) -> Result,
    ) -> Result<bool> {
        let mut failed = false;
        let found = self
            .store
            .storage
            .get(&layout::row(class.id, key), &mut |row| read(row).inspect_err(|_| failed = true));
        found.inspect_err(|error| _ = failed || self.fails(error))
    }

    /// Reads all rows of a class.
    pub(crate) fn read_rows(
        &self,
        class: &Class,
        mut read: impl FnMut(u64, &[u8]) -> Result,
    ) -> Result {
        let (from, to) = layout::all_rows(class.id);
        let mut failed = false;
        let done = self.store.storage.scan(&from, &to, &mut |key, row| {
            let read = layout::row_key(key).and_then(|key| read(key, row));
            read.map(|()| true).inspect_err(|_| failed = true)
        });
        done.inspect_err(|error| _ = failed || self.fails(error))
    }

    /// Notes an error of the storage. Returns `true`.
    #[cold]
    fn fails(&self, error: &Error) -> bool {
        self.failed.set(Some(Error::new(error.kind(), error)));
        true
    }

    /// Fills an object from a row. Adds notes to the report only if `new`.
    #[inline]
    pub(crate) fn fill<T: Row>(
        &self,
        class: &Class,
        (key, new): (u64, bool),
        row: &[u8],
        (value, last_save): (&mut T, &LastSave),
        options: &Options<'_>,
    ) -> Result<Filled> {
        let outer =
            (self.owner.replace(Some(Owner::of::<T>(class, key))), self.unfit.replace(false));
        let filled = self.deeper(|| {
            let filled = self.fill_from(class, (key, new), row, (value, last_save), options)?;
            match filled {
                _ if !matches!(self.kind, Kind::Load) => {}
                Filled::Whole if !self.unfit.get() => {
                    last_save.set(self.store.now.get(), hash(row))
                }
                _ => self.is_unfit(class, value, last_save, options),
            }
            Ok(filled)
        });
        self.owner.set(outer.0);
        self.unfit.set(outer.1);
        filled.map_err(|error| in_row(class, key, error))
    }

    /// Notes that the row of an object has more than the object. If the object does not encode now,
    /// it is not compared later: the row is kept until the object is marked.
    #[cold]
    fn is_unfit<T: Row>(
        &self,
        class: &Class,
        value: &T,
        last_save: &LastSave,
        options: &Options<'_>,
    ) {
        let hash = match self.encode(class, value, options) {
            Ok(row) => hash(&row),
            Err(_) => LastSave::UNKNOWN,
        };
        last_save.set_unfit(self.store.now.get(), hash);
    }

    fn found(&self) -> RefMut<'_, Findings> {
        RefMut::map(self.store.loading.borrow_mut(), |all| &mut all.findings)
    }

    fn fill_from<T: Row>(
        &self,
        class: &Class,
        (key, new): (u64, bool),
        row: &[u8],
        (value, last_save): (&mut T, &LastSave),
        options: &Options<'_>,
    ) -> Result<Filled> {
        let (version, content) = class.version_of(row)?;
        let loaded = if !matches!(self.kind, Kind::Load) {
            version.read(|reader| reader.load_into(value, content, options).map(|()| None))
        } else {
            self.load(&version, content, (value, last_save.is_blank()), options)
        };
        let report = match loaded {
            // The object as a whole was refused, for example by its `after_load`.
            Err(error) if matches!(self.kind, Kind::Load) && may_be_unfit(&error) => {
                *value = T::try_blank(options)?;
                return Ok(Filled::Refused(error));
            }
            loaded => loaded?,
        };
        let Some(report) = report else { return Ok(Filled::Whole) };
        if new {
            self.found().add(class, key, &report);
        }
        Ok(if report.errors().is_empty() { Filled::Whole } else { Filled::Unfit })
    }

    /// Loads a row that may not fit. Returns a report, unless it would be empty.
    fn load<T: Row>(
        &self,
        version: &Version,
        content: &[u8],
        (value, is_blank): (&mut T, bool),
        options: &Options<'_>,
    ) -> Result<Option<Report>> {
        // A load with a report is slower. Only rows of other types, and rows with a value that the
        // program no longer accepts, have something to report. The first of two loads would lose
        // the values that the program has put into an object. A row inside one that is loaded for
        // the second time is loaded once; otherwise the time would double with each level.
        let again = self.again.get();
        if is_blank && !again && version.matches::<T>() {
            let (refused, references) = (self.refused.take(), self.store.loading.borrow().mark());
            let options = &*without_report(options);
            let loaded = version.read(|reader| reader.load_into(value, content, options));
            match loaded {
                Err(error) if may_be_unfit(&error) => {}
                loaded => {
                    let refused = self.refused.take().or(refused);
                    self.refused.set(refused);
                    return loaded.map(|()| None);
                }
            }
            *value = T::try_blank(options)?;
            self.again.set(true);
            self.met.clear();
            self.refused.set(refused);
            self.store.loading.borrow_mut().forget_after(references);
        }
        let lenient = options.clone().keep_going(true);
        let loaded = version.read(|reader| reader.load_into_report(value, content, &lenient));
        self.again.set(again);
        loaded.map(Some)
    }

    /// Notes that a pool was not loaded. This fails the whole load.
    #[cold]
    pub(crate) fn refuse_pool<T: Row>(&self, error: &Error) {
        if matches!(self.kind, Kind::Load) {
            let message = format_args!("the pool of the class `{}`: {error}", T::CLASS);
            self.refused.set(Some(Error::new(error.kind(), message)));
        }
    }

    /// Returns the error that fails the load although `pull` returned none. Errors in values may
    /// have gone into a report.
    pub(crate) fn failure(&self) -> Result {
        match self.failed.take().or_else(|| self.refused.take()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Leaves an object out of its pool, and its row in the store.
    #[cold]
    pub(crate) fn leave(&self, class: &Class, (key, new): (u64, bool), error: &Error) {
        if matches!(self.kind, Kind::Load) {
            class.known.borrow_mut().set(key, RowState::Refused);
        }
        if new {
            self.found().refused(class, key, error);
        }
    }

    /// Adds the report about a part of the current row to the findings.
    pub(crate) fn note(&self, report: &Report) {
        self.unfit.set(self.unfit.get() || !report.errors().is_empty());
        if let (Kind::Load, false, Some(owner)) = (&self.kind, self.again.get(), self.owner.get())
            && let Some(class) = self.store.classes.by_id(owner.class)
        {
            self.found().add(&class, owner.key, report);
        }
    }

    /// Handles an object without a row. In a world the object keeps its value, and the key in the
    /// row of its owner counts as a dangling reference.
    #[cold]
    pub(crate) fn has_no_row<T: Row>(&self, key: u64) -> Result {
        if matches!(self.kind, Kind::Load) {
            return self.refer::<T>(key);
        }
        let message = format_args!("the store has no row {} {key}", T::CLASS);
        Err(Error::new(ErrorKind::BadPointer, message))
    }
}

/// Returns options with which a load ends with the first error.
pub(crate) fn without_report<'a, 'o>(options: &'a Options<'o>) -> Cow<'a, Options<'o>> {
    match options.settings().keep_going() {
        true => Cow::Owned(options.clone().keep_going(false)),
        false => Cow::Borrowed(options),
    }
}

/// Whether an error is about a value, and not about the row or the world.
fn may_be_unfit(error: &Error) -> bool {
    use ErrorKind::{
        Custom, MissingMember, NewerVersion, OutOfRange, UnknownType, UnknownVariant, WrongLength,
        WrongType,
    };
    matches!(
        error.kind(),
        Custom
            | MissingMember
            | NewerVersion
            | OutOfRange
            | UnknownType
            | UnknownVariant
            | WrongLength
            | WrongType
    )
}
