//! The arguments of the commands that make tables.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

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
