//! `Weak`: refers to an object and is never saved with it.

use std::{rc, sync};

use super::flavor::{ArcFlavor, Flavor, RcFlavor};
use super::loading::LoadShared;
use super::pointee::{LoadObjects, Objects, Pointee};
use super::strong::{
    self, load_in_place, outline, pointee_shape, save_and_blank, save_link, save_outlined,
};
use crate::model::error::{ErrorKind, Result};
use crate::model::head::{PointerHead, PointerKind, wrong_pointee};
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, unwrap_blank};
use crate::visit::body::Nothing;
use crate::visit::erased::loads;
use crate::visit::guide::{Guide, null};
use crate::visit::serialize::{Save, Serialize};
use crate::visit::walk::route;

/// Saves a weak pointer.
fn save<F: Flavor, P: Pointee + ?Sized, A: Archive>(this: &F::Weak<P>, ar: &mut A) -> Result {
    let Some(strong) = F::upgrade(this) else {
        let head = PointerHead::bare(PointerKind::Null, 0, P::Objects::SHAPE);
        return ar.save_pointer(&head, &mut Nothing);
    };
    match ar.guide() {
        Some(Guide::Path(_)) => strong::save::<F, P, A>(&strong, ar),
        Some(Guide::Live) => save_link::<F, P, P::Objects, F::Weak<P>, A>(&strong, this, ar),
        None => save_to::<F, P, P::Objects, A>(&strong, outline::<P>(), ar),
    }
}

/// Saves a weak pointer to an object of that shape. `in_cell` is whether the object is in a cell.
pub(super) fn save_to<F: Flavor, P: ?Sized, O: Objects<P>, A: Archive>(
    strong: &F::Strong<P>,
    (in_cell, shape): (bool, &'static Shape),
    ar: &mut A,
) -> Result {
    if ar.session_mut().saved.leaves_out(shape) {
        return Ok(());
    }
    if ar.session().saved.is_sorting() {
        // An object is not saved with a weak pointer, so it may be borrowed.
        return match strong::save_rank::<F, P, O, A>(strong, ar) {
            Err(error)
                if error.kind() == ErrorKind::Borrowed && !ar.session_mut().saved.is_strict() =>
            {
                ar.scalar(Scalar::Unit)
            }
            saved => saved,
        };
    }
    let waits = in_cell && !O::DYN;
    if !waits && ar.session_mut().saved.is_needed(F::address(strong)) {
        return save_outlined::<F, P, O, A>(strong, (in_cell, shape), ar);
    }
    let limit = ar.options().settings().limits().pointers;
    let retain = || O::retain::<F>(strong);
    let session = ar.session_mut();
    let (id, _) = session.saved.track(F::address(strong), false, limit, retain)?;
    if session.trees.links.collects() {
        session.trees.links.add(id, F::address(strong), &F::downgrade(strong));
    }
    ar.save_pointer(&PointerHead::bare(PointerKind::Weak, id, shape), &mut Nothing)
}

/// Loads a weak pointer.
fn load<F: Flavor, P: Pointee + ?Sized, A: Archive>(ar: &mut A) -> Result<F::Weak<P>> {
    let mut target = LoadShared::<F, P>::new(false);
    ar.load_pointer(&mut target)?;
    match (target.weak, target.strong) {
        (Some(weak), _) => Ok(weak),
        (None, Some(strong)) => Ok(F::downgrade(&strong)),
        (None, None) => Err(wrong_pointee()),
    }
}

macro_rules! weak {
    ($($module:ident $Flavor:ident),*) => { $(
        impl<P: Pointee + ?Sized> Serialize for $module::Weak<P> {
            const SHAPE: &'static Shape = &Shape::Weak(pointee_shape::<P>());
            const ABOUT: &'static About = &About::generic("Weak");
            const NULLABLE: bool = true;

            fn saves_null(&self, _: &Options<'_>, _: u32) -> bool {
                self.strong_count() == 0
            }

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if loads!(A, ar) {
                    if const { A::KIND.guided } && route(ar).is_some() {
                        return match $Flavor::upgrade(self) {
                            Some(strong) => load_in_place::<$Flavor, P, A>(&strong, ar).map(drop),
                            None => Err(null()),
                        };
                    }
                    *self = load::<$Flavor, P, A>(ar)?;
                    Ok(())
                } else {
                    save::<$Flavor, P, A>(self, ar)
                }
            }
        }
        save_and_blank!($module::Weak<P>, $Flavor, dangling);
    )* };
}
weak!(rc RcFlavor, sync ArcFlavor);
