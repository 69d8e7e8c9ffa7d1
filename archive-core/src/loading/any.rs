//! Loading without knowing the type.

use super::{Loading, Place};
use crate::archive::{Archive, Body, Keyed, LoadAny};
use crate::decoder::{Decoder, Kind};
use crate::error::Result;
use crate::shape::Shape;

impl<D: Decoder + ?Sized> Loading<'_, D> {
    /// Loads the next member, whatever its name.
    pub(super) fn any_member<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        let Some(name) = self.decoder.next_key()? else { return Ok(false) };
        let name = name.into_owned();
        let place = Some(Place::Member(&name));
        self.session.count(self.options).map_err(|error| self.prefix_error(error, place))?;
        body.key(&name);
        self.place(place, &mut KeyedBody(body))?;
        Ok(true)
    }

    /// Loads the value at the cursor, whatever it is.
    pub(super) fn any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        match self.decoder.peek()? {
            Kind::Null => {
                self.decoder.null()?;
                target.null();
            }
            Kind::Bool => target.bool(self.decoder.bool()?),
            Kind::Number => target.number(self.decoder.number()?),
            Kind::Str => target.str(self.decoder.str()?),
            Kind::Bytes => {
                let mut bytes = Vec::new();
                self.decoder.bytes(&mut bytes)?;
                target.bytes(bytes);
            }
            Kind::Seq => self.seq(&Shape::Any, 0, &mut AnySeq(target))?,
            Kind::Object => {
                self.session.enter(self.options)?;
                self.decoder.begin_object(&crate::value::CLASS)?;
                target.object(self)?;
                self.decoder.end_object(&mut |_| Ok(()))?;
                self.session.leave();
            }
            Kind::Pointer => self.any_pointer(target)?,
        }
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
