//! [`Object`]: a loaded object whose type is erased, as the session's table holds it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, RwLock};

use super::cell::{CellKind, Content, MutexKind, RefCellKind, RwLockKind};
use super::flavor::{ArcFlavor, Flavor, RcFlavor};
use super::inner::Inner;
use super::pointee::{Created, Pointee};
use crate::model::error::{Error, Result};
use crate::model::head::wrong_pointee;
use crate::model::identity::Identity;
use crate::model::mark::Mark;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::erased::Erased;
use crate::visit::object::{Change, Handle, Kept, Object};
use crate::visit::restore::fill;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::Entry;

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
    fn save_pointee<A: Archive>(&self, ar: &mut A) -> Result {
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
