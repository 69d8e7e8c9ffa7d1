//! `archive diff`.

mod compare;

use anstyle::{AnsiColor, Style};
use archive::{Error, ErrorKind, Result, Value, json};
use similar::TextDiff;
use std::fmt::Write as _;
use std::path::Path;

use crate::args::Diff;
use crate::input::Input;
use crate::show;
use crate::terminal::safe;
use crate::tree::plain;
use crate::{Outcome, output};
pub use compare::Change;
use compare::compare;

const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const MOVED: Style = AnsiColor::Magenta.on_default();
const NAME: Style = AnsiColor::Cyan.on_default();

pub fn diff(args: &Diff) -> Result<Outcome> {
    if [&args.old, &args.new].iter().all(|file| *file == Path::new("-")) {
        let message = "standard input can only be one of the two files";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    between(&Input::open(&args.old)?, &Input::open(&args.new)?, |changes| {
        if !args.quiet && args.json {
            let list: Value = changes.iter().map(as_value).collect();
            output::print_json(&json::to_string_pretty(&list)?)?;
        } else if !args.quiet {
            let mut text = String::new();
            changes.iter().for_each(|change| write(&mut text, change));
            output::print(&text)?;
        }
        Ok(if changes.is_empty() { Outcome::Done } else { Outcome::Found })
    })
}

/// Runs a function on the differences between two files.
///
/// # Errors
/// Errors of the files, and of the function.
pub fn between<R>(
    old: &Input,
    new: &Input,
    visit: impl FnOnce(&[Change<'_>]) -> Result<R>,
) -> Result<R> {
    if old.format == new.format && old.bytes == new.bytes {
        return visit(&[]);
    }
    let trees = (plain(old.value()?), plain(new.value()?));
    visit(&compare(&trees.0, &trees.1, old.format == new.format))
}

/// Returns a path as a line shows it.
fn at(path: &archive::path::Path) -> String {
    safe(&path.to_string()).into_owned()
}

/// Writes a change as lines.
fn write(out: &mut String, change: &Change<'_>) {
    let _ = match change {
        Change::Removed(path, value) => {
            writeln!(out, "{REMOVED}- {}{REMOVED:#}: {}", at(path), show::short(value))
        }
        Change::Added(path, value) => {
            writeln!(out, "{ADDED}+ {}{ADDED:#}: {}", at(path), show::short(value))
        }
        Change::Moved(from, to) => {
            writeln!(out, "{MOVED}> {}{MOVED:#}: now {MOVED}{}{MOVED:#}", at(from), at(to))
        }
        Change::Changed(path, Value::Str(old), Value::Str(new))
            if old.contains('\n') || new.contains('\n') =>
        {
            lines(out, &at(path), old, new)
        }
        Change::Changed(path, old, new) => writeln!(
            out,
            "{NAME}~ {}{NAME:#}: {REMOVED}{}{REMOVED:#} → {ADDED}{}{ADDED:#}",
            at(path),
            show::short(old),
            show::short(new)
        ),
    };
}

/// Writes the differing lines of a text.
fn lines(out: &mut String, path: &str, old: &str, new: &str) -> std::fmt::Result {
    writeln!(out, "{NAME}~ {path}{NAME:#}: text")?;
    for hunk in TextDiff::from_lines(old, new).unified_diff().context_radius(1).iter_hunks() {
        for change in hunk.iter_changes() {
            let style = match change.tag() {
                similar::ChangeTag::Delete => REMOVED,
                similar::ChangeTag::Insert => ADDED,
                similar::ChangeTag::Equal => Style::new(),
            };
            let line = change.value().trim_end_matches('\n');
            writeln!(out, "    {style}{} {}{style:#}", change.tag(), safe(line))?;
        }
    }
    Ok(())
}

/// Returns a change for a page, with short values.
#[cfg(feature = "view")]
pub fn difference(change: &Change<'_>) -> Value {
    let short = |value: &Value| Value::from(show::short(value));
    match as_value(change) {
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| match name.as_str() {
                "old" | "new" => (name, short(&value)),
                _ => (name, value),
            });
            Value::Object(members.collect())
        }
        other => other,
    }
}

/// Returns a change as a value.
fn as_value(change: &Change<'_>) -> Value {
    let path = |path: &archive::path::Path| Value::from(path.to_string());
    let members = match change {
        Change::Removed(at, old) => {
            vec![("change", "removed".into()), ("path", path(at)), ("old", (*old).clone())]
        }
        Change::Added(at, new) => {
            vec![("change", "added".into()), ("path", path(at)), ("new", (*new).clone())]
        }
        Change::Changed(at, old, new) => vec![
            ("change", "changed".into()),
            ("path", path(at)),
            ("old", (*old).clone()),
            ("new", (*new).clone()),
        ],
        Change::Moved(from, to) => {
            vec![("change", "moved".into()), ("path", path(from)), ("to", path(to))]
        }
    };
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
