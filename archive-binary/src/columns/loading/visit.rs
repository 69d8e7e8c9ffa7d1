//! The steps of [`Scattering`].

use archive_core::block::{self, Found, LoadBlocks};
use archive_core::pointer::LoadPointer;
use archive_core::shape::{Class, Enum, Member, Payload, Shape, Variant};
use archive_core::{
    ArchiveKind, Begun, Body, Element, Error, ErrorKind, LoadAny, OuterState, Result, Scalar,
    Visitor, Walk, check_name, put,
};

use crate::columnar::has_hollow_lists;
use crate::columnar::ints::too_few;
use crate::columns::changed::Missing;
use crate::columns::place::FOLLOWING;
use crate::cursor::Cursor;
use crate::fast_path::{Loading, cannot, load_any};
use crate::shapes::{has_bytes, is_empty};

use super::{Scattering, take_rows};

impl Visitor for Scattering<'_, '_, '_> {
    archive_core::__one_way!(loads in rows);

    #[inline]
    fn overwrites(&mut self) -> bool {
        true
    }
    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Unit => {}
            Scalar::Bool(v) => *v = self.int()? != 0,
            Scalar::U8(v) => *v = self.int()? as u8,
            Scalar::U16(v) => *v = self.int()? as u16,
            Scalar::U32(v) => *v = self.int()? as u32,
            Scalar::U64(v) => *v = self.int()?,
            Scalar::I8(v) => *v = self.int()? as i8,
            Scalar::I16(v) => *v = self.int()? as i16,
            Scalar::I32(v) => *v = self.int()? as i32,
            Scalar::I64(v) => *v = self.int()? as i64,
            Scalar::U128(v) => *v = self.wide(u128::from_le_bytes, Cursor::u128)?,
            Scalar::I128(v) => *v = self.wide(i128::from_le_bytes, Cursor::i128)?,
            Scalar::F32(v) => *v = f32::from_le_bytes(self.fixed()?),
            Scalar::F64(v) => *v = f64::from_le_bytes(self.fixed()?),
            Scalar::Char(v) => match char::from_u32(self.int()? as u32) {
                Some(char) => *v = char,
                None => return Err(no_char()),
            },
            Scalar::String(v) => {
                put::replace(v, self.next()?.text().ok_or_else(too_few)?);
            }
            Scalar::Bytes(v) => self.bytes(v)?,
            Scalar::Str(_) | Scalar::ByteSlice(_) => return Err(Error::read_only()),
        }
        Ok(())
    }

    #[inline]
    fn size_hint(&self) -> usize {
        self.rows.size_hint()
    }

    #[inline(always)]
    fn begin_named(&mut self, _: &'static Member, _: bool) -> Result<Begun> {
        Ok(Begun::Here)
    }
    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        if class.members.is_none() {
            return Err(cannot("members of a hand-written function"));
        }
        let version = self.rows.session.set_version(class.version);
        Ok(Some(OuterState { version, ..OuterState::default() }))
    }
    #[inline]
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        if let Err(error) = done {
            return Err(self.located(error).in_class(class));
        }
        self.rows.session.set_version(outer.version);
        Ok(())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result<Option<OuterState>> {
        match shape {
            Shape::Seq(..) => self.open()?,
            Shape::Array(_, len, ..) if has_bytes(shape) || !is_empty(shape) => {
                self.at += 1;
                self.open_items(self.at, *len as u64);
            }
            Shape::Array(_, len, ..) => self.open_items(FOLLOWING, *len as u64),
            Shape::Tuple(items, ..) => self.open_items(FOLLOWING, items.len() as u64),
            _ => return Err(cannot("a sequence")),
        }
        Ok(Some(OuterState::default()))
    }
    #[inline]
    fn end_seq(&mut self, _: OuterState, _: usize) -> Result {
        self.close()
    }
    #[inline(always)]
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        if !(self.rows.items.next() || self.rows.next_single(index)?) {
            return Ok(Begun::Over);
        }
        if self.place.items.first != FOLLOWING {
            self.at = self.place.items.first;
            if self.at == 0 {
                if self.left == 0 {
                    self.next_block(self.rows.items.left() + 1)?;
                }
                self.left -= 1;
            }
        }
        Ok(Begun::Here)
    }
    #[inline]
    fn begin_option(&mut self, _: &'static Shape, _: bool, _: bool) -> Result<(Begun, bool)> {
        let at = self.at;
        if self.int()? == 0 {
            self.at = self.columns.end_of(at);
            return Ok((Begun::Over, false));
        }
        Ok((Begun::Here, false))
    }
    #[inline]
    fn begin_variant(&mut self, info: &'static Enum, _: usize, _: bool) -> Result<Option<usize>> {
        let (form, end) = (self.columns.form(self.at), self.columns.end_of(self.at));
        let index = self.int()? as usize;
        let first = form.and_then(|form| form.payload(index));
        let variant = info.variant(index)?;
        if matches!(variant.payload, Payload::Unit) {
            self.at = end;
        } else {
            self.at = first.unwrap_or(end);
            self.place.enter(end, 0, false);
        }
        Ok(Some(index))
    }
    #[inline]
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        done.map_err(|error| {
            self.located(error).in_member(variant.name).in_variant(info, variant)
        })?;
        self.at = self.place.leave();
        Ok(())
    }
    fn locate_error(&mut self, error: Error) -> Error {
        self.located(error)
    }
}

impl Walk for Scattering<'_, '_, '_> {
    type Way = archive_core::Loads;
    const KIND: ArchiveKind =
        ArchiveKind { by_position: true, gathers: true, ..ArchiveKind::SAVING };

    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.located(error).in_member(name)),
        }
    }

    fn map<B: Body>(&mut self, _: &'static Shape, _: usize, body: &mut B) -> Result {
        self.open()?;
        body.run(self)?;
        self.close()
    }

    #[inline]
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let (size, first, count) = (values.size(), self.place.items.first, self.rows.items.left());
        let inner = count.saturating_mul(size.elements);
        let Loading { session, options, items, .. } = &mut *self.rows;
        if first == FOLLOWING
            || first == 0
            || self.columns.end_of(first - 1) != first + 1
            || items.are_counted_singly()
            || !session.fits(size, inner, options)
        {
            return Ok(false);
        }
        let Ok(len) = usize::try_from(count) else { return Ok(false) };
        let numbers = self.columns.numbers(first, (len, size.bytes), &mut self.numbers);
        let Some(bytes) = numbers else { return Ok(false) };
        items.take();
        if !values.take(bytes) {
            values.begin(len, session, options);
            let found = Found { bytes, at: self.block as u64 };
            let context = (&mut **session, *options);
            let whole = block::load(found, size.bytes, context, |index, ar| {
                ar.visit_item(index, |ar| values.next(ar))
            })?;
            values.end(session);
            if !whole {
                return Err(cannot("those numbers"));
            }
        }
        session.count_fitting(inner);
        Ok(true)
    }

    fn take_items<T: Element>(&mut self, into: &mut Vec<T>) -> Result<bool> {
        let is_list = self.place.items.first == 0;
        if !is_list || !self.input.takes() || has_hollow_lists(self.columns.layout) {
            return Ok(false);
        }
        let Some(count) = self.rows.items.take() else { return Ok(false) };
        let (start, mut left) = ((self.input.mark(), count), count);
        while left > 0 {
            self.next_block(left)?;
            let Loading { session, options, .. } = &mut *self.rows;
            let columns = (&mut *self.columns.columns, Missing::NONE);
            if !take_rows(into, self.left as usize, columns, session, options)
                || !self.columns.is_done()
            {
                return self.again(start, into);
            }
            left -= std::mem::take(&mut self.left);
        }
        Ok(true)
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        load_any(self, target)
    }
    fn load_pointer<B: LoadPointer>(&mut self, _: &mut B) -> Result {
        Err(cannot("a pointer"))
    }
}

#[cold]
fn no_char() -> Error {
    Error::new(ErrorKind::Syntax, "a column has a number that is not a character")
}
