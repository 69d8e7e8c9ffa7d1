//! Filling objects from their rows.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use archive_binary::rows::Reader;
use archive_core::{Error, ErrorKind, Options, Report, Result};

use super::places::in_row;
use super::{Kind, Run};
use crate::class::Class;
use crate::layout::{self, damaged};
use crate::mark::{Mark, hash};
use crate::report::{Dangling, Findings};
use crate::row::{Row, RowId};
use crate::store::Inner;

/// The row that is being visited, and how to find references in it.
#[derive(Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) class: u32,
    pub(crate) key: u64,
    pub(crate) dangling: FindDangling,
}

/// Returns the paths in a row and the targets of references that lead nowhere.
type FindDangling = fn(&Rc<Inner>, u64, &Options<'_>) -> Vec<(String, RowId)>;

impl Owner {
    pub(crate) fn of<T: Row>(class: &Class, key: u64) -> Self {
        Owner { class: class.id, key, dangling: dangling::<T> }
    }
}

/// What was found since the store was opened.
#[derive(Default)]
pub(crate) struct Loading {
    pub(crate) findings: Findings,
    /// References to objects that had not been loaded yet, and the rows that have them.
    references: Vec<Reference>,
    owners: Vec<Owner>,
}

struct Reference {
    owner: u32,
    class: u32,
    key: u64,
}

/// Splits a row into the number of its types and its content.
pub(crate) fn split(row: &[u8]) -> Result<(u32, &[u8])> {
    match row {
        [u8::MAX, a, b, c, d, content @ ..] => Ok((u32::from_be_bytes([*a, *b, *c, *d]), content)),
        [version, content @ ..] if *version < u8::MAX => Ok(((*version).into(), content)),
        _ => Err(damaged("a row ends before its content")),
    }
}

impl Run {
    /// Fills an object from its row, if there is one.
    pub(crate) fn pull<T: Row>(
        &self,
        class: &Class,
        key: u64,
        (value, mark): (&mut T, &Mark),
        options: &Options<'_>,
    ) -> Result<bool> {
        self.store.storage.get(&layout::row(class.id, key), &mut |row| {
            let mut new = false;
            if matches!(self.kind, Kind::Load) {
                new = self.meet(class, key)?;
                class.uses(key);
            }
            self.fill(class, (key, new), row, (&mut *value, mark), options)
        })
    }

    /// Fills an object from a row. What is to be reported of the row is, if it is `new`.
    #[inline]
    pub(crate) fn fill<T: Row>(
        &self,
        class: &Class,
        (key, new): (u64, bool),
        row: &[u8],
        (value, mark): (&mut T, &Mark),
        options: &Options<'_>,
    ) -> Result {
        let outer = self.owner.replace(Some(Owner::of::<T>(class, key)));
        let filled = self.fill_from(class, (key, new), row, value, options);
        self.owner.set(outer);
        filled.map_err(|error| in_row(class, key, error))?;
        if matches!(self.kind, Kind::Load) {
            mark.set(self.store.now.get(), hash(row));
        }
        Ok(())
    }

    fn fill_from<T: Row>(
        &self,
        class: &Class,
        (key, new): (u64, bool),
        row: &[u8],
        value: &mut T,
        options: &Options<'_>,
    ) -> Result {
        let (version, content) = split(row)?;
        let version = class.version(version)?;
        let mut reader =
            version.reader.take().unwrap_or_else(|| Box::new(Reader::new(&version.types)));
        let loaded = if !matches!(self.kind, Kind::Load) {
            reader.load_into(value, content, options).map(|()| None)
        } else {
            self.load(&mut reader, version.matches::<T>(), content, value, options)
        };
        version.reader.replace(Some(reader));
        let findings = || RefMut::map(self.store.loading.borrow_mut(), |all| &mut all.findings);
        match loaded {
            // The object as a whole was refused, as by its `after_load`.
            Err(error) if matches!(self.kind, Kind::Load) && may_be_unfit(&error) => {
                *value = T::try_blank(options)?;
                findings().refused(class, key, &error);
            }
            loaded => {
                if let Some(report) = loaded?
                    && new
                {
                    findings().add(class, key, &report);
                }
            }
        }
        Ok(())
    }

    /// Loads a row that may not fit, and returns a report if there can be something in it.
    fn load<T: Row>(
        &self,
        reader: &mut Reader,
        matches: bool,
        content: &[u8],
        value: &mut T,
        options: &Options<'_>,
    ) -> Result<Option<Report>> {
        // A load with a report is slower: only rows of other types have something to report, and
        // those with a value that the program no longer accepts.
        if matches {
            match reader.load_into(value, content, options) {
                Err(error) if may_be_unfit(&error) => {}
                loaded => return loaded.map(|()| None),
            }
        }
        let again = self.again.replace(matches || self.again.get());
        let lenient = options.clone().keep_going(true);
        let loaded = reader.load_into_report(value, content, &lenient);
        self.again.set(again);
        loaded.map(Some)
    }

    /// Notes what was found in a part of the row that is being visited.
    pub(crate) fn note(&self, report: &Report) {
        if let (Kind::Load, false, Some(owner)) = (&self.kind, self.again.get(), self.owner.get())
            && let Some(class) = self.store.classes.by_id(owner.class)
        {
            self.store.loading.borrow_mut().findings.add(&class, owner.key, report);
        }
    }

    /// Notes a reference in the row that is being visited.
    #[inline]
    pub(crate) fn refer<T: Row>(&self, key: u64) -> Result {
        match self.kind {
            Kind::Load => {}
            Kind::Dangling => return self.check_reference(&*self.class::<T>()?, key),
            _ => return Ok(()),
        }
        let class = self.class::<T>()?;
        if class.seen.borrow().keys.contains(key) {
            return Ok(());
        }
        let Some(owner) = self.owner.get() else { return Ok(()) };
        let mut loading = self.store.loading.borrow_mut();
        let loading = &mut *loading;
        if loading
            .owners
            .last()
            .is_none_or(|last| (last.class, last.key) != (owner.class, owner.key))
        {
            loading.owners.push(owner);
        }
        let owner = (loading.owners.len() - 1) as u32;
        loading.references.push(Reference { owner, class: class.id, key });
        Ok(())
    }

    /// Handles an object whose row is not there. In a world the object keeps its value, and its
    /// owner's key of it is a reference that leads nowhere.
    #[cold]
    pub(crate) fn has_no_row<T: Row>(&self, key: u64) -> Result {
        if matches!(self.kind, Kind::Load) {
            return self.refer::<T>(key);
        }
        let message = format_args!("the store has no row {} {key}", T::CLASS);
        Err(Error::new(ErrorKind::BadPointer, message))
    }

    fn check_reference(&self, class: &Class, key: u64) -> Result {
        match class.seen.borrow().keys.contains(key) {
            true => Ok(()),
            false => Err(Error::custom(format_args!("no {} {key}", class.name))),
        }
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

impl Loading {
    /// Lists the references to objects that were not loaded.
    pub(crate) fn dangling(
        &mut self,
        store: &Rc<Inner>,
        options: &Options<'_>,
        most: usize,
    ) -> (Vec<Dangling>, u64) {
        let classes = store.classes.all();
        let leads_nowhere = |reference: &&Reference| {
            let class = classes.iter().find(|class| class.id == reference.class);
            !class.is_some_and(|class| class.seen.borrow().keys.contains(reference.key))
        };
        let (mut found, mut all, mut last) = (Vec::new(), 0, None);
        for reference in self.references.iter().filter(leads_nowhere) {
            all += 1;
            if found.len() >= most || last.replace(reference.owner) == Some(reference.owner) {
                continue;
            }
            let owner = self.owners[reference.owner as usize];
            let Some(class) = classes.iter().find(|class| class.id == owner.class) else {
                continue;
            };
            let id = RowId { class: class.name.to_string(), key: owner.key };
            for (member, target) in (owner.dangling)(store, owner.key, options) {
                found.push(Dangling { owner: id.clone(), member, target });
            }
        }
        found.sort();
        found.dedup();
        found.truncate(most);
        let omitted = all - found.len().min(all);
        (found, omitted as u64)
    }
}

/// Returns the paths of the references in a row that lead nowhere. The row is loaded once more, and
/// each of them is an error of that load.
fn dangling<T: Row>(store: &Rc<Inner>, key: u64, options: &Options<'_>) -> Vec<(String, RowId)> {
    let errors = RefCell::new(Vec::new());
    let run = Run::new(store, Kind::Dangling);
    let options = run.options(options).keep_going(true);
    let load = || -> Result {
        let class = store.classes.of::<T>()?;
        let mut value = T::try_blank(&options)?;
        store.storage.get(&layout::row(class.id, key), &mut |row| {
            let (version, content) = split(row)?;
            let mut reader = Reader::new(&class.version(version)?.types);
            let report = reader.load_into_report(&mut value, content, &options)?;
            for error in report.errors() {
                if error.kind() == ErrorKind::Custom
                    && let Some(target) = error.message().strip_prefix("no ")
                    && let Some((class, key)) = target.rsplit_once(' ')
                    && let Ok(key) = key.parse()
                {
                    let target = RowId { class: class.to_owned(), key };
                    errors.borrow_mut().push((error.path().to_owned(), target));
                }
            }
            Ok(())
        })?;
        Ok(())
    };
    // What does not load a second time has no path.
    let _ = load();
    errors.into_inner()
}
