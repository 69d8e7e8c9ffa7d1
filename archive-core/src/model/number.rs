//! [`Number`]: a number in the file, and its conversion to a number type of the program.

use std::fmt;

use crate::model::decimal::{self, Whole};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::Primitive;

/// A number in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// An integer above `i128::MAX`.
    UInt(u128),
    /// A float of four bytes.
    F32(f32),
    /// A float of eight bytes.
    F64(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(v) => v.fmt(f),
            Number::UInt(v) => v.fmt(f),
            Number::F32(v) => write!(f, "{v:?}"),
            Number::F64(v) => write!(f, "{v:?}"),
        }
    }
}

/// An integer type that a [`Number`] can be converted to.
pub trait Integer: TryFrom<i128> + TryFrom<u128> {
    /// The type's name, for messages.
    const NAME: &'static str;
}

macro_rules! integer {
    ($($ty:ty)*) => { $(impl Integer for $ty { const NAME: &'static str = stringify!($ty); })* };
}
integer!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128);

/// Below this number, no two integers have the same nearest float.
const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;

impl Number {
    /// Converts a decimal in text to a number. The result is a float, unless the decimal is an
    /// integer and the float would be written as another one: `36561198138808038.0` is an integer,
    /// and `1e23` is a float. `nearest` is the nearest float, which is finite.
    ///
    /// ```
    /// use archive::value::Number;
    ///
    /// assert_eq!(Number::of_decimal("36561198138808038.0", 36561198138808038.0), Number::Int(36561198138808038));
    /// assert_eq!(Number::of_decimal("1e23", 1e23), Number::F64(1e23));
    /// assert_eq!(Number::of_decimal("0.5", 0.5), Number::F64(0.5));
    /// ```
    #[must_use]
    pub fn of_decimal(decimal: &str, nearest: f64) -> Number {
        if nearest.abs() < EXACT {
            return Number::F64(nearest);
        }
        let integer = decimal::integer(decimal);
        match integer {
            Whole::Int(value) if integer != written(nearest) => Number::Int(value),
            Whole::UInt(value) if integer != written(nearest) => Number::UInt(value),
            _ => Number::F64(nearest),
        }
    }

    /// Converts a decimal in text to an integer, in any spelling: `12`, `12.0`, `1.2e1`. `nearest`
    /// is its [number](Number::of_decimal), for messages.
    pub fn integer_of_decimal<T: Integer>(decimal: &str, nearest: Number) -> Result<T> {
        let value = match decimal::integer(decimal) {
            Whole::Int(value) => T::try_from(value).ok(),
            Whole::UInt(value) => T::try_from(value).ok(),
            Whole::Large => None,
            Whole::Fraction if nearest.to_integer::<i128>().is_ok() => {
                // The float has lost the fraction.
                return Err(Error::wrong_type(T::NAME, "a number with a fraction"));
            }
            Whole::Fraction => return Err(Error::wrong_type(T::NAME, nearest)),
        };
        value.ok_or_else(|| out_of_range(T::NAME, nearest))
    }

    /// Like [`to_integer`](Number::to_integer), for a number that may have been text before. Above
    /// 2⁵³, the text of a float may be an integer of another value. The number may then come from
    /// either of them, and is not converted.
    ///
    /// ```
    /// use archive::value::Number;
    ///
    /// assert_eq!(Number::F64(1e15).to_written_integer::<i64>()?, 1_000_000_000_000_000);
    /// // The nearest float to 10²³ is 99999999999999991611392.
    /// assert!(Number::F64(1e23).to_written_integer::<i128>().is_err());
    /// # Ok::<(), archive::Error>(())
    /// ```
    pub fn to_written_integer<T: Integer>(self) -> Result<T> {
        if let Number::F64(value) = self
            && value.is_finite()
            && value.abs() >= EXACT
        {
            return Number::integer_of_float(value, self);
        }
        self.to_integer()
    }

    #[cold]
    fn integer_of_float<T: Integer>(value: f64, number: Number) -> Result<T> {
        let is_same = match written(value) {
            Whole::Int(written) => number.to_integer().is_ok_and(|value: i128| value == written),
            Whole::UInt(written) => number.to_integer().is_ok_and(|value: u128| value == written),
            Whole::Large | Whole::Fraction => true,
        };
        if is_same {
            return number.to_integer();
        }
        let message = format_args!("the float {number} is not exact enough for {}", T::NAME);
        Err(Error::new(ErrorKind::OutOfRange, message))
    }

    /// Returns the number as an integer type, if the value does not change.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if it does not fit, [`ErrorKind::WrongType`] if it has a fraction.
    pub fn to_integer<T: Integer>(self) -> Result<T> {
        let float = match self {
            Number::Int(v) => return T::try_from(v).map_err(|_| out_of_range(T::NAME, self)),
            Number::UInt(v) => return T::try_from(v).map_err(|_| out_of_range(T::NAME, self)),
            Number::F32(v) => f64::from(v),
            Number::F64(v) => v,
        };
        if float.fract() != 0.0 || !float.is_finite() {
            return Err(Error::wrong_type(T::NAME, self));
        }
        // The cast saturates; values at the ends of the range are recognized by casting back.
        let int = float as i128;
        let uint = float as u128;
        let value = if int as f64 == float && int != i128::MAX {
            T::try_from(int).ok()
        } else if uint as f64 == float && uint != u128::MAX {
            T::try_from(uint).ok()
        } else {
            None
        };
        value.ok_or_else(|| out_of_range(T::NAME, self))
    }

    /// Returns the nearest `f64`.
    ///
    /// # Errors
    /// None: all numbers are within the range of `f64`. It returns a result because the other
    /// conversions do.
    pub fn to_f64(self) -> Result<f64> {
        Ok(match self {
            Number::F32(v) => v.into(),
            Number::F64(v) => v,
            Number::Int(v) => v as f64,
            Number::UInt(v) => v as f64,
        })
    }

    /// Returns the nearest `f32`, rounded once.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] for a finite number that would become infinite.
    pub fn to_f32(self) -> Result<f32> {
        let value = match self {
            Number::F32(v) => return Ok(v),
            Number::F64(v) if !v.is_finite() => return Ok(v as f32),
            Number::F64(v) => v as f32,
            Number::Int(v) => v as f32,
            Number::UInt(v) => v as f32,
        };
        if value.is_finite() { Ok(value) } else { Err(out_of_range("f32", self)) }
    }

    /// Returns the conversion (from, to) to the type `to`, if a report should note it: a float that
    /// became an integer, an `f64` that was rounded, or an integer that the float does not
    /// [spell](Number::spells). Other conversions lose nothing: those between integers of different
    /// widths, and of integers that a float represents. An integer counts as an `i64`, or as the
    /// narrowest of `u64`, `i128` and `u128` that it fits, so that all formats note the same,
    /// including those whose numbers have no width.
    pub fn conversion(self, to: Primitive) -> Option<(Primitive, Primitive)> {
        let from = self.primitive();
        let is_lost = match (self, to) {
            (Number::Int(_) | Number::UInt(_), Primitive::F32 | Primitive::F64) => {
                return self.conversion_in_text(to);
            }
            (Number::Int(_) | Number::UInt(_), _) | (_, Primitive::F64) => false,
            (Number::F64(v), Primitive::F32) => f64::from(v as f32) != v && !v.is_nan(),
            (Number::F32(_), Primitive::F32) => false,
            _ => true,
        };
        is_lost.then_some((from, to))
    }

    /// Like [`conversion`](Number::conversion), for a number that was text. A float in text has no
    /// width: `0.1` is also the text of an `f32`, but `0.30000000000000004` is not.
    pub fn conversion_in_text(self, to: Primitive) -> Option<(Primitive, Primitive)> {
        let is_lost = match (self, to) {
            (Number::F64(v), Primitive::F32) => {
                let narrow = f64::from(v as f32);
                v.is_finite() && narrow != v && !Number::spells(&v.to_string(), narrow)
            }
            (Number::Int(v), Primitive::F32) => !Number::spells(&v.to_string(), (v as f32).into()),
            (Number::Int(v), Primitive::F64) => !Number::spells(&v.to_string(), v as f64),
            (Number::UInt(v), Primitive::F32) => !Number::spells(&v.to_string(), (v as f32).into()),
            (Number::UInt(v), Primitive::F64) => !Number::spells(&v.to_string(), v as f64),
            _ => return self.conversion(to),
        };
        is_lost.then_some((self.primitive(), to))
    }

    /// Returns the smallest type that holds the number.
    fn primitive(self) -> Primitive {
        match self {
            Number::Int(v) if i64::try_from(v).is_ok() => Primitive::I64,
            Number::Int(v) if u64::try_from(v).is_ok() => Primitive::U64,
            Number::Int(_) => Primitive::I128,
            Number::UInt(_) => Primitive::U128,
            Number::F32(_) => Primitive::F32,
            Number::F64(_) => Primitive::F64,
        }
    }

    /// Returns whether a float equals a decimal if it is rounded to the decimal's number of digits.
    /// The decimal then represents the float as well as its length allows. Any other decimal was
    /// rounded to the float.
    ///
    /// ```
    /// use archive::value::Number;
    ///
    /// // What floats write, for all floats between these digits and the next.
    /// assert!(Number::spells("0.1", 0.1) && Number::spells("0.1", 0.1_f32.into()));
    /// assert!(Number::spells("18446744073709552000", 2_f64.powi(64)));
    /// // One more than the largest odd integer that an `f32` holds.
    /// assert!(!Number::spells("16777217", 16_777_217_f32.into()));
    /// ```
    pub fn spells(decimal: &str, float: f64) -> bool {
        /// The largest number of digits that a float has.
        const MAX_DIGITS: usize = 800;
        let (mantissa, exponent) = decimal.split_once(['e', 'E']).unwrap_or((decimal, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = whole.trim_start_matches(['-', '+']);
        let digits = || whole.bytes().chain(fraction.bytes());
        let Some(first) = digits().position(|digit| digit != b'0') else { return float == 0.0 };
        let mut backwards = fraction.bytes().rev().chain(whole.bytes().rev());
        let zeros = backwards.position(|digit| digit != b'0').unwrap_or_default();
        let more = whole.len() + fraction.len() - zeros - 1 - first;
        if more >= MAX_DIGITS || !float.is_finite() {
            return false;
        }
        // An exponent that does not fit belongs to no float except zero, and the digits are not
        // zero.
        let Ok(exponent) = exponent.parse::<i64>() else { return false };
        let exponent = exponent.saturating_add(whole.len() as i64 - 1 - first as i64);
        let is = |its_digits: &[u8], its_exponent: &str| {
            digits().skip(first).take(more + 1).eq(its_digits.iter().copied())
                && its_exponent.parse() == Ok(exponent)
        };
        let spelled = |digits: usize| {
            let mut text = format!("{:.digits$e}", float.abs()).into_bytes();
            let exponent = text.iter().position(|byte| *byte == b'e').unwrap_or(text.len());
            let exponent = String::from_utf8_lossy(&text.split_off(exponent)[1..]).into_owned();
            text.retain(|byte| *byte != b'.');
            (text, exponent)
        };
        let (rounded, its_exponent) = spelled(more);
        if is(&rounded, &its_exponent) {
            return true;
        }
        // If the float is exactly between two decimals, both are accepted. The text has the one
        // whose last digit is even.
        let (mut exact, its_exponent) = spelled(MAX_DIGITS);
        let rest = exact.split_off(more + 1);
        let is_between = rest[0] == b'5' && rest[1..].iter().all(|digit| *digit == b'0');
        exact[more] |= 1;
        is_between && is(&exact, &its_exponent)
    }
}

/// Returns the integer that is the text of a float with as few digits as possible.
fn written(float: f64) -> Whole {
    decimal::integer(&float.to_string())
}

#[cold]
fn out_of_range(expected: &str, found: Number) -> Error {
    Error::new(ErrorKind::OutOfRange, format_args!("{found} does not fit {expected}"))
}
