//! `archive repair`.

mod msgpack;
mod save;
mod text;
mod typed;

use std::path::Path;

use archive::bins::Collection;
use archive::store::storage::{Redb, Storage as _, export_path};
use archive::{Error, ErrorKind, Format, Result, Value};

use crate::args::Repair;
use crate::complaint::{self, warn};
use crate::input::{Kind, Source, bins_format};
use crate::json_output::object;
use crate::terminal::safe;
use crate::{Outcome, output};

pub fn repair(args: &Repair) -> Result<Outcome> {
    let source = Source::open(&args.file)?;
    output::keep_input(&args.file, &args.output)?;
    let name = source.name.clone();
    match (source.kind, &source.path) {
        (Kind::Save, Some(path)) => save::repair(path, args),
        (Kind::Rows, Some(path)) => store(path, args),
        (Kind::Save | Kind::Rows, None) => {
            let message = "repairing this needs the other files in its folder, so it cannot be read from standard input";
            Err(Error::new(ErrorKind::Unsupported, message).in_file(name))
        }
        (Kind::Value(format), _) if format == bins_format() => {
            objects(&name, &source.read_bytes()?, args)
        }
        (Kind::Value(format @ (Format::Json | Format::MessagePack)), _) => {
            let bytes = source.read_bytes()?;
            let (text, lost) = text::up_to_the_hole(format, &bytes, &name)?;
            output::write(&args.output, &text)?;
            outcome(&name, &lost, args)
        }
        (Kind::Value(format), _) => {
            let bytes = source.read_bytes()?;
            let (kept, lost) = typed::up_to_the_damage(format, &bytes, &name)?;
            output::write(&args.output, &kept)?;
            outcome(&name, &lost, args)
        }
    }
}

/// Returns whether a part of a file can be kept.
pub fn can_repair(path: &Path) -> bool {
    let Ok(source) = Source::open(path) else { return false };
    let Kind::Value(format) = source.kind else {
        return source.kind == Kind::Save && save::can_repair(path);
    };
    let name = source.name.clone();
    let Ok(bytes) = source.read_bytes() else { return false };
    match format {
        Format::Json | Format::MessagePack => text::up_to_the_hole(format, &bytes, &name).is_ok(),
        format if format == bins_format() => !Collection::recover(&bytes).0.objects.is_empty(),
        format => typed::up_to_the_damage(format, &bytes, &name).is_ok(),
    }
}

/// Prints what was lost, and returns the outcome.
fn outcome(name: &str, lost: &[String], args: &Repair) -> Result<Outcome> {
    let is_to_stdout = args.output == Path::new("-");
    if args.json {
        let lost: Value = lost.iter().map(|lost| Value::from(lost.as_str())).collect();
        let about = object([
            ("file", name.into()),
            ("output", args.output.display().to_string().into()),
            ("lost", lost),
        ]);
        output::report(&args.output, &about)?;
    } else {
        let mut text = match lost {
            [] => format!("{}: not damaged\n", safe(name)),
            lost => lost.iter().map(|lost| format!("lost: {}\n", safe(lost))).collect(),
        };
        if !lost.is_empty() && !is_to_stdout {
            text += &format!("kept: {}\n", safe(&args.output.display().to_string()));
        }
        if is_to_stdout { complaint::say(text.trim_end()) } else { output::print(&text)? }
    }
    Ok(if lost.is_empty() { Outcome::Done } else { Outcome::Found })
}

/// Keeps the undamaged packed objects.
fn objects(name: &str, bytes: &[u8], args: &Repair) -> Result<Outcome> {
    let (kept, damage) = Collection::recover(bytes);
    if damage.is_empty() {
        output::write(&args.output, bytes)?;
        return outcome(name, &[], args);
    }
    if kept.objects.is_empty() {
        let error = damage.into_iter().next().unwrap_or_else(|| Error::custom("it is empty"));
        return Err(error.in_file(name));
    }
    output::write(&args.output, &kept.to_bytes()?)?;
    let kept = kept.objects.len();
    let mut lost: Vec<String> = damage.iter().map(Error::to_string).collect();
    lost.push(format!("nothing else: {kept} objects were kept"));
    outcome(name, &lost, args)
}

/// Uses the last export of an object store.
fn store(path: &Path, args: &Repair) -> Result<Outcome> {
    let name = path.display().to_string();
    let check = |path: &Path| Redb::open_read_only(path).and_then(|store| store.check());
    let Err(error) = check(path) else {
        output::write(&args.output, &std::fs::read(path).map_err(Error::io)?)?;
        return outcome(&name, &[], args);
    };
    if error.kind() != ErrorKind::Syntax {
        return Err(error);
    }
    let export = export_path(path);
    check(&export).map_err(|of_export| {
        warn(&format!("the export {} cannot be used either: {of_export}", export.display()));
        error
    })?;
    output::write(&args.output, &std::fs::read(&export).map_err(Error::io)?)?;
    let saved = std::fs::metadata(&export).and_then(|file| file.modified()).map_err(Error::io)?;
    let date = crate::show::date(saved);
    outcome(
        &name,
        &[format!("everything after {date}, when {} was written", export.display())],
        args,
    )
}
