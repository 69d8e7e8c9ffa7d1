//! Numbers, names and metadata for people.

use archive::Value;

use crate::terminal::{is_active, safe};
use archive::save::Meta;

/// Returns a number of bytes: `312 B`, `1.2 kB`, `17.0 MB`.
pub fn bytes(count: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let (mut size, mut unit) = (count as f64, 0);
    while size >= 999.95 && unit + 1 < units.len() {
        size /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{size:.1} {}", units[unit]) }
}

/// Returns a name from a file, quoted if it is not plain, and cut short if it is long.
pub fn name(name: &str) -> String {
    safe(&quoted(&cut(name, MAX_NAME))).into_owned()
}

/// Returns a name from a file, quoted if it is not plain.
pub fn quoted(name: &str) -> String {
    let is_plain = !name.is_empty() && !name.contains(|c: char| is_active(c) || c.is_whitespace());
    if is_plain { name.to_owned() } else { format!("{name:?}") }
}

/// The maximum number of characters of a name or a title that are shown.
pub const MAX_NAME: usize = 200;

/// Returns text without its middle, if it has more than `max` characters.
pub fn cut(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let half = max / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(count - half).collect();
    format!("{start}…{end}")
}

/// Returns the metadata of a save, without empty fields.
pub fn meta(meta: &Meta) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("title", plain(&meta.title)),
        ("game", plain(&meta.game)),
        (
            "version",
            if meta.game_version > 0 { meta.game_version.to_string() } else { String::new() },
        ),
        ("created", date(meta.created)),
        ("played", if meta.play_time.is_zero() { String::new() } else { duration(meta.play_time) }),
        ("device", plain(meta.lineage.device())),
        ("autosave", meta.autosave.map(|number| number.to_string()).unwrap_or_default()),
    ];
    if let Ok(value) = meta.metadata::<Value>() {
        all.push(("metadata", short(&value)));
    }
    if !meta.thumbnail.is_empty() {
        all.push(("thumbnail", bytes(meta.thumbnail.len() as u64)));
    }
    all.retain(|(_, text)| !text.is_empty());
    all
}

/// Returns a date in the zone of the system: `2026-11-25 07:13`.
pub fn date(time: std::time::SystemTime) -> String {
    let Ok(time) = jiff::Timestamp::try_from(time) else { return String::new() };
    if time == jiff::Timestamp::UNIX_EPOCH {
        return String::new();
    }
    time.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// Returns a duration: `1:30:00`.
pub fn duration(time: std::time::Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Returns text of a file on one line, cut short if it is long.
pub fn plain(text: &str) -> String {
    safe(&cut(text, MAX_NAME)).into_owned()
}

/// Returns a value as JSON, cut short if it is long.
pub fn short(value: &Value) -> String {
    const MAX_LEN: usize = 100;
    let long = match value {
        Value::Array(items) => items.len() > MAX_LEN,
        Value::Object(members) => members.len() > MAX_LEN,
        Value::Str(text) => text.len() > 4 * MAX_LEN,
        _ => false,
    };
    let text = if long { String::new() } else { value.to_string() };
    match value {
        _ if !long && text.chars().count() <= MAX_LEN => safe(&text).into_owned(),
        Value::Array(items) => format!("[… {} items]", items.len()),
        Value::Object(members) => format!("{{… {} members}}", members.len()),
        Value::Str(text) => {
            let start: String = text.chars().take(MAX_LEN).collect();
            let start = Value::from(start).to_string();
            format!("{}… {} bytes", safe(&start), text.len())
        }
        _ => safe(&text).into_owned(),
    }
}
