//! [`Object`]: a loaded object with its type forgotten, as the session's table holds it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::{self, Rc};
use std::sync::{self, Arc, Mutex, RwLock};

use super::cell::Content;
use super::flavor::{ArcFlavor, Flavor, RcFlavor};
use super::pointee::Pointee;
use crate::archive::Archive;
use crate::blank::Blank;
use crate::erased::Erased;
use crate::error::{Error, Result};
use crate::options::Options;
use crate::restore::or_blank;
use crate::{Save, Serialize};

/// An object behind a shared pointer, with its type forgotten.
pub trait Object: 'static {
    /// Puts the pointer into `out`, if that is an `Option<Rc<Self>>`.
    fn give_rc(self: Rc<Self>, out: &mut dyn Any);
    /// Puts the pointer into `out`, if that is an `Option<Arc<Self>>`.
    fn give_arc(self: Arc<Self>, out: &mut dyn Any);
    /// Loads the content, if it is in a cell.
    fn fill(&self, ar: &mut Erased<'_>) -> Result;
    /// Drops the content, if it is in a cell.
    fn clear(&self, options: &Options<'_>);
    /// Saves a pointer to it: a strong one, or one that does not hold it.
    fn save_rc(self: Rc<Self>, strong: bool, ar: &mut Erased<'_>) -> Result;
    /// As [`save_rc`](Object::save_rc).
    fn save_arc(self: Arc<Self>, strong: bool, ar: &mut Erased<'_>) -> Result;
}

/// A pointer to an [`Object`].
#[derive(Clone)]
pub enum Handle {
    /// In an `Rc`.
    Rc(Rc<dyn Object>),
    /// In an `Arc`.
    Arc(Arc<dyn Object>),
    /// Not there yet, since it stands bare in its pointer and its body is being loaded: a `Weak`.
    Building(Rc<dyn Any>),
}

impl Handle {
    /// The object, once it exists.
    pub(crate) fn object(&self) -> Option<&dyn Object> {
        match self {
            Handle::Rc(object) => Some(&**object),
            Handle::Arc(object) => Some(&**object),
            Handle::Building(_) => None,
        }
    }

    /// How many strong pointers there are to the object.
    pub(crate) fn count(&self) -> usize {
        match self {
            Handle::Rc(object) => Rc::strong_count(object),
            Handle::Arc(object) => Arc::strong_count(object),
            Handle::Building(_) => 0,
        }
    }

    /// Saves a pointer to the object: a strong one, or one that does not hold it.
    pub(crate) fn save(&self, strong: bool, ar: &mut Erased<'_>) -> Result {
        match self {
            Handle::Rc(object) => object.clone().save_rc(strong, ar),
            Handle::Arc(object) => object.clone().save_arc(strong, ar),
            Handle::Building(_) => Err(super::not_here()),
        }
    }

    /// A pointer that does not hold the object, once it exists.
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

fn give<P: 'static>(pointer: P, out: &mut dyn Any) {
    if let Some(out) = out.downcast_mut::<Option<P>>() {
        *out = Some(pointer);
    }
}

/// The methods that are the same everywhere but need a sized `Self`.
macro_rules! sized {
    () => {
        fn give_rc(self: Rc<Self>, out: &mut dyn Any) {
            give(self, out);
        }
        fn give_arc(self: Arc<Self>, out: &mut dyn Any) {
            give(self, out);
        }
        fn save_rc(self: Rc<Self>, strong: bool, ar: &mut Erased<'_>) -> Result {
            save::<RcFlavor, Self>(&self, strong, ar)
        }
        fn save_arc(self: Arc<Self>, strong: bool, ar: &mut Erased<'_>) -> Result {
            save::<ArcFlavor, Self>(&self, strong, ar)
        }
    };
}

fn save<F: Flavor, P: Pointee>(
    pointer: &F::Strong<P>,
    strong: bool,
    ar: &mut Erased<'_>,
) -> Result {
    if strong {
        super::strong::save::<F, P, _>(pointer, ar)
    } else {
        super::weak::save_to::<F, P, _>(pointer, ar)
    }
}

/// Loads the content of a cell. Content that a function written by hand refuses becomes blank, for all
/// that point to it; other types see to that themselves.
pub fn fill<T: Blank + Serialize, A: Archive>(value: &mut T, ar: &mut A) -> Result {
    if const { T::ITEMS_BY_HAND } {
        return value.load_over(ar);
    }
    let result = value.value(ar);
    if const { T::BY_HAND } { or_blank(value, result, ar) } else { result }
}

impl<T: Blank + Save + 'static> Object for T {
    sized!();

    fn fill(&self, _: &mut Erased<'_>) -> Result {
        Err(Error::custom("an object without a cell cannot be filled"))
    }
    fn clear(&self, _: &Options<'_>) {}
}

impl<T: Content> Object for RefCell<T> {
    sized!();

    fn fill(&self, ar: &mut Erased<'_>) -> Result {
        super::cell::with_mut::<super::RefCellKind, T, _>(self, |value| fill(value, ar))
    }
    fn clear(&self, options: &Options<'_>) {
        // The old content is dropped after the borrow has ended.
        let Ok(blank) = T::try_blank(options) else { return };
        let old = self.try_borrow_mut().map(|mut value| std::mem::replace(&mut *value, blank));
        drop(old);
    }
}

impl<T: Content> Object for Mutex<T> {
    sized!();

    fn fill(&self, ar: &mut Erased<'_>) -> Result {
        super::cell::with_mut::<super::MutexKind, T, _>(self, |value| fill(value, ar))
    }
    fn clear(&self, options: &Options<'_>) {
        let Ok(blank) = T::try_blank(options) else { return };
        let old = self.try_lock().map(|mut value| std::mem::replace(&mut *value, blank));
        drop(old.ok());
    }
}

impl<T: Content> Object for RwLock<T> {
    sized!();

    fn fill(&self, ar: &mut Erased<'_>) -> Result {
        super::cell::with_mut::<super::RwLockKind, T, _>(self, |value| fill(value, ar))
    }
    fn clear(&self, options: &Options<'_>) {
        let Ok(blank) = T::try_blank(options) else { return };
        let old = self.try_write().map(|mut value| std::mem::replace(&mut *value, blank));
        drop(old.ok());
    }
}

impl<T: Content + Copy> Object for Cell<T> {
    sized!();

    fn fill(&self, ar: &mut Erased<'_>) -> Result {
        let mut value = T::try_blank(ar.options())?;
        value.value(ar)?;
        self.set(value);
        Ok(())
    }
    fn clear(&self, options: &Options<'_>) {
        if let Ok(blank) = T::try_blank(options) {
            self.set(blank);
        }
    }
}
