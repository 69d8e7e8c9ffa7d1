//! The tables and columns that a question names, and the message for one that does not exist.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use archive::error::Known;
use archive::{Error, ErrorKind, Result};
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use crate::tables::Tables;
use crate::tables::sqlite::failed;

/// The columns that a question reads, by the index of their table, or `None` for all of a table.
pub type Read = BTreeMap<usize, Option<HashSet<String>>>;

/// Returns the tables whose names are in a question, and perhaps others. A question about the schema names all.
pub fn named(sql: &str, tables: &Tables) -> Vec<usize> {
    // A quote in a name may be doubled.
    let plain = |text: &str| text.replace(['"', '`', '\''], "").to_lowercase();
    let sql = plain(sql);
    let is_named = |name: &str| sql.contains("sqlite_") || sql.contains(&plain(name));
    (0..tables.all.len()).filter(|table| is_named(&tables.all[*table].name)).collect()
}

/// Returns the columns that a question reads. The tables have no rows yet.
///
/// # Errors
/// Those of the question, with the names that exist.
pub fn read_by(
    connection: &mut Connection,
    sql: &str,
    tables: &Tables,
    named: &[usize],
) -> Result<Read> {
    // SQLite does not say which columns such a join compares.
    let has = |word: &str| sql.to_ascii_lowercase().contains(word);
    if has("using") || has("natural") {
        columns_of(connection, sql, tables)?;
        return Ok(named.iter().map(|table| (*table, None)).collect());
    }
    let mut found = Read::new();
    for (table, column) in columns_of(connection, sql, tables)? {
        let index = tables.all.iter().position(|known| known.name.eq_ignore_ascii_case(&table));
        if let Some(columns) =
            index.and_then(|at| found.entry(at).or_insert_with(|| Some(HashSet::new())).as_mut())
        {
            columns.insert(column);
        }
    }
    Ok(found)
}

/// Returns the tables and the columns that a question reads, as far as SQLite names them.
fn columns_of(
    connection: &mut Connection,
    sql: &str,
    tables: &Tables,
) -> Result<Vec<(String, String)>> {
    let read = Arc::new(Mutex::new(Vec::new()));
    let noted = read.clone();
    let note = move |context: AuthContext<'_>| {
        if let AuthAction::Read { table_name, column_name } = context.action {
            let mut read = noted.lock().unwrap_or_else(PoisonError::into_inner);
            read.push((table_name.to_owned(), column_name.to_owned()));
        }
        allow(&context)
    };
    connection.authorizer(Some(note)).map_err(failed)?;
    let prepared = connection.prepare(sql).map(|statement| statement.column_count());
    let columns = prepared.map_err(|error| explained(failed(error), tables))?;
    if columns == 0 {
        return Err(Error::new(
            ErrorKind::Unsupported,
            "the question has no answer: write a `select`",
        ));
    }
    forget(connection)?;
    let read = std::mem::take(&mut *read.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(read)
}

/// Allows everything again.
fn forget(connection: &mut Connection) -> Result {
    let none: Option<fn(AuthContext<'_>) -> Authorization> = None;
    connection.authorizer(none).map_err(failed)
}

/// Refuses every statement that does not only read the tables: others could write files.
///
/// # Errors
/// Those of SQLite.
pub fn allow_only_reading(connection: &mut Connection) -> Result {
    connection.authorizer(Some(|context: AuthContext<'_>| allow(&context))).map_err(failed)
}

fn allow(context: &AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select
        | AuthAction::Read { .. }
        | AuthAction::Function { .. }
        | AuthAction::Recursive => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

/// The number of names of a message.
const MOST: usize = 30;

/// Adds the names that exist to an error about one that does not.
#[cold]
fn explained(error: Error, tables: &Tables) -> Error {
    let message = error.message().trim_start_matches("SQLite: ").to_owned();
    let unknown = |what: &str| {
        let (_, name) = message.split_once(what)?;
        let name = name.split(" - should this be").next().unwrap_or(name);
        // A column may have the name of its table before it.
        Some(name.rsplit('.').next().unwrap_or(name).trim_matches('"').to_owned())
    };
    if message.contains("not authorized") {
        let message = format_args!("only a `select` is allowed ({message})");
        return Error::new(ErrorKind::Unsupported, message);
    }
    let names: Vec<&str> = tables.all.iter().map(|table| table.name.as_str()).collect();
    if let Some(name) = unknown("no such table: ") {
        let known =
            Known::new(&name, &names[..names.len().min(MOST)], "there are the tables").to_string();
        return Error::new(ErrorKind::NotFound, format_args!("{message}{known}"));
    }
    let Some(name) = unknown("no such column: ") else { return error };
    let all: Vec<(&str, Vec<String>)> =
        tables.all.iter().map(|table| (table.name.as_str(), table.columns())).collect();
    let columns: Vec<&str> =
        all.iter().flat_map(|(_, columns)| columns.iter().map(String::as_str)).collect();
    let near = Known::new(&name, &columns, "").to_string();
    let mut text = message.clone();
    text += near.split_once('?').map_or("", |(near, _)| near);
    let mut begin = if text == message { "; " } else { "? " };
    for (table, columns) in all.iter().take(MOST) {
        let more = if columns.len() > MOST { ", …" } else { "" };
        let columns = columns[..columns.len().min(MOST)].join("`, `");
        text += &format!("{begin}`{table}` has `{columns}`{more}");
        begin = "; ";
    }
    Error::new(ErrorKind::NotFound, text)
}
