//! What formats store of a number's type, and so which conversions they can report.

use crate::common::Format;
use archive::shape::Primitive;

use super::data::Data;
use super::types::{Number, Type};

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

    /// The reported conversion, if any: a float that became an integer, or a number that was
    /// rounded.
    pub fn converted<P>(
        self,
        new: &Type,
        old: &Type,
        data: &Data<P>,
    ) -> Option<(Primitive, Primitive)> {
        let (Type::Number(new), Type::Number(old)) = (new, old) else { return None };
        if !old.is_float() {
            let (Data::Int(value), true) = (data, new.is_float()) else { return None };
            let float = if *new == Number::F32 { (*value as f32).into() } else { *value as f64 };
            let from = if *value > i64::MAX.into() { Primitive::U64 } else { Primitive::I64 };
            return (!spells(&format!("{value:e}"), float)).then_some((from, new.primitive()));
        }
        let from = if self == Style::Typed { old.primitive() } else { Primitive::F64 };
        let rounded = match (self, *new) {
            (_, Number::F64) => false,
            (Style::Text, Number::F32) => {
                let Data::F64(stored) = data else { return None };
                stored.is_finite() && !spells(&format!("{stored:e}"), (*stored as f32).into())
            }
            (_, Number::F32) => {
                let Data::F64(stored) = data else { return None };
                !stored.is_nan() && f64::from(*stored as f32) != *stored
            }
            _ => true,
        };
        rounded.then_some((from, new.primitive()))
    }
}

/// Whether a float, rounded to as many digits as a decimal in scientific notation has, equals that.
fn spells(decimal: &str, float: f64) -> bool {
    let digits =
        decimal.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count();
    format!("{:.*e}", digits - 1, float) == decimal
}
