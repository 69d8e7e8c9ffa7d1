//! Scalars that became others.

use archive_core::{ErrorKind, Primitive};

use super::{Compare, Place};

/// What a number type holds: integers of so many bits, or a float with so many exact bits.
enum Number {
    Int { bits: u32, signed: bool },
    Float { exact: u32 },
}

fn number(primitive: Primitive) -> Option<Number> {
    let unsigned = |bits| Some(Number::Int { bits, signed: false });
    let signed = |bits| Some(Number::Int { bits, signed: true });
    match primitive {
        Primitive::U8 => unsigned(8),
        Primitive::U16 => unsigned(16),
        Primitive::U32 => unsigned(32),
        Primitive::U64 => unsigned(64),
        Primitive::U128 => unsigned(128),
        Primitive::I8 => signed(8),
        Primitive::I16 => signed(16),
        Primitive::I32 => signed(32),
        Primitive::I64 => signed(64),
        Primitive::I128 => signed(128),
        Primitive::F32 => Some(Number::Float { exact: f32::MANTISSA_DIGITS }),
        Primitive::F64 => Some(Number::Float { exact: f64::MANTISSA_DIGITS }),
        _ => None,
    }
}

impl Compare<'_, '_> {
    pub(super) fn scalars(&mut self, place: Place<'_>, old: Primitive, new: Primitive) {
        let change = format!("from `{}` to `{}`", old.name(), new.name());
        match (number(old), number(new)) {
            _ if old == new => {}
            (Some(from), Some(to)) => self.numbers(place, &change, (from, to)),
            (None, Some(Number::Int { bits: 128, .. })) if old == Primitive::Str => {
                self.may_fail(
                    place,
                    ErrorKind::WrongType,
                    format_args!("{change}, which is text in some files"),
                );
            }
            _ => match (old, new) {
                (Primitive::Char, Primitive::Str) => {}
                (Primitive::Str, Primitive::Char) => {
                    self.may_fail(place, ErrorKind::WrongType, change);
                }
                _ => self.fails(place, ErrorKind::WrongType, change),
            },
        }
    }

    fn numbers(&mut self, place: Place<'_>, change: &str, (from, to): (Number, Number)) {
        match (from, to) {
            (Number::Int { bits, signed }, Number::Int { bits: new, signed: to_signed }) => {
                let fits = match (signed, to_signed) {
                    (false, true) => bits < new,
                    (true, false) => false,
                    _ => bits <= new,
                };
                if !fits {
                    self.may_fail(place, ErrorKind::OutOfRange, format_args!("narrowed {change}"));
                }
            }
            (Number::Int { bits, signed }, Number::Float { exact }) => {
                let message = format_args!("{change}: rounded values are converted");
                match bits {
                    // The largest integers are larger than the largest `f32`.
                    128 if exact < f64::MANTISSA_DIGITS => {
                        self.may_fail(place, ErrorKind::OutOfRange, message);
                    }
                    128 => self.may_fail(
                        place,
                        ErrorKind::WrongType,
                        format_args!("{message}, those beyond 64 bits are text in some files"),
                    ),
                    _ if bits - u32::from(signed) > exact => self.noted(place, message),
                    _ => {}
                }
            }
            (Number::Float { .. }, Number::Int { .. }) => {
                let message = format_args!("{change}: converted, if there is no fraction");
                self.may_fail(place, ErrorKind::WrongType, message);
            }
            (Number::Float { exact }, Number::Float { exact: new }) => {
                if new < exact {
                    let message = format_args!("narrowed {change}: rounded values are converted");
                    self.may_fail(place, ErrorKind::OutOfRange, message);
                }
            }
        }
    }
}
