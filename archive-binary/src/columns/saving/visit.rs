//! The steps of [`Gathering`].

use archive_core::block::BlockSize;
use archive_core::columns::Columns;
use archive_core::encoder::UNCOUNTED;
use archive_core::pointer::PointerHead;
use archive_core::shape::{Class, Enum, Member, Payload, Shape, Variant};
use archive_core::{
    ArchiveKind, Begun, Body, OuterState, Result, Save, Scalar, Visitor, Walk, check_name,
};

use crate::columns::place::FOLLOWING;
use crate::fast_path::cannot;
use crate::shapes::{has_bytes, is_empty};
use crate::varint::{put_i128, put_u128};

use super::Gathering;

impl Visitor for Gathering<'_, '_> {
    archive_core::__one_way!(saves);

    #[inline]
    fn fixed_members(&self) -> bool {
        true
    }
    #[inline]
    fn fixed_shape(&self) -> bool {
        true
    }

    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Unit => {}
            Scalar::Bool(v) => self.put([u8::from(*v)]),
            Scalar::U8(v) => self.put([*v]),
            Scalar::U16(v) => self.put(v.to_le_bytes()),
            Scalar::U32(v) => self.put(v.to_le_bytes()),
            Scalar::U64(v) => self.put(v.to_le_bytes()),
            Scalar::I8(v) => self.put((*v ^ i8::MIN).to_le_bytes()),
            Scalar::I16(v) => self.put((*v ^ i16::MIN).to_le_bytes()),
            Scalar::I32(v) => self.put((*v ^ i32::MIN).to_le_bytes()),
            Scalar::I64(v) => self.put((*v ^ i64::MIN).to_le_bytes()),
            Scalar::U128(v) => self.put_wide(v.to_le_bytes(), |row| put_u128(row, *v)),
            Scalar::I128(v) => self.put_wide(v.to_le_bytes(), |row| put_i128(row, *v)),
            Scalar::F32(v) => self.put_fixed(v.to_le_bytes()),
            Scalar::F64(v) => self.put_fixed(v.to_le_bytes()),
            Scalar::Char(v) => self.put(u32::from(*v).to_le_bytes()),
            Scalar::String(v) => self.put_bytes(v.as_bytes()),
            Scalar::Str(v) => self.put_bytes(v.as_bytes()),
            Scalar::Bytes(v) => self.put_counted(v)?,
            Scalar::ByteSlice(v) => self.put_counted(v)?,
        }
        Ok(())
    }

    /// Numbers whose bytes in memory are those of a column.
    #[inline]
    fn save_whole_block(&mut self, block: &[u8], size: BlockSize) -> Result<bool> {
        let first = self.place.items.first;
        let elements = size.elements_in(block.len() / size.bytes.max(1));
        if first == FOLLOWING || first == 0 || !self.session.fits(size, elements, self.options) {
            return Ok(false);
        }
        let is_saved = self.block.put_block(first, block, size.bytes);
        self.session.count_fitting(if is_saved { elements } else { 0 });
        Ok(is_saved)
    }

    #[inline(always)]
    fn begin_named(&mut self, info: &'static Member, _: bool) -> Result<Begun> {
        check_name(info.name)?;
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
        self.session.set_version(outer.version);
        done.map_err(|error| error.in_class(class))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        let (counts, len) = if len == UNCOUNTED { (true, 0) } else { (false, len) };
        self.session.count_all(len as u64, self.options)?;
        match shape {
            Shape::Seq(..) => {
                self.encoder.count_empty(shape, len)?;
                self.open(len, counts);
            }
            Shape::Array(..) if has_bytes(shape) || !is_empty(shape) => {
                self.block.columns.at += 1;
                self.place.enter(self.block.columns.at, 0, false);
            }
            _ => self.place.enter(FOLLOWING, 0, false),
        }
        Ok(Some(OuterState::default()))
    }
    #[inline]
    fn end_seq(&mut self, _: OuterState, _: usize) -> Result {
        self.close();
        Ok(())
    }
    #[inline(always)]
    fn begin_item(&mut self, _: usize) -> Result<Begun> {
        self.begin(1)?;
        Ok(Begun::Here)
    }
    #[inline]
    fn begin_option(
        &mut self,
        _: &'static Shape,
        present: bool,
        null: bool,
    ) -> Result<(Begun, bool)> {
        let Some(column) = self.next() else { return Err(cannot("an option")) };
        column.push([u8::from(present)]);
        if !present {
            self.block.columns.at = column.next;
            return Ok((Begun::Over, null));
        }
        Ok((Begun::Here, null))
    }
    #[inline]
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        _: bool,
    ) -> Result<Option<usize>> {
        let variant = info.variant(current)?;
        let first = self.block.form().and_then(|form| form.payload(current));
        let Some(column) = self.next() else { return Err(cannot("an enum")) };
        column.push((current as u32).to_le_bytes());
        let end = column.next;
        if matches!(variant.payload, Payload::Unit) {
            self.block.columns.at = end;
        } else {
            self.block.columns.at = first.unwrap_or(end);
            self.place.enter(end, 0, false);
        }
        Ok(Some(current))
    }
    #[inline]
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        self.block.columns.at = self.place.leave();
        done.map_err(|error| error.in_member(variant.name).in_variant(info, variant))
    }
    #[cold]
    fn begin_pointer(&mut self, _: &PointerHead<'_>) -> Result {
        Err(cannot("a pointer"))
    }
}

impl Walk for Gathering<'_, '_> {
    type Way = archive_core::Saves;
    const KIND: ArchiveKind =
        ArchiveKind { by_position: true, gathers: true, ..ArchiveKind::SAVING };

    #[inline(always)]
    fn columns(&mut self) -> Option<&mut Columns> {
        Some(&mut self.block.columns)
    }

    fn save_items<T: Save>(&mut self, items: &[T]) -> Result<bool> {
        if !self.in_groups {
            return Ok(false);
        }
        let (levels, place) = (self.session.levels(), self.place.mark());
        let left = self.session.elements_left(self.options);
        if self.save_groups(items).is_ok() {
            return Ok(true);
        }
        // Each item is saved once more, so that the error has its path.
        self.session.set_levels(levels);
        let counted = left - self.session.elements_left(self.options);
        self.session.give_back_elements(counted);
        self.place.restore(place);
        Ok(false)
    }

    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        body.run(self).map_err(|error| error.in_member(name))
    }

    #[inline]
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if len == UNCOUNTED {
            return Err(cannot("a map whose length is not known when it begins"));
        }
        self.encoder.count_empty(shape, len)?;
        self.open(len, false);
        body.run(self)?;
        self.close();
        Ok(())
    }

    #[inline]
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.begin(1)?;
        // An entry is a list of two.
        self.session.count_all(3, self.options).map_err(|error| error.in_item(index))?;
        key.run(self).map_err(|error| error.in_item(0).in_item(index))?;
        value.run(self).map_err(|error| error.in_item(1).in_item(index))?;
        Ok(true)
    }
}
