//! [`Decoder::hand_on`]: copies values to an encoder as they are read, along the types of the file.

use archive_core::shape::{Primitive, Shape};
use archive_core::{Encoder, Error, Result, reserved};

use super::Decoder;
use super::object::UNTYPED;
use super::scalar::{untyped, wide_integer};
use super::skip::fixed_size;
use crate::cursor::{no_variant, offset, too_many};
use crate::types::{Type, TypeId};

impl<'a> Decoder<'a> {
    /// Checks that another value may be opened. An archive counts the levels itself and refuses the same
    /// values; this is for callers without an archive.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](archive_core::ErrorKind::DepthLimit)
    #[inline]
    pub(super) fn check_depth(&self) -> Result {
        // The object around named roots does not count.
        if self.depth() <= self.depth_limit {
            return Ok(());
        }
        Err(Error::too_nested(self.depth_limit).at(offset(self.data.at())))
    }

    /// Copies the value at the cursor to an encoder, in the form in which a
    /// [`Value`](archive_core::Value) is saved. This takes less time than reading the parts of the value
    /// one by one.
    ///
    /// Returns `false`, and reads nothing, if the type of the value is not fully described in the file: it
    /// contains pointers, self-describing values or objects of hand-written functions.
    ///
    /// ```
    /// use archive::format::{Backend, Decoder, Encoder};
    /// use archive::shape::Shape;
    /// use archive::binary::{self, Binary};
    /// use archive::json::Json;
    ///
    /// #[derive(Default, archive::Serialize)]
    /// struct Unit { name: String, hp: u16 }
    ///
    /// let file = binary::to_vec(&vec![Unit { name: "Ann".into(), hp: 7 }])?;
    /// let options = archive::Options::new();
    /// let (mut from, mut to) = (binary::Decoder::new(&file, &options)?, Json::encoder(&options, None));
    /// from.begin_root(&Shape::Any)?;
    /// to.begin_root(&Shape::Any)?;
    /// assert!(from.hand_on(&mut to)?);
    /// to.end_root()?;
    /// from.end()?;
    /// assert_eq!(Json::finish(to)?, br#"[{"name":"Ann","hp":7}]"#);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the file, with the path inside the value, and of the encoder.
    pub fn hand_on<E: Encoder + ?Sized>(&mut self, to: &mut E) -> Result<bool> {
        if !self.is_described() {
            return Ok(false);
        }
        let slot = self.take_slot();
        let (depth, types) = (self.depth(), self.tables.shared_types());
        self.hand_value(&types, slot, to, depth)?;
        Ok(true)
    }

    /// Returns whether the type of the value at the cursor is fully described in the file, so that
    /// [`hand_on`](Decoder::hand_on) can copy it.
    pub fn is_described(&mut self) -> bool {
        self.describes(self.slot)
    }

    /// Returns the type of the value at the cursor.
    #[cfg(feature = "document")]
    pub(crate) fn type_of_next(&self) -> TypeId {
        self.slot
    }

    /// Enters an object of a hand-written function, which is then read as a value of a class. Returns the number
    /// of its layout and the class, or `None` if there is no such object at the cursor.
    ///
    /// # Errors
    /// An error if there is no such layout.
    #[cfg(feature = "document")]
    pub(crate) fn enter_by_hand(&mut self) -> Result<Option<(u64, TypeId)>> {
        if self.slot != TypeId::OBJECT {
            return Ok(None);
        }
        let (layout, kind) = self.layout()?;
        self.slot = kind;
        Ok(Some((layout, kind)))
    }

    fn describes(&mut self, slot: TypeId) -> bool {
        // The walk along the types recurses.
        const MAX_LEVELS: usize = 1024;
        if self.depth_limit > MAX_LEVELS {
            return false;
        }
        let tables = &self.tables;
        let Some(index) = slot.index() else { return slot.is_fully_described() };
        let described = self.described.get_or_insert_with(|| tables.fully_described());
        described.get(index) == Some(&true)
    }

    /// Copies a value of a type that is fully described.
    fn hand_value<E: Encoder + ?Sized>(
        &mut self,
        types: &[Type<&'a str, TypeId>],
        kind: TypeId,
        to: &mut E,
        depth: usize,
    ) -> Result {
        let at = self.data.at();
        if let Some(primitive) = kind.primitive() {
            return self.hand_primitive(primitive, to);
        }
        if let Some(wide) = kind.wide() {
            return to.number(wide_integer(wide, &mut self.data)?);
        }
        match kind.index().and_then(|index| types.get(index)) {
            Some(Type::Class { version, members, .. }) => {
                self.check_level(depth)?;
                to.begin_object(&UNTYPED)?;
                if *version != 0 {
                    to.member(reserved::VERSION, &Shape::Any)?;
                    to.i64((*version).into())?;
                }
                for (name, member) in members {
                    if !self.tables.takes_bytes(*member) {
                        self.count_empty(1, self.data.at())?;
                    }
                    to.member(name, &Shape::Any)?;
                    self.hand_value(types, *member, to, depth + 1)
                        .map_err(|error| error.in_member(name))?;
                }
                to.end_object()
            }
            Some(Type::Seq(item) | Type::Map(item)) => {
                let count = self.count(!self.tables.takes_bytes(*item))?;
                self.hand_items(types, std::iter::repeat_n(item, count), to, depth)
            }
            Some(Type::Array(item, len)) => {
                if !self.tables.takes_bytes(*item) {
                    self.count_empty(*len, at)?;
                } else if *len > self.data.left() as u64 {
                    return Err(too_many(*len, self.data.left(), at));
                }
                let len =
                    usize::try_from(*len).map_err(|_| too_many(*len, self.data.left(), at))?;
                self.hand_items(types, std::iter::repeat_n(item, len), to, depth)
            }
            Some(Type::Tuple(items)) => {
                let empty = items.iter().filter(|item| !self.tables.takes_bytes(**item)).count();
                if empty > 0 {
                    self.count_empty(empty as u64, at)?;
                }
                self.hand_items(types, items.iter(), to, depth)
            }
            Some(Type::Option(value)) => {
                if !self.data.flag("an option")? {
                    return to.null();
                }
                if !self.is_null(*value, self.data) {
                    return self.hand_value(types, *value, to, depth);
                }
                self.check_level(depth)?;
                to.begin_object(&UNTYPED)?;
                to.member(reserved::SOME, &Shape::Any)?;
                let passed = self.hand_value(types, *value, to, depth + 1);
                passed.map_err(|error| error.in_member(reserved::SOME))?;
                to.end_object()
            }
            Some(Type::Enum { variants, .. }) => {
                let index = self.data.u64()?;
                match usize::try_from(index).ok().and_then(|index| variants.get(index)) {
                    Some((name, None)) => to.str(name),
                    Some((name, Some(payload))) => {
                        self.check_level(depth)?;
                        to.begin_object(&UNTYPED)?;
                        to.member(name, &Shape::Any)?;
                        let passed = self.hand_value(types, *payload, to, depth + 1);
                        passed.map_err(|error| error.in_member(name))?;
                        to.end_object()
                    }
                    None => Err(no_variant(index, at)),
                }
            }
            Some(Type::Pointer(_)) | None => Err(super::frame::nothing_here(at)),
        }
    }

    fn hand_items<'t, E: Encoder + ?Sized>(
        &mut self,
        types: &[Type<&'a str, TypeId>],
        items: impl ExactSizeIterator<Item = &'t TypeId>,
        to: &mut E,
        depth: usize,
    ) -> Result {
        self.check_level(depth)?;
        to.begin_seq(&Shape::Any, items.len())?;
        for (index, item) in items.enumerate() {
            to.item()?;
            self.hand_value(types, *item, to, depth + 1).map_err(|error| error.in_item(index))?;
        }
        to.end_seq()
    }

    #[inline]
    fn hand_primitive<E: Encoder + ?Sized>(&mut self, primitive: Primitive, to: &mut E) -> Result {
        let data = &mut self.data;
        match primitive {
            Primitive::Unit => to.null(),
            Primitive::Bool => to.bool(data.flag("bool")?),
            Primitive::Str => to.str(data.str()?),
            Primitive::Char => to.str(data.char()?.encode_utf8(&mut [0; 4])),
            Primitive::Bytes => to.bytes(data.bytes()?),
            Primitive::F32 => to.f32(f32::from_le_bytes(data.array()?)),
            Primitive::F64 => to.f64(f64::from_le_bytes(data.array()?)),
            Primitive::U8 => to.i64(data.byte()?.into()),
            number => match untyped(number, data)? {
                Some(number) => to.number(number),
                None => Err(super::frame::nothing_here(data.at())),
            },
        }
    }
}

impl<'a> Decoder<'a> {
    /// Skips a value of a type that is fully described. This takes less time than a walk that handles all
    /// types. Returns `false` if the type is not fully described.
    pub(super) fn pass_over(&mut self, kind: TypeId) -> Result<bool> {
        if !self.describes(kind) || self.gaps.is_some() {
            return Ok(false);
        }
        // Each item of a long list is skipped by a separate call.
        let types = self.walked_types.take().unwrap_or_else(|| self.tables.shared_types());
        let passed = self.pass_value(&types, kind, self.depth());
        self.walked_types = Some(types);
        passed.map(|()| true)
    }

    fn pass_value(
        &mut self,
        types: &[Type<&'a str, TypeId>],
        kind: TypeId,
        depth: usize,
    ) -> Result {
        let at = self.data.at();
        if kind == TypeId::of(Primitive::Str) {
            return self.data.str().map(drop);
        }
        if let Some(size) = fixed_size(kind) {
            return self.data.take(size).map(drop);
        }
        if let Some(primitive) = kind.primitive() {
            return self.step_primitive(primitive);
        }
        match kind.index().and_then(|index| types.get(index)) {
            Some(Type::Class { members, .. }) => {
                self.check_level(depth)?;
                members.iter().try_for_each(|(_, member)| self.pass_part(types, *member, depth))
            }
            Some(Type::Tuple(items)) => {
                self.check_level(depth)?;
                items.iter().try_for_each(|item| self.pass_part(types, *item, depth))
            }
            Some(Type::Seq(item) | Type::Map(item)) => {
                let is_empty = !self.tables.takes_bytes(*item);
                let count = self.count(is_empty)? as u64;
                self.check_level(depth)?;
                if is_empty { Ok(()) } else { self.pass_all(types, *item, count, depth) }
            }
            Some(Type::Array(item, _)) if !self.tables.takes_bytes(*item) => Ok(()),
            Some(Type::Array(item, len)) => {
                self.check_level(depth)?;
                self.pass_all(types, *item, *len, depth)
            }
            Some(Type::Option(value)) => match self.data.flag("an option")? {
                true if self.is_null(*value, self.data) => {
                    self.check_level(depth)?;
                    self.pass_part(types, *value, depth)
                }
                true => self.pass_value(types, *value, depth),
                false => Ok(()),
            },
            Some(Type::Enum { variants, .. }) => {
                let index = self.data.u64()?;
                match usize::try_from(index).ok().and_then(|index| variants.get(index)) {
                    Some((_, Some(payload))) => {
                        self.check_level(depth)?;
                        self.pass_part(types, *payload, depth)
                    }
                    Some((_, None)) => Ok(()),
                    None => Err(no_variant(index, at)),
                }
            }
            Some(Type::Pointer(_)) | None => Err(super::frame::nothing_here(at)),
        }
    }

    /// Checks that a value may be opened inside `depth` open values.
    #[inline]
    fn check_level(&self, depth: usize) -> Result {
        if depth < self.depth_limit {
            return Ok(());
        }
        Err(Error::too_nested(self.depth_limit).at(offset(self.data.at())))
    }

    fn pass_all(
        &mut self,
        types: &[Type<&'a str, TypeId>],
        item: TypeId,
        count: u64,
        depth: usize,
    ) -> Result {
        match fixed_size(item) {
            Some(size) => self.data.take(count.saturating_mul(size)).map(drop),
            None => (0..count).try_for_each(|_| self.pass_value(types, item, depth + 1)),
        }
    }

    /// Skips a part of a value. Parts without bytes are counted.
    fn pass_part(&mut self, types: &[Type<&'a str, TypeId>], part: TypeId, depth: usize) -> Result {
        if self.tables.takes_bytes(part) {
            self.pass_value(types, part, depth + 1)
        } else {
            self.count_empty(1, self.data.at())
        }
    }
}
