//! `Box`: a value like any other, or an owned trait object with its type id.
// Why: docs/decisions/loading-values.md#pointers-to-trait-objects-are-blank

use super::type_ids::type_name;
use crate::model::error::{Error, Result};
use crate::model::head::{LoadedHead, PointerHead, PointerKind, Step, not_stored, wrong_pointee};
use crate::model::mark::Mark;
use crate::model::shape::{About, Shape, TypeInfo};
use crate::pointer::registry::dynamic;
use crate::pointer::registry::find::find;
use crate::pointer::registry::ops::Ops;
use crate::state::blank_search::in_pointer;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, unwrap_blank};
use crate::visit::body::{Body, LoadPointer};
use crate::visit::erased::loads;
use crate::visit::polymorphic::Interface;
use crate::visit::restore::load_element_item;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::Session;
use crate::visit::walk::route;
use std::any::TypeId;

/// A type that a `Box` may contain.
#[diagnostic::on_unimplemented(
    message = "`Box<{Self}>` cannot be saved and loaded",
    label = "cannot be in a `Box`",
    note = "a trait object needs `archive::polymorphic!(dyn Trait)`",
    note = "a type needs `Serialize` (and `Blank`, in a container)"
)]
pub trait Boxed {
    /// Like [`Serialize::SHAPE`].
    const SHAPE: &'static Shape;
    /// The type in memory.
    const INFO: &'static TypeInfo;
    /// Like [`Serialize::NULLABLE`].
    const NULLABLE: bool;
    /// Like [`Serialize::saves_null`].
    fn box_saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        let _ = (options, levels);
        false
    }
    /// Like [`Serialize::KEEPS_UNKNOWN`].
    const KEEPS_UNKNOWN: bool = false;
    /// Like [`Serialize::MAPS`].
    const MAPS: usize = 0;

    /// Visits the members.
    fn box_members<A: Archive>(this: &mut Box<Self>, ar: &mut A) -> Result {
        Self::box_value(this, ar)
    }
    /// Visits the value.
    fn box_value<A: Archive>(this: &mut Box<Self>, ar: &mut A) -> Result;
    /// Creates a value to load into.
    fn box_blank(options: &Options<'_>) -> Result<Box<Self>>;
    /// Loads a new value.
    fn box_new<A: Archive>(ar: &mut A) -> Result<Box<Self>>;
}

/// A type whose values can be saved through a shared reference to their `Box`.
#[diagnostic::on_unimplemented(
    message = "`Box<{Self}>` cannot be saved through a shared reference",
    label = "has no `Save`",
    note = "for a hand-written type add one line: `archive::save_by_clone!(Type);`"
)]
pub trait BoxedSave: Boxed {
    /// Visits the members.
    fn box_save_members<A: Archive>(&self, ar: &mut A) -> Result {
        self.box_save(ar)
    }
    /// Visits the value.
    fn box_save<A: Archive>(&self, ar: &mut A) -> Result;
}

impl<T: Element> Boxed for T {
    const SHAPE: &'static Shape = <T as Serialize>::SHAPE;
    const INFO: &'static TypeInfo = TypeInfo::of::<T>();
    const NULLABLE: bool = <T as Serialize>::NULLABLE;
    const KEEPS_UNKNOWN: bool = <T as Serialize>::KEEPS_UNKNOWN;
    const MAPS: usize = <T as Serialize>::MAPS;

    #[inline]
    fn box_saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        self.saves_null(options, levels)
    }
    #[inline]
    fn box_members<A: Archive>(this: &mut Box<T>, ar: &mut A) -> Result {
        (**this).serialize(ar)
    }
    #[inline]
    fn box_value<A: Archive>(this: &mut Box<T>, ar: &mut A) -> Result {
        if loads!(A, ar) { (**this).load_element_over(ar) } else { (**this).value(ar) }
    }
    #[inline]
    fn box_blank(options: &Options<'_>) -> Result<Box<T>> {
        in_pointer::<T, _>(<T as Serialize>::SHAPE, options, T::fresh).map(Box::new)
    }
    #[inline]
    fn box_new<A: Archive>(ar: &mut A) -> Result<Box<T>> {
        T::load_element(ar).map(Box::new)
    }
}

impl<T: Element + Save> BoxedSave for T {
    #[inline]
    fn box_save_members<A: Archive>(&self, ar: &mut A) -> Result {
        self.save(ar)
    }
    #[inline]
    fn box_save<A: Archive>(&self, ar: &mut A) -> Result {
        self.save_value(ar)
    }
}

impl<P: Boxed + ?Sized> Serialize for Box<P> {
    const SHAPE: &'static Shape = P::SHAPE;
    const ABOUT: &'static About = &About::around("Box", P::INFO);
    const OVERWRITES: bool = true;
    const NULLABLE: bool = P::NULLABLE;
    const KEEPS_UNKNOWN: bool = P::KEEPS_UNKNOWN;
    const MAPS: usize = P::MAPS;

    #[inline]
    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        (**self).box_saves_null(options, levels)
    }

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        P::box_members(self, ar)
    }
    #[inline]
    fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
        P::box_value(self, ar)
    }
    fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
        load_element_item(self, ar)
    }
}

impl<P: BoxedSave + ?Sized> Save for Box<P> {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        (**self).box_save_members(ar)
    }
    #[inline]
    fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
        (**self).box_save(ar)
    }
}

impl<P: Boxed + ?Sized> Blank for Box<P> {
    const IS_POINTER: bool = true;

    fn blank(options: &Options<'_>) -> Self {
        unwrap_blank(options)
    }
    #[inline]
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        P::box_blank(options)
    }
    #[inline]
    fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
        P::box_new(ar)
    }
    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        P::box_value(self, ar)
    }
}

/// A [`Body`] that saves a trait object.
struct OwnedPointee<'a, D: ?Sized>(&'a D);

impl<D: Interface + ?Sized> Body for OwnedPointee<'_, D> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        dynamic::save(self.0, ar)
    }
}

/// Saves an owned trait object.
pub fn save_dyn<D: Interface + ?Sized, A: Archive>(this: &D, ar: &mut A) -> Result {
    if ar.save_owned(this.object())? {
        return Ok(());
    }
    let identity = this.identity();
    let interface = std::any::type_name::<D>();
    let type_name = type_name(&identity, Some(interface), ar)?;
    let head = PointerHead {
        kind: PointerKind::Owned,
        id: 0,
        type_name: type_name.as_deref(),
        shape: identity.shape,
    };
    ar.save_pointer(&head, &mut OwnedPointee(this))
}

/// An owned trait object to be loaded.
struct LoadDyn<D: ?Sized + 'static> {
    ops: Option<&'static Ops<D>>,
    out: Option<Box<D>>,
}

/// Returns the functions for the type with that id, from the session's cache if it has them.
#[inline]
fn ops<D: ?Sized + 'static>(
    id: &str,
    session: &mut Session,
    options: &Options<'_>,
) -> Result<&'static Ops<D>> {
    let interface = TypeId::of::<D>();
    if let Some(ops) = session.loaded.makers.get(id, interface).and_then(|ops| ops.downcast_ref()) {
        return Ok(ops);
    }
    let ops = find::<D>(id, options)?;
    session.loaded.makers.add(id, interface, ops);
    Ok(ops)
}

impl<D: Interface + ?Sized> LoadPointer for LoadDyn<D> {
    const DYN: bool = true;

    #[inline]
    fn shape(&self) -> &'static Shape {
        &Shape::Dyn
    }
    fn begin(
        &mut self,
        head: &LoadedHead<'_>,
        _: Mark,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<Step> {
        let Some(name) = head.type_name.as_deref().filter(|_| head.kind.has_pointee()) else {
            let expected = format_args!("`{}` with `$type`", std::any::type_name::<D>());
            let found = match head.kind {
                PointerKind::Null => "null",
                PointerKind::Seen | PointerKind::Weak | PointerKind::Later => "a shared pointer",
                _ => "a value without it",
            };
            return Err(Error::wrong_type(expected, found));
        };
        self.ops = Some(ops(name, session, options)?);
        Ok(Step::Load)
    }

    fn load<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(ops) = self.ops {
            let mut value = (ops.boxed)(ar.options())?;
            dynamic::load(&mut *value, ar)?;
            self.out = Some(value);
        }
        Ok(())
    }

    fn prepare(&mut self, _: &LoadedHead<'_>, _: &mut Session, _: &Options<'_>) -> Result<bool> {
        Ok(false)
    }

    fn missing(&mut self, id: u64, _: &mut Session, _: &Options<'_>) -> Result {
        Err(not_stored(id))
    }
}

/// Saves an owned trait object, or loads it. It is loaded over the old one if a path goes through
/// it.
pub fn visit_dyn<D: Interface + ?Sized, A: Archive>(this: &mut Box<D>, ar: &mut A) -> Result {
    if !loads!(A, ar) {
        return save_dyn(&**this, ar);
    }
    if route(ar).is_some() {
        return dynamic::load(&mut **this, ar);
    }
    *this = load_dyn(ar)?;
    Ok(())
}

/// Loads an owned trait object.
pub fn load_dyn<D: Interface + ?Sized, A: Archive>(ar: &mut A) -> Result<Box<D>> {
    let mut target = LoadDyn { ops: None, out: None };
    ar.load_pointer(&mut target)?;
    target.out.ok_or_else(wrong_pointee)
}
