//! The steps of [`Scattering`].

use archive_core::block::{self, Found, LoadBlocks};
use archive_core::columns::Takes;
use archive_core::pointer::LoadPointer;
use archive_core::shape::{Class, Enum, Member, Payload, Shape, Variant};
use archive_core::{
    ArchiveKind, Begun, Body, Error, ErrorKind, LoadAny, OuterState, Result, Scalar, Serialize,
    Visitor, Walk, check_name,
};

use crate::columnar::ints::too_few;
use crate::columns::place::FOLLOWING;
use crate::cursor::Cursor;
use crate::fast_path::{cannot, load_any};
use crate::shapes::{has_bytes, is_empty};

use super::Scattering;

impl Visitor for Scattering<'_, '_> {
    archive_core::__one_way!(loads);

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
                let text = self.next()?.text().ok_or_else(too_few)?;
                if v.capacity() == 0 {
                    *v = text.to_owned();
                } else {
                    v.clear();
                    v.push_str(text);
                }
            }
            Scalar::Bytes(v) => self.bytes(v)?,
            Scalar::Str(_) | Scalar::ByteSlice(_) => return Err(Error::read_only()),
        }
        Ok(())
    }

    #[inline]
    fn size_hint(&self) -> usize {
        self.place.items.left as usize
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
        let version = self.session.set_version(class.version);
        Ok(Some(OuterState { version, ..OuterState::default() }))
    }
    #[inline]
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        if let Err(error) = done {
            return Err(self.located(error).in_class(class));
        }
        self.session.set_version(outer.version);
        Ok(())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result<Option<OuterState>> {
        match shape {
            Shape::Seq(..) => self.open()?,
            Shape::Array(_, len, ..) if has_bytes(shape) || !is_empty(shape) => {
                self.at += 1;
                self.place.enter(self.at, *len as u64, false);
            }
            Shape::Array(_, len, ..) => self.place.enter(FOLLOWING, *len as u64, false),
            Shape::Tuple(items, ..) => self.place.enter(FOLLOWING, items.len() as u64, false),
            _ => return Err(cannot("a sequence")),
        }
        self.session.count_all(self.place.items.left, self.options)?;
        Ok(Some(OuterState::default()))
    }
    #[inline]
    fn end_seq(&mut self, _: OuterState, _: usize) -> Result {
        self.close()
    }
    #[inline(always)]
    fn begin_item(&mut self, _: usize) -> Result<Begun> {
        let Some(left) = self.place.items.left.checked_sub(1) else { return Ok(Begun::Over) };
        self.place.items.left = left;
        if self.place.items.first != FOLLOWING {
            self.at = self.place.items.first;
            if self.at == 0 {
                if self.rows == 0 {
                    self.next_block(self.place.items.left + 1)?;
                }
                self.rows -= 1;
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

impl Walk for Scattering<'_, '_> {
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
        self.session.count_all(self.place.items.left, self.options)?;
        body.run(self)?;
        self.close()
    }

    #[inline]
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let (size, first, count) = (values.size(), self.place.items.first, self.place.items.left);
        let inner = count.saturating_mul(size.elements);
        if first == FOLLOWING
            || first == 0
            || self.columns.end_of(first - 1) != first + 1
            || !self.session.fits(size, inner, self.options)
        {
            return Ok(false);
        }
        let count_and_size = (count as usize, size.bytes);
        let numbers = self.columns.numbers(first, count_and_size, &mut self.numbers);
        let Some(bytes) = numbers else { return Ok(false) };
        self.place.items.left = 0;
        if !values.take(bytes) {
            values.begin(count as usize, self.session, self.options);
            let found = Found { bytes, at: self.block as u64 };
            let context = (&mut *self.session, self.options);
            let whole = block::load(found, size.bytes, context, |index, ar| {
                ar.visit_item(index, |ar| values.next(ar))
            })?;
            values.end(self.session);
            if !whole {
                return Err(cannot("those numbers"));
            }
        }
        self.session.count_fitting(inner);
        Ok(true)
    }

    fn take_items<T: Serialize>(&mut self, into: &mut Vec<T>) -> Result<bool> {
        if self.place.items.first != 0 || !self.input.takes() {
            return Ok(false);
        }
        let start = (self.input.mark(), self.place.items.left);
        while self.place.items.left > 0 {
            self.next_block(self.place.items.left)?;
            let Some((mut one, _)) = T::taker(Takes::new(&mut self.columns.columns)) else {
                return self.again(start, into);
            };
            let room = self.session.reserve(self.rows as usize, size_of::<T>(), self.options);
            into.reserve(room);
            let len = into.len();
            for _ in 0..self.rows {
                let Some(value) = one() else { break };
                into.push(value);
            }
            drop(one);
            self.session.filled(room, into.len() - len, size_of::<T>());
            self.rows -= (into.len() - len) as u64;
            self.place.items.left -= (into.len() - len) as u64;
            if self.rows > 0 {
                return self.again(start, into);
            }
        }
        self.check_block()?;
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
