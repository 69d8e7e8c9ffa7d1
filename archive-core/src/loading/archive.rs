//! [`Archive`] for [`Loading`].

use super::{Loading, Place, refuse};
use crate::archive::{Archive, Body, Keyed, LoadAny, Variants};
use crate::decoder::Decoder;
use crate::erased::Erased;
use crate::error::Result;
use crate::options::Options;
use crate::pointer::LoadPointer;
use crate::saving::check_name;
use crate::scalar::Scalar;
use crate::session::Session;
use crate::shape::{Class, Enum, Member, Shape};

impl<D: Decoder + ?Sized> Archive for Loading<'_, D> {
    #[inline]
    fn is_loading(&self) -> bool {
        true
    }
    fn erased(&mut self) -> Erased<'_> {
        Erased::loading(self.dynamic())
    }
    #[inline]
    fn parts(&self) -> (&Session, &Options<'_>) {
        (self.session, self.options)
    }
    #[inline]
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (self.session, self.options)
    }

    #[inline]
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        if !self.decoder.shaped_member(name, shape)? {
            self.absent(name);
            return Ok(());
        }
        self.place(Some(Place::Member(name)), body)
    }

    #[inline]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !self.decoder.known_member(info)? {
            return self.absent_member(info);
        }
        self.place(Some(Place::Member(info.name)), body)
    }

    #[inline(always)]
    fn scalar(&mut self, mut value: Scalar<'_>) -> Result {
        // Bytes may be a sequence, in which it is an item that is refused.
        if matches!(value, Scalar::Bytes(_)) && self.behind_pointer()? {
            return self.load_behind(None, |ar| ar.scalar(value));
        }
        if let Err(error) = self.read(&mut value) {
            return self.scalar_behind(error, value);
        }
        if self.session.reporting {
            self.note_conversion();
        }
        Ok(())
    }

    #[inline]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if self.behind_pointer()? {
            return self.load_behind(Some((class.type_name)()), |ar| ar.object(class, body));
        }
        self.session.enter(self.options)?;
        self.decoder.begin_object(class)?;
        let since = self.session.noticed();
        match self.inside(class, body) {
            Ok(()) => {}
            Err(error) => return Err(self.in_class(error, class)),
        }
        if self.session.noticed() != since {
            self.leave_class(class, since);
        }
        self.session.leave();
        Ok(())
    }

    #[inline]
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if self.behind_pointer()? {
            return self.load_behind(None, |ar| ar.seq(shape, len, body));
        }
        self.session.enter(self.options)?;
        self.session.size_hint = self.decoder.begin_seq(shape)?;
        body.run(self)?;
        self.decoder.end_seq().map_err(|error| refuse::too_many(error, len))?;
        self.session.leave();
        Ok(())
    }

    #[inline]
    fn size_hint(&self) -> usize {
        self.session.size_hint
    }

    #[inline]
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        if !self.decoder.next_item()? {
            return Ok(false);
        }
        let place = Some(Place::Item(index));
        self.session.count(self.options).map_err(|error| self.prefix_error(error, place))?;
        self.place(place, body)?;
        Ok(true)
    }

    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if self.behind_pointer()? && self.has_body()? {
            return self.load_behind(None, |ar| ar.map(shape, len, body));
        }
        self.load_map(shape, body)
    }

    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.load_entry(index, key, value)
    }

    #[inline]
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        _: bool,
        nullable: bool,
        body: &mut B,
    ) -> Result<bool> {
        if !self.decoder.begin_option(shape, nullable)? {
            return Ok(false);
        }
        body.run(self)?;
        self.decoder.end_option(nullable)?;
        Ok(true)
    }

    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        if self.behind_pointer()? {
            return self.load_behind(Some((info.type_name)()), |ar| ar.variant(info, body));
        }
        self.load_variant(info, body)
    }

    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.pointer(target)
    }

    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.any_member(body)
    }

    fn load_body<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.run_on_body(id, body)
    }

    fn settle(&mut self) -> Result {
        // The members of a root that is an object are one level deeper than the root.
        if self.session.is_in_root() { self.fill_pending() } else { Ok(()) }
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.any(target)
    }
}
