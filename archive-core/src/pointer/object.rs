//! [`Object`]: a loaded object whose type is erased, as the session's table holds it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::{self, Rc};
use std::sync::{self, Arc, Mutex, RwLock};

use super::cell::{CellKind, Content, MutexKind, RefCellKind, RwLockKind};
use super::flavor::{ArcFlavor, Flavor, Kept, RcFlavor};
use super::inner::Inner;
use super::pointee::{Created, Identity, Pointee, wrong_pointee};
use crate::archive::Archive;
use crate::blank::Blank;
use crate::decoder::Mark;
use crate::erased::Erased;
use crate::error::{Error, Result};
use crate::options::Options;
use crate::restore::or_blank;
use crate::session::Entry;
use crate::shape::Shape;
use crate::{Save, Serialize};

/// An object inside a shared pointer, with its type erased.
pub trait Object: Any {
    /// Puts the pointer into `out`, if that is an `Option<Arc<Self>>`.
    fn give_arc(self: Arc<Self>, out: &mut dyn Any);
    /// Returns whether the content is in a cell, and its shape.
    fn outline(&self) -> (bool, &'static Shape);
    /// Returns the concrete type.
    fn identity(&self) -> Result<Identity>;
    /// Saves the content.
    fn save(&self, ar: &mut Erased<'_>) -> Result;
    /// Changes the content, if it is in a cell.
    fn change(&self, change: Change<'_, '_>) -> Result;
}

/// A change of the content of an [`Object`].
pub enum Change<'c, 'a> {
    /// The content is loaded.
    Fill(&'c mut Erased<'a>),
    /// The content is dropped, and a blank value replaces it.
    Clear(&'c Options<'a>),
}

impl dyn Object {
    /// Loads the content, if it is in a cell.
    pub fn fill(&self, ar: &mut Erased<'_>) -> Result {
        self.change(Change::Fill(ar))
    }

    /// Drops the content, if it is in a cell.
    pub fn clear(&self, options: &Options<'_>) {
        // Content that is borrowed stays.
        let _ = self.change(Change::Clear(options));
    }
}

/// A pointer to an [`Object`].
#[derive(Clone)]
pub enum Handle {
    /// In an `Rc`.
    Rc(Rc<dyn Object>),
    /// In an `Arc`.
    Arc(Arc<dyn Object>),
    /// A `Weak` to an object that does not exist yet: it has no cell, and its body is being loaded.
    Building(Rc<dyn Any>),
}

impl Handle {
    /// Returns the object, if it exists already.
    pub(crate) fn object(&self) -> Option<&dyn Object> {
        match self {
            Handle::Rc(object) => Some(&**object),
            Handle::Arc(object) => Some(&**object),
            Handle::Building(_) => None,
        }
    }

    /// Returns the number of strong pointers to the object.
    pub(crate) fn count(&self) -> usize {
        match self {
            Handle::Rc(object) => Rc::strong_count(object),
            Handle::Arc(object) => Arc::strong_count(object),
            Handle::Building(_) => 0,
        }
    }

    /// Saves a pointer to the object, strong or weak.
    pub(crate) fn save(&self, strong: bool, ar: &mut Erased<'_>) -> Result {
        match self {
            Handle::Rc(object) => save::<RcFlavor>(object, strong, ar),
            Handle::Arc(object) => save::<ArcFlavor>(object, strong, ar),
            Handle::Building(_) => Err(super::wrong_pointee()),
        }
    }

    /// Returns a pointer that does not hold the object, if the object exists already.
    pub(crate) fn downgrade(&self) -> Option<WeakHandle> {
        match self {
            Handle::Rc(object) => Some(WeakHandle::Rc(Rc::downgrade(object))),
            Handle::Arc(object) => Some(WeakHandle::Arc(Arc::downgrade(object))),
            Handle::Building(_) => None,
        }
    }
}

/// A pointer to an [`Object`] that does not hold it.
#[derive(Clone)]
pub(crate) enum WeakHandle {
    Rc(rc::Weak<dyn Object>),
    Arc(sync::Weak<dyn Object>),
}

impl WeakHandle {
    pub(crate) fn upgrade(&self) -> Option<Handle> {
        match self {
            WeakHandle::Rc(object) => object.upgrade().map(Handle::Rc),
            WeakHandle::Arc(object) => object.upgrade().map(Handle::Arc),
        }
    }
}

/// Saves a pointer to the object, strong or weak.
fn save<F: Flavor>(pointer: &F::Strong<dyn Object>, strong: bool, ar: &mut Erased<'_>) -> Result {
    let outline = F::get(pointer).outline();
    if strong {
        super::strong::save_outlined::<F, dyn Object, _>(pointer, outline, ar)
    } else {
        super::weak::save_to::<F, dyn Object, _>(pointer, outline, ar)
    }
}

/// Used for saving only: an object whose type is erased cannot be loaded.
impl Pointee for dyn Object {
    const CELL: bool = true;
    const DYN: bool = false;
    const SHAPE: &'static Shape = &Shape::Any;

    type Maker = ();

    fn identity(&self) -> Result<Identity> {
        Object::identity(self)
    }
    fn save_body<A: Archive>(&self, ar: &mut A) -> Result {
        self.save(&mut ar.erased())
    }
    fn keep<F: Flavor>(this: &F::Strong<Self>) -> Kept {
        Kept::Object(F::handle_of(this.clone()))
    }
    fn wanted() -> &'static str {
        "an object"
    }

    fn blank_strong<F: Flavor>(_: &Options<'_>) -> Result<F::Strong<Self>> {
        Err(wrong_pointee())
    }
    fn maker(_: Option<&str>, _: &Options<'_>) -> Result<Option<()>> {
        Err(wrong_pointee())
    }
    fn create<F: Flavor>((): (), _: &Options<'_>) -> Result<Created<F::Strong<Self>>> {
        Err(wrong_pointee())
    }
    fn build<F: Flavor, A: Archive>((): (), _: &mut A, _: u64, _: Mark) -> Result<F::Strong<Self>> {
        Err(wrong_pointee())
    }
    fn fill<A: Archive>(&self, _: &mut A) -> Result {
        Err(wrong_pointee())
    }
    fn resolve<F: Flavor>(_: &Entry, _: &Options<'_>) -> Option<F::Strong<Self>> {
        None
    }
    fn resolve_weak<F: Flavor>(_: &Entry, _: &Options<'_>) -> Option<F::Weak<Self>> {
        None
    }
    fn dangling<F: Flavor>(_: &Options<'_>) -> Result<F::Weak<Self>> {
        Err(wrong_pointee())
    }
}

/// Loads the content of a cell. If a hand-written function refuses the content, it becomes blank
/// for everything that points to it. Other types handle that themselves.
pub fn fill<T: Blank + Serialize, A: Archive>(value: &mut T, ar: &mut A) -> Result {
    if const { T::ITEMS_BY_HAND } {
        return value.load_over(ar);
    }
    let result = value.value(ar);
    if const { T::BY_HAND } { or_blank(value, result, ar) } else { result }
}

/// The methods that are the same for all types.
macro_rules! object {
    ($T:ident, $cell:literal) => {
        fn give_arc(self: Arc<Self>, out: &mut dyn Any) {
            if let Some(out) = out.downcast_mut::<Option<Arc<Self>>>() {
                *out = Some(self);
            }
        }
        fn outline(&self) -> (bool, &'static Shape) {
            ($cell, <$T as Serialize>::SHAPE)
        }
    };
}

impl<T: Blank + Save + 'static> Object for T {
    object!(T, false);

    fn identity(&self) -> Result<Identity> {
        Ok(Identity::of_value(self))
    }
    fn save(&self, ar: &mut Erased<'_>) -> Result {
        self.save_value(&mut ar.erased().saving())
    }
    fn change(&self, change: Change<'_, '_>) -> Result {
        match change {
            Change::Fill(_) => Err(Error::custom("an object without a cell cannot be filled")),
            Change::Clear(_) => Ok(()),
        }
    }
}

/// Loads or replaces the content of a cell.
fn change<C: CellKind, T: Content>(cell: &C::Of<T>, change: Change<'_, '_>) -> Result {
    // The old content is dropped after the borrow has ended.
    let mut other = match &change {
        Change::Fill(_) => None,
        Change::Clear(options) => Some(T::try_blank(options)?),
    };
    C::with_mut(cell, |value: &mut T| {
        if let Change::Fill(ar) = change {
            return fill(value, &mut ar.erased().loading());
        }
        if let Some(other) = &mut other {
            std::mem::swap(value, other);
        }
        Ok(())
    })
}

macro_rules! in_cell {
    ($($Cell:ident $Kind:ident),*) => { $(
        impl<T: Content> Object for $Cell<T> {
            object!(T, true);

            fn identity(&self) -> Result<Identity> {
                T::identity_in::<$Kind>(self)
            }
            fn save(&self, ar: &mut Erased<'_>) -> Result {
                T::save_cell::<$Kind, _>(self, &mut ar.erased().saving())
            }
            fn change(&self, how: Change<'_, '_>) -> Result {
                change::<$Kind, T>(self, how)
            }
        }
    )* };
}
in_cell!(RefCell RefCellKind, Mutex MutexKind, RwLock RwLockKind);

impl<T: Content + Copy> Object for Cell<T> {
    object!(T, true);

    fn identity(&self) -> Result<Identity> {
        Ok(Identity::of::<T>())
    }
    fn save(&self, ar: &mut Erased<'_>) -> Result {
        self.get().value(&mut ar.erased().saving())
    }
    fn change(&self, change: Change<'_, '_>) -> Result {
        self.set(match change {
            Change::Fill(ar) => {
                let mut value = T::try_blank(ar.options())?;
                value.value(&mut ar.erased().loading())?;
                value
            }
            Change::Clear(options) => T::try_blank(options)?,
        });
        Ok(())
    }
}
