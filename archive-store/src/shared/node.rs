//! The object of a [`Shared`](super::Shared), and what its key means while a store is loading.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Error, ErrorKind, Options, Result, Save, Serialize};

use crate::layout::damaged;
use crate::mark::Mark;
use crate::row::Row;
use crate::run::{Kind, Run};

/// The object, and what is known of its row.
pub(crate) struct Node<T> {
    pub(super) value: T,
    pub(super) mark: Mark,
    key: AtomicU64,
    /// Where the store that has the row wants to know of changes.
    changed: RefCell<Weak<Changed>>,
}

/// The shared objects that were changed since the last save.
#[derive(Default)]
pub(crate) struct Changed(RefCell<Vec<Weak<dyn SaveChanged>>>);

/// A shared object of any type.
trait SaveChanged {
    fn save_changed(self: Rc<Self>, run: &Run, options: &Options<'_>) -> Result;
}

impl<T: Row> SaveChanged for RefCell<Node<T>> {
    fn save_changed(self: Rc<Self>, run: &Run, options: &Options<'_>) -> Result {
        Node::save_row(&self, run, options).map(drop)
    }
}

impl Changed {
    /// Writes those that still exist.
    pub(crate) fn save(&self, run: &Run, options: &Options<'_>) -> Result {
        // Writing one may change others: functions of types can borrow mutably.
        let all = self.0.borrow().clone();
        all.iter()
            .filter_map(Weak::upgrade)
            .try_for_each(|object| object.save_changed(run, options))
    }

    pub(crate) fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

impl<T> Node<T> {
    pub(super) fn new(value: T) -> Self {
        Node { value, mark: Mark::default(), key: AtomicU64::new(0), changed: RefCell::default() }
    }
}

impl<T: Row> Node<T> {
    /// Marks the object as changed.
    pub(super) fn touch(&mut self, this: &Rc<RefCell<Self>>) {
        if self.mark.touch()
            && let Some(changed) = self.changed.get_mut().upgrade()
        {
            let this: Rc<dyn SaveChanged> = this.clone();
            changed.0.borrow_mut().push(Rc::downgrade(&this));
        }
    }

    /// Notes which row the object has.
    pub(super) fn belongs_to(&self, key: u64, run: &Run) {
        self.key.store(key, Relaxed);
        self.changed.replace(Rc::downgrade(&run.store.changed));
    }

    /// Returns the key of an object. If it has none, it is assigned.
    pub(super) fn key(this: &Rc<RefCell<Self>>, run: &Run) -> Result<u64> {
        let node = this.try_borrow().map_err(|_| borrowed())?;
        let class = run.class::<T>()?;
        let key = match node.key.load(Relaxed) {
            0 => class.assign()?,
            key => key,
        };
        class.uses(key);
        node.belongs_to(key, run);
        Ok(key)
    }

    /// Writes the row of an object, unless another owner has done so. Returns its key.
    pub(super) fn save_row(
        this: &Rc<RefCell<Self>>,
        run: &Run,
        options: &Options<'_>,
    ) -> Result<u64> {
        let key = Node::key(this, run)?;
        let address = Rc::as_ptr(this).cast::<()>().addr();
        let met = match &run.kind {
            Kind::Save(save) => save.shared.borrow_mut(),
            Kind::Locate { shared, .. } => shared.borrow_mut(),
            _ => return Ok(key),
        }
        .insert(address);
        if met {
            let node = this.try_borrow().map_err(|_| borrowed())?;
            let class = run.class::<T>()?;
            run.save_single(&class, (key, &node.value, &node.mark), options)?;
        }
        Ok(key)
    }
}

#[cold]
fn borrowed() -> Error {
    Error::new(ErrorKind::Borrowed, "the shared object is borrowed mutably")
}

/// What a key means. Links have it before the object is loaded, so none is searched or changed when
/// the object comes.
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

/// The entries of the keys that were met.
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

/// The value, wherever the pointer itself is saved.
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
        Node::new(T::blank(options))
    }

    fn try_blank(options: &Options<'_>) -> Result<Self> {
        T::try_blank(options).map(Node::new)
    }
}
