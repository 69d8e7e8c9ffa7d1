//! The result of loading a number, a character or a text as another type.

use archive::ErrorKind;

use super::data::Data;
use super::law::{Fate, wrong};
use super::types::{Number, Type};

/// A scalar as another scalar type.
pub fn scalar<P>(new: &Type, old: &Type, data: &Data<P>) -> Result<Data<P>, Fate> {
    match (new, old, data) {
        (Type::Number(new), Type::Number(old), _) => number(*new, *old, data),
        (Type::Bool, Type::Bool, Data::Bool(value)) => Ok(Data::Bool(*value)),
        (Type::Char, Type::Char, Data::Char(value)) => Ok(Data::Char(*value)),
        (Type::Text, Type::Text, Data::Text(text)) => Ok(Data::Text(text.clone())),
        // A character is a text of one.
        (Type::Text, Type::Char, Data::Char(value)) => Ok(Data::Text(value.to_string())),
        (Type::Char, Type::Text, Data::Text(text)) => {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none()).map(Data::Char).ok_or(wrong())
        }
        // Formats without numbers of 128 bits, or without infinity, have them as text.
        (Type::Number(Number::U128 | Number::I128), Type::Text | Type::Char, _) => Err(Fate::Odd),
        (Type::Text | Type::Char, Type::Number(Number::U128 | Number::I128), _) => Err(Fate::Odd),
        (Type::Text, Type::Number(_), Data::F32(value)) if !value.is_finite() => Err(Fate::Odd),
        (Type::Text, Type::Number(_), Data::F64(value)) if !value.is_finite() => Err(Fate::Odd),
        _ => Err(wrong()),
    }
}

fn number<P>(new: Number, old: Number, data: &Data<P>) -> Result<Data<P>, Fate> {
    match data {
        Data::F32(value) if new == Number::F32 => Ok(Data::F32(*value)),
        Data::F32(value) => float(new, (*value).into()),
        Data::F64(value) => float(new, *value),
        Data::Int(value) if (*value).unsigned_abs() <= u64::MAX.into() => {
            integer(new, Magnitude { negative: *value < 0, value: value.unsigned_abs() })
        }
        // Formats without 128 bits store text, which only such members accept.
        _ if new == old => Ok(data.map(&mut |_| unreachable!())),
        Data::UInt(_) if new == Number::I128 => Err(Fate::Odd),
        Data::Int(value) if new == Number::I128 => Ok(Data::Int(*value)),
        Data::Int(value) if new == Number::U128 && *value >= 0 => Ok(Data::Int(*value)),
        _ => Err(Fate::Odd),
    }
}

/// An integer of any type.
#[derive(Clone, Copy)]
struct Magnitude {
    negative: bool,
    value: u128,
}

/// The bits of an integer type, and whether it is signed.
fn width(number: Number) -> Option<(u32, bool)> {
    Some(match number {
        Number::U8 => (8, false),
        Number::U16 => (16, false),
        Number::U32 => (32, false),
        Number::U64 => (64, false),
        Number::U128 => (128, false),
        Number::I8 => (8, true),
        Number::I16 => (16, true),
        Number::I32 => (32, true),
        Number::I64 => (64, true),
        Number::I128 => (128, true),
        Number::F32 | Number::F64 => return None,
    })
}

fn integer<P>(new: Number, Magnitude { negative, value }: Magnitude) -> Result<Data<P>, Fate> {
    let Some((bits, signed)) = width(new) else {
        let sign = if negative { -1.0 } else { 1.0 };
        return Ok(if new == Number::F32 {
            Data::F32(sign * value as f32)
        } else {
            Data::F64(f64::from(sign) * value as f64)
        });
    };
    let value_bits = u128::BITS - value.leading_zeros();
    let fits = match (negative, signed) {
        (false, false) => value_bits <= bits,
        (false, true) => value_bits < bits,
        (true, false) => value == 0,
        (true, true) => value - 1 < 1 << (bits - 1),
    };
    if !fits {
        return Err(Fate::Fail(ErrorKind::OutOfRange, String::new()));
    }
    Ok(if negative { Data::Int((value as i128).wrapping_neg()) } else { Data::unsigned(value) })
}

fn float<P>(new: Number, value: f64) -> Result<Data<P>, Fate> {
    if new == Number::F64 {
        return Ok(Data::F64(value));
    }
    if new == Number::F32 {
        let rounded = value as f32;
        return if value.is_finite() && rounded.is_infinite() {
            Err(Fate::Fail(ErrorKind::OutOfRange, String::new()))
        } else {
            Ok(Data::F32(rounded))
        };
    }
    if !value.is_finite() || value.fract() != 0.0 {
        return Err(wrong());
    }
    if value.abs() >= 2_f64.powi(128) {
        return Err(Fate::Fail(ErrorKind::OutOfRange, String::new()));
    }
    integer(new, Magnitude { negative: value < 0.0, value: value.abs() as u128 })
}
