//! [`Flavor`]: `Rc` and `Arc` as one trait, so that the code for shared pointers is written once.

use std::any::Any;
use std::rc::{self, Rc};
use std::sync::{self, Arc};

use crate::pointer::registry::ops::{FlavorOps, Ops};
use crate::visit::object::{Counted, Handle, Object, Retained};

/// A kind of shared pointer: `Rc` or `Arc`.
pub trait Flavor: 'static {
    /// The strong pointer.
    type Strong<P: ?Sized + 'static>: Clone + 'static;
    /// The weak pointer.
    type Weak<P: ?Sized + 'static>: Clone + 'static;

    /// The type's name, for messages.
    const NAME: &'static str;

    /// Creates a pointer.
    fn new<P: 'static>(value: P) -> Self::Strong<P>;
    /// Creates a pointer whose value is made while a weak pointer to it exists.
    fn new_cyclic<P: 'static>(make: impl FnOnce(&Self::Weak<P>) -> P) -> Self::Strong<P>;
    /// Returns the pointee.
    fn get<P: ?Sized + 'static>(strong: &Self::Strong<P>) -> &P;
    /// Returns the address of the pointee.
    fn address<P: ?Sized + 'static>(strong: &Self::Strong<P>) -> usize;
    /// Returns a weak pointer to the same object.
    fn downgrade<P: ?Sized + 'static>(strong: &Self::Strong<P>) -> Self::Weak<P>;
    /// Returns a strong pointer, if the object still exists.
    fn upgrade<P: ?Sized + 'static>(weak: &Self::Weak<P>) -> Option<Self::Strong<P>>;
    /// Creates a weak pointer without an object.
    fn dangling<P: 'static>() -> Self::Weak<P>;
    /// Returns the number of strong pointers to the object.
    fn count<P: ?Sized + 'static>(strong: &Self::Strong<P>) -> usize;
    /// Erases the type of the pointer, which can be [taken](Flavor::take) back.
    fn handle<P: Object>(strong: Self::Strong<P>) -> Handle;
    /// Like [`handle`](Flavor::handle), for a pointer whose type is erased already.
    fn handle_of(strong: Self::Strong<dyn Object>) -> Handle;
    /// Returns the pointer of a handle, if it has that type.
    fn take<P: Object>(handle: &Handle) -> Option<Self::Strong<P>>;
    /// Returns the weak pointer of a handle, if it has that type. Also works while the object is
    /// being built.
    fn take_weak<P: Object>(handle: &Handle) -> Option<Self::Weak<P>>;
    /// Returns the functions for this kind of pointer from a table.
    fn ops<D: ?Sized + 'static>(ops: &'static Ops<D>) -> &'static FlavorOps<D, Self>
    where
        Self: Sized;
}

impl Retained {
    /// Clones a pointer to an unsized value.
    pub fn of_unsized<F: Flavor, P: ?Sized + 'static>(strong: &F::Strong<P>) -> Self {
        Retained::Unsized(Box::new(Pointer::<F, P>(strong.clone())))
    }
}

struct Pointer<F: Flavor, P: ?Sized + 'static>(F::Strong<P>);

impl<F: Flavor, P: ?Sized + 'static> Counted for Pointer<F, P> {
    fn count(&self) -> usize {
        F::count(&self.0)
    }
}

/// `Rc`.
pub struct RcFlavor;
/// `Arc`.
pub struct ArcFlavor;

fn take_rc<P: Object>(object: &Rc<dyn Object>) -> Option<Rc<P>> {
    let object: Rc<dyn Any> = object.clone();
    object.downcast().ok()
}

/// Downcasts an `Arc`. The standard library has `downcast` only for an `Arc` whose object is `Send`
/// and `Sync`.
fn take_arc<P: Object>(object: &Arc<dyn Object>) -> Option<Arc<P>> {
    let mut out: Option<Arc<P>> = None;
    object.clone().give_arc(&mut out);
    out
}

macro_rules! flavor {
    ($flavor:ident, $Strong:ident, $module:ident, $variant:ident, $take:ident, $ops:ident) => {
        impl Flavor for $flavor {
            type Strong<P: ?Sized + 'static> = $Strong<P>;
            type Weak<P: ?Sized + 'static> = $module::Weak<P>;

            const NAME: &'static str = stringify!($Strong);

            #[inline]
            fn new<P: 'static>(value: P) -> $Strong<P> {
                $Strong::new(value)
            }
            fn new_cyclic<P: 'static>(make: impl FnOnce(&$module::Weak<P>) -> P) -> $Strong<P> {
                $Strong::new_cyclic(make)
            }
            #[inline]
            fn get<P: ?Sized + 'static>(strong: &$Strong<P>) -> &P {
                strong
            }
            #[inline]
            fn address<P: ?Sized + 'static>(strong: &$Strong<P>) -> usize {
                $Strong::as_ptr(strong).cast::<()>() as usize
            }
            #[inline]
            fn downgrade<P: ?Sized + 'static>(strong: &$Strong<P>) -> $module::Weak<P> {
                $Strong::downgrade(strong)
            }
            #[inline]
            fn upgrade<P: ?Sized + 'static>(weak: &$module::Weak<P>) -> Option<$Strong<P>> {
                weak.upgrade()
            }
            #[inline]
            fn dangling<P: 'static>() -> $module::Weak<P> {
                $module::Weak::new()
            }
            #[inline]
            fn count<P: ?Sized + 'static>(strong: &$Strong<P>) -> usize {
                $Strong::strong_count(strong)
            }
            #[inline]
            fn handle<P: Object>(strong: $Strong<P>) -> Handle {
                Handle::$variant(strong)
            }
            #[inline]
            fn handle_of(strong: $Strong<dyn Object>) -> Handle {
                Handle::$variant(strong)
            }
            #[inline]
            fn take<P: Object>(handle: &Handle) -> Option<$Strong<P>> {
                let Handle::$variant(object) = handle else { return None };
                $take(object)
            }
            fn take_weak<P: Object>(handle: &Handle) -> Option<$module::Weak<P>> {
                match handle {
                    Handle::Building(weak) => weak.downcast_ref::<$module::Weak<P>>().cloned(),
                    _ => match Self::take(handle) {
                        Some(strong) => Some($Strong::downgrade(&strong)),
                        None => None,
                    },
                }
            }
            fn ops<D: ?Sized + 'static>(ops: &'static Ops<D>) -> &'static FlavorOps<D, Self> {
                &ops.$ops
            }
        }
    };
}
flavor!(RcFlavor, Rc, rc, Rc, take_rc, rc);
flavor!(ArcFlavor, Arc, sync, Arc, take_arc, arc);
