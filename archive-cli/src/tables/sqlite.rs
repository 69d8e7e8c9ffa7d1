//! [`Sqlite`]: the tables in a database of SQLite.

use std::path::Path;

use archive::value::Number;
use archive::{Error, ErrorKind, Result};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Statement, ToSql};

use super::flat::{Cell, Flat, Type};
use super::{Row, Sink, Table, Tables};

/// Writes rows to a database.
pub struct Sqlite<'c> {
    tables: &'c Tables,
    connection: &'c Connection,
    /// The columns of each table, and the statement that inserts a row.
    inserts: Vec<Option<(Flat, Statement<'c>)>>,
}

/// Opens a database that is written once: a failure leaves a file that is not used.
///
/// # Errors
/// Those of SQLite.
pub fn create(path: Option<&Path>) -> Result<Connection> {
    let connection = match path {
        Some(path) => Connection::open(path),
        None => Connection::open_in_memory(),
    };
    let connection = connection.map_err(failed)?;
    let settings =
        "pragma journal_mode = off; pragma synchronous = off; pragma trusted_schema = off";
    connection.execute_batch(settings).map_err(failed)?;
    // A quoted name that is not a column is an error, and not text.
    for config in [DbConfig::SQLITE_DBCONFIG_DQS_DML, DbConfig::SQLITE_DBCONFIG_DQS_DDL] {
        connection.set_db_config(config, false).map_err(failed)?;
    }
    Ok(connection)
}

/// Creates tables.
///
/// # Errors
/// Those of SQLite, for example for a class with more than 2,000 members.
pub fn create_tables<'t>(
    connection: &Connection,
    tables: impl IntoIterator<Item = &'t Table>,
) -> Result {
    for table in tables {
        let column = |(name, ty): &(String, Type)| {
            let ty = match ty {
                Type::Int => "INTEGER",
                Type::Any => "ANY",
                Type::Text => "TEXT",
                Type::Bytes => "BLOB",
            };
            format!("{} {ty}", quoted(name))
        };
        let columns: Vec<String> = Flat::new(table).columns().iter().map(column).collect();
        let create =
            format!("create table {} ({}) strict", quoted(&table.name), columns.join(", "));
        let created = connection.execute_batch(&create);
        created.map_err(|error| failed(error).in_member(&table.name))?;
    }
    Ok(())
}

impl<'c> Sqlite<'c> {
    /// Begins a transaction. No table is taken yet.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn begin(connection: &'c Connection, tables: &'c Tables) -> Result<Self> {
        connection.execute_batch("begin").map_err(failed)?;
        let inserts = tables.all.iter().map(|_| None).collect();
        Ok(Sqlite { tables, connection, inserts })
    }

    /// Prepares to write the rows of a table. Other columns than those that are kept are null.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn take(&mut self, table: usize, keep: impl Fn(&str) -> bool) -> Result {
        let of = &self.tables.all[table];
        let mut flat = Flat::new(of);
        flat.keep(keep);
        let marks = vec!["?"; flat.columns().len()].join(",");
        let insert = format!("insert into {} values ({marks})", quoted(&of.name));
        let insert = self.connection.prepare(&insert).map_err(failed)?;
        self.inserts[table] = Some((flat, insert));
        Ok(())
    }

    /// Ends the transaction.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn finish(self) -> Result {
        drop(self.inserts);
        self.connection.execute_batch("commit").map_err(failed)
    }
}

impl Sink for Sqlite<'_> {
    fn takes(&self, table: usize) -> bool {
        self.inserts[table].is_some()
    }

    fn row(&mut self, table: usize, save: &str, row: &Row<'_>) -> Result {
        let Some((flat, insert)) = &mut self.inserts[table] else { return Ok(()) };
        let cells = flat.cells(&self.tables.all[table], save, row)?;
        insert.execute(rusqlite::params_from_iter(cells.iter())).map_err(failed)?;
        Ok(())
    }
}

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Cell::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Cell::Bool(value) => (*value).into(),
            Cell::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Cell::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            // SQLite would store null.
            Cell::Number(Number::F64(value)) if value.is_nan() => "NaN".into(),
            Cell::Number(Number::F64(value)) => (*value).into(),
            Cell::Number(number) => match number.to_string().parse::<i64>() {
                Ok(value) => value.into(),
                Err(_) => number.to_string().into(),
            },
        })
    }
}

/// Returns a name for a statement.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns an error of SQLite.
#[cold]
pub fn failed(error: rusqlite::Error) -> Error {
    let message = match &error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    };
    Error::new(ErrorKind::Unsupported, format_args!("SQLite: {message}"))
}

/// Refuses to replace a database that another program has open.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if its journal exists.
pub fn refuse_open(path: &Path) -> Result {
    for ending in ["-journal", "-wal"] {
        let mut journal = path.as_os_str().to_owned();
        journal.push(ending);
        if Path::new(&journal).exists() {
            let message = "the database is open in another program, or was not closed";
            return Err(Error::new(ErrorKind::Unsupported, message).in_file(path.display()));
        }
    }
    Ok(())
}
