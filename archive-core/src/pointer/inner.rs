//! [`Inner`]: the content of a cell inside a tracked pointer; and the cells as pointees.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::{Mutex, RwLock};

use super::cell::{CellKind, Content, MutexKind, RefCellKind, RwLockKind};
use super::flavor::Flavor;
use super::pointee::{Created, Pointee, check_type};
use crate::model::error::Result;
use crate::model::head::wrong_pointee;
use crate::model::identity::Identity;
use crate::model::mark::Mark;
use crate::model::shape::{About, Shape, TypeInfo};
use crate::state::blank_search::in_pointer;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::object::Kept;
use crate::visit::restore::{fill, stays};
use crate::visit::serialize::Serialize;
use crate::visit::session::Entry;

/// A type that a cell inside a tracked pointer may contain: a sized type or a trait object.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in a shared cell",
    label = "has no `Blank`, or no `Save`",
    note = "a hand-written type needs `archive::save_by_clone!` and `archive::blank!`",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`"
)]
pub trait Inner: 'static {
    /// As [`Pointee::DYN`].
    const DYN: bool;
    /// As [`Pointee::SHAPE`].
    const SHAPE: &'static Shape;
    /// As [`Pointee::INFO`].
    const INFO: &'static TypeInfo;
    /// As [`Pointee::Maker`].
    type Maker: Copy;

    /// As [`Pointee::blank_strong`].
    fn blank_in<F: Flavor, C: CellKind>(options: &Options<'_>) -> Result<F::Strong<C::Of<Self>>>;
    /// As [`Pointee::identity`].
    fn identity_in<C: CellKind>(cell: &C::Of<Self>) -> Result<Identity>;
    /// As [`Pointee::save_pointee`].
    fn save_in<C: CellKind, A: Archive>(cell: &C::Of<Self>, ar: &mut A) -> Result;
    /// As [`Pointee::keep`].
    fn keep_in<F: Flavor, C: CellKind>(this: &F::Strong<C::Of<Self>>) -> Kept {
        Kept::of_unsized::<F, C::Of<Self>>(this)
    }
    /// As [`Pointee::maker`].
    fn maker_in(type_name: Option<&str>, options: &Options<'_>) -> Result<Option<Self::Maker>>;
    /// As [`Pointee::create`].
    fn create_in<F: Flavor, C: CellKind>(
        maker: Self::Maker,
        options: &Options<'_>,
    ) -> Result<Created<F::Strong<C::Of<Self>>>>;
    /// As [`Pointee::fill`].
    fn fill_in<C: CellKind, A: Archive>(cell: &C::Of<Self>, ar: &mut A) -> Result;
    /// As [`Pointee::resolve`].
    fn resolve_in<F: Flavor, C: CellKind>(
        entry: &Entry,
        options: &Options<'_>,
    ) -> Option<F::Strong<C::Of<Self>>>;
    /// As [`Pointee::dangling`].
    fn dangling_in<F: Flavor, C: CellKind>(options: &Options<'_>) -> Result<F::Weak<C::Of<Self>>>;
}

impl<T: Content> Inner for T {
    const DYN: bool = false;
    const SHAPE: &'static Shape = <T as Serialize>::SHAPE;
    const INFO: &'static TypeInfo = TypeInfo::of::<T>();
    type Maker = PhantomData<T>;

    fn blank_in<F: Flavor, C: CellKind>(options: &Options<'_>) -> Result<F::Strong<C::Of<T>>> {
        let value = in_pointer::<T, _>(<T as Serialize>::SHAPE, options, T::try_blank)?;
        Ok(C::create::<F, T>(value).0)
    }
    fn identity_in<C: CellKind>(cell: &C::Of<T>) -> Result<Identity> {
        if const { T::OWN_TYPE_ID.is_some() } {
            return C::with_ref(cell, |value: &T| Ok(Identity::of_value(value)));
        }
        Ok(Identity::of::<T>())
    }
    fn save_in<C: CellKind, A: Archive>(cell: &C::Of<T>, ar: &mut A) -> Result {
        T::save_cell::<C, A>(cell, ar)
    }
    fn keep_in<F: Flavor, C: CellKind>(this: &F::Strong<C::Of<T>>) -> Kept {
        C::keep::<F, T>(this.clone())
    }
    fn maker_in(type_name: Option<&str>, options: &Options<'_>) -> Result<Option<PhantomData<T>>> {
        check_type::<T>(type_name, options)?;
        Ok(Some(PhantomData))
    }
    fn create_in<F: Flavor, C: CellKind>(
        _: Self::Maker,
        options: &Options<'_>,
    ) -> Result<Created<F::Strong<C::Of<T>>>> {
        let (strong, handle) = C::create::<F, T>(T::try_blank(options)?);
        Ok(Created { strong, handle, identity: Identity::of::<T> })
    }
    fn fill_in<C: CellKind, A: Archive>(cell: &C::Of<T>, ar: &mut A) -> Result {
        C::with_mut(cell, |value: &mut T| fill(value, ar))
    }
    fn resolve_in<F: Flavor, C: CellKind>(
        entry: &Entry,
        _: &Options<'_>,
    ) -> Option<F::Strong<C::Of<T>>> {
        C::take::<F, T>(&entry.handle)
    }
    fn dangling_in<F: Flavor, C: CellKind>(_: &Options<'_>) -> Result<F::Weak<C::Of<T>>> {
        Ok(C::dangling::<F, T>())
    }
}

/// Implements [`Pointee`] for cells.
macro_rules! cell_pointee {
    ($($Cell:ident $Kind:ident),*) => { $(
        impl<P: Inner + ?Sized> Pointee for $Cell<P> {
            const CELL: bool = true;
            const DYN: bool = P::DYN;
            const SHAPE: &'static Shape = P::SHAPE;
            const INFO: &'static TypeInfo =
                &TypeInfo::of_unsized(&About::around(stringify!($Cell), P::INFO));

            type Maker = P::Maker;

            fn blank_strong<F: Flavor>(options: &Options<'_>) -> Result<F::Strong<Self>> {
                P::blank_in::<F, $Kind>(options)
            }
            fn identity(&self) -> Result<Identity> {
                P::identity_in::<$Kind>(self)
            }
            fn save_pointee<A: Archive>(&self, ar: &mut A) -> Result {
                P::save_in::<$Kind, A>(self, ar)
            }
            fn keep<F: Flavor>(this: &F::Strong<Self>) -> Kept {
                P::keep_in::<F, $Kind>(this)
            }
            fn maker(
                type_name: Option<&str>,
                options: &Options<'_>,
            ) -> Result<Option<Self::Maker>> {
                P::maker_in(type_name, options)
            }
            fn create<F: Flavor>(
                maker: Self::Maker,
                options: &Options<'_>,
            ) -> Result<Created<F::Strong<Self>>> {
                P::create_in::<F, $Kind>(maker, options)
            }
            fn build<F: Flavor, A: Archive>(
                _: Self::Maker,
                _: &mut A,
                _: u64,
                _: Mark,
            ) -> Result<F::Strong<Self>> {
                Err(wrong_pointee())
            }
            fn fill<A: Archive>(&self, ar: &mut A) -> Result {
                P::fill_in::<$Kind, A>(self, ar)
            }
            fn resolve<F: Flavor>(entry: &Entry, options: &Options<'_>) -> Option<F::Strong<Self>> {
                P::resolve_in::<F, $Kind>(entry, options)
            }
            fn resolve_weak<F: Flavor>(
                entry: &Entry,
                options: &Options<'_>,
            ) -> Option<F::Weak<Self>> {
                Self::resolve::<F>(entry, options).map(|strong| F::downgrade(&strong))
            }
            fn dangling<F: Flavor>(options: &Options<'_>) -> Result<F::Weak<Self>> {
                P::dangling_in::<F, $Kind>(options)
            }
            fn wanted() -> &'static str {
                std::any::type_name::<P>()
            }
        }
    )* };
}
cell_pointee!(RefCell RefCellKind, Mutex MutexKind, RwLock RwLockKind);

impl<T: Content + Copy> Pointee for Cell<T> {
    const CELL: bool = true;
    const DYN: bool = false;
    const SHAPE: &'static Shape = <T as Serialize>::SHAPE;
    const INFO: &'static TypeInfo =
        &TypeInfo::with::<Self>(&About::around("Cell", TypeInfo::of::<T>()));

    type Maker = PhantomData<T>;

    fn blank_strong<F: Flavor>(options: &Options<'_>) -> Result<F::Strong<Self>> {
        let value = in_pointer::<T, _>(<T as Serialize>::SHAPE, options, T::try_blank)?;
        Ok(F::new(Cell::new(value)))
    }
    fn identity(&self) -> Result<Identity> {
        Ok(Identity::of::<T>())
    }
    fn save_pointee<A: Archive>(&self, ar: &mut A) -> Result {
        self.get().value(ar)
    }
    fn keep<F: Flavor>(this: &F::Strong<Self>) -> Kept {
        Kept::Object(F::handle(this.clone()))
    }
    fn maker(type_name: Option<&str>, options: &Options<'_>) -> Result<Option<PhantomData<T>>> {
        check_type::<T>(type_name, options)?;
        Ok(Some(PhantomData))
    }
    fn create<F: Flavor>(
        _: Self::Maker,
        options: &Options<'_>,
    ) -> Result<Created<F::Strong<Self>>> {
        let strong = F::new(Cell::new(T::try_blank(options)?));
        let handle = F::handle(strong.clone());
        Ok(Created { strong, handle, identity: Identity::of::<T> })
    }
    fn build<F: Flavor, A: Archive>(
        _: Self::Maker,
        _: &mut A,
        _: u64,
        _: Mark,
    ) -> Result<F::Strong<Self>> {
        Err(wrong_pointee())
    }
    fn fill<A: Archive>(&self, ar: &mut A) -> Result {
        let mut value = if stays(ar) { self.get() } else { T::try_blank(ar.options())? };
        value.value(ar)?;
        self.set(value);
        Ok(())
    }
    fn resolve<F: Flavor>(entry: &Entry, _: &Options<'_>) -> Option<F::Strong<Self>> {
        F::take(&entry.handle)
    }
    fn resolve_weak<F: Flavor>(entry: &Entry, _: &Options<'_>) -> Option<F::Weak<Self>> {
        F::take_weak(&entry.handle)
    }
    fn dangling<F: Flavor>(_: &Options<'_>) -> Result<F::Weak<Self>> {
        Ok(F::dangling())
    }
    fn wanted() -> &'static str {
        std::any::type_name::<T>()
    }
}
