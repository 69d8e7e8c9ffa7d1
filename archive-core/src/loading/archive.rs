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
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        if !self.decoder.member(name)? {
            self.absent(name);
            return Ok(());
        }
        self.place(Some(Place::Member(name)), body)
    }

    #[inline]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !self.decoder.member(info.name)? {
            let mut found = false;
            for alias in info.aliases {
                found = self.decoder.member(alias)?;
                if found {
                    break;
                }
            }
            if !found {
                return self.absent_member(info);
            }
        }
        self.place(Some(Place::Member(info.name)), body)
    }

    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Unit => self.decoder.null()?,
            Scalar::Bool(v) => *v = self.decoder.bool()?,
            Scalar::U8(v) => *v = self.decoder.u8()?,
            Scalar::U16(v) => *v = self.decoder.u16()?,
            Scalar::U32(v) => *v = self.decoder.u32()?,
            Scalar::U64(v) => *v = self.decoder.u64()?,
            Scalar::U128(v) => *v = self.decoder.u128()?,
            Scalar::I8(v) => *v = self.decoder.i8()?,
            Scalar::I16(v) => *v = self.decoder.i16()?,
            Scalar::I32(v) => *v = self.decoder.i32()?,
            Scalar::I64(v) => *v = self.decoder.i64()?,
            Scalar::I128(v) => *v = self.decoder.i128()?,
            Scalar::F32(v) => *v = self.decoder.f32()?,
            Scalar::F64(v) => *v = self.decoder.f64()?,
            Scalar::Char(v) => *v = self.decoder.char()?,
            Scalar::String(v) => self.decoder.string(v)?,
            Scalar::Bytes(v) => self.decoder.bytes(v)?,
            Scalar::Str(_) | Scalar::ByteSlice(_) => return Err(refuse::read_only()),
        }
        if self.session.reporting {
            self.note_conversion();
        }
        Ok(())
    }

    #[inline]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
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
    fn seq<B: Body>(&mut self, shape: &'static Shape, _: usize, body: &mut B) -> Result {
        self.session.enter(self.options)?;
        self.session.size_hint = self.decoder.begin_seq(shape)?;
        body.run(self)?;
        self.decoder.end_seq()?;
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

    fn map<B: Body>(&mut self, shape: &'static Shape, _: usize, body: &mut B) -> Result {
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
        if self.session.is_in_root() { self.finish_pointers() } else { Ok(()) }
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.any(target)
    }
}
