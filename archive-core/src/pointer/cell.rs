//! The cells that may stand inside a shared pointer: `RefCell`, `Mutex`, `RwLock` (and `Cell`).

use std::cell::RefCell;
use std::sync::{Mutex, RwLock, TryLockError};

use super::flavor::{Flavor, Kept};
use super::incell::InCell;
use super::object::Handle;
use crate::blank::Blank;
use crate::error::{Error, ErrorKind, Result};
use crate::registry::{CellOps, FlavorOps};
use crate::shape::plain_name;

/// The functions for a `D` in that kind of cell in that kind of pointer.
pub type CellOpsOf<C, D, F> = CellOps<
    <F as Flavor>::Strong<<C as CellKind>::Of<D>>,
    <F as Flavor>::Weak<<C as CellKind>::Of<D>>,
>;

/// A kind of cell, over any content.
pub trait CellKind: 'static {
    /// The cell around a content.
    type Of<X: ?Sized + 'static>: ?Sized + 'static;

    /// A new cell in a new pointer, and the handle of it.
    fn create<F: Flavor, T: Content>(value: T) -> (F::Strong<Self::Of<T>>, Handle);
    /// The pointer with its type forgotten, so that the object is kept alive.
    fn keep<F: Flavor, T: Content>(strong: F::Strong<Self::Of<T>>) -> Kept;
    /// The pointer of a handle, if it is of that type.
    fn take<F: Flavor, T: Content>(handle: &Handle) -> Option<F::Strong<Self::Of<T>>>;
    /// A weak pointer to nothing.
    fn dangling<F: Flavor, T: Content>() -> F::Weak<Self::Of<T>>;
    /// The functions for this kind of cell in a table.
    fn ops<D: ?Sized + 'static, F: Flavor>(
        ops: &'static FlavorOps<D, F>,
    ) -> &'static CellOpsOf<Self, D, F>;

    /// Calls `visit` with the content, borrowed shared.
    fn with_ref<X: ?Sized, R>(cell: &Self::Of<X>, visit: impl FnOnce(&X) -> Result<R>)
    -> Result<R>;
    /// Calls `visit` with the content, borrowed for change.
    fn with_mut<X: ?Sized, R>(
        cell: &Self::Of<X>,
        visit: impl FnOnce(&mut X) -> Result<R>,
    ) -> Result<R>;
}

/// What a cell that can be made before its content is loaded may hold.
pub trait Content: Blank + InCell {}
impl<T: Blank + InCell> Content for T {}

/// As [`CellKind::with_mut`], with the content's type first.
pub(super) fn with_mut<C: CellKind, X: 'static, R>(
    cell: &C::Of<X>,
    visit: impl FnOnce(&mut X) -> Result<R>,
) -> Result<R> {
    C::with_mut(cell, visit)
}

/// `RefCell`.
pub struct RefCellKind;
/// `Mutex`.
pub struct MutexKind;
/// `RwLock`.
pub struct RwLockKind;

/// The methods that are the same for every kind but for its names.
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
        let guard = cell.try_borrow().map_err(|_| busy::<X>("RefCell", "mutably borrowed"))?;
        visit(&guard)
    }
    fn with_mut<X: ?Sized, R>(
        cell: &RefCell<X>,
        visit: impl FnOnce(&mut X) -> Result<R>,
    ) -> Result<R> {
        let mut guard = cell.try_borrow_mut().map_err(|_| busy::<X>("RefCell", "borrowed"))?;
        visit(&mut guard)
    }
}

impl CellKind for MutexKind {
    cell_kind!(Mutex, mutex);

    fn with_ref<X: ?Sized, R>(cell: &Mutex<X>, visit: impl FnOnce(&X) -> Result<R>) -> Result<R> {
        visit(&*lock::<X, _>("Mutex", cell.try_lock())?)
    }
    fn with_mut<X: ?Sized, R>(
        cell: &Mutex<X>,
        visit: impl FnOnce(&mut X) -> Result<R>,
    ) -> Result<R> {
        visit(&mut *lock::<X, _>("Mutex", cell.try_lock())?)
    }
}

impl CellKind for RwLockKind {
    cell_kind!(RwLock, rwlock);

    fn with_ref<X: ?Sized, R>(cell: &RwLock<X>, visit: impl FnOnce(&X) -> Result<R>) -> Result<R> {
        visit(&*lock::<X, _>("RwLock", cell.try_read())?)
    }
    fn with_mut<X: ?Sized, R>(
        cell: &RwLock<X>,
        visit: impl FnOnce(&mut X) -> Result<R>,
    ) -> Result<R> {
        visit(&mut *lock::<X, _>("RwLock", cell.try_write())?)
    }
}

/// The guard of a lock. Waiting could wait for this very thread, so a lock that is taken is an
/// error, as a borrowed `RefCell` is.
fn lock<X: ?Sized, G>(cell: &str, result: Result<G, TryLockError<G>>) -> Result<G> {
    result.map_err(|error| match error {
        TryLockError::WouldBlock => busy::<X>(cell, "locked"),
        TryLockError::Poisoned(_) => {
            busy::<X>(cell, "poisoned: a thread panicked while it was locked")
        }
    })
}

#[cold]
fn busy<X: ?Sized>(cell: &str, state: &str) -> Error {
    let name = plain_name(std::any::type_name::<X>());
    Error::new(ErrorKind::Borrowed, format_args!("a `{cell}<{name}>` is {state}"))
}
