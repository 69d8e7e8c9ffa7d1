//! `archive edit`.

mod comment;
mod editor;

use std::path::PathBuf;

use archive::path::{Path, Pattern};
use archive::{Error, ErrorKind, Format, Result, Value, json};

use crate::args::Edit;
use crate::commands::get;
use crate::edit::{Change, change, check_references, find_all};
use crate::input::{Input, explain_limit, tree_options};
use crate::interrupt::guarded;
use crate::select::select;
use crate::stream;
use crate::tree::identical;
use crate::write_back::{Written, write_back};
use crate::{Outcome, output};
use comment::{about, about_new, below, without};
use editor::run_editor;

pub fn edit(args: &Edit) -> Result<Outcome> {
    let path = Path::parse(args.path.as_deref().unwrap_or_default())?;
    let mut opened = Opened::open(args, &path)?;
    let file = guarded(|| tempfile::Builder::new().prefix("archive-").suffix(".json").tempfile());
    let (file, _guard) = file.map_err(Error::io)?;
    let (mut comment, mut shown) = (String::new(), opened.text.clone());
    // The edited text that could not be written because the file changed meanwhile.
    let mut outdated: Option<PathBuf> = None;
    loop {
        std::fs::write(file.path(), format!("{comment}{shown}")).map_err(Error::io)?;
        run_editor(file.path())?;
        let edited = std::fs::read_to_string(file.path()).map_err(|error| {
            let message = format!("cannot read the edited text: {error}; nothing was changed");
            Error::with_source(ErrorKind::Io, message, error)
        })?;
        let text = without(&comment, &edited);
        if text == opened.text || text.trim().is_empty() {
            return match outdated {
                Some(kept) => Err(opened.was_changed(&kept)),
                None => report(args, &opened.input, Written::Same),
            };
        }
        match opened.apply(args, &path, text) {
            Ok(written @ (Written::Changed | Written::Same)) => {
                return report(args, &opened.input, written);
            }
            Ok(Written::Outdated) => {
                let kept = keep(text)?;
                opened = Opened::open(args, &path)?;
                comment = about_new(&kept);
                shown.clone_from(&opened.text);
                outdated = Some(kept);
            }
            // The user gave up. The editor may have reformatted the comment.
            Err(error) if !comment.is_empty() && below(text) == below(&shown) => {
                let is_lost = error.kind() == ErrorKind::Io;
                let error = if is_lost { kept(error, text) } else { error };
                return Err(given_up(error));
            }
            Err(error) => {
                comment = about(&error);
                shown = text.to_owned();
            }
        }
    }
}

/// Prints the result as JSON, for programs.
fn report(args: &Edit, input: &Input, written: Written) -> Result<Outcome> {
    if args.write.json {
        // Without a change, nothing is written.
        let output = args.write.output.as_deref().filter(|_| written == Written::Changed);
        output::report_change(input, output, written, [])?;
    }
    Ok(Outcome::Done)
}

/// Keeps an edited text that cannot be written.
fn keep(text: &str) -> Result<PathBuf> {
    let file = tempfile::Builder::new().prefix("archive-edited-").suffix(".json").tempfile();
    let (_, path) = file.map_err(Error::io)?.keep().map_err(|error| Error::io(error.error))?;
    std::fs::write(&path, text).map_err(Error::io)?;
    Ok(path)
}

#[cold]
fn kept(error: Error, text: &str) -> Error {
    let Ok(path) = keep(text) else { return error };
    let message = format!("{}; the edited text is in {}", error.message(), path.display());
    error.in_words_of(Error::new(ErrorKind::Io, message))
}

#[cold]
fn given_up(error: Error) -> Error {
    let message =
        format!("{}; the text was saved unchanged, so nothing was written", error.message());
    let kind = error.kind();
    error.in_words_of(Error::new(kind, message))
}

/// A file, and the text of the part that is edited.
struct Opened {
    input: Input,
    /// Whether the file itself is that text.
    is_text: bool,
    text: String,
}

impl Opened {
    fn open(args: &Edit, path: &Path) -> Result<Opened> {
        let input = Input::open(&args.file)?;
        let is_text = input.format == Format::Json && input.joined.is_none() && path.is_empty();
        let text = if is_text { text_of(&input)? } else { part(&input, path)? };
        Ok(Opened { input, is_text, text })
    }

    /// Writes the differences between the text and the edited one.
    fn apply(&self, args: &Edit, path: &Path, text: &str) -> Result<Written> {
        let input = &self.input;
        if self.is_text {
            stream::check(Format::Json, text.as_bytes())?;
            check_references(Format::Json, &input.bytes, text.as_bytes())?;
            return write_back(input, Some(text.as_bytes().to_vec()), &args.write);
        }
        change(input, &changes(input, path, &self.text, text)?, &args.write)
    }

    #[cold]
    fn was_changed(&self, kept: &std::path::Path) -> Error {
        let message = format!(
            "another program changed the file while it was edited, so nothing was written; the edited text is in {}",
            kept.display()
        );
        Error::new(ErrorKind::Io, message).in_file(&self.input.name)
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
        (Format::MessagePack, None) => {
            differences(&old, &new, &mut Path::new(), &mut changes);
            find_all(input, path, &mut changes)?;
        }
        (Format::MessagePack, Some(_)) => {
            differences(&old, &new, &mut path.clone(), &mut changes);
        }
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
