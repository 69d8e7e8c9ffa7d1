//! The object of a [`Shared`](super::Shared), and the entries of keys while a store is loading.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Error, ErrorKind, Options, Result, Save, Serialize};

use crate::known::RowState;
use crate::last_save::{LastSave, Moment};
use crate::layout::damaged;
use crate::row::Row;
use crate::run::{Kind, Owner, Run};

/// The object, and the state of its row.
pub(crate) struct Node<T> {
    pub(super) value: T,
    pub(super) last_save: LastSave,
    key: AtomicU64,
    /// The list in which the store that has the row looks for changes.
    changed: RefCell<Weak<Changed>>,
}

/// The shared objects that were changed since the last save.
#[derive(Default)]
pub(crate) struct Changed(RefCell<Vec<Weak<dyn Queued>>>);

/// A shared object, and the row in which it was found.
pub(crate) type Met = (Rc<dyn Queued>, Option<Owner>);

/// Shared objects whose rows are visited later, and the addresses of all shared objects so far.
#[derive(Default)]
pub(crate) struct Queue {
    objects: RefCell<Vec<Met>>,
    met: RefCell<HashSet<usize>>,
    visited: RefCell<Vec<Met>>,
}

/// A shared object of any type.
pub(crate) trait Queued {
    /// Fills or writes the row of the object.
    fn visit(self: Rc<Self>, run: &Run, options: &Options<'_>) -> Result;

    /// Whether the key belongs to another object, if a save did not visit this one.
    fn has_key_of_another(&self, run: &Run, now: Moment) -> bool;
}

/// Returns the address of an object.
pub(crate) fn address(object: &Rc<dyn Queued>) -> usize {
    Rc::as_ptr(object).cast::<()>().addr()
}

impl<T: Row> Queued for RefCell<Node<T>> {
    fn visit(self: Rc<Self>, run: &Run, options: &Options<'_>) -> Result {
        let class = run.class::<T>()?;
        if matches!(run.kind, Kind::Load | Kind::Read) {
            if run.replaces() {
                return Node::replace(&self, run, options);
            }
            let mut node = self.try_borrow_mut().map_err(|_| borrowed())?;
            let key = node.key.load(Relaxed);
            let Node { value, last_save, .. } = &mut *node;
            let found = run.pull(&class, key, (value, last_save), options)?;
            node.reports_to(run);
            return if found { Ok(()) } else { run.has_no_row::<T>(key) };
        }
        let node = self.try_borrow().map_err(|_| borrowed())?;
        let key = node.key.load(Relaxed);
        run.save_single(&class, (key, &node.value, &node.last_save), false, options)?;
        node.reports_to(run);
        Ok(())
    }

    fn has_key_of_another(&self, run: &Run, now: Moment) -> bool {
        let (Ok(node), Ok(class)) = (self.try_borrow(), run.class::<T>()) else { return false };
        let key = node.known_key();
        let row = class.row(key);
        // The save may be about to replace the row of this object.
        let is_replaced = class.seen.borrow().keys.contains(key);
        is_replaced || row != RowState::Absent && !node.last_save.is_of(now, row)
    }
}

impl<T: Row> Node<T> {
    /// Fills the object again. Keys that are loaded meanwhile are compared by its old content.
    fn replace(this: &RefCell<Self>, run: &Run, options: &Options<'_>) -> Result {
        let class = run.class::<T>()?;
        let key = this.try_borrow().map_err(|_| borrowed())?.known_key();
        let (mut value, last_save) = (T::try_blank(options)?, LastSave::blank());
        if !run.pull(&class, key, (&mut value, &last_save), options)? {
            return run.has_no_row::<T>(key);
        }
        let mut node = this.try_borrow_mut().map_err(|_| borrowed())?;
        std::mem::swap(&mut node.value, &mut value);
        node.last_save = last_save;
        node.reports_to(run);
        Ok(())
    }
}

impl Queue {
    pub(crate) fn has_met(&self, object: &Rc<dyn Queued>) -> bool {
        self.met.borrow().contains(&address(object))
    }

    pub(crate) fn push(&self, object: Rc<dyn Queued>, owner: Option<Owner>) {
        if self.met.borrow_mut().insert(address(&object)) {
            self.objects.borrow_mut().push((object, owner));
        }
    }

    pub(crate) fn pop(&self) -> Option<Met> {
        let next = self.objects.borrow_mut().pop()?;
        self.visited.borrow_mut().push(next.clone());
        Some(next)
    }

    /// Queues all objects again.
    pub(crate) fn begin_again(&self) {
        self.objects.borrow_mut().append(&mut self.visited.borrow_mut());
    }
}

impl Changed {
    /// Returns the objects that still exist, and clears the list.
    pub(crate) fn take(&self) -> Vec<Rc<dyn Queued>> {
        self.0.take().iter().filter_map(Weak::upgrade).collect()
    }
}

impl<T> Node<T> {
    pub(super) fn new(value: T, last_save: LastSave) -> Self {
        Node { value, last_save, key: AtomicU64::new(0), changed: RefCell::default() }
    }

    /// Returns the key, or 0.
    pub(super) fn known_key(&self) -> u64 {
        self.key.load(Relaxed)
    }
}

impl<T: Row> Node<T> {
    /// Marks the object as changed.
    pub(super) fn touch(&mut self, this: &Rc<RefCell<Self>>) {
        if self.last_save.touch()
            && let Some(changed) = self.changed.get_mut().upgrade()
        {
            let this: Rc<dyn Queued> = this.clone();
            changed.0.borrow_mut().push(Rc::downgrade(&this));
        }
    }

    /// Notes which row the object has.
    pub(super) fn has_key(&self, key: u64) {
        self.key.store(key, Relaxed);
    }

    /// Reports changes to the world of a load or save from now on. All owners of the object were
    /// visited.
    fn reports_to(&self, run: &Run) {
        if matches!(run.kind, Kind::Load | Kind::Save(_)) {
            self.changed.replace(run.changed());
        }
    }

    /// Returns the key of an object. A save assigns one if there is none.
    pub(super) fn key(this: &Rc<RefCell<Self>>, run: &Run) -> Result<u64> {
        let node = this.try_borrow().map_err(|_| borrowed())?;
        if node.known_key() == 0 && run.assigns_keys() {
            node.has_key(run.class::<T>()?.assign()?);
        } else if matches!(run.kind, Kind::Save(_) | Kind::Locate { .. }) {
            // The object may be outside of all worlds. No other object gets its key.
            run.class::<T>()?.uses(node.known_key());
        }
        Ok(node.known_key())
    }

    /// Returns the key of the target of a link; 0 if it is not an object of the store.
    pub(super) fn key_of_link(this: &Rc<RefCell<Self>>, run: &Run) -> Result<u64> {
        if let Kind::Save(save) = &run.kind {
            let object: Rc<dyn Queued> = this.clone();
            if save.foreign.borrow().contains(&address(&object)) {
                return Ok(0);
            }
            save.links.borrow_mut().push(object);
        }
        Node::key(this, run)
    }

    /// Returns the key of an object, and queues its row.
    pub(super) fn save_row(this: &Rc<RefCell<Self>>, run: &Run) -> Result<u64> {
        let key = Node::key(this, run)?;
        let visits = matches!(run.kind, Kind::Locate { .. });
        if visits || key != 0 && matches!(run.kind, Kind::Save(_)) {
            run.visit_later(this.clone());
        }
        Ok(key)
    }
}

#[cold]
pub(super) fn borrowed() -> Error {
    Error::new(ErrorKind::Borrowed, "the shared object is borrowed mutably")
}

/// The object of a key, once it is loaded. Links refer to the entry, so none has to be found and
/// changed when the object is loaded.
pub(crate) struct Entry<T> {
    pub(super) key: u64,
    object: RefCell<Weak<RefCell<Node<T>>>>,
}

impl<T> Entry<T> {
    pub(super) fn object(&self) -> Option<Rc<RefCell<Node<T>>>> {
        self.object.borrow().upgrade()
    }

    pub(super) fn set(&self, object: &Rc<RefCell<Node<T>>>) {
        self.object.replace(Rc::downgrade(object));
    }

    /// Whether the object was never loaded.
    pub(super) fn is_untouched(&self) -> bool {
        self.object.borrow().ptr_eq(&Weak::new())
    }
}

/// The entries of the keys so far.
#[derive(Default)]
pub(crate) struct Entries(RefCell<HashMap<(TypeId, u64), Rc<dyn Any>>>);

impl Entries {
    /// Returns the entry of a key.
    pub(crate) fn of<T: Row>(&self, key: u64) -> Result<Rc<Entry<T>>> {
        if key == 0 {
            return Err(damaged("a shared object has the key 0"));
        }
        let mut all = self.0.borrow_mut();
        let new = || Rc::new(Entry::<T> { key, object: RefCell::default() }) as Rc<dyn Any>;
        let entry = all.entry((TypeId::of::<T>(), key)).or_insert_with(new).clone();
        entry.downcast().map_err(|_| damaged("a class has two types"))
    }

    pub(crate) fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

/// Serializes as the value, where the pointer itself is saved.
impl<T: Row> Serialize for Node<T> {
    const SHAPE: &'static Shape = T::SHAPE;
    const NULLABLE: bool = T::NULLABLE;

    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        self.value.saves_null(options, levels)
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value.serialize(ar)
    }

    fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value.value(ar)
    }
}

impl<T: Row> Save for Node<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        self.value.save(ar)
    }

    fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
        self.value.save_value(ar)
    }
}

impl<T: Row> Blank for Node<T> {
    fn blank(options: &Options<'_>) -> Self {
        Node::new(T::blank(options), LastSave::default())
    }

    fn try_blank(options: &Options<'_>) -> Result<Self> {
        Ok(Node::new(T::try_blank(options)?, LastSave::default()))
    }
}
