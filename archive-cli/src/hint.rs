//! Commands that help after an error. Each of them is tried before it is shown, if that changes
//! nothing.

mod paths;
mod shell;

use std::path::{Path, PathBuf};

use archive::format::Kind;
use archive::path::Pattern;
use archive::{Error, ErrorKind, Value, json};

use crate::args::{Command, Export, Get, Query, Set};
use crate::commands::can_repair;
use crate::edit::{self, Setting};
use crate::input::Input;
use crate::select::select;
use paths::{repaired, similar};
use shell::line;

/// Returns a command to type after an error, if there is one that works.
pub fn after(error: &Error, command: &Command) -> Option<String> {
    let words = match command {
        Command::Get(args) => of_value(error, &args.file, &args.path, &|path| get(args, path)),
        Command::Inspect(args) => {
            let path = args.path.as_deref().unwrap_or_default();
            of_value(error, &args.file, path, &|path| inspect(&args.file, path))
        }
        Command::Edit(args) => {
            let path = args.path.as_deref().unwrap_or_default();
            let edit = |path: &str| Some(words(["edit", &name_of(&args.file)?, path]));
            of_value(error, &args.file, path, &edit)
        }
        Command::Set(args) => of_set(error, args),
        Command::Convert(args) => of_file(error, &args.input),
        Command::Diff(args) => of_file(error, &args.old).or_else(|| of_file(error, &args.new)),
        Command::Schema(args) => of_file(error, &args.file),
        Command::Stats(args) => of_file(error, &args.file),
        Command::Repair(args) => of_folder(&args.file),
        #[cfg(feature = "view")]
        Command::View(args) => of_file(error, &args.file),
        Command::Export(Export { saves, .. }) | Command::Query(Query { saves, .. }) => {
            saves.iter().find_map(|save| of_file(error, save))
        }
        Command::List(_)
        | Command::New(_)
        | Command::Verify(_)
        | Command::Completions(_)
        | Command::Man(_) => None,
    };
    line(words?)
}

/// As [`after`], for one of several files.
pub fn of_file_at(error: &Error, file: &Path) -> Option<String> {
    line(of_file(error, file)?)
}

type Words = Vec<String>;

fn words<const N: usize>(all: [&str; N]) -> Words {
    all.map(str::to_owned).to_vec()
}

/// Returns the name of a file as an argument that does not look like an option.
fn name_of(file: &Path) -> Option<String> {
    let name = file.to_str()?;
    Some(if name.starts_with('-') { format!("./{name}") } else { name.to_owned() })
}

/// Suggests to list a folder, or to repair a damaged file.
fn of_file(error: &Error, file: &Path) -> Option<Words> {
    if let Some(words) = of_folder(file) {
        return Some(words);
    }
    let is_damage = matches!(
        error.kind(),
        ErrorKind::Syntax
            | ErrorKind::UnexpectedEnd
            | ErrorKind::TrailingData
            | ErrorKind::DuplicateMember
    );
    if !is_damage || !file.is_file() || !can_repair(file) {
        return None;
    }
    let output = &free_name(file)?;
    Some(words(["repair", &name_of(file)?, "-o", &name_of(output)?]))
}

fn of_folder(file: &Path) -> Option<Words> {
    if file.is_dir() { Some(words(["list", &name_of(file)?])) } else { None }
}

/// Returns an unused file name.
fn free_name(file: &Path) -> Option<PathBuf> {
    const MAX_NUMBER: u32 = 100;
    let stem = file.file_stem()?.to_str()?;
    let ending = file.extension().and_then(|ending| ending.to_str());
    let named = |number: u32| {
        let number = if number > 1 { number.to_string() } else { String::new() };
        let ending = ending.map(|ending| format!(".{ending}")).unwrap_or_default();
        file.with_file_name(format!("{stem}.repaired{number}{ending}"))
    };
    (1..=MAX_NUMBER).map(named).find(|path| path.symlink_metadata().is_err())
}

/// Opens a file again, unless it is a pipe, which would wait for another writer.
fn opened(file: &Path) -> Option<Input> {
    if file.is_file() { Input::open(file).ok() } else { None }
}

/// Returns the command with a path that exists, or a command that shows the value on the path.
fn of_value(
    error: &Error,
    file: &Path,
    path: &str,
    command: &dyn Fn(&str) -> Option<Words>,
) -> Option<Words> {
    let Some(input) = opened(file) else { return of_file(error, file) };
    let leads = |path: &str| leads(&input, path);
    let candidates = match Pattern::parse(path) {
        Err(_) => repaired(path),
        Ok(_) if error.kind() != ErrorKind::NotFound => return of_file(error, file),
        Ok(pattern) => similar(error, &pattern),
    };
    if let Some(path) = candidates.iter().find(|path| leads(path)) {
        return command(path);
    }
    let Ok(pattern) = Pattern::parse(path) else { return inspect(file, "") };
    let steps = pattern.steps();
    let starts = (0..steps.len()).rev().map(|len| paths::text_of(&steps[..len]));
    let start = starts.into_iter().find(|start| leads(start))?;
    inspect(file, &start)
}

fn leads(input: &Input, path: &str) -> bool {
    let Ok(pattern) = Pattern::parse(path) else { return false };
    input.read(|from| select(from, &pattern, &mut |from, _| from.skip())).is_ok()
}

fn get(args: &Get, path: &str) -> Option<Words> {
    let mut words = words(["get", &name_of(&args.file)?, path]);
    for (is_set, option) in [
        (args.raw, "--raw"),
        (args.paths, "--paths"),
        (args.compact, "--compact"),
        (args.json, "--json"),
    ] {
        if is_set {
            words.push(option.to_owned());
        }
    }
    Some(words)
}

fn inspect(file: &Path, path: &str) -> Option<Words> {
    let mut words = words(["inspect", &name_of(file)?]);
    if !path.is_empty() {
        words.push(path.to_owned());
    }
    Some(words)
}

/// Returns the command with another path, with `--text` or with `--add`, if that changes the file.
fn of_set(error: &Error, args: &Set) -> Option<Words> {
    let Some(input) = opened(&args.file) else { return of_file(error, &args.file) };
    let tried = |path: &str, is_text: bool, adds: bool| {
        if path != args.path && !is_alike(&input, path, &args.value, is_text) {
            return None;
        }
        works(&input, path, &args.value, is_text, adds).then(|| set(args, path, is_text, adds))?
    };
    let is_value = is_value(&args.value) || args.text;
    let Ok(pattern) = Pattern::parse(&args.path) else {
        return repaired(&args.path).iter().find_map(|path| tried(path, !is_value, args.add));
    };
    if !is_value && !args.value.starts_with(['{', '[', '"']) {
        return [args.add, true].into_iter().find_map(|adds| tried(&args.path, true, adds));
    }
    if error.kind() != ErrorKind::NotFound || args.value == "-" {
        return of_file(error, &args.file);
    }
    similar(error, &pattern)
        .iter()
        .find_map(|path| tried(path, args.text, false))
        .or_else(|| tried(&args.path, args.text, true))
        .or_else(|| of_value(error, &args.file, &args.path, &|_| None))
}

fn is_value(text: &str) -> bool {
    json::from_str::<Value>(text).is_ok()
}

/// Returns whether a value is of the kind of the first one at a path.
fn is_alike(input: &Input, path: &str, text: &str, is_text: bool) -> bool {
    let Ok(pattern) = Pattern::parse(path) else { return false };
    let mut kind = None;
    let found = input.read(|from| {
        select(from, &pattern, &mut |from, _| {
            kind.get_or_insert(from.peek()?);
            from.skip()
        })
    });
    let new = match json::from_str::<Value>(text) {
        _ if is_text => Kind::Str,
        Ok(Value::Null) => Kind::Null,
        Ok(Value::Bool(_)) => Kind::Bool,
        Ok(Value::Number(_)) => Kind::Number,
        Ok(Value::Str(_)) => Kind::Str,
        Ok(Value::Array(_)) => Kind::Seq,
        Ok(_) => Kind::Object,
        Err(_) => return false,
    };
    found.is_ok() && kind == Some(new)
}

/// Returns whether a value can be set, without changing the file.
fn works(input: &Input, path: &str, text: &str, is_text: bool, adds: bool) -> bool {
    let text = if is_text { Value::from(text).to_string() } else { text.to_owned() };
    let Ok(pattern) = Pattern::parse(path) else { return false };
    let Ok(setting) = Setting::parse(pattern, text, adds) else { return false };
    let changes = edit::at_all(input, &setting);
    changes.is_ok_and(|changes| edit::is_allowed(input, &changes))
}

fn set(args: &Set, path: &str, is_text: bool, adds: bool) -> Option<Words> {
    let mut all = words(["set", &name_of(&args.file)?, path]);
    if is_text {
        all.push("--text".to_owned());
    }
    all.push(args.value.clone());
    if adds {
        all.push("--add".to_owned());
    }
    if let Some(output) = &args.write.output {
        all.extend(words(["-o", &name_of(output)?]));
    }
    if let Some(backups) = args.write.backups {
        all.extend(words(["--backups", &backups.to_string()]));
    }
    if args.write.json {
        all.push("--json".to_owned());
    }
    Some(all)
}
