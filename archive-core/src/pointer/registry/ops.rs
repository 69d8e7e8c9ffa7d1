//! [`Ops`]: the functions for one registered type as one trait object type.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::{Mutex, RwLock};

use crate::model::error::Result;
use crate::model::identity::Identity;
use crate::model::mark::Mark;
use crate::pointer::{ArcFlavor, Contains, Fill, Flavor, RcFlavor, build};
use crate::state::options::Options;
use crate::visit::blank::Blank;
use crate::visit::object::Handle;
use crate::visit::polymorphic::{Interface, Polymorphic};
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::Session;

/// The functions for a concrete type as the trait object `D`. They are independent of the format.
pub struct Ops<D: ?Sized + 'static> {
    /// Returns the concrete type.
    pub identity: fn() -> Identity,
    /// Creates a blank object.
    pub boxed: fn(&Options<'_>) -> Result<Box<D>>,
    /// The functions for objects in `Rc`.
    pub rc: FlavorOps<D, RcFlavor>,
    /// The functions for objects in `Arc`.
    pub arc: FlavorOps<D, ArcFlavor>,
}

/// Creates a blank object.
pub type Create = fn(&Options<'_>) -> Result<Handle>;

/// Loads an object without a cell. While it is loaded, the object has the given id and is stored at
/// the mark.
type Build<S> = fn(&mut dyn Fill<dyn Polymorphic>, u64, Mark) -> Result<S>;

/// The functions for objects in one kind of pointer.
pub struct FlavorOps<D: ?Sized + 'static, F: Flavor> {
    /// The functions for objects without a cell.
    pub bare: ObjectOps<D, F>,
    /// The functions for objects in a `RefCell`.
    pub refcell: ObjectOps<RefCell<D>, F>,
    /// The functions for objects in a `Mutex`.
    pub mutex: ObjectOps<Mutex<D>, F>,
    /// The functions for objects in an `RwLock`.
    pub rwlock: ObjectOps<RwLock<D>, F>,
}

/// The functions for objects in one kind of pointer, without a cell or in one kind of cell.
pub struct ObjectOps<P: ?Sized + 'static, F: Flavor> {
    /// Creates a blank object.
    pub create: Create,
    /// Returns the pointer of a handle.
    pub take: fn(&Handle) -> Option<F::Strong<P>>,
    /// Creates a weak pointer without an object.
    pub dangling: fn() -> F::Weak<P>,
    /// The functions for objects without a cell only.
    pub bare: Option<BareOps<P, F>>,
}

/// The functions for objects without a cell, which are created when they are loaded.
pub struct BareOps<P: ?Sized + 'static, F: Flavor> {
    /// Loads an object.
    pub build: Build<F::Strong<P>>,
    /// Returns the weak pointer of a handle.
    pub take_weak: fn(&Handle) -> Option<F::Weak<P>>,
}

/// The target of a pointer to an object of the trait object type `D`: that type itself, or a cell
/// around it.
pub trait ContainsDyn<D: ?Sized + 'static>: Contains<D> {
    /// Returns the functions for such pointers from a table.
    fn ops<F: Flavor>(ops: &'static FlavorOps<D, F>) -> &'static ObjectOps<Self, F>;
}

macro_rules! contains_dyn {
    ($($P:ty: $ops:ident),*) => { $(
        impl<D: ?Sized + 'static> ContainsDyn<D> for $P {
            fn ops<F: Flavor>(ops: &'static FlavorOps<D, F>) -> &'static ObjectOps<Self, F> {
                &ops.$ops
            }
        }
    )* };
}
contains_dyn!(D: bare, RefCell<D>: refcell, Mutex<D>: mutex, RwLock<D>: rwlock);

/// A trait object type that a pointer to `T` can be cast to. It is a single trait, so that a type
/// that cannot be cast gets one error, instead of one for each kind of pointer.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be used as `{Self}`",
    label = "`{T}` must implement the trait",
    note = "`archive::polymorphic!({Self});` must be called where the trait is defined"
)]
pub trait Holds<T>: Interface + CastBox<T> + Cast<T, RcFlavor> + Cast<T, ArcFlavor> {}

#[diagnostic::do_not_recommend]
impl<D, T> Holds<T> for D where
    D: Interface + CastBox<T> + Cast<T, RcFlavor> + Cast<T, ArcFlavor> + ?Sized
{
}

/// Like [`Cast`], for `Box`.
pub trait CastBox<T>: 'static {
    /// Casts a `Box`.
    fn boxed(pointer: Box<T>) -> Box<Self>;
}

/// Casts pointers to `T` into pointers to the trait object. Only code that names both types can do
/// this, so `polymorphic!` writes the impl.
pub trait Cast<T, F: Flavor>: 'static {
    /// Casts a pointer to an object without a cell.
    fn bare(pointer: F::Strong<T>) -> F::Strong<Self>;
    /// Casts a weak pointer to an object without a cell.
    fn bare_weak(pointer: F::Weak<T>) -> F::Weak<Self>;
    /// Casts a pointer to an object in a `RefCell`.
    fn refcell(pointer: F::Strong<RefCell<T>>) -> F::Strong<RefCell<Self>>;
    /// Casts a weak pointer to an object in a `RefCell`.
    fn refcell_weak(pointer: F::Weak<RefCell<T>>) -> F::Weak<RefCell<Self>>;
    /// Casts a pointer to an object in a `Mutex`.
    fn mutex(pointer: F::Strong<Mutex<T>>) -> F::Strong<Mutex<Self>>;
    /// Casts a weak pointer to an object in a `Mutex`.
    fn mutex_weak(pointer: F::Weak<Mutex<T>>) -> F::Weak<Mutex<Self>>;
    /// Casts a pointer to an object in an `RwLock`.
    fn rwlock(pointer: F::Strong<RwLock<T>>) -> F::Strong<RwLock<Self>>;
    /// Casts a weak pointer to an object in an `RwLock`.
    fn rwlock_weak(pointer: F::Weak<RwLock<T>>) -> F::Weak<RwLock<Self>>;
}

/// Adapts the function that fills any object to objects of one type.
struct Object<'a>(&'a mut dyn Fill<dyn Polymorphic>);

impl<T: Polymorphic> Fill<T> for Object<'_> {
    fn parts(&mut self) -> (&mut Session, &Options<'_>) {
        self.0.parts()
    }
    fn fill(&mut self, value: &mut T) -> Result {
        self.0.fill(value)
    }
}

/// The constant table of functions for one type as one trait object.
pub(super) struct Table<D: ?Sized, T>(PhantomData<(Box<D>, T)>);

struct FlavorTable<D: ?Sized, T, F>(PhantomData<(Box<D>, T, F)>);

/// Writes the functions of [`ObjectOps`] for objects without a cell, or in one kind of cell.
macro_rules! object_ops {
    ($OPS:ident $D:ty, $T:ty: $cast:ident $weak:ident $create:ident $take:ident $dangling:ident $bare:expr) => {
        const $OPS: ObjectOps<$D, F> = ObjectOps {
            create: Self::$create,
            take: Self::$take,
            dangling: Self::$dangling,
            bare: $bare,
        };

        fn $create(options: &Options<'_>) -> Result<Handle> {
            Ok(F::handle(F::new(<$T as Contains<T>>::new(T::try_blank(options)?))))
        }
        fn $take(handle: &Handle) -> Option<F::Strong<$D>> {
            match F::take(handle) {
                Some(strong) => Some(D::$cast(strong)),
                None => None,
            }
        }
        fn $dangling() -> F::Weak<$D> {
            D::$weak(F::dangling())
        }
    };
}

/// Named functions, because a program contains each one once. A closure would be two functions.
#[allow(
    clippy::manual_map,
    reason = "`map` would be two more functions for each type and kind of pointer"
)]
impl<D, T, F> FlavorTable<D, T, F>
where
    D: Cast<T, F> + ?Sized,
    T: Serialize + Save + Blank + 'static,
    F: Flavor,
{
    const OPS: FlavorOps<D, F> = FlavorOps {
        bare: Self::BARE,
        refcell: Self::REFCELL,
        mutex: Self::MUTEX,
        rwlock: Self::RWLOCK,
    };

    fn build(ar: &mut dyn Fill<dyn Polymorphic>, id: u64, at: Mark) -> Result<F::Strong<D>> {
        Ok(D::bare(build::<F, T, T, _>(&mut Object(ar), id, at)?))
    }
    fn take_weak(handle: &Handle) -> Option<F::Weak<D>> {
        match F::take_weak(handle) {
            Some(weak) => Some(D::bare_weak(weak)),
            None => None,
        }
    }

    object_ops!(BARE D, T: bare bare_weak create take dangling
        Some(BareOps { build: Self::build, take_weak: Self::take_weak }));
    object_ops!(REFCELL RefCell<D>, RefCell<T>: refcell refcell_weak
        create_refcell take_refcell dangling_refcell None);
    object_ops!(MUTEX Mutex<D>, Mutex<T>: mutex mutex_weak
        create_mutex take_mutex dangling_mutex None);
    object_ops!(RWLOCK RwLock<D>, RwLock<T>: rwlock rwlock_weak
        create_rwlock take_rwlock dangling_rwlock None);
}

impl<D, T> Table<D, T>
where
    D: Holds<T> + ?Sized,
    T: Serialize + Save + Blank + 'static,
{
    pub(super) const OPS: &'static Ops<D> = &Ops {
        identity: Identity::of::<T>,
        boxed: Self::boxed,
        rc: FlavorTable::<D, T, RcFlavor>::OPS,
        arc: FlavorTable::<D, T, ArcFlavor>::OPS,
    };

    fn boxed(options: &Options<'_>) -> Result<Box<D>> {
        Ok(D::boxed(Box::new(T::try_blank(options)?)))
    }
}
