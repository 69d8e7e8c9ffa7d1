//! Loads values of unknown type.

use super::Loading;
use crate::format::decoder::{Decoder, Kind};
use crate::model::error::Result;
use crate::model::head::{PointerHead, PointerKind};
use crate::model::number::Number;
use crate::model::shape::{OBJECT, Primitive, Shape};
use crate::visit::archive::Archive;
use crate::visit::body::{Body, Keyed, LoadAny};
use crate::visit::session::Place;
use crate::visit::walk::Walk;

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Loads the next member with its name, which may be any.
    pub(super) fn any_member<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        let Some(name) = self.decoder.next_key()? else { return Ok(false) };
        let name = name.into_owned();
        let place = Some(Place::Key(&name));
        self.session.count(self.options).map_err(|error| self.prefix_error(error, place))?;
        body.key(&name);
        self.load_at(place, &mut KeyedBody(body))?;
        Ok(true)
    }

    /// Loads the value at the cursor, of any type.
    pub(super) fn any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        if let Some(shape) = self.session.take_expected() {
            self.decoder.expect(shape);
        }
        self.measure();
        match self.decoder.peek()? {
            Kind::Null => {
                self.decoder.null()?;
                target.null();
            }
            Kind::Bool => target.bool(self.decoder.bool()?),
            Kind::Number => {
                let number = self.decoder.number()?;
                if self.session.looks() && matches!(number, Number::F64(_)) {
                    self.note_conversion(Primitive::F64);
                }
                target.number(number);
            }
            Kind::Str => target.str(self.decoder.str()?),
            Kind::Bytes => {
                let mut bytes = Vec::new();
                self.decoder.bytes(&mut bytes)?;
                self.session.count_bytes(&bytes, self.options)?;
                target.bytes(bytes);
            }
            Kind::Seq => self.seq(&Shape::Any, 0, &mut AnySeq(target))?,
            // Text formats write pointers as objects, and the references in this data are being
            // collected.
            found @ Kind::Object if self.session.unknown.is_in_data() => {
                self.any_pointer(found, target)?;
            }
            Kind::Object => self.any_object(target)?,
            found @ Kind::Pointer => self.any_pointer(found, target)?,
        }
        Ok(())
    }

    /// Loads the object at the cursor.
    fn any_object<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.session.enter(self.options)?;
        self.decoder.begin_object(&OBJECT)?;
        if self.session.trees.marks {
            self.session.trees.layout = self.decoder.take_layout();
        }
        target.object(self)?;
        self.decoder.end_object(&mut |_| Ok(()))?;
        self.session.leave();
        Ok(())
    }

    /// Loads the pointer at the cursor, or the object if it only looks like a pointer. In the data
    /// of an object of an unknown type, shared objects are not loaded here but only recorded.
    fn any_pointer<B: LoadAny>(&mut self, found: Kind, target: &mut B) -> Result {
        self.session.enter(self.options)?;
        let head = self.decoder.begin_pointer()?;
        let (mut kind, id) = (head.kind, head.id);
        if found == Kind::Object && kind == PointerKind::Plain {
            self.session.leave();
            return self.any_object(target);
        }
        let trees = &self.session.trees;
        let known = kind == PointerKind::Stored && trees.fetching && trees.has_pointee(id);
        let noted = self.session.unknown.note_reference(id, kind);
        let type_name = head.type_name.filter(|_| kind.has_pointee()).map(|name| name.into_owned());
        let type_name = type_name.as_deref().filter(|_| !known && !noted);
        if known || noted {
            if kind == PointerKind::Stored {
                self.decoder.skip()?;
                self.skip_deferred()?;
            }
            if kind != PointerKind::Weak {
                kind = PointerKind::Seen;
            }
        }
        if !noted {
            // Counts the members of the object that represents the pointer.
            let named = kind != PointerKind::Weak && type_name.is_some();
            let members =
                [id != 0, named, kind.has_pointee()].into_iter().filter(|has| *has).count();
            self.session.count_all(members as u64, self.options)?;
        }
        target.pointer(self, &PointerHead { kind, id, type_name, shape: &Shape::Any })?;
        self.close(kind)?;
        self.session.leave();
        Ok(())
    }
}

struct AnySeq<'a, B>(&'a mut B);

impl<B: LoadAny> Body for AnySeq<'_, B> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.seq(ar)
    }
}

struct KeyedBody<'a, B>(&'a mut B);

impl<B: Keyed> Body for KeyedBody<'_, B> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.load(ar)
    }
}
