//! [`at`]: runs an action on the value at a path.

use std::any::Any;
use std::cell::OnceCell;

use archive_core::path::{Guide, Path, Route};
use archive_core::shape::{About, Property};
use archive_core::{
    Archive, ArchiveKind, Begun, Body, Class, Enum, Erased, ErasedBody, Error, Member, Options,
    OuterState, Payload, Polymorphic, Result, Saves, Scalar, Session, Shape, Step, Variant,
    Visitor, Walk,
};

use super::missing;
use super::part::Part;
use super::peek::Peek;
use super::taken::Taken;
use super::walk::Unshown;

/// Runs a value on an archive.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(&mut Erased<'_>) -> Result;

/// The action on a value.
type Act<'r> = dyn FnMut(Part, Unshown, Visit<'_>) -> Result + 'r;

/// Runs an action on the value at the path.
///
/// # Errors
/// An error if the path does not exist, and errors of the action.
pub(crate) fn at(
    root: &dyn Polymorphic,
    path: &Path,
    options: &Options<'_>,
    act: &mut dyn FnMut(Visit<'_>) -> Result,
) -> Result {
    part_at(root, path, options, &mut |_, _, visit| act(visit))
}

/// As [`at`], with the type information of the value.
pub(super) fn part_at(
    root: &dyn Polymorphic,
    path: &Path,
    options: &Options<'_>,
    act: &mut Act<'_>,
) -> Result {
    if path.is_empty() {
        return act(Part::of_root(root), Unshown::default(), &mut |ar| root.__archive_save(ar));
    }
    crate::check_length(path, options)?;
    let route = Route::new(path, true);
    let mut unshown = Unshown::default();
    let mut look = Look::new(&route, options, Want::Body(act, &mut unshown));
    look.follow(root)?;
    if look.reached { Ok(()) } else { Err(missing(root, path, route.at(), options)) }
}

/// Takes the scalar at the path. Other values are not taken.
// Inlined, since there are only two callers.
#[inline(always)]
pub(super) fn scalar(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Taken> {
    crate::check_length(path, options)?;
    let mut taken = Taken::Nothing;
    let route = Route::new(path, false);
    let mut look = Look::new(&route, options, Want::Scalar(&mut taken));
    look.follow(root)?;
    if look.reached || route.is_done() {
        return Ok(taken);
    }
    Err(missing(root, path, route.at(), options))
}

/// What the caller wants from the place.
enum Want<'r> {
    Scalar(&'r mut Taken),
    /// The value, and the members of the current variant that tools do not show.
    Body(&'r mut Act<'r>, &'r mut Unshown),
}

/// An archive that follows a path.
struct Look<'r> {
    /// Created on demand, because that takes longer than following a path.
    session: OnceCell<Box<Session>>,
    options: &'r Options<'r>,
    route: &'r Route<'r>,
    want: Want<'r>,
    /// The list or the map that was begun last.
    list: &'static Shape,
    /// The property that is begun.
    property: Option<&'static Property>,
    reached: bool,
}

impl<'r> Look<'r> {
    #[inline]
    fn new(route: &'r Route<'r>, options: &'r Options<'r>, want: Want<'r>) -> Self {
        Look {
            session: OnceCell::new(),
            options,
            route,
            want,
            list: &Shape::Any,
            property: None,
            reached: false,
        }
    }

    #[inline]
    fn follow(&mut self, root: &dyn Polymorphic) -> Result {
        let guide = Some(Guide::Path(self.route));
        root.__archive_save(&mut Erased::guided(self, guide))
    }

    /// Takes a step if it is the next one of the path.
    #[inline]
    fn step(&mut self, is_next: bool) -> Option<Begun> {
        if self.reached || !is_next {
            return None;
        }
        if self.route.is_last() && matches!(self.want, Want::Body(..)) {
            return Some(Begun::Elsewhere);
        }
        self.route.advance();
        Some(Begun::Here)
    }

    // Inlined, because the kind of scalar is a constant in all callers.
    #[inline(always)]
    fn take(&mut self, scalar: &Scalar<'_>) {
        if let Want::Scalar(taken @ Taken::Nothing) = &mut self.want
            && self.route.is_done()
        {
            self.reached = true;
            **taken = Taken::of(scalar);
        }
    }
}

impl Look<'_> {
    /// Notes that the wanted value has parts. Returns whether it is the wanted one, whose parts are not visited.
    fn has_parts(&mut self, parts: Peek) -> bool {
        if let Want::Scalar(taken @ Taken::Nothing) = &mut self.want
            && self.route.is_done()
        {
            self.reached = true;
            **taken = Taken::Parts(parts);
            return true;
        }
        false
    }
}

/// Creates a session in which trees are shown as they are.
#[cold]
fn session() -> Box<Session> {
    let mut session = Box::<Session>::default();
    session.trees.same_ids = true;
    session
}

impl Visitor for Look<'_> {
    fn parts(&self) -> (&Session, &Options<'_>) {
        (self.session.get_or_init(session), self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        self.session.get_or_init(session);
        // The line above has created it.
        match self.session.get_mut() {
            Some(session) => (session, self.options),
            None => unreachable!("the session was created"),
        }
    }
    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.take(&value);
        Ok(())
    }
    fn begin_member(&mut self, name: &str, _: &'static Shape) -> Result<Begun> {
        let is_next = self.route.is_name(name);
        if is_next && let Want::Body(_, unshown) = &mut self.want {
            // It may be the payload of a variant.
            unshown.keep_variant(name);
        }
        Ok(self.step(is_next).unwrap_or(Begun::Over))
    }
    fn property(&mut self, property: &'static Property) -> bool {
        let is_next = !self.reached && self.route.is_name(property.name);
        if is_next {
            self.property = Some(property);
        }
        is_next
    }
    fn shown(&mut self, object: &dyn Any, shape: &'static Shape, about: &'static About) {
        if let Want::Body(_, unshown) = &mut self.want
            && !self.reached
            && matches!(shape, Shape::Enum(_))
        {
            unshown.enter(0, object, shape, about);
        }
    }
    fn end_member(&mut self, name: &str, done: Result) -> Result {
        self.route.end();
        done.map_err(|error| error.in_member(name))
    }
    fn begin_named(&mut self, info: &'static Member, _: bool) -> Result<Begun> {
        let is_next = !self.reached && self.route.is_name(info.name);
        if is_next && let Want::Body(_, unshown) = &mut self.want {
            **unshown = Unshown::default();
        }
        Ok(if is_next { Begun::Elsewhere } else { Begun::Over })
    }
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        let is_next = self.route.index() == Some(index);
        Ok(self.step(is_next).unwrap_or(Begun::Skip))
    }
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        let is_set = matches!(shape, Shape::Seq(_, meaning) if !meaning.is_empty());
        if self.has_parts(if is_set { Peek::Set(len) } else { Peek::List(len) }) {
            return Ok(None);
        }
        self.list = shape;
        Ok(Some(OuterState::default()))
    }
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        if self.has_parts(Peek::Object) {
            return Ok(None);
        }
        let mut outer = OuterState::default();
        // Only hand-written functions use the version.
        if class.members.is_none() {
            outer.version = self.parts_mut().0.set_version(class.version);
        }
        Ok(Some(outer))
    }
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        if class.members.is_none() {
            self.parts_mut().0.set_version(outer.version);
        }
        done
    }
    fn begin_option(&mut self, _: &'static Shape, present: bool, _: bool) -> Result<(Begun, bool)> {
        if present {
            return Ok((Begun::Here, false));
        }
        self.take(&Scalar::Unit);
        Ok((Begun::Over, false))
    }
    fn fixed_members(&self) -> bool {
        // The value of a member may be its default.
        true
    }
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        _: bool,
    ) -> Result<Option<usize>> {
        let variant = info.variant(current)?;
        if let Want::Body(_, unshown) = &mut self.want {
            unshown.keep_variant(variant.name);
        }
        if self.route.is_name(variant.name) {
            if let Some(Begun::Elsewhere) = self.step(true) {
                return Ok(None);
            }
        } else if info.tag.is_none() && matches!(variant.payload, Payload::Unit) {
            self.take(&Scalar::Str(variant.name));
        } else if info.tag.is_none() && self.has_parts(Peek::Variant(variant.name)) {
            return Ok(None);
        }
        Ok(Some(current))
    }
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        // The payload of an enum with a tag has the path of the enum.
        if info.tag.is_some() { done } else { self.end_member(variant.name, done) }
    }
    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        if self.reached && matches!(self.want, Want::Scalar(_)) {
            return Ok(true);
        }
        if !self.route.is_last() {
            self.route.advance();
            let name = self.route.taken();
            let done = body.run_erased(&mut self.erased());
            self.route.end();
            return done.map_err(|error| crate::within(error, name)).map(|()| true);
        }
        let part = match step {
            Step::Named(info) | Step::Found(info) => Part::of_member(info),
            Step::Item(index) => Part::item(self.list, index),
            Step::Slot => self.property.map_or(Part::UNKNOWN, Part::of_property),
            _ => Part::UNKNOWN,
        };
        let Want::Body(act, unshown) = &mut self.want else {
            return Err(Error::custom("internal error: unexpected step in `Visitor::elsewhere`"));
        };
        let unshown = match step {
            Step::Named(_) | Step::Found(_) | Step::Item(_) => Unshown::default(),
            // The payload of the variant that began.
            _ => std::mem::take(*unshown),
        };
        self.reached = true;
        self.route.advance();
        let done = act(part, unshown, &mut |ar| body.run_erased(ar));
        done.map_err(|error| crate::within_last(error, self.route.steps())).map(|()| true)
    }
}

impl Walk for Look<'_> {
    type Way = Saves;
    const KIND: ArchiveKind = ArchiveKind { refuses_duplicates: true, ..ArchiveKind::EDIT };

    fn erase(&mut self) -> Erased<'_> {
        let guide = Some(Guide::Path(self.route));
        Erased::guided(self, guide)
    }
    fn guide(&self) -> Option<Guide<'_>> {
        Some(Guide::Path(self.route))
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if self.has_parts(Peek::Map(len)) {
            return Ok(());
        }
        self.run_elsewhere(Step::Map(shape, len), body).map(drop)
    }
}
