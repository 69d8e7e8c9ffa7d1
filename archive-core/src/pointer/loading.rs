//! [`LoadShared`]: an `Rc`, `Arc` or `Weak` to be loaded.
// Why: docs/decisions/pointers.md#a-cell-is-registered-before-its-content-is-read

use super::flavor::Flavor;
use super::pointee::{Created, LoadObjects, Objects, Pointee};
use super::strong::pointee_shape;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::{LoadedHead, PointerKind, Step, not_stored, wrong_pointee};
use crate::model::mark::Mark;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::body::{Filler, LoadPointer};
use crate::visit::session::{Entry, Session, State};

type Maker<P> = <<P as Pointee>::Objects as LoadObjects<P>>::Maker;

/// A pointer to be loaded: a strong one, or a `Weak`, which does not keep its object alive.
pub(super) struct LoadShared<F: Flavor, P: Pointee + ?Sized> {
    /// The strong pointer, once it exists.
    pub(super) strong: Option<F::Strong<P>>,
    /// The weak pointer, if there is no strong one.
    pub(super) weak: Option<F::Weak<P>>,
    holds: bool,
    maker: Option<Maker<P>>,
    id: u64,
    at: Mark,
    /// The shape of the pointer, if it is known at run time alone.
    shape: Option<&'static Shape>,
}

impl<F: Flavor, P: Pointee + ?Sized> LoadShared<F, P> {
    pub(super) fn new(holds: bool) -> Self {
        let at = Mark { offset: 0, state: 0, depth: 0 };
        LoadShared { strong: None, weak: None, holds, maker: None, id: 0, at, shape: None }
    }

    /// A pointer of that shape, which is known at run time alone.
    pub(super) fn shaped(holds: bool, shape: &'static Shape) -> Self {
        LoadShared { shape: Some(shape), ..LoadShared::new(holds) }
    }

    /// Finds what creates objects of the type in the head. All types that are made at run time are one
    /// type in memory, so their ids are recorded.
    fn find_maker(
        &mut self,
        head: &LoadedHead<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        self.maker = P::Objects::maker(head.type_name.as_deref(), options)?;
        if let Some(id) = head.type_name.as_deref().filter(|_| self.id != 0)
            && options.settings().registry().is_some_and(|registry| registry.made(id).is_some())
        {
            session.loaded.note_made(self.id, id);
        }
        Ok(())
    }

    /// Checks that an object of a type that is made at run time may be of this trait object type.
    fn check_made(&self, session: &Session, options: &Options<'_>) -> Result {
        if let Some(interface) = P::Objects::interface()
            && let Some(made) = session.loaded.made(self.id)
            && let Some(registry) = options.settings().registry()
            && !registry.may_be(made, interface)
        {
            let (id, wanted) = (self.id, P::Objects::wanted());
            let message = format_args!("object {id} is a `{made}`, not a `{wanted}`");
            return Err(Error::new(ErrorKind::BadPointer, message));
        }
        Ok(())
    }

    /// Creates the object, to be filled later, if it can be created already.
    fn create(&mut self, state: State, session: &mut Session, options: &Options<'_>) -> Result {
        if let (true, Some(maker)) = (P::Objects::CELL, self.maker) {
            let Created { strong, handle, identity } = P::Objects::create::<F>(maker, options)?;
            if self.id != 0 {
                let entry = Entry::new(identity, handle, state, self.holds, self.at);
                session.loaded.insert(self.id, entry, options)?;
            }
            self.strong = Some(strong);
        }
        Ok(())
    }

    /// Takes a weak pointer from the table, or creates one that refers to nothing. Returns whether
    /// the pointer is resolved.
    fn begin_weak(
        &mut self,
        head: &LoadedHead<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        let is_reference = matches!(head.kind, PointerKind::Weak | PointerKind::Seen);
        if is_reference {
            self.check_made(session, options)?;
        }
        if is_reference || head.kind == PointerKind::Stored {
            session.note_weak(head.id);
        }
        if head.kind == PointerKind::Null {
            self.weak = Some(P::Objects::dangling::<F>(options)?);
        } else if is_reference {
            // An object that is still being built has a weak pointer but no strong one.
            let entry = session.loaded.get(head.id);
            let weak = entry.and_then(|entry| P::Objects::resolve_weak::<F>(entry, options));
            self.weak = weak.or_else(|| {
                let weak = session.trees.links.get::<F::Weak<P>>(head.id);
                weak.or_else(|| {
                    Some(F::downgrade(&session.trees.links.get::<F::Strong<P>>(head.id)?))
                })
            });
        }
        Ok(self.weak.is_some())
    }

    /// Takes the object from the table. Returns `None` if the table does not have it.
    fn resolve(&mut self, session: &mut Session, options: &Options<'_>) -> Result<Option<State>> {
        if self.holds {
            session.loaded.hold(self.id);
        }
        self.check_made(session, options)?;
        let Some(entry) = session.loaded.get(self.id) else {
            let strong = session.trees.links.get::<F::Strong<P>>(self.id);
            self.strong =
                strong.or_else(|| F::upgrade(&session.trees.links.get::<F::Weak<P>>(self.id)?));
            if self.strong.is_none() && session.trees.links.has(self.id) {
                return Err(other_pointer(P::Objects::wanted()));
            }
            return Ok(self.strong.is_some().then_some(State::Done));
        };
        self.strong = P::Objects::resolve::<F>(entry, options);
        if self.strong.is_none() {
            return Err(entry.mismatch(self.id, P::Objects::wanted()));
        }
        Ok(Some(entry.state))
    }
}

impl<F: Flavor, P: Pointee + ?Sized> LoadPointer for LoadShared<F, P> {
    const DYN: bool = P::Objects::DYN;

    #[inline]
    fn shape(&self) -> &'static Shape {
        if let Some(shape) = self.shape {
            shape
        } else if self.holds {
            const { &Shape::Pointer(pointee_shape::<P>()) }
        } else {
            const { &Shape::Weak(pointee_shape::<P>()) }
        }
    }
    fn begin(
        &mut self,
        head: &LoadedHead<'_>,
        at: Mark,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<Step> {
        (self.id, self.at) = (head.id, at);
        session.count_pointer();
        if !self.holds && self.begin_weak(head, session, options)? {
            return Ok(Step::Done);
        }
        match head.kind {
            PointerKind::Null => return Err(Error::wrong_type("a pointer", "null")),
            PointerKind::Stored | PointerKind::Owned | PointerKind::Plain => {}
            PointerKind::Seen | PointerKind::Weak | PointerKind::Later => {
                if self.resolve(session, options)?.is_some() {
                    return Ok(Step::Done);
                }
                self.find_maker(head, session, options)?;
                self.create(State::Pending, session, options)?;
                return Ok(if self.strong.is_some() { Step::Done } else { Step::Find });
            }
        }
        if head.kind == PointerKind::Stored
            && let Some(entry) = session.loaded.get(head.id)
        {
            let state = entry.state;
            if state == State::Loading || state == State::Done && !entry.is_at(at) {
                let message = format_args!("object {} is stored twice", head.id);
                return Err(Error::new(ErrorKind::BadPointer, message));
            }
            if state == State::Pending {
                entry.advance(State::Loading, at);
            }
            self.resolve(session, options)?;
            return Ok(if state == State::Done { Step::Skip } else { Step::Load });
        }
        self.find_maker(head, session, options)?;
        if self.maker.is_none() {
            let expected = format_args!("an object with `$type` for `{}`", P::Objects::wanted());
            return Err(Error::wrong_type(expected, "one without"));
        }
        self.create(State::Loading, session, options)?;
        Ok(Step::Load)
    }

    fn load<A: Archive>(&mut self, ar: &mut A) -> Result {
        match (&self.strong, self.maker) {
            (Some(strong), _) => fill::<F, P, A>(self.id, strong, ar),
            (None, Some(maker)) => {
                self.strong = Some(P::Objects::build::<F, A>(maker, ar, self.id, self.at)?);
                Ok(())
            }
            (None, None) => Err(wrong_pointee()),
        }
    }

    fn prepare(
        &mut self,
        head: &LoadedHead<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        self.find_maker(head, session, options)?;
        self.create(State::Pending, session, options)?;
        Ok(self.strong.is_some())
    }

    fn filler<A: Archive>() -> Option<Filler<A>> {
        if P::Objects::CELL { Some(fill_object::<F, P, A>) } else { None }
    }

    fn missing(&mut self, id: u64, _: &mut Session, options: &Options<'_>) -> Result {
        if self.holds {
            return Err(not_stored(id));
        }
        self.weak = Some(P::Objects::dangling::<F>(options)?);
        Ok(())
    }
}

#[cold]
fn other_pointer(wanted: &str) -> Error {
    let message = format_args!("a pointer of another type, not to a `{wanted}`");
    Error::new(ErrorKind::BadPointer, message)
}

/// The [`Filler`] of strong pointers.
fn fill_object<F: Flavor, P: Pointee + ?Sized, A: Archive>(id: u64, ar: &mut A) -> Result {
    let (session, options) = ar.parts_mut();
    let object = session.loaded.get(id).and_then(|entry| P::Objects::resolve::<F>(entry, options));
    match object {
        Some(object) => fill::<F, P, A>(id, &object, ar),
        None => Err(wrong_pointee()),
    }
}

/// Loads the content of the object with that id.
#[inline]
fn fill<F: Flavor, P: Pointee + ?Sized, A: Archive>(
    id: u64,
    object: &F::Strong<P>,
    ar: &mut A,
) -> Result {
    if ar.session().loaded.passes.replace()
        && let Some(entry) = ar.session_mut().loaded.get(id)
    {
        let handle = entry.handle.clone();
        return handle
            .object()
            .map_or(Err(wrong_pointee()), |object| object.fill(&mut ar.erased()));
    }
    P::Objects::fill(F::get(object), ar)
}
