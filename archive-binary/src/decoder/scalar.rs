//! Scalars whose type differs from the requested one.

use archive_core::decoder::Kind;
use archive_core::shape::Primitive;
use archive_core::{Decoder as _, Error, Found, Integer, Number, Result};

use super::Decoder;
use crate::cursor::{Cursor, narrow, no_variant, unsigned};
use crate::tags;
use crate::types::{Type, TypeId};

impl<'a> Decoder<'a> {
    /// Reads an integer that must fit a narrower type than the one that is read.
    #[inline]
    pub(super) fn narrow<W, N>(
        &mut self,
        read: impl FnOnce(&mut Cursor<'a>) -> Result<W>,
    ) -> Result<N>
    where
        W: Copy + std::fmt::Display,
        N: Integer + TryFrom<W>,
    {
        narrow(&mut self.data, read)
    }

    /// Reads the number at the cursor.
    pub(super) fn typed_number(&mut self, expected: &str) -> Result<Number> {
        let slot = self.take_present_slot(expected)?;
        let Some(primitive) = slot.primitive() else {
            if let Some(wide) = slot.wide() {
                return wide_integer(wide, &mut self.data);
            }
            if slot == TypeId::VERSION {
                self.slot = TypeId::NONE;
                return Ok(Number::Int(self.top().version.into()));
            }
            if slot == TypeId::ANY {
                let mut ahead = self.data;
                let tag = ahead.byte()?;
                if let Some(number) = super::tagged::number(tag, &mut ahead)? {
                    self.data = ahead;
                    return Ok(number);
                }
            }
            return Err(self.wrong(expected, slot));
        };
        match untyped(primitive, &mut self.data)? {
            Some(number) => Ok(number),
            None => Err(self.wrong(expected, slot)),
        }
    }

    /// Reads a number and converts it to the requested type.
    fn convert<T>(&mut self, asked: Primitive, to: impl FnOnce(Number) -> Result<T>) -> Result<T> {
        let number = self.typed_number(asked.name())?;
        let value = to(number).map_err(|error| error.at(self.here()))?;
        self.conversion = number.conversion(asked);
        Ok(value)
    }

    /// Reads an integer that is stored with another type. 128-bit integers may be text, as formats
    /// without such integers write them.
    #[cold]
    pub(super) fn integer<T: Integer + std::str::FromStr>(
        &mut self,
        asked: Primitive,
    ) -> Result<T> {
        let wide = matches!(asked, Primitive::U128 | Primitive::I128);
        if wide && self.peek()? == Kind::Str {
            return self.parse(asked, |text| text.parse().ok());
        }
        self.convert(asked, Number::to_integer)
    }

    #[cold]
    pub(super) fn typed_f32(&mut self) -> Result<f32> {
        if self.peek()? == Kind::Str {
            return self.parse(Primitive::F32, non_finite).map(|value| value as f32);
        }
        self.convert(Primitive::F32, Number::to_f32)
    }

    #[cold]
    pub(super) fn typed_f64(&mut self) -> Result<f64> {
        if self.peek()? == Kind::Str {
            return self.parse(Primitive::F64, non_finite);
        }
        self.convert(Primitive::F64, Number::to_f64)
    }

    fn parse<T>(&mut self, asked: Primitive, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let text = self.typed_str(expected(asked))?;
        match parse(text) {
            Some(value) => Ok(value),
            None => {
                let error = Error::wrong_type(expected(asked), Found::Text(text));
                Err(error.at(self.here()))
            }
        }
    }

    pub(super) fn typed_null(&mut self) -> Result {
        let slot = self.take_slot();
        let null = match self.tables.get(slot) {
            Some(Type::Option(_) | Type::Pointer(_)) => self.data.peek()? == 0,
            Some(_) => false,
            None => match slot {
                TypeId::UNIT => return Ok(()),
                TypeId::POINTER | TypeId::WEAK | TypeId::DYN => self.data.peek()? == 0,
                TypeId::ANY => self.data.peek()? == tags::NULL,
                _ => false,
            },
        };
        if !null {
            return Err(self.wrong("null", slot));
        }
        self.data.byte().map(drop)
    }

    pub(super) fn typed_bool(&mut self) -> Result<bool> {
        let slot = self.take_present_slot("bool")?;
        if slot == TypeId::of(Primitive::Bool) {
            return self.data.flag("bool");
        }
        let value = match self.data.peek() {
            Ok(tags::TRUE) if slot == TypeId::ANY => true,
            Ok(tags::FALSE) if slot == TypeId::ANY => false,
            _ => return Err(self.wrong("bool", slot)),
        };
        self.data.byte()?;
        Ok(value)
    }

    /// Reads text, a character, or the name of a variant without a payload.
    pub(super) fn typed_str(&mut self, expected: &str) -> Result<&str> {
        let slot = self.take_present_slot(expected)?;
        if slot == TypeId::of(Primitive::Str) {
            return self.data.str();
        }
        if slot == TypeId::of(Primitive::Char) {
            self.text = self.data.char()?.to_string();
            return Ok(&self.text);
        }
        if slot == TypeId::ANY && self.data.peek()? == tags::STR {
            self.data.byte()?;
            return self.data.str();
        }
        if let Some(Type::Enum { variants, .. }) = self.tables.get(slot) {
            let mut ahead = self.data;
            let index = ahead.u64()?;
            match usize::try_from(index).ok().and_then(|index| variants.get(index)) {
                None => return Err(no_variant(index, self.start)),
                Some((name, None)) => {
                    self.data = ahead;
                    return Ok(name);
                }
                Some(_) => {}
            }
        }
        Err(self.wrong(expected, slot))
    }

    pub(super) fn typed_char(&mut self) -> Result<char> {
        if self.slot == TypeId::of(Primitive::Char) {
            self.start = self.data.at();
            return self.data.char();
        }
        self.parse(Primitive::Char, |text| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        })
    }

    /// Reads bytes, or a sequence of numbers, which is stored in the same way if they are `u8`.
    pub(super) fn typed_bytes(&mut self, out: &mut Vec<u8>) -> Result {
        let bytes = match self.tables.get(self.slot) {
            Some(Type::Seq(item)) => *item == TypeId::of(Primitive::U8),
            _ => self.slot == TypeId::of(Primitive::Bytes),
        };
        let tagged = self.slot == TypeId::ANY && self.data.peek()? == tags::BYTES;
        if bytes || tagged {
            self.take_slot();
            if tagged {
                self.data.byte()?;
            }
            out.extend_from_slice(self.data.bytes()?);
            return Ok(());
        }
        out.reserve(self.typed_seq(<Vec<u8> as archive_core::Serialize>::SHAPE)?);
        while self.next_item()? {
            out.push(self.u8()?);
        }
        self.end_seq()
    }
}

/// Reads the number of that type. Returns `None` if the type is not a number.
pub(super) fn untyped(primitive: Primitive, data: &mut Cursor<'_>) -> Result<Option<Number>> {
    Ok(Some(match primitive {
        Primitive::U8 => Number::Int(data.byte()?.into()),
        Primitive::I8 => Number::Int((data.byte()? as i8).into()),
        Primitive::U16 => Number::Int(narrow::<_, u16>(data, |data| data.u64())?.into()),
        Primitive::U32 => Number::Int(narrow::<_, u32>(data, |data| data.u64())?.into()),
        Primitive::U64 => Number::Int(data.u64()?.into()),
        Primitive::I16 => Number::Int(narrow::<_, i16>(data, |data| data.i64())?.into()),
        Primitive::I32 => Number::Int(narrow::<_, i32>(data, |data| data.i64())?.into()),
        Primitive::I64 => Number::Int(data.i64()?.into()),
        Primitive::I128 => Number::Int(data.i128()?),
        Primitive::U128 => unsigned(data.u128()?),
        Primitive::F32 => Number::F32(f32::from_le_bytes(data.array()?)),
        Primitive::F64 => Number::F64(f64::from_le_bytes(data.array()?)),
        _ => return Ok(None),
    }))
}

/// Reads the integer of that type inside a block.
pub(super) fn wide_integer(primitive: Primitive, data: &mut Cursor<'_>) -> Result<Number> {
    Ok(Number::Int(match primitive {
        Primitive::U16 => u16::from_le_bytes(data.array()?).into(),
        Primitive::U32 => u32::from_le_bytes(data.array()?).into(),
        Primitive::U64 => u64::from_le_bytes(data.array()?).into(),
        Primitive::I16 => i16::from_le_bytes(data.array()?).into(),
        Primitive::I32 => i32::from_le_bytes(data.array()?).into(),
        Primitive::I64 => i64::from_le_bytes(data.array()?).into(),
        Primitive::I128 => i128::from_le_bytes(data.array()?),
        _ => return data.array().map(u128::from_le_bytes).map(unsigned),
    }))
}

/// Returns the name of a requested type for messages.
fn expected(asked: Primitive) -> &'static str {
    if asked == Primitive::Char { "a character" } else { asked.name() }
}

/// Returns the float that a text represents, as formats write it whose numbers cannot express it.
fn non_finite(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}
