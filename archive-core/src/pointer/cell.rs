//! The cells that a shared pointer may contain: `RefCell`, `Mutex`, `RwLock` (and `Cell`).

use std::cell::RefCell;
use std::sync::{Mutex, RwLock, TryLockError};

use super::flavor::Flavor;
use super::incell::InCell;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::plain_name;
use crate::pointer::registry::ops::{CellOps, FlavorOps};
use crate::visit::blank::Blank;
use crate::visit::object::{Handle, Kept};

/// The functions for a `D` in that kind of cell in that kind of pointer.
pub type CellOpsOf<C, D, F> = CellOps<
    <F as Flavor>::Strong<<C as CellKind>::Of<D>>,
    <F as Flavor>::Weak<<C as CellKind>::Of<D>>,
>;

/// A kind of cell, for any content.
pub trait CellKind: 'static {
    /// The cell with a content of type `X`.
    type Of<X: ?Sized + 'static>: ?Sized + 'static;

    /// Creates a cell in a new pointer, and the handle of the pointer.
    fn create<F: Flavor, T: Content>(value: T) -> (F::Strong<Self::Of<T>>, Handle);
    /// Erases the type of the pointer, to keep the object alive.
    fn keep<F: Flavor, T: Content>(strong: F::Strong<Self::Of<T>>) -> Kept;
    /// Returns the pointer of a handle, if it has that type.
    fn take<F: Flavor, T: Content>(handle: &Handle) -> Option<F::Strong<Self::Of<T>>>;
    /// Creates a weak pointer without an object.
    fn dangling<F: Flavor, T: Content>() -> F::Weak<Self::Of<T>>;
    /// Returns the functions for this kind of cell from a table.
    fn ops<D: ?Sized + 'static, F: Flavor>(
        ops: &'static FlavorOps<D, F>,
    ) -> &'static CellOpsOf<Self, D, F>;

    /// Calls `visit` with a shared borrow of the content.
    fn with_ref<X: ?Sized, R>(cell: &Self::Of<X>, visit: impl FnOnce(&X) -> Result<R>)
    -> Result<R>;
    /// Calls `visit` with a mutable borrow of the content.
    fn with_mut<X: ?Sized, R>(
        cell: &Self::Of<X>,
        visit: impl FnOnce(&mut X) -> Result<R>,
    ) -> Result<R>;
}

/// The content of a cell that can be created before the content is loaded.
pub trait Content: Blank + InCell {}
impl<T: Blank + InCell> Content for T {}

/// `RefCell`.
pub struct RefCellKind;
/// `Mutex`.
pub struct MutexKind;
/// `RwLock`.
pub struct RwLockKind;

/// The methods that differ only in names between the kinds of cells.
macro_rules! cell_kind {
    ($Cell:ident, $ops:ident) => {
        type Of<X: ?Sized + 'static> = $Cell<X>;

        fn create<F: Flavor, T: Content>(value: T) -> (F::Strong<$Cell<T>>, Handle) {
            let strong = F::new($Cell::new(value));
            let handle = F::handle(strong.clone());
            (strong, handle)
        }
        fn keep<F: Flavor, T: Content>(strong: F::Strong<$Cell<T>>) -> Kept {
            Kept::Object(F::handle(strong))
        }
        fn take<F: Flavor, T: Content>(handle: &Handle) -> Option<F::Strong<$Cell<T>>> {
            F::take(handle)
        }
        fn dangling<F: Flavor, T: Content>() -> F::Weak<$Cell<T>> {
            F::dangling()
        }
        fn ops<D: ?Sized + 'static, F: Flavor>(
            ops: &'static FlavorOps<D, F>,
        ) -> &'static CellOps<F::Strong<$Cell<D>>, F::Weak<$Cell<D>>> {
            &ops.$ops
        }
    };
}

impl CellKind for RefCellKind {
    cell_kind!(RefCell, refcell);

    fn with_ref<X: ?Sized, R>(cell: &RefCell<X>, visit: impl FnOnce(&X) -> Result<R>) -> Result<R> {
        match cell.try_borrow() {
            Ok(guard) => visit(&guard),
            Err(_) => Err(busy::<X>("RefCell", "mutably borrowed")),
        }
    }
    fn with_mut<X: ?Sized, R>(
        cell: &RefCell<X>,
        visit: impl FnOnce(&mut X) -> Result<R>,
    ) -> Result<R> {
        match cell.try_borrow_mut() {
            Ok(mut guard) => visit(&mut guard),
            Err(_) => Err(busy::<X>("RefCell", "borrowed")),
        }
    }
}

/// Implements [`CellKind`] for a lock. It never waits for the lock, which this very thread could
/// hold: a lock that is taken is an error, like a borrowed `RefCell`.
macro_rules! lock {
    ($Kind:ident $Lock:ident $ops:ident $try_ref:ident $try_mut:ident) => {
        impl CellKind for $Kind {
            cell_kind!($Lock, $ops);

            fn with_ref<X: ?Sized, R>(
                cell: &$Lock<X>,
                visit: impl FnOnce(&X) -> Result<R>,
            ) -> Result<R> {
                match cell.$try_ref() {
                    Ok(guard) => visit(&guard),
                    Err(TryLockError::WouldBlock) => Err(busy::<X>(stringify!($Lock), LOCKED)),
                    Err(TryLockError::Poisoned(_)) => Err(busy::<X>(stringify!($Lock), POISONED)),
                }
            }
            fn with_mut<X: ?Sized, R>(
                cell: &$Lock<X>,
                visit: impl FnOnce(&mut X) -> Result<R>,
            ) -> Result<R> {
                match cell.$try_mut() {
                    Ok(mut guard) => visit(&mut guard),
                    Err(TryLockError::WouldBlock) => Err(busy::<X>(stringify!($Lock), LOCKED)),
                    Err(TryLockError::Poisoned(_)) => Err(busy::<X>(stringify!($Lock), POISONED)),
                }
            }
        }
    };
}
lock!(MutexKind Mutex mutex try_lock try_lock);
lock!(RwLockKind RwLock rwlock try_read try_write);

const LOCKED: &str = "locked";
const POISONED: &str = "poisoned: a thread panicked while it was locked";

#[cold]
fn busy<X: ?Sized>(cell: &str, state: &str) -> Error {
    let name = plain_name(std::any::type_name::<X>());
    Error::new(ErrorKind::Borrowed, format_args!("a `{cell}<{name}>` is {state}"))
}
