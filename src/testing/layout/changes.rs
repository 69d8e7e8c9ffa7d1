//! Lists the differences between two descriptions by name, and what they mean for files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::fate::{self, Fate};

/// The kind of a part of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Root,
    Class,
    Member,
    Variant,
}

/// A part of a description.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    kind: Kind,
    /// The version, the type, or the payload of a variant.
    text: String,
    /// The path of the part that contains this one, and the name of this one.
    owner: String,
    name: String,
}

/// The parts of a description by their paths: `Unit.hp`, `State::Walk`, `State::Walk.to`.
type Parts = BTreeMap<String, Part>;

/// Returns the differences, one per line.
pub(super) fn list(old: &str, new: &str) -> String {
    let (old, new) = (parts(old), parts(new));
    let mut out = String::new();
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for path in paths {
        let line = match (old.get(path), new.get(path)) {
            (Some(old), Some(new)) if old == new => continue,
            (Some(was), Some(is)) => {
                let meaning = changed(was, is);
                format!("{path}: {} is now {} ({meaning})", or_none(&was.text), or_none(&is.text))
            }
            (None, Some(part)) if is_told(part, &new, &old) => {
                format!("{path} is new: {}", added(part))
            }
            (Some(part), None) if is_told(part, &old, &new) => {
                format!("{path} is gone: {}", removed(part, &old, &new))
            }
            _ => continue,
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, "  {line}");
    }
    out
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "nothing" } else { text }
}

/// Returns whether a part that only one of the descriptions has gets a line of its own. The members
/// of a variant do not if the variant itself does.
fn is_told(part: &Part, here: &Parts, there: &Parts) -> bool {
    match part.kind {
        Kind::Variant => true,
        Kind::Member => {
            let owner = [here, there].map(|parts| parts.get(&part.owner));
            match owner {
                [Some(here), there] if here.kind == Kind::Variant => {
                    there.is_some_and(|there| here.text == there.text)
                }
                _ => true,
            }
        }
        Kind::Class | Kind::Root => false,
    }
}

fn changed(old: &Part, new: &Part) -> &'static str {
    let (kind, old, new) = (new.kind, &old.text, &new.text);
    match kind {
        Kind::Class => return "programs refuse files of a newer version than their own",
        Kind::Variant if old.is_empty() => {
            return "all old values load; new parts have their defaults";
        }
        Kind::Variant if new.is_empty() => {
            return "all old values load; the data that they carry is lost";
        }
        _ => {}
    }
    // The members of a variant are stored like the fields of a struct.
    let value = |text| fate::single(text).unwrap_or(text);
    let fate = match (old.as_str(), new.as_str()) {
        ("members", new) if kind == Kind::Variant => fate::of("members", value(new)),
        (old, "members") if kind == Kind::Variant => fate::of(value(old), "members"),
        (old, new) => fate::of(old, new),
    };
    match fate {
        Fate::Loads => "all old values load",
        Fate::Depends => "old values load if they convert; otherwise the file is refused",
        Fate::Refused => "files that have it are refused",
    }
}

fn added(part: &Part) -> &'static str {
    match part.kind {
        Kind::Variant => "old programs refuse files that contain it",
        _ => "old files lack it, and it keeps the value that it has by default",
    }
}

fn removed(part: &Part, old: &Parts, new: &Parts) -> String {
    if part.kind == Kind::Variant {
        let text = "old files that contain it are refused; if it was renamed, it needs an `alias`";
        return text.into();
    }
    let passed = "in old files it is ignored";
    // The current names that a renamed member may have.
    let names: Vec<String> = new
        .iter()
        .filter(|(path, other)| {
            other.kind == Kind::Member
                && (&other.owner, &other.text) == (&part.owner, &part.text)
                && !old.contains_key(*path)
        })
        .map(|(_, other)| format!("`{}`", other.name))
        .collect();
    if names.is_empty() {
        return passed.into();
    }
    // A name that is not a word is in quotes already.
    let name = part.name.trim_matches('"');
    format!(
        "{passed}; if it is {} now, that needs `#[archive(alias = \"{name}\")]` (a function by hand \
         has no aliases: it visits \"{name}\" where `ar.version()` is the old one)",
        names.join(" or "),
    )
}

fn parts(description: &str) -> Parts {
    let mut parts = Parts::new();
    let (mut class, mut variant, mut is_enum) = (String::new(), String::new(), false);
    let mut insert = |kind, path: String, text: &str, owner: &str, name: &str| {
        let [text, owner, name] = [text, owner, name].map(str::to_owned);
        parts.insert(path, Part { kind, text, owner, name });
    };
    for line in description.lines().filter(|line| !line.is_empty()) {
        let text = line.trim_start();
        match line.len() - text.len() {
            0 => {
                let header = text.strip_prefix("struct ").or_else(|| text.strip_prefix("enum "));
                let Some(header) = header else {
                    insert(Kind::Root, "the whole".into(), text, "", "");
                    continue;
                };
                is_enum = text.starts_with("enum ");
                let (name, version) = header.split_once(", version ").unwrap_or((header, "0"));
                class = name.into();
                insert(Kind::Class, class.clone(), &format!("version {version}"), "", name);
            }
            4 if is_enum => {
                let end = text.find(['(', ':']).unwrap_or(text.len());
                let (name, carries) = text.split_at(end);
                let carries = if carries == ":" { "members" } else { carries };
                variant = format!("{class}::{name}");
                insert(Kind::Variant, variant.clone(), carries, &class, name);
            }
            indent => {
                let owner = if indent == 4 { &class } else { &variant };
                let (name, ty) = text.rsplit_once(": ").unwrap_or((text, ""));
                insert(Kind::Member, format!("{owner}.{name}"), ty, owner, name);
            }
        }
    }
    parts
}
