//! `archive edit`.

mod comment;
mod editor;

use archive::path::{Path, Pattern};
use archive::{Error, ErrorKind, Format, Options, Result, Value, json};

use crate::Outcome;
use crate::args::Edit;
use crate::commands::get;
use crate::edit::{Change, apply};
use crate::input::{Input, Joined, options};
use crate::select::select;
use crate::tree::identical;
use crate::write_back::write_back;
use comment::{with_comment, without_comment};
use editor::run_editor;

pub fn edit(args: &Edit) -> Result<Outcome> {
    let input = Input::open(&args.file)?;
    if let Some(Joined::Rows) = input.joined {
        let message = "an object store is changed row by row: use `set`";
        return Err(Error::new(ErrorKind::Unsupported, message).in_file(&input.name));
    }
    let path = Path::parse(args.path.as_deref().unwrap_or_default())?;
    let is_text = input.format == Format::Json && input.joined.is_none() && path.is_empty();
    let original = if is_text { text_of(&input)? } else { part(&input, &path)? };
    let file = tempfile::Builder::new().prefix("archive-").suffix(".json").tempfile();
    let file = file.map_err(Error::io)?;
    let mut shown = original.clone();
    loop {
        std::fs::write(file.path(), &shown).map_err(Error::io)?;
        run_editor(file.path())?;
        let edited = std::fs::read_to_string(file.path()).map_err(Error::io)?;
        let text = without_comment(&edited);
        if text == original || text.trim().is_empty() {
            return Ok(Outcome::Done);
        }
        match changed(&input, &path, &original, text, is_text) {
            Ok(bytes) => {
                write_back(&input, bytes, &args.write)?;
                return Ok(Outcome::Done);
            }
            // It was not corrected.
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

/// Returns the bytes of the file with a text in the place of the one that was edited.
fn changed(
    input: &Input,
    path: &Path,
    original: &str,
    text: &str,
    is_text: bool,
) -> Result<Option<Vec<u8>>> {
    let reading = options();
    let new: Value = json::from_str_with(text, &reading)?;
    if is_text {
        return Ok(Some(text.as_bytes().to_vec()));
    }
    let old: Value = json::from_str_with(original, &Options::new().max_elements(u64::MAX))?;
    let mut changes = Vec::new();
    match (input.format, &input.joined) {
        // Each value is a range of bytes there.
        (Format::MessagePack, None) | (_, Some(Joined::Objects(_))) => {
            differences(&old, &new, &mut path.clone(), &mut changes);
        }
        (Format::Json, _) => {
            let text = Some(text.trim().to_owned());
            changes.push(Change { path: path.clone(), value: new, text });
        }
        _ => changes.push(Change { path: path.clone(), value: new, text: None }),
    }
    apply(input, &changes)
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
        _ => found.push(Change { path: at.clone(), value: new.clone(), text: None }),
    }
}
