//! Numbers, names and metadata for people.

use archive::Value;
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

/// Returns a name from a file, quoted if it is not plain.
pub fn name(name: &str) -> String {
    let is_plain =
        !name.is_empty() && !name.contains(|c: char| c.is_control() || c.is_whitespace());
    if is_plain { name.to_owned() } else { format!("{name:?}") }
}

/// Returns what is known of a save, without what it does not have.
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
        all.push(("metadata", value.to_string()));
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

/// Returns text of a file without characters that would move the cursor of a terminal.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Returns a value as JSON, cut short if it is long.
pub fn short(value: &Value) -> String {
    const MOST: usize = 100;
    let long = match value {
        Value::Array(items) => items.len() > MOST,
        Value::Object(members) => members.len() > MOST,
        Value::Str(text) => text.len() > 4 * MOST,
        _ => false,
    };
    let text = if long { String::new() } else { value.to_string() };
    match value {
        _ if !long && text.chars().count() <= MOST => text,
        Value::Array(items) => format!("[… {} items]", items.len()),
        Value::Object(members) => format!("{{… {} members}}", members.len()),
        Value::Str(text) => {
            let start: String = text.chars().take(MOST).collect();
            format!("{}… {} bytes", Value::from(start), text.len())
        }
        _ => text,
    }
}
