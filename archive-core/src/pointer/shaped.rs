//! Pointers to objects of a type in memory whose shapes are known at run time alone.

use super::flavor::Flavor;
use super::loading::LoadShared;
use super::pointee::{Objects, Pointee};
use super::{strong, weak};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::{PointerHead, PointerKind, wrong_pointee};
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::body::Nothing;
use crate::visit::guide::{Guide, null};
use crate::visit::walk::{route, stays};

/// Saves a strong pointer to an object of that shape.
///
/// # Errors
/// Those of the object and of the archive.
pub fn save_shared<F: Flavor, P: Pointee + ?Sized, A: Archive>(
    this: &F::Strong<P>,
    shape: &'static Shape,
    ar: &mut A,
) -> Result {
    strong::save_outlined::<F, P, P::Objects, A>(this, (P::Objects::CELL, shape), ar)
}

/// Loads a strong pointer of that shape, or changes the object in place.
///
/// # Errors
/// Those of the object and of the archive.
pub fn load_shared<F: Flavor, P: Pointee + ?Sized, A: Archive>(
    this: &mut F::Strong<P>,
    shape: &'static Shape,
    ar: &mut A,
) -> Result {
    if stays(ar) && strong::load_in_place::<F, P, A>(this, ar)? {
        return Ok(());
    }
    let mut target = LoadShared::<F, P>::shaped(true, shape);
    ar.load_pointer(&mut target)?;
    *this = target.strong.ok_or_else(wrong_pointee)?;
    Ok(())
}

/// Saves a weak pointer to an object of that shape.
///
/// # Errors
/// Those of the archive.
pub fn save_weak<F: Flavor, P: Pointee + ?Sized, A: Archive>(
    this: &F::Weak<P>,
    shape: &'static Shape,
    ar: &mut A,
) -> Result {
    let Some(strong) = F::upgrade(this) else {
        return ar.save_pointer(&PointerHead::bare(PointerKind::Null, 0, shape), &mut Nothing);
    };
    match ar.guide() {
        Some(Guide::Path(_)) => save_shared::<F, P, A>(&strong, shape, ar),
        Some(Guide::Live) => {
            strong::save_link::<F, P, P::Objects, F::Weak<P>, A>(&strong, this, ar)
        }
        None => weak::save_to::<F, P, P::Objects, A>(&strong, (P::Objects::CELL, shape), ar),
    }
}

/// Loads a weak pointer of that shape, or changes the object in place.
///
/// # Errors
/// Those of the archive.
pub fn load_weak<F: Flavor, P: Pointee + ?Sized, A: Archive>(
    this: &mut F::Weak<P>,
    shape: &'static Shape,
    ar: &mut A,
) -> Result {
    if route(ar).is_some() {
        return match F::upgrade(this) {
            Some(strong) => strong::load_in_place::<F, P, A>(&strong, ar).map(drop),
            None => Err(null()),
        };
    }
    let mut target = LoadShared::<F, P>::shaped(false, shape);
    ar.load_pointer(&mut target)?;
    *this = match (target.weak, target.strong) {
        (Some(weak), _) => weak,
        (None, Some(strong)) => F::downgrade(&strong),
        (None, None) => return Err(wrong_pointee()),
    };
    Ok(())
}

/// Returns the error for a pointer to an object whose shape is another one.
#[cold]
pub fn other_shape(expected: &str, found: &str) -> Error {
    Error::new(ErrorKind::BadPointer, format_args!("the object is a `{found}`, not a `{expected}`"))
}
