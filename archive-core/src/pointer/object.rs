//! [`Object`]: a loaded object with its type erased, as the session's table stores it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, RwLock};

use super::contains::{Contains, Content};
use super::flavor::{ArcFlavor, Flavor, RcFlavor};
use super::pointee::Objects;
use crate::model::error::{Error, Result};
use crate::model::head::wrong_pointee;
use crate::model::identity::Identity;
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::erased::Erased;
use crate::visit::object::{Change, Handle, Object, Retained};
use crate::visit::restore::fill;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::walk::Walk;

impl Handle {
    /// Saves a pointer to the object, strong or weak.
    pub(crate) fn save(&self, strong: bool, ar: &mut Erased<'_>) -> Result {
        match self {
            Handle::Rc(object) => save::<RcFlavor>(object, strong, ar),
            Handle::Arc(object) => save::<ArcFlavor>(object, strong, ar),
            Handle::Building(_) => Err(wrong_pointee()),
        }
    }
}

/// Saves a pointer to the object, strong or weak.
fn save<F: Flavor>(pointer: &F::Strong<dyn Object>, strong: bool, ar: &mut Erased<'_>) -> Result {
    let outline = F::get(pointer).outline();
    if strong {
        super::strong::save_outlined::<F, dyn Object, AnyType, _>(pointer, outline, ar)
    } else {
        super::weak::save_to::<F, dyn Object, AnyType, _>(pointer, outline, ar)
    }
}

/// Objects whose type is erased. They can only be saved.
struct AnyType;

impl Objects<dyn Object> for AnyType {
    const CELL: bool = true;
    const DYN: bool = false;
    const SHAPE: &'static Shape = &Shape::Any;

    fn identity(object: &dyn Object) -> Result<Identity> {
        object.identity()
    }
    fn save_pointee<A: Archive>(object: &dyn Object, ar: &mut A) -> Result {
        object.save(&mut ar.erased())
    }
    fn retain<F: Flavor>(this: &F::Strong<dyn Object>) -> Retained {
        Retained::Object(F::handle_of(this.clone()))
    }
    fn wanted() -> &'static str {
        "an object"
    }
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
fn change<T: Content>(cell: &impl Contains<T>, change: Change<'_, '_>) -> Result {
    let mut other = match change {
        // Keys that are being loaded may be compared by the old content.
        Change::Fill(ar) if ar.session().loaded.passes.replace() => {
            let mut new = T::try_blank(ar.options())?;
            fill(&mut new, &mut ar.erased().loading())?;
            new
        }
        Change::Fill(ar) => {
            return cell.with_mut(|value: &mut T| fill(value, &mut ar.erased().loading()));
        }
        Change::Clear(options) => T::try_blank(options)?,
    };
    // The old content is dropped after the borrow has ended.
    cell.with_mut(|value: &mut T| {
        std::mem::swap(value, &mut other);
        Ok(())
    })
}

macro_rules! in_cell {
    ($($Cell:ident $(: $Copy:ident)?),*) => { $(
        impl<T: Content $(+ $Copy)?> Object for $Cell<T> {
            object!(T, true);

            fn identity(&self) -> Result<Identity> {
                if const { T::OWN_TYPE_ID.is_some() } {
                    return self.with_ref(|value: &T| Ok(Identity::of_value(value)));
                }
                Ok(Identity::of::<T>())
            }
            fn save(&self, ar: &mut Erased<'_>) -> Result {
                T::save_cell(self, &mut ar.erased().saving())
            }
            fn change(&self, how: Change<'_, '_>) -> Result {
                change::<T>(self, how)
            }
        }
    )* };
}
in_cell!(RefCell, Mutex, RwLock, Cell: Copy);
