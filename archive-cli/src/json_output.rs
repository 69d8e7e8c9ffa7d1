//! The output of `--json`, for programs: numbers as numbers, dates as RFC 3339.

use archive::error::Position;
use archive::save::Meta;
use archive::value::Number;
use archive::{Error, Value};

use crate::node::{Node, What};

/// Returns an object. Members that are null are left out.
pub fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let known = members.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(known.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Adds the members of an object to another one.
pub fn extended(value: Value, more: Value) -> Value {
    match (value, more) {
        (Value::Object(mut members), Value::Object(more)) => {
            members.extend(more);
            Value::Object(members)
        }
        (value, _) => value,
    }
}

/// Returns a date in UTC: `2026-11-25T07:13:00Z`, or null for none.
pub fn date(time: std::time::SystemTime) -> Value {
    match jiff::Timestamp::try_from(time) {
        Ok(time) if time != jiff::Timestamp::UNIX_EPOCH => Value::from(time.to_string()),
        _ => Value::Null,
    }
}

/// Returns text, or null if there is none.
pub fn text(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}

/// Returns the metadata of a save file.
pub fn meta(meta: &Meta) -> Value {
    let number = |number: u64| if number == 0 { Value::Null } else { number.into() };
    object([
        ("title", text(&meta.title)),
        ("game", text(&meta.game)),
        ("version", number(meta.game_version.into())),
        ("created", date(meta.created)),
        (
            "played_seconds",
            match meta.play_time.is_zero() {
                true => Value::Null,
                false => Value::Number(Number::F64(meta.play_time.as_secs_f64())),
            },
        ),
        ("device", text(meta.lineage.device())),
        ("autosave", meta.autosave.map_or(Value::Null, Value::from)),
        ("metadata", meta.metadata::<Value>().unwrap_or_default()),
        ("thumbnail_bytes", number(meta.thumbnail.len() as u64)),
    ])
}

/// Returns what describes a node, without its value and its children. `id` returns the id of a shared object.
pub fn node(node: &Node, id: impl Fn(u64) -> Value) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    let mut add = |name: &str, value: Value| out.push((name.to_owned(), value));
    let kind = match &node.what {
        What::Null => "null",
        What::Bool(_) => "bool",
        What::Number(_) => "number",
        What::Text(_) => "text",
        What::Bytes(_) => "bytes",
        What::Seq => "sequence",
        What::Object => "object",
        What::Link { .. } => "pointer",
    };
    add("kind", kind.into());
    if let Some(stored) = &node.stored {
        add("type", stored.as_str().into());
    }
    if let Some(size) = node.size {
        add("size", size.into());
    }
    if let Some((number, type_name)) = &node.object {
        if *number != 0 {
            add("id", id(*number));
        }
        if let Some(name) = type_name {
            add("registered", name.as_str().into());
        }
    }
    if let What::Link { id, is_weak } = &node.what {
        add("target", format!("${id}").into());
        add("weak", (*is_weak).into());
    }
    out
}

/// Returns an error.
pub fn error(error: &Error) -> Value {
    let number = |number: usize| Value::from(number as u64);
    let (line, column, offset) = match error.position() {
        Some(Position::Line { line, column }) => (number(line), number(column), Value::Null),
        Some(Position::Offset(offset)) => (Value::Null, Value::Null, offset.into()),
        _ => Default::default(),
    };
    object([
        ("kind", format!("{:?}", error.kind()).into()),
        ("message", error.message().into()),
        ("file", error.file().map_or(Value::Null, Value::from)),
        ("path", text(error.path())),
        ("line", line),
        ("column", column),
        ("offset", offset),
    ])
}
