//! Loads a game level in LDtk's project format and builds the world of a running game from it. Saves
//! the world in every format, loads each file, and checks that the loaded world equals the saved one.
//!
//! ```text
//! cargo run --release --example level                   the level that comes with the example
//! cargo run --release --example level path/to/any.ldtk  any LDtk project
//! ```
//!
//! - `skirmish::ldtk` is the file format: structs and enums, member for member, read as JSON.
//! - `world` is the game: shared definitions, levels, entities, pointers instead of ids.
//! - `build` makes the one from the other.
//! - `same` checks that two worlds are equal, and share the same objects in the same way.
//! - `measure` saves and loads in one format, picked at run time; no type knows which.

mod build;
mod measure;
mod same;
#[path = "../../skirmish/src/bin/skirmish/table.rs"]
mod table;
mod world;

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use crate::table::{Table, count, milliseconds, number};
use crate::world::{Census, World};
use skirmish::ldtk::{self, ProjectFile};

/// The level of this example.
const BUILT_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/level/data/lighthouse.ldtk");

/// The text of `--help`.
const HELP: &str = "\
Saves a game level in every format, loads it back, and proves that nothing changed.

Usage: level [PROJECT]

  PROJECT     an LDtk project, `.ldtk`; without it, the level that comes with the example
  -h, --help  this text";

/// The parsed command line.
enum Request {
    /// The text of `--help`.
    Help,
    /// A project.
    Project(PathBuf),
}

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    let done = match request(env::args_os().skip(1)) {
        Ok(Request::Help) => writeln!(out, "{HELP}").map(|()| true).map_err(Into::into),
        Ok(Request::Project(path)) => run(&path, &mut out),
        Err(message) => {
            eprintln!("error: {message}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the command line.
fn request(arguments: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let mut project = None;
    for argument in arguments {
        match argument.to_str() {
            Some("-h" | "--help") => return Ok(Request::Help),
            Some(option) if option.starts_with('-') => return Err(format!("no option {option}")),
            _ if project.is_some() => return Err("more than one project".to_owned()),
            _ => project = Some(PathBuf::from(argument)),
        }
    }
    Ok(Request::Project(project.unwrap_or_else(|| PathBuf::from(BUILT_IN))))
}

/// Processes one project, and returns whether every format returned the same world.
fn run(path: &Path, out: &mut impl Write) -> Result<bool, Box<dyn Error>> {
    let start = Instant::now();
    let file = ProjectFile::read(path)?;
    let read = start.elapsed();
    let start = Instant::now();
    let world =
        build::build(&file.project).map_err(|error| format!("{}: {error}", path.display()))?;
    let built = start.elapsed();

    writeln!(out, "{}, written by LDtk {}", path.display(), file.project.json_version)?;
    writeln!(
        out,
        "  {} bytes in {}, read in {}, built in {}",
        number(file.bytes),
        count(file.files, "file", "files"),
        milliseconds(read),
        milliseconds(built)
    )?;
    match &*file.unknown {
        [] => writeln!(out, "  the model knows every member")?,
        [first, rest @ ..] => {
            writeln!(out, "  the model does not know {first} and {} others", rest.len())?
        }
    }
    write_census(&Census::take(&world), out)?;
    writeln!(out)?;
    write_formats(&world, out)
}

/// Prints the numbers of objects in the world.
fn write_census(census: &Census, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "  {}, {}, {}, {}, {}, {}, {}",
        count(census.areas, "area", "areas"),
        count(census.levels, "level", "levels"),
        count(census.layers, "layer", "layers"),
        count(census.cells, "cell", "cells"),
        count(census.tiles, "tile", "tiles"),
        count(census.entities, "entity", "entities"),
        count(census.fields, "field value", "field values"),
    )?;
    writeln!(
        out,
        "  {}, {}, {}, {} of them dangling; entities share their definitions: {}",
        count(census.definitions, "shared definition", "shared definitions"),
        count(census.neighbours, "neighbour", "neighbours"),
        count(census.references, "reference to an entity", "references to entities"),
        number(census.dangling),
        if census.all_shared() { "yes" } else { "no" },
    )
}

/// Saves and loads the world in every format, prints the figures, and returns whether all of them
/// returned the same world.
fn write_formats(world: &World, out: &mut impl Write) -> Result<bool, Box<dyn Error>> {
    let mut table =
        Table::new(["format", "bytes", "save", "load", "pointers", "objects", "same world"]);
    let mut failures = Vec::new();
    for format in archive::Format::all() {
        let name = format.name().to_string();
        match measure::measure(world, format) {
            Ok(measured) => table.row([
                name,
                number(measured.bytes),
                milliseconds(measured.save),
                milliseconds(measured.load),
                number(measured.sharing.pointers),
                number(measured.sharing.objects),
                "yes".to_owned(),
            ]),
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                table.row([&name, "", "", "", "", "", "no"].map(str::to_owned));
            }
        }
    }
    write!(out, "{table}")?;
    for failure in &failures {
        writeln!(out, "  {failure}")?;
    }
    Ok(failures.is_empty())
}
