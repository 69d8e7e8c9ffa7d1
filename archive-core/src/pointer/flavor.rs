//! `Rc` and `Arc` as one: everything about shared pointers is written once over [`Flavor`].

use std::any::Any;
use std::rc::{self, Rc};
use std::sync::{self, Arc};

use super::object::{Handle, Object};
use crate::registry::{FlavorOps, Ops};

/// `Rc` or `Arc`.
pub trait Flavor: 'static {
    /// The strong pointer.
    type Strong<P: ?Sized + 'static>: Clone + 'static;
    /// The weak pointer.
    type Weak<P: ?Sized + 'static>: Clone + 'static;

    /// The type's name, for messages.
    const NAME: &'static str;

    /// A new pointer.
    fn new<P: 'static>(value: P) -> Self::Strong<P>;
    /// A new pointer whose value is made while a weak pointer to it exists.
    fn new_cyclic<P: 'static>(make: impl FnOnce(&Self::Weak<P>) -> P) -> Self::Strong<P>;
    /// The pointee.
    fn get<P: ?Sized + 'static>(strong: &Self::Strong<P>) -> &P;
    /// The address of the pointee.
    fn address<P: ?Sized + 'static>(strong: &Self::Strong<P>) -> usize;
    /// A weak pointer to the same object.
    fn downgrade<P: ?Sized + 'static>(strong: &Self::Strong<P>) -> Self::Weak<P>;
    /// A strong pointer, if the object still lives.
    fn upgrade<P: ?Sized + 'static>(weak: &Self::Weak<P>) -> Option<Self::Strong<P>>;
    /// A weak pointer to nothing.
    fn dangling<P: 'static>() -> Self::Weak<P>;
    /// The pointer with its type forgotten, so that the object is kept alive.
    fn keep<P: 'static>(strong: Self::Strong<P>) -> Kept;
    /// The pointer with its type forgotten, so that it can be [taken](Flavor::take) again.
    fn handle<P: Object>(strong: Self::Strong<P>) -> Handle;
    /// The pointer of a handle, if it is of that type.
    fn take<P: Object>(handle: &Handle) -> Option<Self::Strong<P>>;
    /// The weak pointer of a handle, if it is of that type; also while the object is being built.
    fn take_weak<P: Object>(handle: &Handle) -> Option<Self::Weak<P>>;
    /// This flavour's functions in a table.
    fn ops<D: ?Sized + 'static>(ops: &'static Ops<D>) -> &'static FlavorOps<D, Self>
    where
        Self: Sized;
}

/// A pointer that does nothing but keep its object alive.
pub enum Kept {
    /// An `Rc`.
    Rc(Rc<dyn Any>),
    /// An `Arc`.
    Arc(Arc<dyn Any>),
    /// A pointer to what has no size of its own.
    Unsized(Box<dyn Any>),
}

/// `Rc`.
pub struct RcFlavor;
/// `Arc`.
pub struct ArcFlavor;

macro_rules! flavor {
    ($flavor:ident, $Strong:ident, $module:ident, $variant:ident, $give:ident, $ops:ident) => {
        impl Flavor for $flavor {
            type Strong<P: ?Sized + 'static> = $Strong<P>;
            type Weak<P: ?Sized + 'static> = $module::Weak<P>;

            const NAME: &'static str = stringify!($Strong);

            fn new<P: 'static>(value: P) -> $Strong<P> {
                $Strong::new(value)
            }
            fn new_cyclic<P: 'static>(make: impl FnOnce(&$module::Weak<P>) -> P) -> $Strong<P> {
                $Strong::new_cyclic(make)
            }
            fn get<P: ?Sized + 'static>(strong: &$Strong<P>) -> &P {
                strong
            }
            fn address<P: ?Sized + 'static>(strong: &$Strong<P>) -> usize {
                $Strong::as_ptr(strong).cast::<()>() as usize
            }
            fn downgrade<P: ?Sized + 'static>(strong: &$Strong<P>) -> $module::Weak<P> {
                $Strong::downgrade(strong)
            }
            fn upgrade<P: ?Sized + 'static>(weak: &$module::Weak<P>) -> Option<$Strong<P>> {
                weak.upgrade()
            }
            fn dangling<P: 'static>() -> $module::Weak<P> {
                $module::Weak::new()
            }
            fn keep<P: 'static>(strong: $Strong<P>) -> Kept {
                Kept::$variant(strong)
            }
            fn handle<P: Object>(strong: $Strong<P>) -> Handle {
                Handle::$variant(strong)
            }
            fn take<P: Object>(handle: &Handle) -> Option<$Strong<P>> {
                let Handle::$variant(object) = handle else { return None };
                let mut out: Option<$Strong<P>> = None;
                object.clone().$give(&mut out);
                out
            }
            fn take_weak<P: Object>(handle: &Handle) -> Option<$module::Weak<P>> {
                match handle {
                    Handle::Building(weak) => weak.downcast_ref::<$module::Weak<P>>().cloned(),
                    _ => Self::take(handle).map(|strong| $Strong::downgrade(&strong)),
                }
            }
            fn ops<D: ?Sized + 'static>(ops: &'static Ops<D>) -> &'static FlavorOps<D, Self> {
                &ops.$ops
            }
        }
    };
}
flavor!(RcFlavor, Rc, rc, Rc, give_rc, rc);
flavor!(ArcFlavor, Arc, sync, Arc, give_arc, arc);
