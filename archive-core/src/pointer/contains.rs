//! [`Contains`]: the content of a shared pointer, or a cell around the content.
// Why: docs/decisions/pointers.md#a-locked-mutex-is-an-error

use std::cell::{Cell, RefCell};
use std::sync::{Mutex, RwLock, TryLockError};

use super::incell::InCell;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::wrong_pointee;
use crate::model::shape::plain_name;
use crate::visit::blank::Blank;

/// The target of a pointer to an `X`: the `X` itself or a cell around it.
pub trait Contains<X: ?Sized>: 'static {
    /// Whether it is a cell, so that the pointer can be created before the content is loaded.
    const CELL: bool;

    /// Creates the target with that content.
    fn new(content: X) -> Self
    where
        X: Sized,
        Self: Sized;
    /// Calls `visit` with a shared borrow of the content.
    fn with_ref<R>(&self, visit: impl FnOnce(&X) -> Result<R>) -> Result<R>;
    /// Calls `visit` with a mutable borrow of the content, which must be in a cell.
    fn with_mut<R>(&self, visit: impl FnOnce(&mut X) -> Result<R>) -> Result<R>;
}

/// The content of a cell that can be created before the content is loaded.
pub trait Content: Blank + InCell {}
impl<T: Blank + InCell> Content for T {}

impl<X: ?Sized + 'static> Contains<X> for X {
    const CELL: bool = false;

    #[inline]
    fn new(content: X) -> X
    where
        X: Sized,
    {
        content
    }
    #[inline]
    fn with_ref<R>(&self, visit: impl FnOnce(&X) -> Result<R>) -> Result<R> {
        visit(self)
    }
    fn with_mut<R>(&self, _: impl FnOnce(&mut X) -> Result<R>) -> Result<R> {
        Err(wrong_pointee())
    }
}

impl<X: ?Sized + 'static> Contains<X> for RefCell<X> {
    const CELL: bool = true;

    fn new(content: X) -> Self
    where
        X: Sized,
    {
        RefCell::new(content)
    }
    fn with_ref<R>(&self, visit: impl FnOnce(&X) -> Result<R>) -> Result<R> {
        match self.try_borrow() {
            Ok(guard) => visit(&guard),
            Err(_) => Err(busy::<X>("RefCell", "mutably borrowed")),
        }
    }
    fn with_mut<R>(&self, visit: impl FnOnce(&mut X) -> Result<R>) -> Result<R> {
        match self.try_borrow_mut() {
            Ok(mut guard) => visit(&mut guard),
            Err(_) => Err(busy::<X>("RefCell", "borrowed")),
        }
    }
}

/// Implements [`Contains`] for a lock. It never blocks on the lock, because this thread might hold
/// it. A taken lock is an error, like a borrowed `RefCell`.
macro_rules! lock {
    ($Lock:ident $try_ref:ident $try_mut:ident) => {
        impl<X: ?Sized + 'static> Contains<X> for $Lock<X> {
            const CELL: bool = true;

            fn new(content: X) -> Self
            where
                X: Sized,
            {
                $Lock::new(content)
            }
            fn with_ref<R>(&self, visit: impl FnOnce(&X) -> Result<R>) -> Result<R> {
                match self.$try_ref() {
                    Ok(guard) => visit(&guard),
                    Err(TryLockError::WouldBlock) => Err(busy::<X>(stringify!($Lock), LOCKED)),
                    Err(TryLockError::Poisoned(_)) => Err(busy::<X>(stringify!($Lock), POISONED)),
                }
            }
            fn with_mut<R>(&self, visit: impl FnOnce(&mut X) -> Result<R>) -> Result<R> {
                match self.$try_mut() {
                    Ok(mut guard) => visit(&mut guard),
                    Err(TryLockError::WouldBlock) => Err(busy::<X>(stringify!($Lock), LOCKED)),
                    Err(TryLockError::Poisoned(_)) => Err(busy::<X>(stringify!($Lock), POISONED)),
                }
            }
        }
    };
}
lock!(Mutex try_lock try_lock);
lock!(RwLock try_read try_write);

/// The content is copied out. After it was changed without an error, it is copied back.
impl<X: Copy + 'static> Contains<X> for Cell<X> {
    const CELL: bool = true;

    fn new(content: X) -> Self {
        Cell::new(content)
    }
    fn with_ref<R>(&self, visit: impl FnOnce(&X) -> Result<R>) -> Result<R> {
        visit(&self.get())
    }
    fn with_mut<R>(&self, visit: impl FnOnce(&mut X) -> Result<R>) -> Result<R> {
        let mut content = self.get();
        let result = visit(&mut content)?;
        self.set(content);
        Ok(result)
    }
}

const LOCKED: &str = "locked";
const POISONED: &str = "poisoned: a thread panicked while it was locked";

#[cold]
fn busy<X: ?Sized>(cell: &str, state: &str) -> Error {
    let name = plain_name(std::any::type_name::<X>());
    Error::new(ErrorKind::Borrowed, format_args!("a `{cell}<{name}>` is {state}"))
}
