//! `Rc` and `Arc`: objects are saved once, and are shared again after loading.

use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use super::flavor::{ArcFlavor, Flavor, RcFlavor};
use super::loading::LoadShared;
use super::pointee::{LoadObjects, Objects, Pointee};
use super::type_ids::type_name;
use crate::format::sort_key;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::{PointerHead, PointerKind, wrong_pointee};
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Shape, ShapeOf};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, unwrap_blank};
use crate::visit::body::{Body, Nothing, when};
use crate::visit::erased::loads;
use crate::visit::facts::BodyFacts;
use crate::visit::guide::Guide;
use crate::visit::restore::load_element_item;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::{Rank, strong_cycle};
use crate::visit::walk::{route, stays};

/// A [`Body`] that saves an object, and the object's id unless it is in a cell.
struct PointeeOf<'a, P: ?Sized, O>(&'a P, Option<u64>, PhantomData<O>);

impl<P: ?Sized + 'static, O: Objects<P>> Body for PointeeOf<'_, P, O> {
    const FACTS: BodyFacts = BodyFacts { typed: !O::DYN && !O::SHAPE.is_any(), ..BodyFacts::NONE };

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Some(id) = self.1 else { return O::save_pointee(self.0, ar) };
        ar.session_mut().saved.begin_bare(id);
        let saved = O::save_pointee(self.0, ar);
        ar.session_mut().saved.end_bare();
        saved
    }
}

/// A deferred pointer to a cell.
struct Waiting<F: Flavor, P: ?Sized + 'static, O> {
    object: F::Strong<P>,
    id: u64,
    type_name: Option<Arc<str>>,
    shape: &'static Shape,
    objects: PhantomData<O>,
}

impl<F: Flavor, P: ?Sized, O: Objects<P>> Body for Waiting<F, P, O> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (type_name, shape) = (self.type_name.as_deref(), self.shape);
        let head = PointerHead { kind: PointerKind::Stored, id: self.id, type_name, shape };
        ar.save_pointer(&head, &mut PointeeOf::<P, O>(F::get(&self.object), None, PhantomData))
    }
}

/// Saves a strong pointer.
pub(super) fn save<F: Flavor, P: Pointee + ?Sized, A: Archive>(
    this: &F::Strong<P>,
    ar: &mut A,
) -> Result {
    save_outlined::<F, P, P::Objects, A>(this, outline::<P>(), ar)
}

/// Saves a strong pointer to an object of that shape. `in_cell` is whether the object is in a cell.
pub(super) fn save_outlined<F: Flavor, P: ?Sized, O: Objects<P>, A: Archive>(
    this: &F::Strong<P>,
    (in_cell, shape): (bool, &'static Shape),
    ar: &mut A,
) -> Result {
    if const { A::KIND.guided }
        && let Some(guide) = ar.guide()
    {
        if let Guide::Live = guide {
            return save_link::<F, P, O, F::Strong<P>, A>(this, this, ar);
        }
        // Several paths may contain the same object.
        let head = PointerHead::bare(PointerKind::Stored, 0, shape);
        return ar.save_pointer(&head, &mut PointeeOf::<P, O>(F::get(this), None, PhantomData));
    }
    if ar.session_mut().saved.leaves_out(shape) {
        return Ok(());
    }
    if ar.session().saved.is_sorting() {
        return save_rank::<F, P, O, A>(this, ar);
    }
    let limit = ar.options().settings().limits().pointers;
    let retain = || O::retain::<F>(this);
    let (id, first) = ar.session_mut().saved.track(F::address(this), true, limit, retain)?;
    if !first {
        if !in_cell && ar.session().saved.is_open(id) {
            return Err(strong_cycle(id, O::identity(F::get(this))?.type_name));
        }
        return ar.save_pointer(&PointerHead::bare(PointerKind::Seen, id, shape), &mut Nothing);
    }
    ar.session_mut().saved.saving(F::address(this));
    let identity = O::identity(F::get(this))?;
    let type_name = type_name(&identity, O::DYN.then(O::wanted), ar)?;
    let shape = identity.shape;
    let mut head =
        PointerHead { kind: PointerKind::Stored, id, type_name: type_name.as_deref(), shape };
    if const { O::CELL } && in_cell && ar.defers() {
        head.kind = PointerKind::Later;
        ar.save_pointer(&head, &mut Nothing)?;
        let (object, objects) = (this.clone(), PhantomData::<O>);
        ar.defer(Waiting::<F, P, O> { object, id, type_name, shape, objects });
        return Ok(());
    }
    ar.save_pointer(
        &head,
        &mut PointeeOf::<P, O>(F::get(this), (!in_cell).then_some(id), PhantomData),
    )
}

/// Saves the rank of an object, by which a key with a pointer to the object is sorted.
#[cold]
pub(super) fn save_rank<F: Flavor, P: ?Sized, O: Objects<P>, A: Archive>(
    this: &F::Strong<P>,
    ar: &mut A,
) -> Result {
    match ar.session_mut().saved.rank(F::address(this)) {
        Rank::Number(mut number) => ar.scalar(Scalar::U64(&mut number)),
        Rank::Nothing => ar.scalar(Scalar::Unit),
        Rank::Content => {
            let (session, options) = ar.parts_mut();
            let levels = session.levels();
            session.saved.set_inside(true);
            let content = sort_key::encode(session, options, &mut |ar| {
                O::save_pointee(F::get(this), &mut ar.erased())
            });
            session.saved.set_inside(false);
            session.set_levels(levels);
            ar.scalar(Scalar::ByteSlice(&content?))
        }
    }
}

/// Saves a pointer to a live object as its id alone, and keeps the pointer.
pub(super) fn save_link<F, P, O, L, A>(strong: &F::Strong<P>, link: &L, ar: &mut A) -> Result
where
    F: Flavor,
    P: ?Sized,
    O: Objects<P>,
    L: Clone + 'static,
    A: Archive,
{
    let limit = ar.options().settings().limits().pointers;
    let retain = || O::retain::<F>(strong);
    let session = ar.session_mut();
    let (id, _) = session.saved.track(F::address(strong), false, limit, retain)?;
    session.trees.links.add(id, F::address(strong), link);
    ar.save_pointer(&PointerHead::bare(PointerKind::Seen, id, O::SHAPE), &mut Nothing)
}

/// Loads a strong pointer.
pub(super) fn load<F: Flavor, P: Pointee + ?Sized, A: Archive>(ar: &mut A) -> Result<F::Strong<P>> {
    let mut target = LoadShared::<F, P>::new(true);
    ar.load_pointer(&mut target)?;
    target.strong.ok_or_else(wrong_pointee)
}

/// Changes the existing object, if a path goes through it. Returns `false` otherwise.
pub(super) fn load_in_place<F: Flavor, P: Pointee + ?Sized, A: Archive>(
    this: &F::Strong<P>,
    ar: &mut A,
) -> Result<bool> {
    match route(ar) {
        Some(_) if P::Objects::CELL => P::Objects::fill(F::get(this), ar).map(|()| true),
        Some(_) => Err(without_cell(F::NAME)),
        None => Ok(false),
    }
}

#[cold]
fn without_cell(pointer: &str) -> Error {
    let message = format_args!(
        "an object in an `{pointer}` without a cell cannot be changed: put it in a `RefCell` or a \
         `Mutex`, or change the pointer"
    );
    Error::new(ErrorKind::ReadOnly, message)
}

/// Implements [`Save`] and [`Blank`] for a pointer, with the functions `save` and `load` of its
/// module.
macro_rules! save_and_blank {
    ($Pointer:ty, $Flavor:ident, $blank:ident) => {
        impl<P: Pointee + ?Sized> Save for $Pointer {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                save::<$Flavor, P, A>(self, ar)
            }
        }
        impl<P: Pointee + ?Sized> Blank for $Pointer {
            fn blank(options: &Options<'_>) -> Self {
                unwrap_blank(options)
            }
            fn try_blank(options: &Options<'_>) -> Result<Self> {
                P::Objects::$blank::<$Flavor>(options)
            }
            fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
                load::<$Flavor, P, A>(ar)
            }
        }
    };
}
pub(super) use save_and_blank;

macro_rules! strong {
    ($($Pointer:ident $Flavor:ident),*) => { $(
        impl<P: Pointee + ?Sized> Serialize for $Pointer<P> {
            const SHAPE: &'static Shape = &Shape::Pointer(pointee_shape::<P>());
            const ABOUT: &'static About = &About::generic(stringify!($Pointer));
            const OVERWRITES: bool = true;

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if loads!(A, ar) {
                    if let Some(in_place) =
                        const { when!(A::KIND.guided, load_in_place::<$Flavor, P, A>) }
                        && stays(ar)
                        && in_place(&*self, &mut *ar)?
                    {
                        return Ok(());
                    }
                    *self = load::<$Flavor, P, A>(ar)?;
                    Ok(())
                } else {
                    save::<$Flavor, P, A>(self, ar)
                }
            }
            fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
                load_element_item(self, ar)
            }
        }
        save_and_blank!($Pointer<P>, $Flavor, blank);
    )* };
}
strong!(Rc RcFlavor, Arc ArcFlavor);

/// Returns the shape of the objects as a [`ShapeOf`].
pub(super) const fn pointee_shape<P: Pointee + ?Sized>() -> ShapeOf {
    ShapeOf::Type(|| P::Objects::SHAPE, P::INFO)
}

/// Returns whether objects are in a cell, and the shape of the objects.
pub(super) const fn outline<P: Pointee + ?Sized>() -> (bool, &'static Shape) {
    (P::Objects::CELL, P::Objects::SHAPE)
}
