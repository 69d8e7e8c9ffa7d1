//! [`Object`]: an object in a shared pointer with its type erased, as the session's table stores
//! it.

use std::any::Any;
use std::rc::{self, Rc};
use std::sync::{self, Arc};

use crate::model::error::Result;
use crate::model::identity::Identity;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::visit::erased::Erased;

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
        // Borrowed content is kept.
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
    /// A `Weak` to an object that does not exist yet: the object has no cell, and is being loaded.
    Building(Rc<dyn Any>),
}

impl Handle {
    /// Returns the object, if it exists.
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

    /// Returns a pointer that does not keep the object alive, if the object exists.
    pub(crate) fn downgrade(&self) -> Option<WeakHandle> {
        match self {
            Handle::Rc(object) => Some(WeakHandle::Rc(Rc::downgrade(object))),
            Handle::Arc(object) => Some(WeakHandle::Arc(Arc::downgrade(object))),
            Handle::Building(_) => None,
        }
    }
}

/// A pointer that does not keep its [`Object`] alive.
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

/// A pointer that only keeps its object alive.
pub enum Retained {
    /// A pointer to an object whose type is known.
    Object(Handle),
    /// A pointer to an unsized value.
    Unsized(Box<dyn Counted>),
    /// No pointer: the object belongs to a tree, or was released.
    Nothing,
}

impl Retained {
    /// Returns the number of strong pointers to the object, including this one.
    pub(crate) fn count(&self) -> usize {
        match self {
            Retained::Object(handle) => handle.count(),
            Retained::Unsized(pointer) => pointer.count(),
            Retained::Nothing => 0,
        }
    }

    /// Drops the content of the object, if its type is known and the content is in a cell.
    pub(crate) fn clear(&self, options: &Options<'_>) {
        if let Retained::Object(handle) = self
            && let Some(object) = handle.object()
        {
            object.clear(options);
        }
    }

    /// Returns the handle of the object, if its type is known.
    pub(crate) fn into_handle(self) -> Option<Handle> {
        match self {
            Retained::Object(handle) => Some(handle),
            _ => None,
        }
    }
}

/// A pointer that can count the pointers to its object.
pub trait Counted {
    /// Returns the number of strong pointers to the object.
    fn count(&self) -> usize;
}
