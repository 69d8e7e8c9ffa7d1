//! What differs between two descriptions, name by name, and what it means for files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A part of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Root,
    Class,
    Member,
    Variant,
}

/// The parts of a description by their paths: `Unit.hp`, `State::Walk`, `State::Walk.to`.
type Parts = BTreeMap<String, (Part, String)>;

/// The differences, a line for each.
pub(super) fn list(old: &str, new: &str) -> String {
    let (old, new) = (parts(old), parts(new));
    let mut out = String::new();
    let paths: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for path in paths {
        let line = match (old.get(path), new.get(path)) {
            (Some(old), Some(new)) if old == new => continue,
            (Some((_, old)), Some((part, new))) => {
                format!("{path}: {} is now {}{}", or_none(old), or_none(new), changed(*part))
            }
            (None, Some((part, _))) => match added(*part) {
                Some(meaning) => format!("{path} is new: {meaning}"),
                None => continue,
            },
            (Some((part, _)), None) => match removed(*part) {
                Some(meaning) => format!("{path} is gone: {meaning}"),
                None => continue,
            },
            (None, None) => continue,
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, "  {line}");
    }
    out
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "nothing" } else { text }
}

fn changed(part: Part) -> &'static str {
    match part {
        Part::Class => " (programs refuse files of a newer version than their own)",
        Part::Member | Part::Variant | Part::Root => {
            " (old values load if they can become such; else the file is refused)"
        }
    }
}

fn added(part: Part) -> Option<&'static str> {
    match part {
        Part::Member => Some("old files lack it, and it keeps the value that it has by default"),
        Part::Variant => Some("old programs refuse files that hold it"),
        Part::Class | Part::Root => None,
    }
}

fn removed(part: Part) -> Option<&'static str> {
    match part {
        Part::Member => {
            Some("in old files it is passed over; if it was renamed, it needs an `alias`")
        }
        Part::Variant => {
            Some("old files that hold it are refused; if it was renamed, it needs an `alias`")
        }
        Part::Class | Part::Root => None,
    }
}

fn parts(description: &str) -> Parts {
    let mut parts = Parts::new();
    let (mut class, mut variant, mut is_enum) = (String::new(), String::new(), false);
    for line in description.lines().filter(|line| !line.is_empty()) {
        let text = line.trim_start();
        match line.len() - text.len() {
            0 => {
                let header = text.strip_prefix("struct ").or_else(|| text.strip_prefix("enum "));
                let Some(header) = header else {
                    parts.insert("the whole".into(), (Part::Root, text.into()));
                    continue;
                };
                is_enum = text.starts_with("enum ");
                let (name, version) = header.split_once(", version ").unwrap_or((header, "0"));
                class = name.into();
                parts.insert(class.clone(), (Part::Class, format!("version {version}")));
            }
            4 if is_enum => {
                let end = text.find(['(', ':']).unwrap_or(text.len());
                let (name, carries) = text.split_at(end);
                let carries = if carries == ":" { "members" } else { carries };
                variant = format!("{class}::{name}");
                parts.insert(variant.clone(), (Part::Variant, carries.into()));
            }
            indent => {
                let owner = if indent == 4 { &class } else { &variant };
                let (name, ty) = text.rsplit_once(": ").unwrap_or((text, ""));
                parts.insert(format!("{owner}.{name}"), (Part::Member, ty.into()));
            }
        }
    }
    parts
}
