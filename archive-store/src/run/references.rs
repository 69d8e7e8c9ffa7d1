//! References, and which of them are dangling.

use std::fmt;
use std::rc::Rc;

use archive_core::{Error, ErrorKind, Options, Result};

use super::{Kind, Run};
use crate::class::Class;
use crate::known::RowState;
use crate::layout;
use crate::report::{Dangling, Findings};
use crate::row::{Row, RowId};
use crate::store::Inner;

/// The row that is being visited, and how to find dangling references in it.
#[derive(Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) class: u32,
    pub(crate) key: u64,
    dangling: FindDangling,
}

/// Returns the paths and the targets of the dangling references in a row.
type FindDangling = fn(&Rc<Inner>, u64, &Options<'_>) -> Vec<(String, RowId)>;

impl Owner {
    pub(crate) fn of<T: Row>(class: &Class, key: u64) -> Self {
        Owner { class: class.id, key, dangling: dangling::<T> }
    }
}

/// The findings since the store was opened.
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

impl Run {
    /// Notes a reference in the row that is being visited.
    #[inline]
    pub(crate) fn refer<T: Row>(&self, key: u64) -> Result {
        match self.kind {
            Kind::Load => {}
            Kind::Dangling => return check_reference(&*self.class::<T>()?, key),
            _ => return Ok(()),
        }
        let class = self.class::<T>()?;
        if matches!(class.row(key), RowState::Of(_)) {
            return Ok(());
        }
        if let Some(owner) = self.owner.get() {
            self.store.loading.borrow_mut().add(owner, class.id, key);
        }
        Ok(())
    }
}

/// The target of a dangling reference, as an error.
#[derive(Debug)]
struct Missing(RowId);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {}", self.0)
    }
}

impl std::error::Error for Missing {}

fn check_reference(class: &Class, key: u64) -> Result {
    if matches!(class.row(key), RowState::Of(_)) {
        return Ok(());
    }
    let missing = Missing(RowId { class: class.name.to_string(), key });
    Err(Error::with_source(ErrorKind::Custom, missing.to_string(), missing))
}

impl Loading {
    fn add(&mut self, owner: Owner, class: u32, key: u64) {
        let last = self.owners.last();
        if last.is_none_or(|last| (last.class, last.key) != (owner.class, owner.key)) {
            self.owners.push(owner);
        }
        let owner = (self.owners.len() - 1) as u32;
        self.references.push(Reference { owner, class, key });
    }

    /// Returns how many references were noted.
    pub(super) fn mark(&self) -> usize {
        self.references.len()
    }

    /// Forgets the references that were noted after `mark`.
    pub(super) fn forget_after(&mut self, mark: usize) {
        self.references.truncate(mark);
    }

    /// Lists the references to objects that were not loaded.
    pub(crate) fn dangling(
        &self,
        store: &Rc<Inner>,
        options: &Options<'_>,
        most: usize,
    ) -> (Vec<Dangling>, u64) {
        let classes = store.classes.all();
        let class = |id| classes.iter().find(|class| class.id == id);
        let is_dangling = |reference: &&Reference| {
            let state = class(reference.class).map(|class| class.row(reference.key));
            !matches!(state, Some(RowState::Of(_)))
        };
        let (mut found, mut all, mut last) = (Vec::new(), 0, None);
        for reference in self.references.iter().filter(is_dangling) {
            all += 1;
            if found.len() >= most || last.replace(reference.owner) == Some(reference.owner) {
                continue;
            }
            let owner = self.owners[reference.owner as usize];
            let Some(class) = class(owner.class) else { continue };
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

/// Returns the paths of the dangling references in a row. The row is loaded once more, and each of
/// them is an error of that load.
fn dangling<T: Row>(store: &Rc<Inner>, key: u64, options: &Options<'_>) -> Vec<(String, RowId)> {
    let mut found = Vec::new();
    let run = Run::new(store, Kind::Dangling);
    let options = run.options(options).keep_going(true).each_error(true);
    let mut load = || -> Result {
        let class = store.classes.of::<T>()?;
        let mut value = T::try_blank(&options)?;
        store.storage.get(&layout::row(class.id, key), &mut |row| {
            let (version, content) = class.version_of(row)?;
            let report =
                version.read(|reader| reader.load_into_report(&mut value, content, &options))?;
            found.extend(report.errors().iter().filter_map(|error| {
                let source = std::error::Error::source(error)?;
                let Missing(target) = source.downcast_ref()?;
                Some((error.path().to_owned(), target.clone()))
            }));
            Ok(())
        })?;
        Ok(())
    };
    // A row that does not load a second time has no paths.
    let _ = load();
    found
}
