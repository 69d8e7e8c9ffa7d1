//! The functions of properties, which are values that are computed and not stored.

use std::any::Any;

use super::after_load::Outcome;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Facts, Property, Shape, ShapeOf};
use crate::visit::archive::Archive;
use crate::visit::erased::Erased;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::visited::Visited;
use crate::visit::walk::Walk;

/// The functions of a [`Property`].
#[derive(Debug)]
pub struct Access {
    /// Saves the value of an object.
    ///
    /// # Errors
    /// Errors of the archive; an error if the object has another type.
    pub get: fn(&dyn Any, &mut Erased<'_>) -> Result,
    /// Loads a value, and sets it.
    ///
    /// # Errors
    /// Errors of the archive and of the function; an error if the object has another type.
    pub set: Option<fn(&mut dyn Any, &mut Erased<'_>) -> Result>,
}

impl Property {
    /// Describes a value with that name and shape.
    pub const fn new(
        name: &'static str,
        shape: fn() -> ShapeOf,
        facts: &'static Facts,
        access: &'static Access,
    ) -> Self {
        Property { name, shape, facts, access }
    }

    /// Returns the functions.
    pub fn access(&self) -> &'static Access {
        const NONE: &Access = &Access { get: |_, _| Err(no_access()), set: None };
        self.access.downcast_ref().unwrap_or(NONE)
    }
}

#[cold]
fn no_access() -> Error {
    Error::custom("the property has no functions")
}

/// Returns the shape of the function's result.
pub const fn property_shape<T, V: Serialize>(_: fn(&T) -> V) -> ShapeOf {
    shape_of::<V>()
}

/// Like [`property_shape`], for checks at compile time.
pub const fn property_value<T, V: Serialize>(_: fn(&T) -> V) -> &'static Shape {
    V::SHAPE
}

/// Saves the result of the function for an object.
///
/// # Errors
/// Errors of the archive; an error if the object has another type.
pub fn get_property<T: 'static, V: Save>(
    object: &dyn Any,
    ar: &mut Erased<'_>,
    get: fn(&T) -> V,
) -> Result {
    let object = object.downcast_ref().ok_or_else(wrong_object::<T>)?;
    get(object).save_value(&mut ar.erased().saving())
}

/// Loads over the result of `get` for an object, and passes the value to `set`.
///
/// # Errors
/// Errors of the archive and of `set`; an error if the object has another type.
pub fn set_property<T: 'static, V: Serialize, O: Outcome>(
    object: &mut dyn Any,
    ar: &mut Erased<'_>,
    get: fn(&T) -> V,
    set: fn(&mut T, V) -> O,
) -> Result {
    let object = object.downcast_mut().ok_or_else(wrong_object::<T>)?;
    let mut value = get(object);
    value.value(&mut ar.erased().loading())?;
    // A tool only finds out which values a path goes through.
    if ar.session().attempt.exploring { Ok(()) } else { set(object, value).outcome() }
}

/// Visits the properties of an object after its members, if the archive requests them.
///
/// # Errors
/// Errors of the properties; [`ErrorKind::ReadOnly`] for a property that is loaded and has no `set`
/// function.
#[inline]
pub fn properties<T: Serialize + 'static, A: Archive>(object: &mut T, ar: &mut A) -> Result {
    for property in T::ABOUT.properties {
        if ar.property(property) {
            visit(property, ar, &mut |ar| match (ar.is_loading(), property.access().set) {
                (false, _) => (property.access().get)(object, ar),
                (true, Some(set)) => set(object, ar),
                (true, None) => Err(no_set()),
            })?;
        }
    }
    Ok(())
}

/// Like [`properties`], through a shared reference.
#[inline]
pub fn saved_properties<T: Serialize + 'static, A: Archive>(object: &T, ar: &mut A) -> Result {
    for property in T::ABOUT.properties {
        if ar.property(property) {
            visit(property, ar, &mut |ar| (property.access().get)(object, ar))?;
        }
    }
    Ok(())
}

fn visit<A: Archive>(
    property: &'static Property,
    ar: &mut A,
    value: &mut dyn FnMut(&mut Erased<'_>) -> Result,
) -> Result {
    ar.slot(property.name, (property.shape)().get(), &mut Visited::<false>(value))
}

#[cold]
fn no_set() -> Error {
    Error::new(ErrorKind::ReadOnly, "there is no function that sets this property")
}

/// Shows an object to the archive if some of its members have a `show_if`. Tools find out which members they show.
#[inline]
pub fn show_object<T: Serialize + 'static, A: Archive>(object: &T, ar: &mut A) {
    ar.shown(object, T::SHAPE, T::ABOUT);
}

/// Returns the result of the function for an object, or `false` for an object of another type.
pub fn shown<T: 'static>(object: &dyn Any, test: fn(&T) -> bool) -> bool {
    object.downcast_ref().is_some_and(test)
}

#[cold]
fn wrong_object<T>() -> Error {
    let name = std::any::type_name::<T>();
    Error::custom(format_args!("the property belongs to `{name}`, and the object is another type"))
}
