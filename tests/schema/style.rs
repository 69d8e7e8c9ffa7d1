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
    /// The same, but what was read is an `f64`.
    Tree,
}

impl Style {
    pub fn of(format: &Format) -> Style {
        match format.name() {
            "json" => Style::Text,
            "tree" => Style::Tree,
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
                let stored = match data {
                    Data::F32(value) if self == Style::Typed => f64::from(*value),
                    Data::F32(value) => value.to_string().parse().unwrap_or(f64::NAN),
                    Data::F64(value) => *value,
                    _ => return None,
                };
                // What is not finite is text in a tree.
                !stored.is_nan() && f64::from(stored as f32) != stored
            }
            _ => true,
        };
        rounded.then_some((from, new.primitive()))
    }
}
