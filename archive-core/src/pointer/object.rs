//! [`Object`]: a loaded object with its type forgotten, as the session's table holds it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use crate::Serialize;
use crate::archive::Archive;
use crate::blank::Blank;
use crate::erased::Erased;
use crate::error::{Error, Result};
use crate::options::Options;

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
}

fn give<P: 'static>(pointer: P, out: &mut dyn Any) {
    if let Some(out) = out.downcast_mut::<Option<P>>() {
        *out = Some(pointer);
    }
}

/// The two `give` methods, which are the same everywhere but need a sized `Self`.
macro_rules! give {
    () => {
        fn give_rc(self: Rc<Self>, out: &mut dyn Any) {
            give(self, out);
        }
        fn give_arc(self: Arc<Self>, out: &mut dyn Any) {
            give(self, out);
        }
    };
}

impl<T: Blank + 'static> Object for T {
    give!();

    fn fill(&self, _: &mut Erased<'_>) -> Result {
        Err(Error::custom("an object without a cell cannot be filled"))
    }
    fn clear(&self, _: &Options<'_>) {}
}

impl<T: Blank + Serialize + 'static> Object for RefCell<T> {
    give!();

    fn fill(&self, ar: &mut Erased<'_>) -> Result {
        super::cell::with_mut::<super::RefCellKind, T, _>(self, |value| value.value(ar))
    }
    fn clear(&self, options: &Options<'_>) {
        // The old content is dropped after the borrow has ended.
        let Ok(blank) = T::try_blank(options) else { return };
        let old = self.try_borrow_mut().map(|mut value| std::mem::replace(&mut *value, blank));
        drop(old);
    }
}

impl<T: Blank + Serialize + 'static> Object for Mutex<T> {
    give!();

    fn fill(&self, ar: &mut Erased<'_>) -> Result {
        super::cell::with_mut::<super::MutexKind, T, _>(self, |value| value.value(ar))
    }
    fn clear(&self, options: &Options<'_>) {
        let Ok(blank) = T::try_blank(options) else { return };
        let old = self.try_lock().map(|mut value| std::mem::replace(&mut *value, blank));
        drop(old.ok());
    }
}

impl<T: Blank + Serialize + 'static> Object for RwLock<T> {
    give!();

    fn fill(&self, ar: &mut Erased<'_>) -> Result {
        super::cell::with_mut::<super::RwLockKind, T, _>(self, |value| value.value(ar))
    }
    fn clear(&self, options: &Options<'_>) {
        let Ok(blank) = T::try_blank(options) else { return };
        let old = self.try_write().map(|mut value| std::mem::replace(&mut *value, blank));
        drop(old.ok());
    }
}

impl<T: Blank + Serialize + Copy + 'static> Object for Cell<T> {
    give!();

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
