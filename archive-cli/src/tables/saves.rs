//! [`Saves`]: the files whose tables are made.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use archive::binary::inspect_types_with;
use archive::format::Encoder;
use archive::path::{Path as ValuePath, Step};
use archive::shape::Shape;
use archive::store::Store;
use archive::store::storage::Redb;
use archive::{Format, Result};

use super::columns::Found;
use super::kinds::Kinds;
use super::recorder::{OnRow, Recorder};
use super::types::Types;
use super::{Row, Sink, Tables, stated};
use crate::input::{Kind, Source, options};
use crate::progress::Progress;
use crate::pump::Out;
use crate::stream;

/// Files of any format.
pub struct Saves<'a> {
    files: &'a [PathBuf],
    len: u64,
}

/// What is done with a file: with its types, which return whether its rows are needed, and with its rows.
trait Visit {
    fn types(&mut self, types: &Types, class: Option<&str>) -> bool;
    fn row(&mut self, save: &str, row: &Row<'_>) -> Result;
}

impl<'a> Saves<'a> {
    pub fn new(files: &'a [PathBuf]) -> Self {
        let len = files.iter().filter_map(|file| Some(std::fs::metadata(file).ok()?.len())).sum();
        Saves { files, len }
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
    /// Those of the files and of the sink.
    pub fn rows(&self, tables: &Tables, sink: &mut dyn Sink) -> Result {
        self.visit(&mut Writer { tables, sink })
    }

    fn visit(&self, visit: &mut dyn Visit) -> Result {
        let progress = Progress::of_files(self.len);
        for file in self.files {
            of_file(file, visit)?;
            let len = std::fs::metadata(file).map_or(0, |file| file.len());
            progress.add(usize::try_from(len).unwrap_or(0));
        }
        Ok(())
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
}

impl Visit for Writer<'_> {
    fn types(&mut self, _: &Types, _: Option<&str>) -> bool {
        true
    }

    fn row(&mut self, save: &str, row: &Row<'_>) -> Result {
        let table = self.tables.find(row.table);
        let table = table.ok_or_else(|| super::flat::no_column(row.table))?;
        if !self.sink.takes(table) {
            return Ok(());
        }
        self.sink.row(table, save, row)
    }
}

fn of_file(file: &Path, visit: &mut dyn Visit) -> Result {
    let source = Source::open(file)?;
    let name = source.name.clone();
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
    recorder.finish()
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
