//! [`Place`]: the archive that loads one value.

use std::marker::PhantomData;

use archive_core::bridge;
use archive_core::pointer::LoadPointer;
use archive_core::{
    Archive, Body, Class, Enum, Error, LoadAny, Result, Scalar, Shape, Step, Variants, Visitor,
    Walk,
};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _};

use super::any::AnyValue;
use super::choice::Choice;
use super::entries::Map;
use super::items::{Optional, Seq};
use super::object::Object;
use super::pointer::Pointer;
use super::visit::Visit;
use super::{key, scalar};
use crate::archives::{parts, way};
use crate::shared::Shared;
use crate::tree::{DescribedSeed, Skip, flat, read_untagged};

/// A body as a serde seed.
pub(crate) struct Seed<'a, 's, B> {
    pub(crate) body: &'a mut B,
    pub(crate) shape: &'static Shape,
    pub(crate) shared: &'a mut Shared<'s>,
}

impl<'de, B: Body> DeserializeSeed<'de> for Seed<'_, '_, B> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        load(from, self.body, self.shape, self.shared)
    }
}

/// Loads one value.
#[inline]
fn load<'de, D: Deserializer<'de>, B: Body>(
    from: D,
    body: &mut B,
    shape: &'static Shape,
    shared: &mut Shared<'_>,
) -> Result<(), D::Error> {
    shared.is_text = from.is_human_readable();
    if !shared.manner.describes && matches!(shape, Shape::Any) {
        let tree = DescribedSeed::new(shared).deserialize(from)?;
        let loaded = shared.load_tree(tree.into(), |ar| body.run(ar));
        return loaded.map_err(|ours| D::Error::custom(shared.stash_error(ours)));
    }
    let mut place = Place { from: Some(from), theirs: None, shared, of: PhantomData };
    let run = body.run(&mut place);
    let Place { from, theirs, shared, .. } = place;
    match (run, from) {
        // The format's own error has the position.
        (Err(ours), _) => Err(shared.restore_error(ours, theirs)),
        (Ok(()), None) => Ok(()),
        // The body visited nothing, so the value is skipped.
        (Ok(()), Some(from)) if shared.manner.describes => Skip::new(shared).deserialize(from),
        (Ok(()), Some(from)) => <()>::deserialize(from),
    }
}

/// The archive that loads one value.
struct Place<'a, 's, 'de, D: Deserializer<'de>> {
    from: Option<D>,
    /// The error of the format.
    theirs: Option<D::Error>,
    shared: &'a mut Shared<'s>,
    of: PhantomData<&'de ()>,
}

impl<'de, D: Deserializer<'de>> Place<'_, '_, 'de, D> {
    #[inline]
    fn take(&mut self) -> Result<D> {
        self.from.take().ok_or_else(bridge::misuse)
    }

    /// Returns the result of the format, and keeps its error, which has the position.
    #[inline]
    fn given<T>(&mut self, done: Result<T, D::Error>) -> Result<T> {
        match done {
            Ok(done) => Ok(done),
            Err(theirs) => Err(self.keep(theirs)),
        }
    }

    #[cold]
    fn keep(&mut self, theirs: D::Error) -> Error {
        let ours = self.shared.refused(&theirs);
        self.theirs = Some(theirs);
        ours
    }

    // Separate functions, because one function for all would need more stack for each level.

    #[inline]
    fn load_object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let describes = self.shared.manner.describes;
        // A load with reports or strictness may be slower, so only the erased path is compiled for
        // it.
        if const { B::FACTS.lookup.is_some() }
            && describes
            && (self.shared.session.looks() || self.shared.options.settings().strict())
        {
            return self.erased().loading().object(class, body);
        }
        let from = self.take()?;
        let visit = Visit(Object { class, body }, &mut *self.shared);
        // In types with versions the version has a position of its own.
        let placed = usize::from(class.version != 0);
        let done = if describes {
            from.deserialize_any(visit)
        } else {
            match class.members.and_then(flat) {
                Some(known) => from.deserialize_tuple(known.len() + placed, visit),
                None => from.deserialize_seq(visit),
            }
        };
        self.given(done)
    }

    #[inline]
    fn load_seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        let from = self.take()?;
        let describes = self.shared.manner.describes;
        let visit = Visit(Seq { shape, len, body }, &mut *self.shared);
        let done = match shape {
            _ if describes => from.deserialize_any(visit),
            Shape::Array(_, len, _, _) => from.deserialize_tuple(*len, visit),
            Shape::Tuple(items, _, _) => from.deserialize_tuple(items.len(), visit),
            _ => from.deserialize_seq(visit),
        };
        self.given(done)
    }

    fn load_map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        let from = self.take()?;
        let describes = self.shared.manner.describes;
        let visit = Visit(Map { shape, len, body }, &mut *self.shared);
        let done =
            if describes { from.deserialize_any(visit) } else { from.deserialize_map(visit) };
        self.given(done)
    }

    fn load_option<B: Body>(
        &mut self,
        shape: &'static Shape,
        nullable: bool,
        body: &mut B,
    ) -> Result<bool> {
        let from = self.take()?;
        let wanted = Optional { shape, nullable, body };
        let done = from.deserialize_option(Visit(wanted, &mut *self.shared));
        self.given(done)
    }
}

impl<'de, D: Deserializer<'de>> Visitor for Place<'_, '_, 'de, D> {
    parts!(loading);
    fn size_hint(&self) -> usize {
        self.shared.session.current.size_hint
    }

    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        let from = self.take()?;
        let done = scalar::load(value, from, self.shared);
        self.given(done)
    }
}

impl<'de, D: Deserializer<'de>> Walk for Place<'_, '_, 'de, D> {
    way!(loading);
    // Inlined, so that a level needs less stack.
    #[inline(always)]
    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        match step {
            Step::Object(class) => self.load_object(class, body)?,
            Step::Seq(shape, len) => self.load_seq(shape, len, body)?,
            Step::Map(shape, len) => self.load_map(shape, len, body)?,
            Step::Option(shape, _, nullable) => return self.load_option(shape, nullable, body),
            _ => return Err(bridge::misuse()),
        }
        Ok(true)
    }

    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        let from = self.take()?;
        let describes = self.shared.manner.describes;
        if self.shared.manner.untagged {
            self.shared.is_text = from.is_human_readable();
            let tree = self.given(read_untagged(from))?;
            return self.shared.load_tree(tree, |ar| ar.variant(info, body));
        }
        let visit = Visit(Choice { info, body }, &mut *self.shared);
        let done = if describes {
            from.deserialize_any(visit)
        } else {
            from.deserialize_enum(info.name(), &[], visit)
        };
        self.given(done)
    }

    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        let from = self.take()?;
        let Shared { session, options, manner, .. } = &mut *self.shared;
        session.enter(options)?;
        let describes = manner.describes;
        let visit = Visit(Pointer(target), &mut *self.shared);
        let done = if describes {
            from.deserialize_any(visit)
        } else {
            from.deserialize_tuple(crate::save::MANY, visit)
        };
        self.given(done)?;
        self.shared.session.leave();
        Ok(())
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        let from = self.take()?;
        let announced = self.shared.session.take_expected();
        let describes = self.shared.manner.describes;
        let visit = Visit(AnyValue(target), &mut *self.shared);
        let done = match announced {
            _ if describes => from.deserialize_any(visit),
            Some(Shape::Primitive(primitive, _)) => scalar::ask_for(*primitive, from, visit),
            _ => return Err(key::no_description()),
        };
        self.given(done)
    }
}

/// Returns the error for an object at another place in the input.
#[cold]
pub(crate) fn look_elsewhere<T>(shared: &mut Shared<'_>) -> Result<T> {
    Err(shared.begin_again())
}

/// Checks, before the root is used, that everything its objects refer to has been loaded.
pub(crate) fn resolve_pending(shared: &mut Shared<'_>) -> Result {
    if shared.session.is_in_root() && !shared.session.next_to_fill().is_empty() {
        return look_elsewhere(shared);
    }
    Ok(())
}
