//! The arguments of the command.

mod change;
mod json;
mod schema;
mod tables;
mod typed;
#[cfg(feature = "view")]
mod view;

use std::path::PathBuf;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{Args, Parser, Subcommand};

pub use change::{Edit, Repair, Set, Write};
pub use schema::{New, Schema, Typing, Verify};
pub use tables::{Export, Query};
#[cfg(feature = "view")]
pub use view::View;

/// Opens, compares and edits any save without the game's code.
#[derive(Parser)]
#[command(
    name = "archive",
    version,
    styles = STYLES,
    max_term_width = 100,
    after_help = "\
FILE is JSON, binary, ObjectBlob, MessagePack, Bins, a save file around any of them, or an
object store. The content shows the format, or else the name. `-` is standard
input.

Paths are those that errors print: world.units[3].orders[0].target, names[\"two words\"], $7.hp for the
object 7. `*` is every member or item, [2..5] are the items 2, 3 and 4. Quote them for the shell.

Exit status: 0 success; 1 files differ, or a file is damaged (diff, verify, repair); 2 an error.

Example:
  archive inspect quick.sav"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// Parses a count.
fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a whole number, such as 10".to_owned())
}

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default());

#[derive(Subcommand)]
pub enum Command {
    /// Show a file as a tree: types, sizes, and pointers as links
    #[command(after_help = "\
Long sequences are folded. A pointer is shown as a link such as $2, which is a path.

Examples:
  archive inspect quick.sav
  archive inspect quick.sav 'units[0..3]' --depth 2
  archive inspect quick.sav '$2'")]
    Inspect(Inspect),
    /// Print the values at a path, as JSON
    #[command(after_help = "\
Examples:
  archive get quick.sav 'units[3].hp'
  archive get quick.sav 'units[*].name' --raw
  curl -s https://example.com/level.json | archive get - title")]
    Get(Get),
    /// Convert a file to another format
    #[command(after_help = "\
Values are converted one by one, with a few MB of memory in addition to the input. Long JSON is not kept in
memory. OUTPUT appears once it is complete. A value that has the format of OUTPUT is copied with its
types. `convert` does not write save files, only the game does: `.sav` is an ObjectBlob file here.

Examples:
  archive convert quick.sav quick.json --pretty
  archive convert level.json level.bin
  archive convert quick.sav - --to json | jq .units")]
    Convert(Convert),
    /// Compare two files of any formats, value by value
    #[command(after_help = "\
Values are compared by their paths. A value that was removed in one place and added in another has moved.
Between two formats, a member that is null equals one that is absent. A member with `skip_if_default`
whose default is not null is in the binary file alone, so it differs: only the program knows the default.
Exit status: 0 no difference, 1 some differences, 2 an error.

Examples:
  archive diff before.sav after.sav
  archive diff level.json level.bin --json")]
    Diff(Diff),
    /// Show the types of a file
    #[command(after_help = "\
A binary file states its types. For other formats, the types are derived from the values in the file.
--types prints the types of a binary file as a schema, which the other commands take.

Examples:
  archive schema quick.sav
  archive schema level.bin --types > level.schema.json")]
    Schema(Schema),
    /// Read all of each file, and verify every checksum
    #[command(after_help = "\
With --schema, every value must also fit its type. Exit status: 0 all files are good, 1 a file is damaged,
2 a file could not be read.

Examples:
  archive verify saves/*.sav
  archive verify mods/*.json --schema mod.schema.json --type Unit")]
    Verify(Verify),
    /// Write a new file with the defaults of a type of a schema
    #[command(after_help = "\
The extension of FILE determines its format. A file that exists is not replaced.

Examples:
  archive new orc.json Unit --schema mod.schema.json
  archive new units.bin 'Vec<Unit>' --schema mod.schema.json")]
    New(New),
    /// Show which members make a file big
    #[command(after_help = "\
The size of a member includes its contents, and is summed over all objects of its class. In files
that do not state their types, paths take the place of classes.

Example:
  archive stats quick.sav --top 10")]
    Stats(Stats),
    /// Show a file, or a folder of saves, on a page in the browser
    #[cfg(feature = "view")]
    #[command(after_help = "\
The page has the tree, the sizes, a search, edits, and a comparison with another file. Only this machine can open it,
with the address that is printed. Edits are written when they are saved on the page. Ctrl+C ends the command.
With --export, the page becomes a file that can be added to a bug report. It is read-only.

Examples:
  archive view quick.sav
  archive view ~/.local/share/skirmish/saves
  archive view quick.sav --export quick.html --max-size 2MB")]
    View(View),
    /// Write the objects of saves as tables for SQL: SQLite, Parquet or CSV
    #[command(after_help = tables::EXPORT_HELP)]
    Export(Export),
    /// Answer a question in SQL about saves
    #[command(after_help = tables::QUERY_HELP)]
    Query(Query),
    /// Replace the values at a path, and nothing else
    #[command(after_help = "\
Everything else stays byte for byte, including comments and spaces. A value that the types of the file
do not allow is refused. A save file is saved again, and the old one becomes a backup. {\"$id\":7} refers
to the object $7 of the file.

Examples:
  archive set quick.sav 'units[3].hp' 100
  archive set quick.sav 'units[*].name' --text Ann
  archive set level.json spawn '{\"x\": 3, \"y\": 4}' --output other.json
  archive set level.json 'weather' '\"rain\"' --add
  archive set orc.json hp 70 --schema mod.schema.json --type Unit")]
    Set(Set),
    /// Edit a file as JSON in $VISUAL or $EDITOR
    #[command(after_help = "\
If the edited text has a mistake, the editor opens again with the error in a comment. Leave the text
unchanged to give up; the comment does not count. Everything that was not edited stays byte for byte.
If the game has saved the file meanwhile, the editor opens the new file, and your text is kept.

Examples:
  archive edit quick.sav
  archive edit quick.sav 'units[3]'")]
    Edit(Edit),
    /// Write the readable part of a damaged file to another file
    #[command(after_help = "\
JSON and MessagePack are kept up to the damage. So are the values of binary and ObjectBlob files, which
become JSON, if the description of their types is intact. A save file is replaced by its newest good
backup, or with --partial kept up to the damage. An object store is replaced by its last export. What
is lost is printed. Exit status: 0 the file is not damaged, 1 it was repaired, 2 nothing can be read.

Examples:
  archive repair level.json -o repaired.json
  archive repair quick.sav -o repaired.sav --partial")]
    Repair(Repair),
    /// List the saves in a folder
    #[command(after_help = "\
Example:
  archive list ~/.local/share/skirmish/saves")]
    List(List),
    /// Print the completions of a shell
    #[command(after_help = "\
Example:
  archive completions bash > ~/.local/share/bash-completion/completions/archive")]
    Completions(Completions),
    /// Print the manual page
    #[command(after_help = "\
Examples:
  archive man | man -l -
  archive man --dir ~/.local/share/man/man1")]
    Man(Man),
}

#[derive(Args)]
pub struct Diff {
    /// The file before, or `-`
    pub old: PathBuf,
    /// The file after, or `-`
    pub new: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print nothing, only set the exit status
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct Stats {
    /// The file, or `-`
    pub file: PathBuf,
    /// How many members are shown, or 0 for all
    #[arg(long, default_value_t = 20, value_parser = count, allow_negative_numbers = true)]
    pub top: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct List {
    /// The folder
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct Man {
    /// Write a page for each command into a folder
    #[arg(long)]
    pub dir: Option<PathBuf>,
}

#[derive(Args)]
pub struct Inspect {
    /// The file, or `-`
    pub file: PathBuf,
    /// The path of the value to show [default: the whole file]
    pub path: Option<String>,
    /// How many levels are shown
    #[arg(long, default_value_t = 4, value_parser = count, allow_negative_numbers = true)]
    pub depth: usize,
    /// How many items of a sequence are shown, or 0 for all
    #[arg(long, default_value_t = 10, value_parser = count, allow_negative_numbers = true)]
    pub items: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Get {
    /// The file, or `-`
    pub file: PathBuf,
    /// The path of the values to print [default: the whole file]
    #[arg(default_value = "", hide_default_value = true)]
    pub path: String,
    /// Print text without quotes
    #[arg(long, short)]
    pub raw: bool,
    /// Print the path of each value before it
    #[arg(long, short)]
    pub paths: bool,
    /// Print each value on one line, even if there is only one
    #[arg(long, short)]
    pub compact: bool,
    /// Print one JSON array with an object for each value: its path and the value
    #[arg(long, conflicts_with_all = ["raw", "paths"])]
    pub json: bool,
}

#[derive(Args)]
pub struct Convert {
    /// The file, or `-`
    pub input: PathBuf,
    /// The file to write, or `-`
    pub output: PathBuf,
    /// The format to write: json, binary, msgpack, blob or bins [default: by the extension of OUTPUT; json
    /// for `-`]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    /// Indent JSON
    #[arg(long, short)]
    pub pretty: bool,
    /// Store long lists of a binary file in columns, which makes it smaller
    #[arg(long)]
    pub columns: bool,
    /// Print what was written as JSON
    #[arg(long)]
    pub json: bool,
}
