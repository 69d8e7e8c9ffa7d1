//! Scalars: the value at the cursor, converted to the requested type.

use std::fmt;
use std::str::FromStr;

use archive_core::decoder::Kind;
use archive_core::shape::Primitive;
use archive_core::{Decoder as _, Error, ErrorKind, Found, Integer, Number, Result};

use super::{Content, Decoder, NO_TYPE, Slot, Type, TypeKind};

/// Returns the kind of a scalar, for readers that do not know its type.
pub(super) fn kind(primitive: Primitive) -> Kind {
    match primitive {
        Primitive::Unit => Kind::Null,
        Primitive::Bool => Kind::Bool,
        Primitive::Char | Primitive::Str => Kind::Str,
        Primitive::Bytes => Kind::Bytes,
        _ => Kind::Number,
    }
}

/// Returns the number of that type with these bytes; their count must be the size of the type.
fn number(primitive: Primitive, bytes: &[u8]) -> Option<Number> {
    macro_rules! number {
        ($($primitive:ident $ty:ty => $make:expr;)*) => {
            match primitive {
                $(Primitive::$primitive => {
                    let make: fn($ty) -> Number = $make;
                    bytes.try_into().ok().map(|bytes| make(<$ty>::from_le_bytes(bytes)))
                })*
                _ => None,
            }
        };
    }
    number! {
        U8 u8 => |v| Number::Int(v.into());
        U16 u16 => |v| Number::Int(v.into());
        U32 u32 => |v| Number::Int(v.into());
        U64 u64 => |v| Number::Int(v.into());
        U128 u128 => |v| i128::try_from(v).map_or(Number::UInt(v), Number::Int);
        I8 i8 => |v| Number::Int(v.into());
        I16 i16 => |v| Number::Int(v.into());
        I32 i32 => |v| Number::Int(v.into());
        I64 i64 => |v| Number::Int(v.into());
        I128 i128 => Number::Int;
        F32 f32 => Number::F32;
        F64 f64 => Number::F64;
    }
}

impl<'a> Decoder<'a> {
    /// Returns the scalar at the cursor, if it is one.
    fn scalar(&self) -> Option<(Primitive, &'a [u8])> {
        match self.slot() {
            Slot::Value(Type { kind: TypeKind::Primitive(primitive), .. }, bytes) => {
                Some((*primitive, bytes))
            }
            _ => None,
        }
    }

    /// Returns the number of the type of the value at the cursor, or [`NO_TYPE`].
    pub(super) fn type_at_cursor(&self) -> u32 {
        match (self.cursor.item, self.flat.nodes[self.cursor.node].content) {
            (Some((ty, _)), _) => ty,
            (None, Content::Variable(name, _)) => self.type_of[name as usize],
            (None, Content::Object(..)) => NO_TYPE,
        }
    }

    pub(super) fn expect_bool(&self) -> Result<bool> {
        match self.scalar() {
            Some((Primitive::Bool, [0])) => Ok(false),
            Some((Primitive::Bool, [1])) => Ok(true),
            Some((Primitive::Bool, bytes)) => Err(self.no_value("bool", bytes)),
            _ => Err(self.wrong("bool")),
        }
    }

    pub(super) fn expect_number(&self, expected: &str) -> Result<Number> {
        let number = self.scalar().and_then(|(primitive, bytes)| number(primitive, bytes));
        number.ok_or_else(|| self.wrong(expected))
    }

    /// Returns the integer at a node.
    pub(super) fn number_at(&self, node: usize) -> Option<u64> {
        let Content::Variable(name, bytes) = self.flat.nodes[node].content else { return None };
        let ty = self.types.get(self.type_of[name as usize] as usize)?;
        let TypeKind::Primitive(primitive) = ty.kind else { return None };
        number(primitive, bytes)?.to_integer().ok()
    }

    /// Reads an integer. 128-bit integers may be text, as formats without such integers write them.
    pub(super) fn integer<T: Integer + FromStr>(&mut self, asked: Primitive) -> Result<T> {
        let wide = matches!(asked, Primitive::U128 | Primitive::I128);
        if wide && matches!(self.scalar(), Some((Primitive::Str, _))) {
            return self.parse(asked, |text| text.parse().ok());
        }
        self.convert(asked, Number::to_integer)
    }

    /// Reads a float, which may be a text for a float that is not finite.
    pub(super) fn float<T: From<f32>>(
        &mut self,
        asked: Primitive,
        to: impl FnOnce(Number) -> Result<T>,
    ) -> Result<T> {
        if matches!(self.scalar(), Some((Primitive::Str, _))) {
            return self.parse(asked, |text| match text {
                "NaN" => Some(f32::NAN.into()),
                "inf" => Some(f32::INFINITY.into()),
                "-inf" => Some(f32::NEG_INFINITY.into()),
                _ => None,
            });
        }
        self.convert(asked, to)
    }

    fn convert<T>(&mut self, asked: Primitive, to: impl FnOnce(Number) -> Result<T>) -> Result<T> {
        let number = self.expect_number(asked.name())?;
        let value = to(number).map_err(|error| error.at(self.position()))?;
        self.conversion = number.conversion(asked);
        Ok(value)
    }

    fn parse<T>(&mut self, asked: Primitive, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let text = self.expect_str(asked.name())?;
        match parse(text) {
            Some(value) => Ok(value),
            None => {
                let error = Error::wrong_type(asked.name(), Found::Text(text));
                Err(error.at(self.position()))
            }
        }
    }

    pub(super) fn expect_char(&mut self) -> Result<char> {
        let text = self.expect_str("a character")?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(self.wrong("a character")),
        }
    }

    pub(super) fn expect_str(&mut self, expected: &str) -> Result<&str> {
        match self.scalar() {
            Some((Primitive::Str, bytes)) => std::str::from_utf8(bytes).map_err(|error| {
                let message = format_args!("text is not UTF-8: {error}");
                Error::new(ErrorKind::Syntax, message).at(self.position())
            }),
            Some((Primitive::Char, bytes)) => {
                let code = bytes.try_into().map(u32::from_le_bytes).ok();
                match code.and_then(char::from_u32) {
                    Some(char) => Ok(char.encode_utf8(&mut self.text)),
                    None => Err(self.no_value("char", bytes)),
                }
            }
            _ => Err(self.wrong(expected)),
        }
    }

    #[cold]
    pub(super) fn wrong(&self, expected: &str) -> Error {
        Error::wrong_type(expected, Shown(self)).at(self.position())
    }

    #[cold]
    fn no_value(&self, what: &str, bytes: &[u8]) -> Error {
        let message = format_args!("no {what} is stored as {bytes:02x?}");
        Error::new(ErrorKind::Syntax, message).at(self.position())
    }
}

/// Displays the value at the cursor in messages.
struct Shown<'d, 'a>(&'d Decoder<'a>);

impl fmt::Display for Shown<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.slot() {
            Slot::Object(super::Form::List, _) => Found::Seq.fmt(f),
            Slot::Object(..) => Found::Object.fmt(f),
            Slot::Other(name, _) => {
                write!(f, "a variable of type `{}`", name.chars().take(80).collect::<String>())
            }
            Slot::Value(Type { kind: TypeKind::Primitive(primitive), .. }, bytes) => {
                match (primitive, number(*primitive, bytes), std::str::from_utf8(bytes)) {
                    (_, Some(number), _) => Found::Number(number).fmt(f),
                    (Primitive::Bool, ..) => Found::Bool(bytes != [0]).fmt(f),
                    (Primitive::Str, _, Ok(text)) => Found::Text(text).fmt(f),
                    (Primitive::Char, ..) => match bytes.try_into().map(u32::from_le_bytes) {
                        Ok(code) => {
                            let char = char::from_u32(code).unwrap_or_default();
                            Found::Text(char.encode_utf8(&mut [0; 4])).fmt(f)
                        }
                        Err(_) => kind(*primitive).fmt(f),
                    },
                    (Primitive::Bytes, ..) => Found::Bytes(bytes.len()).fmt(f),
                    (primitive, ..) => kind(*primitive).fmt(f),
                }
            }
            Slot::Value(..) => Found::Seq.fmt(f),
        }
    }
}
