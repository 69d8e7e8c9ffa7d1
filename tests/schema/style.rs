//! What formats keep of a number's type, and so which conversions they can report.

use archive::Format;
use archive::shape::Primitive;

use crate::schema::{Number, Type};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// Every type.
    Typed,
    /// Every type, but `i32` also stands for integers without a width.
    Blob,
    /// The width of floats.
    MessagePack,
    /// Whether a number has a fraction.
    Text,
}

impl Style {
    pub fn of(format: &Format) -> Style {
        match format.name() {
            "json" | "tree" => Style::Text,
            "msgpack" => Style::MessagePack,
            "blob" => Style::Blob,
            _ => Style::Typed,
        }
    }

    /// The conversion that is reported, if one is.
    pub fn converted(self, new: &Type, old: &Type) -> Option<(Primitive, Primitive)> {
        let (Type::Number(new), Type::Number(old)) = (new, old) else { return None };
        let told = match self {
            Style::Typed => old != new,
            Style::Blob => {
                let widened = matches!(new, Number::I64 | Number::I128) && *old == Number::I32;
                old != new && !widened
            }
            Style::MessagePack => old != new && old.is_float(),
            Style::Text => old.is_float() && !new.is_float(),
        };
        let from = if self == Style::Text { Primitive::F64 } else { old.primitive() };
        told.then_some((from, new.primitive()))
    }
}
