//! [`Saves`]: the files whose tables are made.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use archive::binary::inspect_types_with;
use archive::format::Encoder;
use archive::path::{Path as ValuePath, Step};
use archive::shape::Shape;
use archive::store::Store;
use archive::store::storage::Redb;
use archive::{Error, ErrorKind, Format, Result};
use tempfile::{NamedTempFile, TempPath};

use super::found::Found;
use super::kinds::Kinds;
use super::recorder::{OnRow, Recorder};
use super::types::Types;
use super::{Row, Sink, Tables, stated};
use crate::current::Stamp;
use crate::input::{Kind, Source, options};
use crate::interrupt::{Guard, guarded};
use crate::progress::Progress;
use crate::pump::Out;
use crate::stream;

/// Files of any format.
pub struct Saves {
    files: Vec<Save>,
    len: u64,
}

/// A file.
struct Save {
    name: String,
    path: PathBuf,
    /// The copy at the path, if the file can be read only once.
    _copy: Option<(TempPath, Guard)>,
    /// Is there once the file was read.
    stamp: Cell<Option<Stamp>>,
}

/// What is done with a file: with its types, which return whether its rows are needed, and with its rows.
trait Visit {
    fn types(&mut self, types: &Types, class: Option<&str>) -> bool;
    fn row(&mut self, save: &str, row: &Row<'_>) -> Result;
}

impl Saves {
    /// Copies files that can be read only once: standard input and pipes.
    ///
    /// # Errors
    /// Those of such files, and of their copies.
    pub fn new(files: &[PathBuf]) -> Result<Self> {
        let files: Vec<Save> = files.iter().map(|file| Save::new(file)).collect::<Result<_>>()?;
        let len = |file: &Save| Some(std::fs::metadata(&file.path).ok()?.len());
        let len = files.iter().filter_map(len).sum();
        Ok(Saves { files, len })
    }

    /// Returns the tables of all files.
    ///
    /// # Errors
    /// Those of the files.
    pub fn tables(&self) -> Result<Tables> {
        let mut finder = Finder::default();
        self.visit(&mut finder)?;
        Ok(finder.found.finish())
    }

    /// Writes the rows of all files.
    ///
    /// # Errors
    /// Those of the files and of the sink, and [`ErrorKind::Conflict`] if a file was changed since its tables were
    /// found.
    pub fn rows(&self, tables: &Tables, sink: &mut dyn Sink) -> Result {
        let mut writer = Writer { tables, sink, failed: None };
        let done = self.visit(&mut writer);
        match writer.failed {
            Some(error) => Err(error),
            None => done,
        }
    }

    fn visit(&self, visit: &mut dyn Visit) -> Result {
        let progress = Progress::of_files(self.len);
        for save in &self.files {
            let before = save.current_stamp();
            let known = save.stamp.replace(before).or(before);
            let done = of_file(save, visit);
            if known != before || known != save.current_stamp() {
                let message = "the file has changed while it was read: try again";
                return Err(Error::new(ErrorKind::Conflict, message).in_file(&save.name));
            }
            done?;
            let len = std::fs::metadata(&save.path).map_or(0, |file| file.len());
            progress.add(usize::try_from(len).unwrap_or(0));
        }
        Ok(())
    }
}

impl Save {
    fn new(file: &Path) -> Result<Save> {
        let is_stdin = file == Path::new("-");
        let name = if is_stdin { "standard input".to_owned() } else { file.display().to_string() };
        let is_stream =
            is_stdin || std::fs::metadata(file).is_ok_and(|meta| !meta.is_file() && !meta.is_dir());
        let (mut path, mut copied) = (file.to_owned(), None);
        if is_stream {
            let copy = || -> io::Result<_> {
                let (mut copy, guard) = guarded(NamedTempFile::new)?;
                match is_stdin {
                    true => io::copy(&mut io::stdin(), &mut copy)?,
                    false => io::copy(&mut File::open(file)?, &mut copy)?,
                };
                Ok((copy.into_temp_path(), guard))
            };
            let copy = copy().map_err(|error| Error::io(error).in_file(&name))?;
            path = copy.0.to_path_buf();
            copied = Some(copy);
        }
        Ok(Save { name, path, _copy: copied, stamp: Cell::new(None) })
    }

    /// Returns the stamp of the file. One that cannot be read has none, and is an error once it is opened.
    fn current_stamp(&self) -> Option<Stamp> {
        std::fs::metadata(&self.path).ok().and_then(|file| Stamp::of(&file))
    }
}

/// Finds the tables.
#[derive(Default)]
struct Finder {
    found: Found,
}

impl Visit for Finder {
    fn types(&mut self, types: &Types, class: Option<&str>) -> bool {
        stated::add(types, class, &mut self.found);
        types.are_open()
    }

    fn row(&mut self, _: &str, row: &Row<'_>) -> Result {
        self.found.add(row.table, Kinds::of(row.tape, row.at));
        Ok(())
    }
}

/// Writes the rows.
struct Writer<'a> {
    tables: &'a Tables,
    sink: &'a mut dyn Sink,
    /// The error of the sink, which is not about the save.
    failed: Option<Error>,
}

impl Visit for Writer<'_> {
    fn types(&mut self, _: &Types, _: Option<&str>) -> bool {
        true
    }

    fn row(&mut self, save: &str, row: &Row<'_>) -> Result {
        let table = self.tables.find(row.table);
        let table = table.ok_or_else(|| super::columns::no_column(row.table))?;
        if !self.sink.takes(table) {
            return Ok(());
        }
        self.sink.row(table, save, row).map_err(|error| match error.kind() {
            ErrorKind::WrongType => error,
            kind => {
                self.failed = Some(error);
                Error::new(kind, "the output failed")
            }
        })
    }
}

fn of_file(save: &Save, visit: &mut dyn Visit) -> Result {
    let mut source = Source::open(&save.path)?;
    let name = save.name.clone();
    source.name.clone_from(&name);
    if let (Kind::Rows, Some(path)) = (source.kind, &source.path) {
        return of_store(path, &name, visit).map_err(|error| error.in_file(&name));
    }
    // Long text is not kept in memory.
    if source.kind == Kind::Value(Format::Json) {
        return record(&Types::none(), visit, &name, |to| stream::copy(source, &mut Out::new(to)));
    }
    let input = source.load()?;
    let types = match (input.format, &input.joined) {
        (Format::Binary, None) => {
            let stated = inspect_types_with(&input.bytes, &options());
            Types::new(&stated.map_err(|error| error.in_file(input.place_of_bytes()))?)
        }
        _ => Types::none(),
    };
    record(&types, visit, &name, |to| stream::whole(&input, &mut Out::new(to)))
}

/// Reads a file without row keys.
fn record(
    types: &Types,
    visit: &mut dyn Visit,
    name: &str,
    copy: impl FnOnce(&mut Recorder<'_>) -> Result,
) -> Result {
    if !visit.types(types, None) {
        return Ok(());
    }
    let mut on_row = |row: &Row<'_>| visit.row(name, row);
    let mut recorder = Recorder::of_file(types, &mut on_row);
    copy(&mut recorder)?;
    recorder.finish().map_err(|error| error.in_file(name))
}

fn of_store(path: &Path, name: &str, visit: &mut dyn Visit) -> Result {
    let store = Store::over_with(Redb::open_read_only(path)?, &options())?;
    let mut classes = Vec::new();
    let mut names = HashMap::new();
    for class in store.classes() {
        let name: Rc<str> = class.name.into();
        let mut all = Vec::new();
        for stated in &store.row_types(&name)? {
            let types = Types::new(&stated.inspect()?);
            names.extend(types.root_class().map(|of| (of, name.clone())));
            all.push(types);
        }
        classes.push((name, all));
    }
    for (class, mut all) in classes {
        let mut is_needed = false;
        for types in &mut all {
            types.rename(&names);
            is_needed |= visit.types(types, Some(&class));
        }
        if !is_needed {
            continue;
        }
        store.decode_rows(&class, |key, version, decoder| {
            let on_row: OnRow<'_> = &mut |row: &Row<'_>| visit.row(name, row);
            let mut recorder = Recorder::of_row(&all[version], &class, key, on_row);
            recorder.begin_root(&Shape::Any)?;
            Out::new(&mut recorder).pump(decoder)?;
            recorder.finish()
        })?;
    }
    Ok(())
}

impl Row<'_> {
    /// Returns the path of the object in its save.
    pub fn path(&self) -> String {
        let path = self.place.path();
        let steps = path.steps();
        let start = steps.iter().rposition(|step| matches!(step, Step::Object(_)));
        ValuePath::from(steps[start.unwrap_or(0)..].to_vec()).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Sink for u32 {
        fn row(&mut self, _: usize, _: &str, _: &Row<'_>) -> Result {
            *self += 1;
            Ok(())
        }
    }

    #[test]
    fn a_file_that_changes_meanwhile_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut rows) = (folder.path().join("a.json"), 0_u32);
        std::fs::write(&path, "[{\"a\":1}]").unwrap();
        let saves = Saves::new(std::slice::from_ref(&path)).unwrap();
        let tables = saves.tables().unwrap();
        saves.rows(&tables, &mut rows).unwrap();
        assert_eq!(rows, 1);
        for text in ["[{\"a\":1},{\"b\":2}]", "["] {
            std::fs::write(&path, text).unwrap();
            let error = saves.rows(&tables, &mut rows).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
            assert!(error.to_string().contains("a.json: the file has changed"), "{error}");
        }
    }
}
