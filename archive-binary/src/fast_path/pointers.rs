//! Pointers, and the objects of trait objects.
// Why: docs/decisions/binary.md#an-object-that-differs-is-loaded-by-the-general-archive

use std::any::Any;

use archive_core::decoder::Mark;
use archive_core::pointer::{LoadPointer, PointerHead, PointerKind, Step};
use archive_core::shape::Shape;
use archive_core::{Archive, Body, Encoder as _, Polymorphic, Result};

use super::{Loading, Saving, cannot};
use crate::types::TypeId;

/// A pointer that is saved after the outermost pointer.
pub(super) type Deferred = Box<dyn for<'a, 'w> FnOnce(&mut Saving<'a, 'w>) -> Result>;

impl Saving<'_, '_> {
    /// Saves a pointer, and its object if the object is stored with this pointer.
    pub(super) fn pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        let tracked = head.kind == PointerKind::Stored;
        let outermost = self.session.open_pointer(tracked);
        self.session.enter(self.options)?;
        let number = self.encoder.number_of(head)?;
        self.varint(number);
        self.encoder.begin_pointee(head, self.out.len());
        if head.has_pointee() {
            self.any_or(|| head.shape.is_any(), body)?;
        }
        if outermost && self.session.has_deferred() {
            self.save_deferred()?;
        }
        self.session.leave();
        self.session.close_pointer(tracked);
        Ok(())
    }

    /// Defers a pointer until after the outermost one.
    pub(super) fn wait<B: Body + 'static>(&mut self, mut body: B) {
        self.session.defer();
        self.waiting.push_back(Box::new(move |ar| body.run(ar)));
    }

    /// Writes the deferred objects, and those that are deferred while they are written.
    #[cold]
    fn save_deferred(&mut self) -> Result {
        self.session.enter(self.options)?;
        self.pass_output();
        self.encoder.begin_deferred()?;
        while let Some(next) = self.session.next_waiting() {
            match next {
                Some(save) => save(&mut self.erased())?,
                // The next one is in `self.waiting`.
                None => self.waiting.pop_front().map_or(Ok(()), |save| save(self))?,
            }
        }
        self.pass_output();
        self.encoder.end_deferred()?;
        self.session.leave();
        Ok(())
    }

    /// Saves an object with the function compiled for its type. Returns `false` if there is none.
    #[inline]
    pub(super) fn dyn_object(&mut self, object: &dyn Any) -> Result<bool> {
        let Some(known) = self.encoder.known_object(object.type_id(), self.options) else {
            return Ok(false);
        };
        (known.functions.save)(object, self)?;
        Ok(true)
    }

    /// Like [`dyn_object`](Saving::dyn_object), with the head of the pointer that owns it.
    #[inline]
    pub(super) fn owned_object(&mut self, object: &dyn Any) -> Result<bool> {
        let Some(known) = self.encoder.known_object(object.type_id(), self.options) else {
            return Ok(false);
        };
        self.session.enter(self.options)?;
        self.varint(u64::from(known.concrete) + 1);
        (known.functions.save)(object, self)?;
        self.session.leave();
        Ok(true)
    }
}

impl Loading<'_, '_> {
    /// Loads a pointer. Objects that match the program's type are loaded here; the general archive
    /// loads the others.
    pub(super) fn pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.session.enter(self.options)?;
        let (slot, pointee) = match target.shape() {
            Shape::Pointer(pointee) => (TypeId::POINTER, pointee.get()),
            Shape::Weak(pointee) => (TypeId::WEAK, pointee.get()),
            Shape::Dyn => (TypeId::DYN, &Shape::Any),
            _ => return Err(cannot("a pointer of that shape")),
        };
        let start = self.data.at();
        let at = Mark { offset: start as u64, state: slot.0.into(), depth: 0 };
        let (head, concrete) = self.decoder.get().read_head(&mut self.data, slot)?;
        let objects = self.session.objects();
        let step = match target.begin(&head, at, self.session, self.options) {
            Ok(step) => step,
            Err(error) => return Err(error.at(crate::cursor::offset(start))),
        };
        match (step, concrete) {
            (Step::Done, None) => {
                let known = self.session.objects();
                if known != objects
                    && let Some(fill) = B::filler()
                {
                    let shape = (!B::DYN).then_some(pointee);
                    self.waiting.add(head.id, known, (shape, fill));
                }
            }
            (Step::Load, Some(concrete))
                if B::DYN
                    || !pointee.is_any() && self.decoder.get().is_concrete(concrete, pointee) =>
            {
                self.session.announce(&head, self.options);
                self.concrete = concrete;
                let (id, begin) = (head.id, self.data.at());
                let loaded = target.load(self);
                self.session.end_pointee(id, at, loaded.is_ok());
                loaded?;
                self.decoder.get().note_pointee_after_root(begin, self.data.at());
            }
            _ => {
                if step == Step::Load {
                    self.session.announce(&head, self.options);
                }
                self.data.goto(start);
                // The pointer is already open here, but not yet in the decoder.
                let depth = self.depth() - 1;
                return self.with_general_archive_at(depth, slot, |general| {
                    general.resume_pointer(step, target)
                });
            }
        }
        self.session.leave();
        Ok(())
    }

    /// Loads the object of a trait object, whose head was just read.
    pub(super) fn dyn_object(&mut self, object: &mut dyn Polymorphic) -> Result {
        let concrete = self.concrete;
        let known = (&*object as &dyn Any).type_id();
        match self.decoder.get().functions(concrete, known, self.options) {
            Some(functions) => (functions.load)(object, self),
            None => {
                let slot = self.decoder.get().type_of_pointee(concrete);
                self.with_general_archive(slot, |general| {
                    object.__archive_load(&mut general.erased())
                })
            }
        }
    }

    /// Loads all objects that were referred to but not read yet, if they are after the root and
    /// match the program's types. The general archive loads the others.
    pub(super) fn fill_pending(&mut self) -> Result {
        // Objects of unknown types may contain other objects.
        if self.waiting.is_empty() || self.options.settings().keep_unknown() {
            return Ok(());
        }
        let Some(ids) = self.session.begin_filling() else { return Ok(()) };
        let here = self.data.at();
        let left = self.fill_all(ids)?;
        self.session.end_filling(&left);
        self.data.goto(here);
        Ok(())
    }

    /// Fills objects, and the objects to which they refer. Returns the ids of the objects that are
    /// left.
    fn fill_all(&mut self, mut ids: Vec<u64>) -> Result<Vec<u64>> {
        while !ids.is_empty() {
            for (index, id) in ids.iter().enumerate() {
                if self.session.waits(*id) && !self.fill_object(*id)? {
                    return Ok(ids.split_off(index));
                }
            }
            ids = self.session.next_to_fill();
        }
        Ok(ids)
    }

    /// Fills an object. Returns `false` if it is stored elsewhere or does not match the program's
    /// type.
    fn fill_object(&mut self, id: u64) -> Result<bool> {
        let Some((shape, fill)) = self.waiting.take(id) else { return Ok(false) };
        let Some(at) = archive_core::Decoder::find_pointee(self.decoder.get(), id) else {
            return Ok(false);
        };
        let mut data = self.data;
        data.goto(at.offset as usize);
        let (_, Some(concrete)) = self.decoder.get().read_head(&mut data, TypeId::POINTER)? else {
            return Ok(false);
        };
        if let Some(shape) = shape
            && (shape.is_any() || !self.decoder.get().is_concrete(concrete, shape))
        {
            return Ok(false);
        }
        self.data.goto(at.offset as usize);
        self.session.enter(self.options)?;
        self.data = data;
        self.session.begin_pointee(id, at);
        self.concrete = concrete;
        if let Err(error) = fill(id, self) {
            return Err(self.located(error).in_object(id));
        }
        self.session.end_pointee(id, at, true);
        self.decoder.get().note_pointee_after_root(data.at(), self.data.at());
        self.session.leave();
        Ok(true)
    }
}
