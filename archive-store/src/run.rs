//! [`Run`]: one attach, save or search, which the functions of types find in the context.

mod loading;
mod places;
mod saving;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use archive_core::{Archive, Error, ErrorKind, Options, Result};

use crate::class::Class;
use crate::row::Row;
use crate::shared::{Entries, Entry};
use crate::store::Inner;

pub(crate) use loading::{Loading, Owner, split};
pub(crate) use places::{in_row, name_both};
pub(crate) use saving::Save;

/// What is being done. A value that is visited with one in the context is part of a row.
pub(crate) struct Run {
    pub(crate) store: Rc<Inner>,
    pub(crate) kind: Kind,
    /// The row that is being visited.
    owner: Cell<Option<Owner>>,
    /// The class of the root.
    root: Cell<u32>,
    /// Whether a row is loaded for the second time, because a value in it did not fit. Rows that it
    /// owns may have been met the first time.
    again: Cell<bool>,
    /// The keys of shared objects, if the run is not a load of the store's world.
    entries: Entries,
}

pub(crate) enum Kind {
    /// Objects are filled from their rows.
    Load,
    /// As `Load`, for objects that belong to no world.
    Read,
    /// One row is loaded for the references in it that lead nowhere: each is an error.
    Dangling,
    /// Objects are written to their rows.
    Save(Save),
    /// Nothing is written; the owner of an object is an error, after `skip` others. With the key 0,
    /// all owners of single objects of the class are one owner.
    Locate {
        class: u32,
        key: u64,
        skip: Cell<u32>,
        single: Cell<bool>,
        shared: RefCell<BTreeSet<usize>>,
    },
}

impl Run {
    pub(crate) fn new(store: &Rc<Inner>, kind: Kind) -> Rc<Run> {
        let (owner, root) = (Cell::new(None), Cell::new(0));
        let (again, entries) = (Cell::new(false), Entries::default());
        Rc::new(Run { store: store.clone(), kind, owner, root, again, entries })
    }

    /// Returns what a key of a shared object means.
    pub(crate) fn entry<T: Row>(&self, key: u64) -> Result<Rc<Entry<T>>> {
        match self.kind {
            Kind::Load => self.store.entries.of(key),
            _ => self.entries.of(key),
        }
    }

    /// Returns options with the run in their context.
    pub(crate) fn options<'a>(self: &'a Rc<Self>, options: &Options<'a>) -> Options<'a> {
        options.clone().provide_ref(self)
    }

    /// Returns the run that an archive is part of; none outside of stores.
    #[inline]
    pub(crate) fn of<A: Archive>(ar: &A) -> Option<Rc<Run>> {
        ar.options().context::<Rc<Run>>().cloned()
    }

    /// Returns the class of a type, whose rows belong to the root of this run.
    #[inline]
    pub(crate) fn class<T: Row>(&self) -> Result<Rc<Class>> {
        self.store.classes.of::<T>()
    }

    /// Makes the root own a class.
    pub(crate) fn owns(&self, class: &Class) {
        class.root.set(self.root.get());
    }

    /// Whether the rows of a class may be those of the root: no other root has met the class.
    pub(crate) fn may_own(&self, class: &Class) -> bool {
        let root = class.root.get();
        root == 0 || root == self.root.get()
    }

    /// Makes the rows of the run those of a root of that class.
    pub(crate) fn begin_root(&self, class: &Class) {
        self.root.set(class.id);
        self.owns(class);
    }

    /// Notes that an object is owned where the walk is. Returns whether it was not met before.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if it is owned elsewhere too.
    pub(crate) fn meet(&self, class: &Class, key: u64) -> Result<bool> {
        self.owns(class);
        let mut seen = class.seen.borrow_mut();
        let new = seen.keys.insert(key);
        if new && !seen.pool || self.again.get() {
            return Ok(new);
        }
        drop(seen);
        Err(self.collision(class, key))
    }

    /// Notes that a pool has all objects of a class.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if some are owned elsewhere too.
    pub(crate) fn meet_pool(&self, class: &Class) -> Result {
        self.owns(class);
        let mut seen = class.seen.borrow_mut();
        let first = !seen.pool && seen.keys.len() == 0;
        seen.pool = true;
        drop(seen);
        if first || self.again.get() { Ok(()) } else { Err(self.collision(class, 0)) }
    }

    /// Returns the error for an object with two owners, or, with 0, for a class. The places are
    /// added where the whole world is at hand.
    #[cold]
    fn collision(&self, class: &Class, key: u64) -> Error {
        self.store.collision.set(Some((class.id, key)));
        let message = match key {
            0 => format!("the class `{}` has a pool and another owner", class.name),
            _ => format!("two objects have the key `{} {key}`", class.name),
        };
        Error::new(ErrorKind::DuplicateMember, message)
    }
}
