//! A [`Value`] as text for people.

use std::fmt::{self, Write};

use super::Value;
use crate::number::Number;

/// JSON, for messages and logs: `{"hp":100,"at":[1.5,null]}`. Bytes are an array of numbers. To save
/// a value as JSON there is the back end of that format.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => value.fmt(f),
            Value::Number(Number::F32(value)) if !value.is_finite() => write!(f, "\"{value}\""),
            Value::Number(Number::F64(value)) if !value.is_finite() => write!(f, "\"{value}\""),
            Value::Number(number) => number.fmt(f),
            Value::Str(value) => text(value, f),
            Value::Bytes(bytes) => list(f, ('[', ']'), bytes, |byte, f| byte.fmt(f)),
            Value::Array(items) => list(f, ('[', ']'), items, fmt::Display::fmt),
            Value::Object(members) => list(f, ('{', '}'), members, |(name, value), f| {
                text(name, f)?;
                f.write_char(':')?;
                value.fmt(f)
            }),
        }
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    (open, close): (char, char),
    items: &[T],
    item: impl Fn(&T, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    f.write_char(open)?;
    for (index, value) in items.iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        item(value, f)?;
    }
    f.write_char(close)
}

fn text(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\0'..='\x1f' => write!(f, "\\u{:04x}", c as u32)?,
            _ => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
