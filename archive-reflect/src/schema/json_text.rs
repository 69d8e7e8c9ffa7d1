//! The text of a schema. Names that begin with `$` would have a meaning in files of values, so it
//! has its own printer.

use archive_core::{Number, Value};

/// Returns the text with two spaces for each level.
pub(super) fn pretty(value: &Value) -> String {
    let mut out = String::new();
    put(value, 0, &mut out);
    out + "\n"
}

fn put(value: &Value, level: usize, out: &mut String) {
    match value {
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => put_number(number, out),
        Value::Str(text) => out.push_str(&quoted(text)),
        Value::Array(items) => {
            list(items.iter(), ('[', ']'), level, out, |item, out| put(item, level + 1, out));
        }
        Value::Object(members) => {
            list(members.iter(), ('{', '}'), level, out, |(name, value), out| {
                out.push_str(&quoted(name));
                out.push_str(": ");
                put(value, level + 1, out);
            });
        }
        _ => out.push_str("null"),
    }
}

/// Floats without a fraction are written as integers, as people write bounds.
fn put_number(number: &Number, out: &mut String) {
    let text = archive_json::to_string(&Value::Number(*number)).unwrap_or_default();
    out.push_str(text.strip_suffix(".0").unwrap_or(&text));
}

fn quoted(text: &str) -> String {
    // Writing text cannot fail.
    archive_json::to_string(&text.to_owned()).unwrap_or_default()
}

fn list<T>(
    items: impl ExactSizeIterator<Item = T>,
    (open, close): (char, char),
    level: usize,
    out: &mut String,
    mut put: impl FnMut(T, &mut String),
) {
    out.push(open);
    let line = |level: usize, out: &mut String| {
        out.push('\n');
        (0..level).for_each(|_| out.push_str("  "));
    };
    let is_empty = items.len() == 0;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        line(level + 1, out);
        put(item, out);
    }
    if !is_empty {
        line(level, out);
    }
    out.push(close);
}
