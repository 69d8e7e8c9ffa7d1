//! What formats keep of a number's type, and so which conversions they can report.

use archive::Format;
use archive::shape::Primitive;

use crate::data::Data;
use crate::schema::{Number, Type};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// The width of floats.
    Typed,
    /// Whether a number has a fraction.
    Text,
}

impl Style {
    pub fn of(format: &Format) -> Style {
        match format.name() {
            "json" => Style::Text,
            _ => Style::Typed,
        }
    }

    /// The conversion that is reported, if one is: a float that became an integer, or an `f64` that
    /// was rounded.
    pub fn converted<P>(
        self,
        new: &Type,
        old: &Type,
        data: &Data<P>,
    ) -> Option<(Primitive, Primitive)> {
        let (Type::Number(new), Type::Number(old)) = (new, old) else { return None };
        if !old.is_float() {
            return None;
        }
        let from = if self == Style::Typed { old.primitive() } else { Primitive::F64 };
        let rounded = match (self, *new) {
            (_, Number::F64) | (Style::Text, Number::F32) => false,
            (_, Number::F32) => {
                let Data::F64(stored) = data else { return None };
                !stored.is_nan() && f64::from(*stored as f32) != *stored
            }
            _ => true,
        };
        rounded.then_some((from, new.primitive()))
    }
}
