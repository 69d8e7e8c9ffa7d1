//! `archive verify`.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use archive::bins::Collection;
use archive::save::SaveFile;
use archive::store::Store;
use archive::store::storage::Redb;
use archive::{Error, ErrorKind, Result, Value, json};

use crate::args::Verify;
use crate::input::{Joined, Kind, Source, format_name, options};
use crate::json_output::{self, object};
use crate::nothing::Nothing;
use crate::pump::{Out, Twice};
use crate::stream::{copy, whole};
use crate::terminal::safe;
use crate::{Outcome, complaint, hint, output, show, typing};

const GOOD: Style = AnsiColor::Green.on_default().bold();

pub fn verify(args: &Verify) -> Result<Outcome> {
    let (mut is_damaged, mut is_unread) = (false, false);
    let mut all = Vec::new();
    let ty = typing::ty(&args.typing)?;
    for file in &args.files {
        let fits = || ty.map_or(Ok(()), |ty| typing::verify(&Source::open(file)?.load()?, ty));
        let checked = check(file).and_then(|good| fits().map(|()| good));
        if args.json {
            all.push(as_value(file, &checked));
        }
        match checked {
            Ok(_) if args.quiet || args.json => {}
            Ok(found) => {
                let (file, what) = (file.display().to_string(), found.text());
                output::print(&format!("{}: {GOOD}ok{GOOD:#} ({what})\n", safe(&file)))?;
            }
            Err(error) => {
                let is_of_system = error.kind() == ErrorKind::Io;
                is_unread |= is_of_system;
                is_damaged |= !is_of_system;
                if !args.json {
                    complaint::print(&error, hint::of_file_at(&error, file).as_deref());
                }
            }
        }
    }
    if args.json {
        output::print_json(&json::to_string_pretty(&Value::Array(all))?)?;
    }
    Ok(match (is_unread, is_damaged) {
        (true, _) => Outcome::Failed,
        (_, true) => Outcome::Found,
        _ => Outcome::Done,
    })
}

/// A good file.
struct Good {
    kind: String,
    size: Option<u64>,
    /// The number of rows or packed objects, and what to call them.
    count: Option<(u64, &'static str)>,
}

impl Good {
    fn text(&self) -> String {
        let size = self.size.map(|size| format!(", {}", show::bytes(size)));
        let count = self.count.map(|(count, what)| match count {
            1 => format!(", 1 {}", what.trim_end_matches('s')),
            count => format!(", {count} {what}"),
        });
        format!("{}{}{}", self.kind, count.unwrap_or_default(), size.unwrap_or_default())
    }
}

fn as_value(file: &Path, checked: &Result<Good>) -> Value {
    let name = Value::from(file.display().to_string());
    let good = match checked {
        Ok(good) => good,
        Err(error) => {
            let is_of_system = error.kind() == ErrorKind::Io;
            let state = if is_of_system { "unreadable" } else { "damaged" };
            return object([
                ("file", name),
                ("state", state.into()),
                ("error", json_output::error(error)),
            ]);
        }
    };
    let about = object([
        ("file", name),
        ("state", "good".into()),
        ("kind", good.kind.as_str().into()),
        ("size", good.size.map_or(Value::Null, Value::from)),
    ]);
    match good.count {
        Some((count, what)) => json_output::extended(about, object([(what, count.into())])),
        None => about,
    }
}

/// Reads a whole file, and returns its kind.
fn check(path: &Path) -> Result<Good> {
    let source = Source::open(path)?;
    match (source.kind, &source.path) {
        (Kind::Rows, Some(path)) => {
            let name = source.name.clone();
            let check = || {
                let store = Store::over_with(Redb::open_read_only(path)?, &options())?;
                store.check()?;
                let rows: u64 = store.classes().iter().map(|class| class.rows).sum();
                Ok(Good {
                    kind: "object store".into(),
                    size: source.len,
                    count: Some((rows, "rows")),
                })
            };
            check().map_err(|error: Error| error.in_file(name))
        }
        (Kind::Save, Some(path)) => {
            SaveFile::new(path).read_body()?;
            loaded(source)
        }
        (Kind::Value(format), _) if source.len.is_some_and(|len| len > crate::stream::LONG) => {
            let (name, size) = (source.name.clone(), source.len);
            let kind = format_name(format).to_owned();
            read(&name, |out| copy(source, out))?;
            Ok(Good { kind, size, count: None })
        }
        _ => loaded(source),
    }
}

/// Reads a file. JSON allows a duplicate name, but programs refuse to load it.
fn read(name: &str, read: impl FnOnce(&mut Out<'_, Nothing>) -> Result) -> Result {
    let mut nothing = Nothing;
    let mut out = Out::new(&mut nothing);
    out.twice = Twice::Noted(None);
    read(&mut out)?;
    if let Twice::Noted(Some(error)) = out.twice {
        complaint::warn(&error.in_file(name).to_string());
    }
    Ok(())
}

fn loaded(source: Source) -> Result<Good> {
    let input = source.load()?;
    read(&input.place_of_bytes(), |out| whole(&input, out))?;
    let (size, count) = match &input.joined {
        Some(Joined::Objects(bytes)) => {
            let count = Collection::read(bytes).count() as u64;
            (bytes.len(), Some((count, "objects")))
        }
        _ => (input.bytes.len(), None),
    };
    Ok(Good { kind: input.kind(), size: Some(size as u64), count })
}
