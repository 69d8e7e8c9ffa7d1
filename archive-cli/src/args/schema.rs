//! The arguments of commands that take or print types.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct Schema {
    /// The file, or `-`
    pub file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print the types as a schema, which is JSON
    #[arg(long, conflicts_with = "json")]
    pub types: bool,
}

#[derive(Args)]
pub struct New {
    /// The file to write
    pub file: PathBuf,
    /// The type of the file: a name of the schema, or a type such as Vec<Unit>
    #[arg(value_name = "TYPE")]
    pub ty: String,
    /// The file with the types, in any format
    #[arg(long)]
    pub schema: PathBuf,
}

/// The types of a file.
#[derive(Args)]
pub struct Typing {
    /// A file with types, in any format: each value must fit its type
    #[arg(long)]
    pub schema: Option<PathBuf>,
    /// The type of the whole file, such as Vec<Unit> [default: the root of the schema]
    #[arg(long = "type", value_name = "TYPE", requires = "schema")]
    pub ty: Option<String>,
}

#[derive(Args)]
pub struct Verify {
    /// The files, or `-`
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Print nothing for good files
    #[arg(long, short)]
    pub quiet: bool,
    /// Print JSON: an array with an object for each file
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub typing: Typing,
}
