//! The arguments of commands that change files.

use std::path::PathBuf;

use clap::Args;

use super::{Typing, count};

#[derive(Args)]
pub struct Set {
    /// The file, or `-`
    pub file: PathBuf,
    /// The path of the values to replace
    pub path: String,
    /// The new value as JSON, or `-` for standard input
    #[arg(allow_hyphen_values = true)]
    pub value: String,
    /// The value is text, not JSON
    #[arg(long, short)]
    pub text: bool,
    /// Add the member, or the key of a map, that the path ends with if it is not there
    #[arg(long, short)]
    pub add: bool,
    #[command(flatten)]
    pub typing: Typing,
    #[command(flatten)]
    pub write: Write,
}

#[derive(Args)]
pub struct Edit {
    /// The file, or `-`
    pub file: PathBuf,
    /// The path of the value to edit [default: the whole file]
    pub path: Option<String>,
    #[command(flatten)]
    pub write: Write,
}

#[derive(Args)]
pub struct Repair {
    /// The file, or `-`
    pub file: PathBuf,
    /// The file to write, or `-`
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Keep the part of a save before the damage even if there is a good backup
    #[arg(long)]
    pub partial: bool,
    /// Print what was lost as JSON
    #[arg(long)]
    pub json: bool,
}

/// Where to write a changed file.
#[derive(Args)]
pub struct Write {
    /// Write the changed file to OUT, or to `-`, and leave FILE as it is
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// How many backups of a save file to keep [default: as many as there are, and at least one]
    #[arg(long, value_name = "COUNT", value_parser = count, allow_negative_numbers = true)]
    pub backups: Option<usize>,
    /// Print what was done as JSON
    #[arg(long)]
    pub json: bool,
}
