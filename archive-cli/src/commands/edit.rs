//! `archive edit`.

mod comment;
mod editor;

use archive::path::{Path, Pattern};
use archive::{Error, ErrorKind, Format, Result, Value, json};

use crate::Outcome;
use crate::args::Edit;
use crate::commands::get;
use crate::edit::{Change, change};
use crate::input::{Input, explain_limit, options, tree_options};
use crate::select::select;
use crate::tree::identical;
use crate::write_back::write_back;
use comment::{with_comment, without_comment};
use editor::run_editor;

pub fn edit(args: &Edit) -> Result<Outcome> {
    let input = Input::open(&args.file)?;
    let path = Path::parse(args.path.as_deref().unwrap_or_default())?;
    let is_text = input.format == Format::Json && input.joined.is_none() && path.is_empty();
    let original = if is_text { text_of(&input)? } else { part(&input, &path)? };
    let file = tempfile::Builder::new().prefix("archive-").suffix(".json").tempfile();
    let file = file.map_err(Error::io)?;
    let mut shown = original.clone();
    loop {
        std::fs::write(file.path(), &shown).map_err(Error::io)?;
        run_editor(file.path())?;
        let edited = std::fs::read_to_string(file.path()).map_err(|error| {
            let message =
                format!("cannot read what the editor has saved: {error}; nothing was changed");
            Error::with_source(ErrorKind::Io, message, error)
        })?;
        let text = without_comment(&edited);
        if text == original || text.trim().is_empty() {
            return Ok(Outcome::Done);
        }
        let done = if is_text {
            json::from_str_with::<Value>(text, &options())
                .and_then(|_| write_back(&input, Some(text.as_bytes().to_vec()), &args.write))
        } else {
            changes(&input, &path, &original, text)
                .and_then(|changes| change(&input, &changes, &args.write))
        };
        match done {
            Ok(()) => return Ok(Outcome::Done),
            // The user gave up.
            Err(error) if edited == shown => return Err(error),
            Err(error) => shown = with_comment(text, &error),
        }
    }
}

fn text_of(input: &Input) -> Result<String> {
    String::from_utf8(input.bytes.clone())
        .map_err(|error| Error::new(ErrorKind::Syntax, error).in_file(&input.name))
}

/// Returns the value at a path as indented JSON.
fn part(input: &Input, path: &Path) -> Result<String> {
    let mut text = Vec::new();
    input.read(|from| {
        select(from, &Pattern::from(path.clone()), &mut |from, _| {
            text = get::json(from, true)?;
            text.push(b'\n');
            Ok(())
        })
    })?;
    String::from_utf8(text).map_err(|error| Error::new(ErrorKind::Syntax, error))
}

/// Returns the changes from the original text to the edited one.
fn changes(input: &Input, path: &Path, original: &str, text: &str) -> Result<Vec<Change>> {
    let new: Value = json::from_str_with(text, &tree_options(text.len())).map_err(explain_limit)?;
    let old: Value = json::from_str_with(original, &tree_options(original.len()))?;
    let mut changes = Vec::new();
    match (input.format, &input.joined) {
        // Values that did not change are not written.
        (Format::MessagePack, _) => differences(&old, &new, &mut path.clone(), &mut changes),
        (Format::Json, _) => {
            let text = Some(text.trim().to_owned());
            changes.push(Change { text, ..Change::of(path.clone(), new) });
        }
        _ => changes.push(Change::of(path.clone(), new)),
    }
    Ok(changes)
}

/// Collects the smallest values that differ.
fn differences(old: &Value, new: &Value, at: &mut Path, found: &mut Vec<Change>) {
    match (old, new) {
        (Value::Object(before), Value::Object(after))
            if before.len() == after.len()
                && before.iter().zip(after).all(|((old, _), (new, _))| old == new) =>
        {
            for ((name, old), (_, new)) in before.iter().zip(after) {
                at.push(name.as_str());
                differences(old, new, at, found);
                at.pop();
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (index, (old, new)) in before.iter().zip(after).enumerate() {
                at.push(index);
                differences(old, new, at, found);
                at.pop();
            }
        }
        _ if identical(old, new) => {}
        _ => found.push(Change::of(at.clone(), new.clone())),
    }
}
