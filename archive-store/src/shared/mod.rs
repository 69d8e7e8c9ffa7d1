//! [`Shared`] and [`Link`]: objects with rows of their own and several owners.
// Why: docs/decisions/store.md#shared-objects-are-visited-after-their-owners

mod node;

use std::cell::{Ref as Borrowed, RefCell, RefMut};
use std::fmt;
use std::rc::{Rc, Weak};

use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Options, Result, Save, Serialize};

use crate::last_save::LastSave;
use crate::row::Row;
use crate::run::{Kind, Run};
pub(crate) use node::{Changed, Entries, Entry, Queue, Queued, address};
use node::{Node, borrowed};

/// An object with a row of its own and several owners: an `Rc` whose object is a row. The row of
/// each owner has its key, and after a load the owners share one object again.
///
/// Mutable access marks the object as changed, and [`Store::save`](crate::Store::save) writes it,
/// whether its owners changed or not. [`Store::save_all`](crate::Store::save_all) deletes the row
/// of an object without an owner. Outside of a store it is saved like an `Rc<RefCell<T>>`.
///
/// [`Pool`](crate::Pool) and [`Ref`](crate::Ref) are faster and need no cells. `Shared` is for
/// graphs of objects that own one another.
///
/// ```
/// use archive::store::{Link, Shared, Store, storage::Memory};
///
/// #[derive(Default, archive::Serialize)]
/// struct Town { name: String, trades_with: Vec<Link<Town>> }
/// #[derive(Default, archive::Serialize)]
/// struct World { towns: Vec<Shared<Town>> }
/// archive::store::persistent!(Town = "town", World = "world");
///
/// let [ash, bree] = ["Ash", "Bree"].map(|name| Shared::new(Town { name: name.into(), ..Town::default() }));
/// ash.borrow_mut().trades_with.push(bree.link());
/// bree.borrow_mut().trades_with.push(ash.link());
/// let world = World { towns: vec![ash, bree] };
///
/// let memory = std::rc::Rc::new(Memory::new());
/// Store::over(memory.clone())?.save(&world)?;
///
/// let store = Store::over(memory)?;
/// let mut world = World::default();
/// store.attach(&mut world)?;
/// assert!(store.finish_load()?.is_clean());
/// let bree = world.towns[0].borrow().trades_with[0].get().unwrap();
/// assert!(bree.is(&world.towns[1]));
/// # Ok::<(), archive::Error>(())
/// ```
pub struct Shared<T>(pub(super) Rc<RefCell<Node<T>>>);

/// A reference to a [`Shared`] object that does not keep it alive, like a `Weak`. Use links to
/// build cycles.
pub struct Link<T> {
    object: Weak<RefCell<Node<T>>>,
    /// The entry of the object, if the link was loaded before it.
    entry: Option<Rc<Entry<T>>>,
}

impl<T> Shared<T> {
    /// Creates an object. It gets a key when it is saved.
    pub fn new(value: T) -> Self {
        Shared(Rc::new(RefCell::new(Node::new(value, LastSave::default()))))
    }

    fn blank(value: T) -> Self {
        Shared(Rc::new(RefCell::new(Node::new(value, LastSave::blank()))))
    }

    /// Borrows the value.
    ///
    /// # Panics
    /// Panics if it is borrowed mutably.
    pub fn borrow(&self) -> Borrowed<'_, T> {
        Borrowed::map(self.0.borrow(), |node| &node.value)
    }

    /// Returns a reference that does not keep the object alive.
    pub fn link(&self) -> Link<T> {
        Link { object: Rc::downgrade(&self.0), entry: None }
    }

    /// Returns whether both are the same object.
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Row> Shared<T> {
    /// Whether the object already belongs to another row.
    fn is_taken(&self, run: &Run) -> Result<bool> {
        let key = self.0.try_borrow().map_err(|_| borrowed())?.known_key();
        Ok(key != 0 && run.entry::<T>(key)?.object().is_some_and(|it| Rc::ptr_eq(&it, &self.0)))
    }

    /// Borrows the value mutably, and marks the object as changed.
    ///
    /// # Panics
    /// Panics if it is borrowed.
    pub fn borrow_mut(&self) -> RefMut<'_, T> {
        let mut node = self.0.borrow_mut();
        node.touch(&self.0);
        RefMut::map(node, |node| &mut node.value)
    }
}

impl<T> Link<T> {
    /// Refers to no object.
    pub const NONE: Link<T> = Link { object: Weak::new(), entry: None };

    /// Returns the object, if there is one.
    pub fn get(&self) -> Option<Shared<T>> {
        let object = match self.object.upgrade() {
            Some(object) => object,
            None => self.entry.as_ref()?.object()?,
        };
        Some(Shared(object))
    }
}

/// Returns another owner of the same object.
impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T> Clone for Link<T> {
    fn clone(&self) -> Self {
        Link { object: self.object.clone(), entry: self.entry.clone() }
    }
}

impl<T> Default for Link<T> {
    fn default() -> Self {
        Link::NONE
    }
}

impl<T: Default> Default for Shared<T> {
    fn default() -> Self {
        Shared::new(T::default())
    }
}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.try_borrow() {
            Ok(node) => node.value.fmt(f),
            Err(_) => f.write_str("(borrowed)"),
        }
    }
}

impl<T> fmt::Debug for Link<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.get().is_some() { "(Link)" } else { "(no object)" })
    }
}

impl<T: Row> Serialize for Shared<T> {
    // A key in a row, and a pointer anywhere else.
    const SHAPE: &'static Shape = &Shape::Any;
    const HOLDS_VALUES: bool = false;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let Some(run) = Run::of(ar) else { return self.0.value(ar) };
        let mut key = 0_u64;
        key.value(ar)?;
        if matches!(run.kind, Kind::Dangling) {
            return run.refer::<T>(key);
        }
        run.meet_shared(ar);
        let entry = run.entry::<T>(key)?;
        if let Some(object) = entry.object() {
            // Another owner has loaded the object.
            self.0 = object;
            return Ok(());
        }
        if self.is_taken(&run)? {
            *self = Shared::blank(T::try_blank(ar.options())?);
        }
        entry.set(&self.0);
        self.0.try_borrow().map_err(|_| borrowed())?.has_key(key);
        run.visit_later(self.0.clone());
        Ok(())
    }
}

impl<T: Row> Save for Shared<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let Some(run) = Run::of(ar) else { return self.0.save_value(ar) };
        Node::save_row(&self.0, &run)?.save(ar)
    }
}

impl<T: Row> Blank for Shared<T> {
    fn blank(options: &Options<'_>) -> Self {
        Shared::blank(T::blank(options))
    }

    fn try_blank(options: &Options<'_>) -> Result<Self> {
        T::try_blank(options).map(Shared::blank)
    }
}

impl<T: Row> Serialize for Link<T> {
    const SHAPE: &'static Shape = &Shape::Any;
    const NULLABLE: bool = true;
    const HOLDS_VALUES: bool = false;

    fn saves_null(&self, _: &Options<'_>, _: u32) -> bool {
        self.get().is_none()
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        *self = Link::NONE;
        let Some(run) = Run::of(ar) else { return self.object.value(ar) };
        let mut key = 0_u64;
        key.value(ar)?;
        if key == 0 {
            return Ok(());
        }
        run.meet_shared(ar);
        self.entry = Some(run.entry::<T>(key)?);
        run.refer::<T>(key)
    }
}

impl<T: Row> Save for Link<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let object = self.get();
        let Some(run) = Run::of(ar) else {
            return object.map_or_else(Weak::new, |object| Rc::downgrade(&object.0)).save_value(ar);
        };
        let key = match (object, &self.entry) {
            (Some(object), _) => Node::key_of_link(&object.0, &run)?,
            // The object was never loaded, but its row may exist.
            (None, Some(entry)) if entry.is_untouched() => entry.key,
            _ => 0,
        };
        key.save(ar)
    }
}

impl<T> Blank for Link<T> {
    fn blank(_: &Options<'_>) -> Self {
        Link::NONE
    }
}
