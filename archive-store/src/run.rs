//! [`Run`]: one attach, save or search. The functions of types find it in the context.

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

/// An operation on a store. A value that is visited with a run in the context is part of a row.
pub(crate) struct Run {
    pub(crate) store: Rc<Inner>,
    pub(crate) kind: Kind,
    /// The row that is being visited.
    owner: Cell<Option<Owner>>,
    /// How many rows are being visited, one inside another.
    depth: Cell<u32>,
    /// The class and the key of the root.
    root: Cell<(u32, u64)>,
    /// Where shared objects of the world note that they were changed.
    changed: RefCell<Weak<Changed>>,
    /// Whether objects that have no key are left out of a save.
    keyless: Cell<bool>,
    /// Whether a part of the row that is being loaded did not fit.
    unfit: Cell<bool>,
    /// The error that fails the load, even if it occurred in a value that can keep its default.
    failed: Cell<Option<Error>>,
    /// The error of a pool that the program could not load.
    refused: Cell<Option<Error>>,
    /// Whether a row is loaded for the second time, because a value in it did not fit. Rows that it
    /// owns may have been visited the first time.
    again: Cell<bool>,
    /// The rows that were visited by a load outside of a world, or by the second load of a row.
    met: Met,
    /// Keys of sets and maps that refer to shared objects.
    keys: OtherParts,
    /// The keys of shared objects, if the run does not load the store's world.
    entries: Entries,
    /// Buffers for the rows that are being written. Rows that a row owns are written meanwhile.
    buffers: RefCell<Vec<Vec<u8>>>,
    /// Shared objects whose rows are visited after those of their owners.
    queue: Queue,
}

pub(crate) enum Kind {
    /// Objects are filled from their rows.
    Load,
    /// As `Load`, for objects that belong to no world.
    Read,
    /// One row is loaded to find its dangling references. Each of them is an error.
    Dangling,
    /// Objects are written to their rows.
    Save(Save),
    /// Nothing is written. The search ends with an error at the owner of an object, after `skip`
    /// others. With the key 0, all owners of single objects of the class count as one owner. With
    /// the class 0 nothing is searched, and the keys of objects are noted.
    Locate { class: u32, key: u64, skip: Cell<u32>, single: Cell<bool> },
}

/// The maximum number of rows inside one another. The stack limits it, because a row has levels
/// too.
const MAX_ROWS: u32 = 32;

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
    /// [`ErrorKind::DepthLimit`] if too many rows are open.
    #[inline]
    fn deeper<R>(&self, visit: impl FnOnce() -> Result<R>) -> Result<R> {
        let depth = self.depth.get();
        if depth >= MAX_ROWS {
            let message = format_args!(
                "more than {MAX_ROWS} objects with rows are nested: `Shared` has no \
                 such limit"
            );
            return Err(Error::new(ErrorKind::DepthLimit, message));
        }
        self.depth.set(depth + 1);
        let visited = visit();
        self.depth.set(depth);
        visited
    }

    /// Returns the options for a row inside the current one. From the third row on, a row may only
    /// use the levels that the others leave, so that all of them fit into the stack.
    pub(crate) fn options_inside<'a, A: Archive>(&self, ar: &'a A) -> Cow<'a, Options<'a>> {
        let options = ar.options();
        if self.depth.get() < 2 {
            return Cow::Borrowed(options);
        }
        let left = options.settings().limits().depth.saturating_sub(ar.session().depth());
        Cow::Owned(options.clone().max_depth(left))
    }

    /// Loads a root with `pull`, and then its shared objects. If keys of sets and maps refer to
    /// shared objects, everything is loaded again when these objects are complete, because their
    /// rows come after those of their owners. A third load completes keys that are compared by keys
    /// of other sets.
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

    /// Notes that a load has visited a shared object.
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

    /// Visits the rows of the queued shared objects.
    pub(crate) fn visit_shared(self: &Rc<Self>, options: &Options<'_>) -> Result {
        while let Some((object, owner)) = self.queue.pop() {
            self.owner.set(owner);
            object.visit(self, options)?;
        }
        self.owner.set(None);
        Ok(())
    }

    /// Queues a shared object, unless it was queued before. Its row is visited after the current
    /// ones.
    pub(crate) fn visit_later(&self, object: Rc<dyn Queued>) {
        self.queue.push(object, self.owner.get());
    }

    /// Returns the entry for a key of a shared object.
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

    /// Returns the run that an archive is part of; `None` outside of stores.
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

    /// Whether the rows of a class may belong to the world: no other world has objects of the
    /// class.
    pub(crate) fn may_own(&self, class: &Class) -> bool {
        let (root, key) = self.root.get();
        match class.owner.get() {
            WorldOf::Unknown => true,
            owner => owner == WorldOf::One(root, key),
        }
    }

    /// Assigns the rows of the run to a world.
    pub(crate) fn begin_root(&self, class: &Class, world: &World) {
        self.root.set(world.id);
        self.changed.replace(Rc::downgrade(&world.changed));
        self.owns(class);
    }

    /// Returns the list in which shared objects of the world note that they were changed.
    pub(crate) fn changed(&self) -> Weak<Changed> {
        self.changed.borrow().clone()
    }

    /// Whether objects without a key get one.
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
