//! [`Ops`]: what is done with objects of one registered type through one trait.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::{Mutex, RwLock};

use super::interface::{Interface, Polymorphic};
use crate::blank::Blank;
use crate::decoder::Mark;
use crate::error::Result;
use crate::options::Options;
use crate::pointer::{ArcFlavor, Fill, Flavor, Handle, Identity, RcFlavor, build};
use crate::session::Session;
use crate::{Save, Serialize};

/// The functions for a concrete type seen as the trait object `D`. Nothing in here knows a format.
pub struct Ops<D: ?Sized + 'static> {
    /// The concrete type.
    pub identity: fn() -> Identity,
    /// A blank object.
    pub boxed: fn(&Options<'_>) -> Result<Box<D>>,
    /// For objects in `Rc`.
    pub rc: FlavorOps<D, RcFlavor>,
    /// For objects in `Arc`.
    pub arc: FlavorOps<D, ArcFlavor>,
}

/// Loads a bare object that is known under an id meanwhile, and whose body stands at the mark.
type Build<S> = fn(&mut dyn Fill<dyn Polymorphic>, u64, Mark) -> Result<S>;

/// The functions for objects in one kind of pointer.
pub struct FlavorOps<D: ?Sized + 'static, F: Flavor> {
    /// A blank bare object.
    pub blank: fn(&Options<'_>) -> Result<Handle>,
    /// Loads a bare object.
    pub build: Build<F::Strong<D>>,
    /// The pointer of a handle.
    pub take: fn(&Handle) -> Option<F::Strong<D>>,
    /// The weak pointer of a handle.
    pub take_weak: fn(&Handle) -> Option<F::Weak<D>>,
    /// A weak pointer to nothing.
    pub dangling: fn() -> F::Weak<D>,
    /// For objects in a `RefCell`.
    pub refcell: CellOps<F::Strong<RefCell<D>>, F::Weak<RefCell<D>>>,
    /// For objects in a `Mutex`.
    pub mutex: CellOps<F::Strong<Mutex<D>>, F::Weak<Mutex<D>>>,
    /// For objects in an `RwLock`.
    pub rwlock: CellOps<F::Strong<RwLock<D>>, F::Weak<RwLock<D>>>,
}

/// The functions for objects in one kind of cell in one kind of pointer.
pub struct CellOps<S, W> {
    /// A blank object.
    pub create: fn(&Options<'_>) -> Result<Handle>,
    /// The pointer of a handle.
    pub take: fn(&Handle) -> Option<S>,
    /// A weak pointer to nothing.
    pub dangling: fn() -> W,
}

/// A trait object that objects of type `T` can stand behind. It is one trait, so that a type which lacks the
/// trait gets one error, and not one for each kind of pointer.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot stand behind `{Self}`",
    label = "`{T}` must implement the trait",
    note = "`archive::polymorphic!({Self});` must stand where the trait is defined"
)]
pub trait Holds<T>: Interface + CastBox<T> + Cast<T, RcFlavor> + Cast<T, ArcFlavor> {}

#[diagnostic::do_not_recommend]
impl<D, T> Holds<T> for D where
    D: Interface + CastBox<T> + Cast<T, RcFlavor> + Cast<T, ArcFlavor> + ?Sized
{
}

/// As [`Cast`], for `Box`.
pub trait CastBox<T>: 'static {
    /// In a `Box`.
    fn boxed(pointer: Box<T>) -> Box<Self>;
}

/// Turns pointers to `T` into pointers to the trait object: the one thing that only code which
/// names both can do, so `polymorphic!` writes it.
pub trait Cast<T, F: Flavor>: 'static {
    /// Bare.
    fn bare(pointer: F::Strong<T>) -> F::Strong<Self>;
    /// Bare and weak.
    fn bare_weak(pointer: F::Weak<T>) -> F::Weak<Self>;
    /// In a `RefCell`.
    fn refcell(pointer: F::Strong<RefCell<T>>) -> F::Strong<RefCell<Self>>;
    /// In a `RefCell`, weak.
    fn refcell_weak(pointer: F::Weak<RefCell<T>>) -> F::Weak<RefCell<Self>>;
    /// In a `Mutex`.
    fn mutex(pointer: F::Strong<Mutex<T>>) -> F::Strong<Mutex<Self>>;
    /// In a `Mutex`, weak.
    fn mutex_weak(pointer: F::Weak<Mutex<T>>) -> F::Weak<Mutex<Self>>;
    /// In an `RwLock`.
    fn rwlock(pointer: F::Strong<RwLock<T>>) -> F::Strong<RwLock<Self>>;
    /// In an `RwLock`, weak.
    fn rwlock_weak(pointer: F::Weak<RwLock<T>>) -> F::Weak<RwLock<Self>>;
}

/// Fills objects of one type with what fills objects of any.
struct Object<'a>(&'a mut dyn Fill<dyn Polymorphic>);

impl<T: Polymorphic> Fill<T> for Object<'_> {
    fn parts(&mut self) -> (&mut Session, &Options<'_>) {
        self.0.parts()
    }
    fn fill(&mut self, value: &mut T) -> Result {
        self.0.fill(value)
    }
}

/// The constant table of functions for one type seen as one trait object.
pub(super) struct Table<D: ?Sized, T>(PhantomData<(Box<D>, T)>);

struct FlavorTable<D: ?Sized, T, F>(PhantomData<(Box<D>, T, F)>);

/// Writes what [`CellOps`] asks for one kind of cell.
macro_rules! in_cell {
    ($Cell:ident $cast:ident $cast_weak:ident $create:ident $take:ident $dangling:ident) => {
        fn $create(options: &Options<'_>) -> Result<Handle> {
            Ok(F::handle(F::new($Cell::new(T::try_blank(options)?))))
        }
        fn $take(handle: &Handle) -> Option<F::Strong<$Cell<D>>> {
            match F::take(handle) {
                Some(strong) => Some(D::$cast(strong)),
                None => None,
            }
        }
        fn $dangling() -> F::Weak<$Cell<D>> {
            D::$cast_weak(F::dangling())
        }
    };
}

/// Named functions, of which a program has one each; of a closure it has two.
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
        blank: Self::blank,
        build: Self::build,
        take: Self::take,
        take_weak: Self::take_weak,
        dangling: Self::dangling,
        refcell: CellOps {
            create: Self::create_refcell,
            take: Self::take_refcell,
            dangling: Self::dangling_refcell,
        },
        mutex: CellOps {
            create: Self::create_mutex,
            take: Self::take_mutex,
            dangling: Self::dangling_mutex,
        },
        rwlock: CellOps {
            create: Self::create_rwlock,
            take: Self::take_rwlock,
            dangling: Self::dangling_rwlock,
        },
    };

    fn blank(options: &Options<'_>) -> Result<Handle> {
        Ok(F::handle(F::new(T::try_blank(options)?)))
    }
    fn build(ar: &mut dyn Fill<dyn Polymorphic>, id: u64, at: Mark) -> Result<F::Strong<D>> {
        Ok(D::bare(build::<F, T, _>(&mut Object(ar), id, at)?))
    }
    fn take(handle: &Handle) -> Option<F::Strong<D>> {
        match F::take(handle) {
            Some(strong) => Some(D::bare(strong)),
            None => None,
        }
    }
    fn take_weak(handle: &Handle) -> Option<F::Weak<D>> {
        match F::take_weak(handle) {
            Some(weak) => Some(D::bare_weak(weak)),
            None => None,
        }
    }
    fn dangling() -> F::Weak<D> {
        D::bare_weak(F::dangling())
    }

    in_cell!(RefCell refcell refcell_weak create_refcell take_refcell dangling_refcell);
    in_cell!(Mutex mutex mutex_weak create_mutex take_mutex dangling_mutex);
    in_cell!(RwLock rwlock rwlock_weak create_rwlock take_rwlock dangling_rwlock);
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
