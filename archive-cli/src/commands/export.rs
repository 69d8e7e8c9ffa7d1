//! `archive export`: the objects of saves as tables.

use std::path::Path;

use archive::{Error, ErrorKind, Result, Value};

use crate::Outcome;
use crate::args::Export;
use crate::json_output::object;
use crate::output::{self, keep_input};
use crate::tables::csv::Csv;
use crate::tables::folder::Folder;
use crate::tables::{Row, Saves, Sink, Tables};
use crate::terminal::safe;

pub fn export(args: &Export) -> Result<Outcome> {
    let outputs = [&args.sqlite, &args.parquet, &args.csv];
    let Some(output) = outputs.into_iter().flatten().next() else { return Ok(Outcome::Failed) };
    args.saves.iter().try_for_each(|save| keep_input(save, output))?;
    args.saves.iter().try_for_each(|save| keep_outside(save, output))?;
    let saves = Saves::new(&args.saves)?;
    let tables = saves.tables()?;
    let written = if args.sqlite.is_some() {
        to_sqlite(&saves, &tables, output)?
    } else if args.parquet.is_some() {
        to_parquet(&saves, &tables, output)?
    } else {
        let folder = Folder::begin(output, "csv", &tables)?;
        let mut counted = Counted::new(Csv::new(&tables, &folder)?, &tables);
        saves.rows(&tables, &mut counted)?;
        let Counted { sink, rows } = counted;
        sink.finish()?;
        folder.finish(&tables)?;
        rows
    };
    report(args, output, &tables, &written)?;
    Ok(Outcome::Done)
}

/// Checks that a save is not in the folder that is replaced.
fn keep_outside(save: &Path, output: &Path) -> Result {
    let (Ok(inside), Ok(folder)) = (std::fs::canonicalize(save), std::fs::canonicalize(output))
    else {
        return Ok(());
    };
    if !inside.starts_with(folder) {
        return Ok(());
    }
    let message = format_args!("the output would replace the folder of {}", save.display());
    Err(Error::new(ErrorKind::Unsupported, message).in_file(output.display()))
}

#[cfg(feature = "sqlite")]
fn to_sqlite(saves: &Saves, tables: &Tables, output: &Path) -> Result<Vec<u64>> {
    use crate::tables::sqlite::{Sqlite, create, create_tables, refuse_open};

    let output = output::resolve(output)?;
    refuse_open(&output)?;
    let (file, guard) = output::temporary(&output)?;
    let named = |error: Error| error.in_file(output.display());
    let connection = create(Some(file.path())).map_err(named)?;
    let rows = {
        create_tables(&connection, &tables.all).map_err(named)?;
        let mut sqlite = Sqlite::begin(&connection, tables).map_err(named)?;
        (0..tables.all.len()).try_for_each(|table| sqlite.take(table, |_| true)).map_err(named)?;
        let mut counted = Counted::new(sqlite, tables);
        saves.rows(tables, &mut counted).map_err(|error| match error.file() {
            Some(_) => error,
            None => named(error),
        })?;
        counted.sink.finish().map_err(named)?;
        counted.rows
    };
    drop(connection);
    output::complete(file, &output, false)?;
    drop(guard);
    Ok(rows)
}

#[cfg(not(feature = "sqlite"))]
fn to_sqlite(_: &Saves, _: &Tables, _: &Path) -> Result<Vec<u64>> {
    Err(super::without("sqlite"))
}

#[cfg(feature = "parquet")]
fn to_parquet(saves: &Saves, tables: &Tables, output: &Path) -> Result<Vec<u64>> {
    let folder = Folder::begin(output, "parquet", tables)?;
    let mut counted = Counted::new(crate::tables::parquet::Parquet::new(tables, &folder)?, tables);
    saves.rows(tables, &mut counted)?;
    let Counted { sink, rows } = counted;
    sink.finish()?;
    folder.finish(tables)?;
    Ok(rows)
}

#[cfg(not(feature = "parquet"))]
fn to_parquet(_: &Saves, _: &Tables, _: &Path) -> Result<Vec<u64>> {
    Err(super::without("parquet"))
}

/// Counts the rows of each table.
struct Counted<S> {
    sink: S,
    rows: Vec<u64>,
}

impl<S> Counted<S> {
    fn new(sink: S, tables: &Tables) -> Self {
        Counted { sink, rows: vec![0; tables.all.len()] }
    }
}

impl<S: Sink> Sink for Counted<S> {
    fn row(&mut self, table: usize, save: &str, row: &Row<'_>) -> Result {
        self.rows[table] += 1;
        self.sink.row(table, save, row)
    }
}

/// Prints the tables that were written.
fn report(args: &Export, output: &Path, tables: &Tables, rows: &[u64]) -> Result {
    if args.json {
        let table = |(table, rows): (&crate::tables::Table, &u64)| {
            object([("table", table.name.as_str().into()), ("rows", (*rows).into())])
        };
        let about = object([
            ("output", output.display().to_string().into()),
            ("saves", (args.saves.len() as u64).into()),
            ("tables", tables.all.iter().zip(rows).map(table).collect::<Value>()),
        ]);
        return output::report(output, &about);
    }
    let mut text = String::new();
    let names = tables.all.iter().map(|table| safe(&table.name));
    for (name, rows) in names.zip(rows) {
        text += &format!("{rows:>10}  {name}\n");
    }
    output::print(&text)
}
