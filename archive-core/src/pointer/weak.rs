//! `Weak`: refers to an object and is never saved with its body.

use std::{rc, sync};

use super::flavor::{ArcFlavor, Flavor, RcFlavor};
use super::pointee::{LoadObjects, Objects, Pointee};
use super::strong::{
    self, LoadStrong, body_shape, load_in_place, outline, save_link, save_outlined,
};
use crate::model::error::Result;
use crate::model::head::{LoadedHead, PointerHead, PointerKind, Step, wrong_pointee};
use crate::model::mark::Mark;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::{Archive, loads};
use crate::visit::blank::{Blank, unwrap_blank};
use crate::visit::body::{Filler, LoadPointer, Nothing};
use crate::visit::guide::null;
use crate::visit::restore::route;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::Session;

/// Saves a weak pointer.
fn save<F: Flavor, P: Pointee + ?Sized, A: Archive>(this: &F::Weak<P>, ar: &mut A) -> Result {
    let Some(strong) = F::upgrade(this) else {
        let head = PointerHead::bare(PointerKind::Null, 0, P::Objects::SHAPE);
        return ar.save_pointer(&head, &mut Nothing);
    };
    match ar.guide() {
        Some(route) if route.leads() => strong::save::<F, P, A>(&strong, ar),
        Some(_) => save_link::<F, P, P::Objects, F::Weak<P>, A>(&strong, this, ar),
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
    let waits = in_cell && !O::DYN;
    if !waits && ar.session_mut().saved.is_needed(F::address(strong)) {
        return save_outlined::<F, P, O, A>(strong, (in_cell, shape), ar);
    }
    let limit = ar.options().get_limits().pointers;
    let keep = || O::keep::<F>(strong);
    let (id, _) = ar.session_mut().saved.track(F::address(strong), false, limit, keep)?;
    ar.save_pointer(&PointerHead::bare(PointerKind::Weak, id, shape), &mut Nothing)
}

/// A weak pointer that is loaded: like a strong one that does not hold its object alive.
struct LoadWeak<F: Flavor, P: Pointee + ?Sized> {
    inner: LoadStrong<F, P>,
    out: Option<F::Weak<P>>,
}

impl<F: Flavor, P: Pointee + ?Sized> LoadPointer for LoadWeak<F, P> {
    const DYN: bool = P::Objects::DYN;

    #[inline]
    fn shape(&self) -> &'static Shape {
        const { &Shape::Weak(body_shape::<P>()) }
    }
    fn begin(
        &mut self,
        head: &LoadedHead<'_>,
        at: Mark,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<Step> {
        if head.kind == PointerKind::Null {
            self.out = Some(P::Objects::dangling::<F>(options)?);
            return Ok(Step::Done);
        }
        let reference = matches!(head.kind, PointerKind::Weak | PointerKind::Seen);
        if reference || head.kind == PointerKind::Body {
            session.note_weak(head.id);
        }
        if let (true, Some(entry)) = (reference, session.loaded.get(head.id)) {
            // An object that is still being built has a weak pointer but no strong one.
            self.out = P::Objects::resolve_weak::<F>(entry, options);
            if self.out.is_some() {
                return Ok(Step::Done);
            }
        }
        if reference && let Some(link) = session.links.get::<F::Weak<P>>(head.id) {
            self.out = Some(link);
            return Ok(Step::Done);
        }
        self.inner.begin(head, at, session, options)
    }

    fn load<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.inner.load(ar)
    }

    fn prepare(
        &mut self,
        head: &LoadedHead<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        self.inner.prepare(head, session, options)
    }

    fn filler<A: Archive>() -> Option<Filler<A>> {
        LoadStrong::<F, P>::filler()
    }

    fn missing(&mut self, _: u64, _: &mut Session, options: &Options<'_>) -> Result {
        self.out = Some(P::Objects::dangling::<F>(options)?);
        Ok(())
    }
}

/// Loads a weak pointer.
fn load<F: Flavor, P: Pointee + ?Sized, A: Archive>(ar: &mut A) -> Result<F::Weak<P>> {
    let mut target = LoadWeak::<F, P> { inner: LoadStrong::new(false), out: None };
    ar.load_pointer(&mut target)?;
    match (target.out, target.inner.out) {
        (Some(weak), _) => Ok(weak),
        (None, Some(strong)) => Ok(F::downgrade(&strong)),
        (None, None) => Err(wrong_pointee()),
    }
}

macro_rules! weak {
    ($($module:ident $Flavor:ident),*) => { $(
        impl<P: Pointee + ?Sized> Serialize for $module::Weak<P> {
            const SHAPE: &'static Shape = &Shape::Weak(body_shape::<P>());
            const ABOUT: &'static About = &About::generic("Weak");
            const NULLABLE: bool = true;

            fn saves_null(&self, _: &Options<'_>, _: u32) -> bool {
                self.strong_count() == 0
            }

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if loads!(A, ar) {
                    if const { A::GUIDED } && route(ar).is_some() {
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
        impl<P: Pointee + ?Sized> Save for $module::Weak<P> {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                save::<$Flavor, P, A>(self, ar)
            }
        }
        impl<P: Pointee + ?Sized> Blank for $module::Weak<P> {
            fn blank(options: &Options<'_>) -> Self {
                unwrap_blank(options)
            }
            fn try_blank(options: &Options<'_>) -> Result<Self> {
                P::Objects::dangling::<$Flavor>(options)
            }
            fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
                load::<$Flavor, P, A>(ar)
            }
        }
    )* };
}
weak!(rc RcFlavor, sync ArcFlavor);
