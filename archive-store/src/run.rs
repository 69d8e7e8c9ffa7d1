//! [`Run`]: one attach, save or search, which the functions of types find in the context.

mod loading;
mod met;
mod places;
mod references;
mod saving;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use archive_core::bridge::{self, OtherParts};
use archive_core::{Archive, Error, ErrorKind, Options, Result};

use crate::class::{Class, WorldOf};
use crate::row::Row;
use crate::shared::{Changed, Entries, Entry, Queue, Queued};
use crate::store::{Inner, World};
use met::Met;

pub(crate) use loading::{Filled, without_report};
pub(crate) use places::{in_row, name_both, note_keys};
pub(crate) use references::{Loading, Owner};
pub(crate) use saving::{Mode, Save};

/// What is being done. A value that is visited with one in the context is part of a row.
pub(crate) struct Run {
    pub(crate) store: Rc<Inner>,
    pub(crate) kind: Kind,
    /// The row that is being visited.
    owner: Cell<Option<Owner>>,
    /// How many rows are being visited, one inside the other.
    depth: Cell<u32>,
    /// The class and the key of the root.
    root: Cell<(u32, u64)>,
    /// Where shared objects of the world note that they were changed.
    changed: RefCell<Weak<Changed>>,
    /// Whether objects that have no key are left out of a save.
    keyless: Cell<bool>,
    /// Whether a part of the row that is being loaded did not fit.
    unfit: Cell<bool>,
    /// Why a load cannot go on, although what it is about may be a value that keeps its default.
    failed: Cell<Option<Error>>,
    /// Why the program could not load a pool.
    refused: Cell<Option<Error>>,
    /// Whether a row is loaded for the second time, because a value in it did not fit. Rows that it
    /// owns may have been met the first time.
    again: Cell<bool>,
    /// The rows that were met by a load of no world, or by the second load of a row.
    met: Met,
    /// Keys of sets and maps that refer to shared objects.
    keys: OtherParts,
    /// The keys of shared objects, if the run is not a load of the store's world.
    entries: Entries,
    /// Buffers for the rows that are being written. A row may own others, which are written inside.
    buffers: RefCell<Vec<Vec<u8>>>,
    /// Shared objects that were met, and whose rows are visited after those of their owners.
    queue: Queue,
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
    /// all owners of single objects of the class are one owner. With the class 0 nothing is searched,
    /// and the keys that objects have are noted.
    Locate { class: u32, key: u64, skip: Cell<u32>, single: Cell<bool> },
}

/// How many rows can be visited one inside the other. The stack limits it: a row has levels too.
const MOST_ROWS: u32 = 32;

impl Run {
    pub(crate) fn new(store: &Rc<Inner>, kind: Kind) -> Rc<Run> {
        Rc::new(Run {
            store: store.clone(),
            kind,
            owner: Cell::new(None),
            depth: Cell::new(0),
            root: Cell::new((0, 0)),
            changed: RefCell::default(),
            keyless: Cell::new(false),
            unfit: Cell::new(false),
            failed: Cell::new(None),
            refused: Cell::new(None),
            again: Cell::new(false),
            met: Met::default(),
            keys: OtherParts::default(),
            entries: Entries::default(),
            buffers: RefCell::default(),
            queue: Queue::default(),
        })
    }

    /// Visits a row.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`] if it is inside of too many others.
    #[inline]
    fn deeper<R>(&self, visit: impl FnOnce() -> Result<R>) -> Result<R> {
        let depth = self.depth.get();
        if depth >= MOST_ROWS {
            let message = format_args!(
                "more than {MOST_ROWS} objects with rows are inside one another: `Shared` has no \
                 such limit"
            );
            return Err(Error::new(ErrorKind::DepthLimit, message));
        }
        self.depth.set(depth + 1);
        let visited = visit();
        self.depth.set(depth);
        visited
    }

    /// Returns the options for a row that is inside of the one being visited. From the third row
    /// on it has only the levels that the others leave, so that all of them fit into the stack.
    pub(crate) fn options_inside<'a, A: Archive>(&self, ar: &'a A) -> Cow<'a, Options<'a>> {
        let options = ar.options();
        if self.depth.get() < 2 {
            return Cow::Borrowed(options);
        }
        let left = options.settings().limits().depth.saturating_sub(ar.session().depth());
        Cow::Owned(options.clone().max_depth(left))
    }

    /// Loads a root with `pull`, and the shared objects that were met. If keys of sets and maps refer to
    /// shared objects, everything is loaded again when these are complete: their rows come after those of
    /// their owners. A third time completes keys that are compared by keys of other sets.
    pub(crate) fn load_root(
        self: &Rc<Self>,
        options: &Options<'_>,
        mut pull: impl FnMut() -> Result<bool>,
    ) -> Result<bool> {
        const PASSES: u32 = 3;
        let mut found = pull()?;
        self.visit_shared(options)?;
        if self.keys.again.get() {
            let outer = self.again.replace(true);
            for _ in 1..PASSES {
                self.keys.incomplete.set(false);
                self.met.clear();
                self.queue.begin_again();
                found = pull()?;
                self.visit_shared(options)?;
            }
            self.again.set(outer);
        }
        Ok(found)
    }

    /// Notes that a shared object was met in a load.
    pub(crate) fn meet_shared<A: Archive>(&self, ar: &mut A) {
        bridge::note_pointer(ar.session_mut());
        if !self.keys.again.get() || !self.again.get() {
            self.keys.incomplete.set(true);
        }
    }

    /// Whether the content of shared objects is replaced.
    pub(crate) fn replaces(&self) -> bool {
        self.keys.again.get() && !self.keys.incomplete.get()
    }

    /// Visits the rows of the shared objects that were met.
    pub(crate) fn visit_shared(self: &Rc<Self>, options: &Options<'_>) -> Result {
        while let Some((object, owner)) = self.queue.pop() {
            self.owner.set(owner);
            object.visit(self, options)?;
        }
        self.owner.set(None);
        Ok(())
    }

    /// Visits the row of a shared object after those that are being visited, if it was not met yet.
    pub(crate) fn visit_later(&self, object: Rc<dyn Queued>) {
        self.queue.push(object, self.owner.get());
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
        options.clone().provide_ref(self).provide_ref(&self.keys)
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

    /// Notes that the world has objects of a class.
    fn owns(&self, class: &Class) {
        if matches!(self.kind, Kind::Load | Kind::Save(_)) {
            let is_alone = self.may_own(class);
            let (root, key) = self.root.get();
            class.owner.set(if is_alone { WorldOf::One(root, key) } else { WorldOf::Several });
        }
    }

    /// Whether the rows of a class may be those of the world: no other one has met the class.
    pub(crate) fn may_own(&self, class: &Class) -> bool {
        let (root, key) = self.root.get();
        match class.owner.get() {
            WorldOf::Unknown => true,
            owner => owner == WorldOf::One(root, key),
        }
    }

    /// Makes the rows of the run those of a world.
    pub(crate) fn begin_root(&self, class: &Class, world: &World) {
        self.root.set(world.id);
        self.changed.replace(Rc::downgrade(&world.changed));
        self.owns(class);
    }

    /// Returns where shared objects of the world note that they were changed.
    pub(crate) fn changed(&self) -> Weak<Changed> {
        self.changed.borrow().clone()
    }

    /// Whether objects that have no key get one.
    pub(crate) fn assigns_keys(&self) -> bool {
        matches!(self.kind, Kind::Save(_)) && !self.keyless.get()
    }

    /// Returns the error for an object of another world, or, with 0, for a pool.
    #[cold]
    fn belongs_elsewhere(&self, class: &Class, key: u64, (root, root_key): (u32, u64)) -> Error {
        let world = match self.store.classes.by_id(root) {
            Some(root) => format!("`{} {root_key}`", root.name),
            None => "other worlds".into(),
        };
        let message = match key {
            0 => format!(
                "the class `{}` has objects in {world} too: a pool has all objects of its class",
                class.name
            ),
            _ => format!("the key `{} {key}` is that of an object of {world}", class.name),
        };
        Error::new(ErrorKind::DuplicateMember, message)
    }
}
