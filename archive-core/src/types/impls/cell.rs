//! Cells as plain members: stored as their content, which is borrowed while it is visited.

use std::cell::{Cell, RefCell};
use std::sync::{Mutex, RwLock};

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{About, Shape, TypeInfo};
use crate::pointer::Contains;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Element, Fresh};
use crate::visit::serialize::{Save, Serialize};

/// Returns the error for a lock whose holder panicked.
#[cold]
fn poisoned<T>(_: T) -> Error {
    Error::new(ErrorKind::Borrowed, "the lock is poisoned: a thread panicked while it was locked")
}

macro_rules! cell {
    ($($Cell:ident $look:ident |$this:ident| $inside:expr;)*) => { $(
        impl<T: Serialize> Serialize for $Cell<T> {
            const SHAPE: &'static Shape = T::SHAPE;
            const ABOUT: &'static About = &About::around(stringify!($Cell), TypeInfo::of::<T>());
            const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
            const NULLABLE: bool = T::NULLABLE;
            const ITEMS_BY_HAND: bool = T::ITEMS_BY_HAND;

            /// The content of a borrowed or locked cell counts as not null; saving it is an error.
            fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
                self.$look().is_ok_and(|value| value.saves_null(options, levels))
            }

            fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
                let $this = self;
                $inside.load_item(ar)
            }
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                let $this = self;
                $inside.serialize(ar)
            }
            fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
                let $this = self;
                $inside.value(ar)
            }
        }
        impl<T: Save + 'static> Save for $Cell<T> {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                self.with_ref(|value: &T| value.save(ar))
            }
            fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
                self.with_ref(|value: &T| value.save_value(ar))
            }
        }
        impl<T: Fresh> Fresh for $Cell<T> {
            fn fresh(options: &Options<'_>) -> Result<Self> {
                T::fresh(options).map($Cell::new)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<T: Element> Element for $Cell<T> {
            fn load_element<A: Archive>(ar: &mut A) -> Result<Self> {
                T::load_element(ar).map($Cell::new)
            }
            /// Replaces a poisoned lock.
            fn load_element_over<A: Archive>(&mut self, ar: &mut A) -> Result {
                if self.$look().is_err() {
                    *self = Self::load_element(ar)?;
                    return Ok(());
                }
                let $this = self;
                $inside.load_element_over(ar)
            }
        }
    )* };
}

cell! {
    RefCell try_borrow |cell| cell.get_mut();
    Mutex try_lock |cell| cell.get_mut().map_err(poisoned)?;
    RwLock try_read |cell| cell.get_mut().map_err(poisoned)?;
}

impl<T: Serialize> Serialize for Cell<T> {
    const SHAPE: &'static Shape = T::SHAPE;
    const ABOUT: &'static About = &About::around("Cell", TypeInfo::of::<T>());
    const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
    const NULLABLE: bool = T::NULLABLE;
    const ITEMS_BY_HAND: bool = T::ITEMS_BY_HAND;

    /// The content of a `Cell` cannot be inspected through `&`, so it counts as null if it can be
    /// null.
    fn saves_null(&self, _: &Options<'_>, _: u32) -> bool {
        true
    }

    fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.get_mut().load_item(ar)
    }
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.get_mut().serialize(ar)
    }
    fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.get_mut().value(ar)
    }
}

/// The content of a `Cell` that is saved through `&`: it can only be copied out.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`Cell<{Self}>` cannot be saved through a shared reference",
    label = "is not `Copy`, or has no `Save`",
    note = "the content of a `Cell` can only be copied out: use `RefCell<{Self}>`",
    note = "or save through `&mut`: `#[archive(mut_only)]` on the derived type around it does without `Save`"
)]
pub trait InPlainCell: Save + Copy {}

#[diagnostic::do_not_recommend]
impl<T: Save + Copy> InPlainCell for T {}

impl<T: InPlainCell> Save for Cell<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        self.get().save(ar)
    }
    fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
        self.get().save_value(ar)
    }
}

impl<T: Fresh> Fresh for Cell<T> {
    fn fresh(options: &Options<'_>) -> Result<Self> {
        T::fresh(options).map(Cell::new)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> Element for Cell<T> {
    fn load_element<A: Archive>(ar: &mut A) -> Result<Self> {
        T::load_element(ar).map(Cell::new)
    }
    fn load_element_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.get_mut().load_element_over(ar)
    }
}
