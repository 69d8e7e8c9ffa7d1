//! `archive verify`.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use archive::bins::Collection;
use archive::save::SaveFile;
use archive::store::Store;
use archive::store::storage::Redb;
use archive::{Error, ErrorKind, Result};

use crate::args::Verify;
use crate::input::{Joined, Kind, Source, options};
use crate::nothing::Nothing;
use crate::pump::{Out, Twice};
use crate::stream::{hand_on, whole};
use crate::{Outcome, complaint, output, show};

const GOOD: Style = AnsiColor::Green.on_default().bold();

pub fn verify(args: &Verify) -> Result<Outcome> {
    let mut outcome = Outcome::Done;
    let mut unread = None;
    for file in &args.files {
        match check(file) {
            Ok(what) if args.quiet => drop(what),
            Ok(what) => {
                output::print(&format!("{}: {GOOD}ok{GOOD:#} ({what})\n", file.display()))?;
            }
            Err(error) if error.kind() == ErrorKind::Io => {
                unread.get_or_insert(error);
            }
            Err(error) => {
                complaint::print(&error);
                outcome = Outcome::Found;
            }
        }
    }
    unread.map_or(Ok(outcome), Err)
}

/// Reads all of a file, and returns what it is.
fn check(path: &Path) -> Result<String> {
    let source = Source::open(path)?;
    match (source.kind, &source.path) {
        (Kind::Rows, Some(path)) => {
            let name = source.name.clone();
            let check = || {
                let store = Store::over_with(Redb::open_read_only(path)?, &options())?;
                store.check()?;
                let rows: u64 = store.classes().iter().map(|class| class.rows).sum();
                Ok(format!("object store, {rows} rows"))
            };
            check().map_err(|error: Error| error.in_file(name))
        }
        (Kind::Save, Some(path)) => {
            SaveFile::new(path).read_body()?;
            loaded(source)
        }
        (Kind::Value(_), _) if source.len.is_some_and(|len| len > crate::stream::LONG) => {
            let what = show::bytes(source.len.unwrap_or(0));
            let name = source.name.clone();
            read(&name, |out| hand_on(source, out))?;
            Ok(what)
        }
        _ => loaded(source),
    }
}

/// Reads a file. A name that occurs twice is allowed in JSON, and not in what a program loads.
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

fn loaded(source: Source) -> Result<String> {
    let input = source.load()?;
    read(&input.place_of_bytes(), |out| whole(&input, out))?;
    let size = show::bytes(input.bytes.len() as u64);
    Ok(match &input.joined {
        Some(Joined::Objects(bytes)) => {
            format!("{} packed objects", Collection::read(bytes).count())
        }
        _ => format!("{}, {size}", input.kind()),
    })
}
