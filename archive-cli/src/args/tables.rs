//! The arguments of the commands that make tables.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

/// Follows the help of `archive export`.
pub const EXPORT_HELP: &str = "\
A class is a table, and an object is a row. `save` is the file of a row, `key` is the id of a shared object or
the key in a store, and `path` is the path of the object, which `get` and `set` take. In files without types,
each list of objects is a table. The output appears once it is complete.

Examples:
  archive export quick.sav --csv tables
  archive export saves/*.sav --sqlite saves.db
  archive export saves/*.sav --parquet tables";

/// Follows the help of `archive query`.
pub const QUERY_HELP: &str = "\
The tables are those of `archive export --sqlite`. Only those that the question names are read, into memory.

Examples:
  archive query saves/*.sav 'select state, count(*) from Unit group by state'
  archive query saves/*.sav 'select save, path, hp from Unit order by hp desc limit 10' --csv";

#[derive(Args)]
#[command(group = ArgGroup::new("output").required(true))]
pub struct Export {
    /// The saves
    #[arg(required = true, value_name = "SAVE")]
    pub saves: Vec<PathBuf>,
    /// Write a database of SQLite
    #[arg(long, value_name = "FILE", group = "output")]
    pub sqlite: Option<PathBuf>,
    /// Write a Parquet file for each table into a new folder
    #[arg(long, value_name = "DIR", group = "output")]
    pub parquet: Option<PathBuf>,
    /// Write a CSV file for each table into a new folder
    #[arg(long, value_name = "DIR", group = "output")]
    pub csv: Option<PathBuf>,
    /// Print what was written as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Query {
    /// The saves
    #[arg(required = true, value_name = "SAVE")]
    pub saves: Vec<PathBuf>,
    /// The question: a `select`
    #[arg(required = true)]
    pub sql: String,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print a JSON array with an object for each row
    #[arg(long)]
    pub json: bool,
}
