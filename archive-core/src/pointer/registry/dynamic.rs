//! Pointers to trait objects: the functions that the impls from `polymorphic!` call.

use crate::model::error::Result;
use crate::model::head::wrong_pointee;
use crate::model::identity::Identity;
use crate::model::mark::Mark;
use crate::pointer::registry::find::{any_ops, find, nth_ops, ops};
use crate::pointer::registry::ops::Ops;
use crate::pointer::{CellKind, Created, Flavor, OnArchive};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::polymorphic::{HasSupertrait, Interface};
use crate::visit::session::Entry;

/// Creates trait objects: the functions of the registered type.
pub type DynMaker<D> = &'static Ops<D>;

/// Returns the maker for a registered type id.
pub fn maker<D: ?Sized + 'static>(
    type_name: Option<&str>,
    options: &Options<'_>,
) -> Result<Option<DynMaker<D>>> {
    type_name.map(|name| find(name, options)).transpose()
}

/// Creates an object of the first registered type that has a blank value.
fn any<D: ?Sized + 'static, R>(
    options: &Options<'_>,
    mut make: impl FnMut(&'static Ops<D>) -> Result<R>,
) -> Result<R> {
    let first = any_ops::<D>(options)?;
    let mut out = None;
    options.search.choose(std::any::type_name::<D>(), 0, false, &mut |index| {
        let ops = if index == 0 { first } else { nth_ops(index - 1, options)? };
        Some(make(ops).map(|value| out = Some(value)))
    })?;
    out.ok_or_else(wrong_pointee)
}

/// Creates a blank object of some registered type, as a placeholder until an object is loaded.
pub fn boxed<D: ?Sized + 'static>(options: &Options<'_>) -> Result<Box<D>> {
    any(options, |ops| (ops.boxed)(options))
}

/// As [`boxed`], in a shared pointer.
pub fn blank<D: ?Sized + 'static, F: Flavor>(options: &Options<'_>) -> Result<F::Strong<D>> {
    any(options, |ops| {
        let ops = F::ops(ops);
        (ops.take)(&(ops.blank)(options)?).ok_or_else(wrong_pointee)
    })
}

/// As [`boxed`], in a cell in a shared pointer.
pub fn blank_in<D: ?Sized + 'static, F: Flavor, C: CellKind>(
    options: &Options<'_>,
) -> Result<F::Strong<C::Of<D>>> {
    any(options, |ops| create_in::<D, F, C>(ops, options).map(|created| created.strong))
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

/// Builds an object without a cell.
pub fn build_dyn<D: ?Sized + 'static, F: Flavor, A: Archive>(
    maker: DynMaker<D>,
    ar: &mut A,
    id: u64,
    at: Mark,
) -> Result<F::Strong<D>> {
    (F::ops(maker).build)(&mut OnArchive(ar), id, at)
}

/// Returns the pointer to a loaded object without a cell.
pub fn resolve<D: ?Sized + 'static, F: Flavor>(
    entry: &Entry,
    options: &Options<'_>,
) -> Option<F::Strong<D>> {
    (F::ops(ops::<D>(entry.concrete(), options)?).take)(&entry.handle)
}

/// Returns the weak pointer to a loaded object without a cell.
pub fn resolve_weak<D: ?Sized + 'static, F: Flavor>(
    entry: &Entry,
    options: &Options<'_>,
) -> Option<F::Weak<D>> {
    (F::ops(ops::<D>(entry.concrete(), options)?).take_weak)(&entry.handle)
}

/// Creates a weak pointer without an object.
pub fn dangling<D: ?Sized + 'static, F: Flavor>(options: &Options<'_>) -> Result<F::Weak<D>> {
    Ok((F::ops(any_ops::<D>(options)?).dangling)())
}

/// Returns the concrete type of the object.
pub fn identity<D: Interface + ?Sized>(this: &D) -> Result<Identity> {
    Ok(this.identity())
}

/// Returns the concrete type of the object in a cell.
pub fn identity_in<D: Interface + ?Sized, C: CellKind>(cell: &C::Of<D>) -> Result<Identity> {
    C::with_ref(cell, |value: &D| Ok(value.identity()))
}

/// Saves the object in a cell.
pub fn save_in<D: Interface + ?Sized, C: CellKind, A: Archive>(
    cell: &C::Of<D>,
    ar: &mut A,
) -> Result {
    C::with_ref(cell, |value: &D| save(value, ar))
}

/// Loads the object in a cell.
pub fn fill_in<D: Interface + ?Sized, C: CellKind, A: Archive>(
    cell: &C::Of<D>,
    ar: &mut A,
) -> Result {
    C::with_mut(cell, |value: &mut D| load(value, ar))
}

/// Creates a blank object in a cell.
pub fn create_in<D: ?Sized + 'static, F: Flavor, C: CellKind>(
    maker: DynMaker<D>,
    options: &Options<'_>,
) -> Result<Created<F::Strong<C::Of<D>>>> {
    let ops = C::ops(F::ops(maker));
    let handle = (ops.create)(options)?;
    let strong = (ops.take)(&handle).ok_or_else(wrong_pointee)?;
    Ok(Created { strong, handle, identity: maker.identity })
}

/// Returns the pointer to a loaded object in a cell.
pub fn resolve_in<D: ?Sized + 'static, F: Flavor, C: CellKind>(
    entry: &Entry,
    options: &Options<'_>,
) -> Option<F::Strong<C::Of<D>>> {
    (C::ops(F::ops(ops::<D>(entry.concrete(), options)?)).take)(&entry.handle)
}

/// Creates a weak pointer to a cell, without an object.
pub fn dangling_in<D: ?Sized + 'static, F: Flavor, C: CellKind>(
    options: &Options<'_>,
) -> Result<F::Weak<C::Of<D>>> {
    Ok((C::ops(F::ops(any_ops::<D>(options)?)).dangling)())
}
