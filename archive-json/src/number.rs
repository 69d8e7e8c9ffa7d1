//! Numbers: parses their text, and converts the result.

use archive_core::{Error, ErrorKind, Found, Integer, Number, Result};

use crate::cursor::{Cursor, View};
use crate::decimal;
use crate::digits::{PaddedText, digits, digits_end, padded, parse_padded};
use crate::source::Source;

/// The parts of a number's text, found in one pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal<'a> {
    text: &'a str,
    negative: bool,
    /// Whether there is neither fraction nor exponent.
    integral: bool,
    /// All digits as one integer; `None` if they may not fit 64 bits.
    digits: Option<u64>,
    /// The power of ten by which `digits` must be multiplied.
    exponent: i32,
}

/// The digits of a float. The last `places` of them come after the decimal point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortDecimal {
    negative: bool,
    digits: u64,
    places: usize,
}

impl ShortDecimal {
    /// Returns the nearest `f64`, if the digits alone determine it quickly.
    #[inline(always)]
    pub(crate) fn to_f64(self) -> Option<f64> {
        let value = match self.exact() {
            Some(value) => value,
            None => decimal::nearest(self.digits, -(self.places as i32))?,
        };
        Some(if self.negative { -value } else { value })
    }

    /// Returns the nearest `f32`, if the digits alone determine it quickly.
    #[inline(always)]
    pub(crate) fn to_f32(self) -> Option<f32> {
        let value = narrow(self.exact()?)?;
        Some(if self.negative { -value } else { value })
    }

    #[inline(always)]
    fn exact(self) -> Option<f64> {
        const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
        let power = POWERS_OF_TEN.get(self.places).filter(|_| self.digits <= EXACT)?;
        Some(self.digits as f64 / power)
    }
}

impl<S: Source> Cursor<S> {
    /// Reads an integer that fits 64 bits and has neither fraction nor exponent. Returns whether it
    /// is negative, and its absolute value.
    #[inline]
    pub(crate) fn short_integer(&mut self) -> Option<(bool, u64)> {
        let mut room = [0; _];
        let text = self.ahead(&mut room);
        let negative = text[0] == b'-';
        let first = usize::from(negative);
        let mut value = 0;
        let end = parse_padded(text, first, &mut value)?;
        let leading_zero = text[first] == b'0' && end - first > 1;
        let continues = matches!(*text.get(end)?, b'.' | b'e' | b'E');
        if !(1..=19).contains(&(end - first)) || leading_zero || continues {
            return None;
        }
        self.at += end;
        Some((negative, value))
    }

    /// Returns the text from here on, with zeros after the end of the text.
    #[inline(always)]
    fn ahead<'s>(&'s self, room: &'s mut PaddedText) -> &'s PaddedText {
        let rest = self.bytes().get(self.at..).unwrap_or_default();
        rest.first_chunk().unwrap_or_else(|| padded(rest, room))
    }

    /// Reads a float in the usual form: digits, a point, digits, and nothing else, with no more
    /// digits than 64 bits hold. Returns `None` and does not move the cursor if the number has
    /// another form.
    #[inline(always)]
    pub(crate) fn short_decimal(&mut self) -> Option<ShortDecimal> {
        let mut room = [0; _];
        let text = self.ahead(&mut room);
        let negative = text[0] == b'-';
        let first = usize::from(negative);
        let mut value = u64::from(text[first].wrapping_sub(b'0'));
        if value > 9 {
            return None;
        }
        let mut point = first + 1;
        if value > 0 {
            while let Some(digit @ 0..=9) = text.get(point).map(|byte| byte.wrapping_sub(b'0')) {
                value = value.wrapping_mul(10).wrapping_add(digit.into());
                point += 1;
            }
        }
        if *text.get(point)? != b'.' {
            return None;
        }
        let end = parse_padded(text, point + 1, &mut value)?;
        let (count, places) = (end - first - 1, end - point - 1);
        if places == 0 || count > 19 || matches!(*text.get(end)?, b'e' | b'E') {
            return None;
        }
        self.at += end;
        Some(ShortDecimal { negative, digits: value, places })
    }

    /// Skips a number.
    pub(crate) fn skip_number(&mut self) -> Result {
        let bytes = self.bytes();
        let start = self.at + usize::from(self.byte() == b'-');
        if self.byte_at(start).is_ascii_digit()
            && matches!(self.byte_at(start + 1), b',' | b']' | b'}')
        {
            self.at = start + 1;
            return Ok(());
        }
        let mut end = digits_end(bytes, start);
        let whole = end > start && (end == start + 1 || self.byte_at(start) != b'0');
        let mut number = whole;
        if self.byte_at(end) == b'.' {
            let point = end;
            end = digits_end(bytes, point + 1);
            number = whole && end > point + 1;
        }
        if number && !matches!(self.byte_at(end), b'e' | b'E') {
            self.at = end;
            return Ok(());
        }
        let mut number = self.view();
        number.decimal()?;
        self.at = number.at;
        Ok(())
    }
}

impl<'v> View<'v> {
    /// Parses the number here. Always inlined, because the result has too many parts for registers.
    #[inline(always)]
    pub(crate) fn decimal(&mut self) -> Result<Decimal<'v>> {
        let start = self.at;
        let negative = self.byte() == b'-';
        self.at += usize::from(negative);

        let mut value = 0;
        let whole = self.at;
        self.digits(&mut value)?;
        let mut count = self.at - whole;
        if count > 1 && self.byte_at(whole) == b'0' {
            return Err(self.moved(whole).error(ErrorKind::Syntax, "a number with a leading zero"));
        }

        let mut exponent = 0_i32;
        let mut integral = true;
        if self.byte() == b'.' {
            integral = false;
            self.at += 1;
            let fraction = self.at;
            self.digits(&mut value)?;
            count += self.at - fraction;
            exponent = -i32::try_from(self.at - fraction).unwrap_or(i32::MAX);
        }
        if matches!(self.byte(), b'e' | b'E') {
            integral = false;
            self.at += 1;
            exponent = exponent.saturating_add(self.exponent()?);
        }
        Ok(Decimal {
            text: self.source.text.get(start..self.at).unwrap_or_default(),
            negative,
            integral,
            digits: (count <= 19).then_some(value),
            exponent,
        })
    }

    /// Reads one digit or more and appends them to `value`, which may wrap around.
    #[inline]
    fn digits(&mut self, value: &mut u64) -> Result {
        let start = self.at;
        self.at = digits(self.bytes(), start, value);
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    #[cold]
    fn exponent(&mut self) -> Result<i32> {
        let sign = self.byte();
        self.at += usize::from(matches!(sign, b'+' | b'-'));
        let start = self.at;
        self.digits(&mut 0)?;
        let exponent = self.since(start).parse().unwrap_or(i32::MAX);
        Ok(if sign == b'-' { -exponent } else { exponent })
    }
}

impl Decimal<'_> {
    /// The nearest `f64`.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if it is infinite.
    #[inline]
    pub(crate) fn to_f64(self) -> Result<f64> {
        if let Some(value) = self.exact_f64() {
            return Ok(value);
        }
        if let Some(value) = self.digits.and_then(|digits| decimal::nearest(digits, self.exponent))
        {
            return Ok(if self.negative { -value } else { value });
        }
        self.nearest().ok_or_else(|| self.out_of_range("f64"))
    }

    /// The nearest `f64`, unless that is infinite.
    fn nearest(self) -> Option<f64> {
        self.text.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// The nearest `f32`, rounded once.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if it is infinite.
    #[inline]
    pub(crate) fn to_f32(self) -> Result<f32> {
        if let Some(value) = self.exact_f64().and_then(narrow) {
            return Ok(value);
        }
        match self.text.parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(self.out_of_range("f32")),
        }
    }

    /// Returns an integer, and the [number](Decimal::to_number) for the note in a report.
    ///
    /// # Errors
    /// Errors of [`to_number`](Decimal::to_number); an error if the number is not an integer, or
    /// does not fit.
    pub(crate) fn to_integer<T: Integer>(self) -> Result<(T, Number)> {
        let number = self.to_number()?;
        if self.integral {
            return Ok((number.to_integer()?, number));
        }
        let value = Number::integer_of_decimal(self.text, number)?;
        Ok((value, number.to_f64().map_or(number, Number::F64)))
    }

    /// Returns an integer if the number has neither fraction nor exponent and fits 128 bits, or if
    /// it is an integer and the nearest `f64` would be written as a different one; otherwise the
    /// nearest `f64`.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if the nearest `f64` is infinite.
    pub(crate) fn to_number(self) -> Result<Number> {
        self.fitting().ok_or_else(|| self.out_of_range("f64"))
    }

    fn fitting(self) -> Option<Number> {
        if self.integral && self.text != "-0" {
            if let Ok(value) = self.text.parse() {
                return Some(Number::Int(value));
            }
            if let Ok(value) = self.text.parse() {
                return Some(Number::UInt(value));
            }
        }
        let nearest = self.exact_f64().or_else(|| self.nearest())?;
        Some(Number::of_decimal(self.text, nearest))
    }

    /// Returns the nearest `f64` if one multiplication or division of two exact floats computes it
    /// (Clinger's fast path).
    #[inline]
    fn exact_f64(self) -> Option<f64> {
        const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
        let digits = self.digits.filter(|digits| *digits <= EXACT)? as f64;
        let power = *POWERS_OF_TEN.get(self.exponent.unsigned_abs() as usize)?;
        let value = if self.exponent < 0 { digits / power } else { digits * power };
        Some(if self.negative { -value } else { value })
    }

    #[cold]
    fn out_of_range(self, expected: &str) -> Error {
        let message = format_args!("{} does not fit {expected}", self.shown());
        Error::new(ErrorKind::OutOfRange, message)
    }

    /// Returns the number for messages. A number that fits no type is shown as written.
    #[cold]
    pub(crate) fn shown(self) -> String {
        match self.fitting() {
            Some(number) => Found::Number(number).to_string(),
            None if self.text.len() > 40 => "a long number".to_owned(),
            None => self.text.to_owned(),
        }
    }
}

/// The powers of ten that are exact as `f64`.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Returns the `f32` nearest to the decimal that was rounded to `value`, or `None` if it cannot be
/// determined. Rounding twice gives a wrong result only if `value` is exactly halfway between two
/// `f32`. For subnormals the halfway point is at another bit, so the result is `None`.
#[inline]
fn narrow(value: f64) -> Option<f32> {
    const DROPPED: u32 = f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS;
    const MIDDLE: u64 = 1 << (DROPPED - 1);
    let normal = (f32::MIN_POSITIVE.into()..=f32::MAX.into()).contains(&value.abs());
    let between = value.to_bits() & ((1 << DROPPED) - 1) == MIDDLE;
    (value == 0.0 || (normal && !between)).then_some(value as f32)
}
