//! Pointers to trait objects.

use std::any::TypeId;
use std::marker::PhantomData;

use crate::model::error::Result;
use crate::model::head::wrong_pointee;
use crate::model::identity::Identity;
use crate::model::mark::Mark;
use crate::model::shape::Shape;
use crate::pointer::registry::find::{any_ops, find, nth_ops, ops};
use crate::pointer::registry::ops::{ContainsDyn, Ops};
use crate::pointer::{Created, Flavor, LoadObjects, Objects, OnArchive};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::object::Retained;
use crate::visit::polymorphic::{HasSupertrait, Interface};
use crate::visit::session::Entry;

/// Creates trait objects, with the functions of the registered type.
pub type DynMaker<D> = &'static Ops<D>;

/// Creates an object of the first registered type that has a blank value.
fn any<D: ?Sized + 'static, R>(
    options: &Options<'_>,
    mut make: impl FnMut(&'static Ops<D>, &Options<'_>) -> Result<R>,
) -> Result<R> {
    let first = any_ops::<D>(options)?;
    let mut out = None;
    options.search.choose(std::any::type_name::<D>(), 0, false, &mut |index| {
        let (ops, made) = if index == 0 { first.clone() } else { nth_ops(index - 1, options)? };
        let made = match made {
            Some(made) => make(ops, &options.clone().provide(made)),
            None => make(ops, options),
        };
        Some(made.map(|value| out = Some(value)))
    })?;
    out.ok_or_else(wrong_pointee)
}

/// Creates a blank object of some registered type, as a placeholder until an object is loaded.
pub fn boxed<D: ?Sized + 'static>(options: &Options<'_>) -> Result<Box<D>> {
    any(options, |ops, options| (ops.boxed)(options))
}

/// Saves the value: with the function that was compiled for the archive if there is one, otherwise
/// with the one for all archives.
pub fn save<D: Interface + ?Sized, A: Archive>(this: &D, ar: &mut A) -> Result {
    if ar.save_object(this.object())? { Ok(()) } else { this.save_erased(&mut ar.erased()) }
}

/// Loads the value: with the function that was compiled for the archive if there is one, otherwise
/// with the one for all archives.
pub fn load<D: HasSupertrait + ?Sized, A: Archive>(this: &mut D, ar: &mut A) -> Result {
    if ar.load_object(this.object_mut())? { Ok(()) } else { this.load_erased(&mut ar.erased()) }
}

/// The objects of the trait object type `D`.
pub struct Dynamic<D: ?Sized>(PhantomData<D>);

impl<D: Interface + ?Sized, P: ContainsDyn<D> + ?Sized> Objects<P> for Dynamic<D> {
    const CELL: bool = P::CELL;
    const DYN: bool = true;
    const SHAPE: &'static Shape = &Shape::Any;

    fn identity(object: &P) -> Result<Identity> {
        object.with_ref(|value| Ok(value.identity()))
    }
    fn save_pointee<A: Archive>(object: &P, ar: &mut A) -> Result {
        object.with_ref(|value| save(value, ar))
    }
    fn retain<F: Flavor>(this: &F::Strong<P>) -> Retained {
        Retained::of_unsized::<F, P>(this)
    }
    fn wanted() -> &'static str {
        std::any::type_name::<D>()
    }
    fn interface() -> Option<TypeId> {
        Some(TypeId::of::<D>())
    }
}

impl<D: Interface + ?Sized, P: ContainsDyn<D> + ?Sized> LoadObjects<P> for Dynamic<D> {
    type Maker = DynMaker<D>;

    fn blank<F: Flavor>(options: &Options<'_>) -> Result<F::Strong<P>> {
        any(options, |ops, options| Ok(Self::create::<F>(ops, options)?.strong))
    }
    fn maker(type_name: Option<&str>, options: &Options<'_>) -> Result<Option<DynMaker<D>>> {
        type_name.map(|name| find(name, options)).transpose()
    }
    fn create<F: Flavor>(
        maker: DynMaker<D>,
        options: &Options<'_>,
    ) -> Result<Created<F::Strong<P>>> {
        let ops = P::ops(F::ops(maker));
        let handle = (ops.create)(options)?;
        let strong = (ops.take)(&handle).ok_or_else(wrong_pointee)?;
        Ok(Created { strong, handle, identity: maker.identity })
    }
    fn build<F: Flavor, A: Archive>(
        maker: DynMaker<D>,
        ar: &mut A,
        id: u64,
        at: Mark,
    ) -> Result<F::Strong<P>> {
        let ops = P::ops(F::ops(maker)).bare.as_ref().ok_or_else(wrong_pointee)?;
        (ops.build)(&mut OnArchive(ar), id, at)
    }
    fn fill<A: Archive>(object: &P, ar: &mut A) -> Result {
        object.with_mut(|value| load(value, ar))
    }
    fn resolve<F: Flavor>(entry: &Entry, options: &Options<'_>) -> Option<F::Strong<P>> {
        (P::ops(F::ops(ops::<D>(entry.concrete(), options)?)).take)(&entry.handle)
    }
    fn resolve_weak<F: Flavor>(entry: &Entry, options: &Options<'_>) -> Option<F::Weak<P>> {
        let ops = P::ops(F::ops(ops::<D>(entry.concrete(), options)?));
        match &ops.bare {
            Some(bare) => (bare.take_weak)(&entry.handle),
            None => (ops.take)(&entry.handle).map(|strong| F::downgrade(&strong)),
        }
    }
    fn dangling<F: Flavor>(options: &Options<'_>) -> Result<F::Weak<P>> {
        Ok((P::ops(F::ops(any_ops::<D>(options)?.0)).dangling)())
    }
}
