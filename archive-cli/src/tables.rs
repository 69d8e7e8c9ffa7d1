//! The tables of saves: a class is a table, and an object is a row. `docs/TABLES.md` describes them.
//!
//! Saves are read twice: once for the columns, and once for the rows, which go to a [`Sink`] one by one.

pub mod columns;
pub mod csv;
pub mod flat;
pub mod folder;
mod found;
mod json;
mod kinds;
pub mod names;
#[cfg(feature = "parquet")]
pub mod parquet;
mod recorder;
mod saves;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod stated;
mod tape;
mod types;

use archive::Result;

pub use columns::Table;
pub use found::Tables;
pub use saves::Saves;
use tape::Tape;

use crate::walk_path::WalkPath;

/// An object of a save, which becomes a row.
pub struct Row<'r> {
    /// The name of its class, or the path of its list in a file without types.
    table: &'r str,
    /// The id of a shared object, or the key in a store.
    key: Option<u64>,
    place: &'r WalkPath,
    tape: &'r Tape,
    /// Where its members begin on the tape.
    at: usize,
}

/// Where rows are written.
pub trait Sink {
    /// Returns whether rows of a table are written at all.
    fn takes(&self, table: usize) -> bool {
        let _ = table;
        true
    }

    /// Writes a row of the table with that index.
    ///
    /// # Errors
    /// Errors of the output, and an error if the table has no column for a value.
    fn row(&mut self, table: usize, save: &str, row: &Row<'_>) -> Result;
}
