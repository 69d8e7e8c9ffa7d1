//! Displays a [`Value`] as text for people.

use std::fmt::{self, Write};

use super::Value;
use crate::model::number::Number;

/// Writes JSON for messages and logs: `{"hp":100,"at":[1.5,null]}`, or with `{:#}` in lines with an
/// indentation of four spaces. Bytes are an array of numbers on one line. To save a value as JSON,
/// use the JSON format.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = f.alternate().then_some(0);
        put(self, level, f)
    }
}

/// Writes a value, on several lines if it has a level of indentation.
fn put(value: &Value, level: Option<usize>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let inside = level.map(|level| level + 1);
    match value {
        Value::Null => f.write_str("null"),
        Value::Bool(value) => write!(f, "{value}"),
        Value::Number(Number::F32(value)) if !value.is_finite() => write!(f, "\"{value}\""),
        Value::Number(Number::F64(value)) if !value.is_finite() => write!(f, "\"{value}\""),
        Value::Number(number) => write!(f, "{number}"),
        Value::Str(value) => text(value, f),
        Value::Bytes(bytes) => list(f, ('[', ']'), None, bytes, |byte, f| write!(f, "{byte}")),
        Value::Array(items) => list(f, ('[', ']'), level, items, |item, f| put(item, inside, f)),
        Value::Object(members) => list(f, ('{', '}'), level, members, |(name, value), f| {
            text(name, f)?;
            f.write_str(if level.is_some() { ": " } else { ":" })?;
            put(value, inside, f)
        }),
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    (open, close): (char, char),
    level: Option<usize>,
    items: &[T],
    item: impl Fn(&T, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    f.write_char(open)?;
    for (index, value) in items.iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        if let Some(level) = level {
            write!(f, "\n{:1$}", "", (level + 1) * 4)?;
        }
        item(value, f)?;
    }
    if let (Some(level), false) = (level, items.is_empty()) {
        write!(f, "\n{:1$}", "", level * 4)?;
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
