//! How long a crate of 200 derived types takes to build, clean and after a change, and how large the
//! program gets: with ours, and with serde's derive, `serde_json`, `postcard` and `rmp-serde`.
//!
//! `cargo run --release --bin compile` writes its section of `docs/BENCHMARKS.md`; `-- --no-write` only
//! prints it, `-- --once` takes one round, `-- --quick` fewer types, too. `-- --functions` does nothing but
//! count the functions that are instantiated, and fails if there are more than there were. `-- --formats` writes what
//! each format costs alone.

mod build;
mod generate;

use std::process::ExitCode;
use std::{env, io};

use archive_bench::document::Document;
use archive_bench::machine::Profile;
use archive_bench::targets::Target;
use archive_bench::{machine, report, rows};

use build::{Figures, PROFILES, Project};
use generate::Flavor;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let known = ["--quick", "--once", "--no-write", "--functions", "--formats"];
    if let Some(unknown) = arguments.iter().find(|argument| !known.contains(&argument.as_str())) {
        eprintln!("error: unknown argument {unknown:?}, the arguments are {}", known.join(" "));
        return ExitCode::FAILURE;
    }
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let done = match has("--functions") {
        true => count(),
        false if has("--formats") => formats(has("--quick"), !has("--no-write")),
        false => run(has("--quick"), has("--once"), !has("--no-write")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// As many functions as a type may instantiate, with three formats: in a debug and in a release build. Lower
/// them where a change makes them fewer.
const MOST: [usize; 2] = [144, 257];

/// Counts the functions, which is exact where seconds are not.
fn count() -> io::Result<()> {
    const TYPES: usize = 200;
    let mut more = false;
    for flavor in [Flavor::Ours, Flavor::Serde] {
        let project = Project::new(flavor, TYPES)?;
        for (profile, most) in PROFILES.into_iter().zip(MOST) {
            let each = project.functions(profile)?.div_ceil(TYPES);
            println!("{}, {profile}: {each} functions for each type", flavor.name());
            more |= flavor == Flavor::Ours && each > most;
        }
    }
    match more {
        true => Err(io::Error::other(format!("there are more than {MOST:?} functions"))),
        false => Ok(()),
    }
}

/// What each format costs alone.
fn formats(quick: bool, write: bool) -> io::Result<()> {
    let types = if quick { 20 } else { 200 };
    let mut text = format!(
        "### What each format costs\n\nThe same crate of {types} types with one format alone. ObjectBlob goes through the \
         erased archive (`Backend::STATIC`), which any format can, and all do in a debug build; so its row is what \
         the others would cost without functions of their own. What these gain is in the rows `erased` of the \
         workloads above.\n\n"
    );
    text += &report::head(1, &rows::FORMATS);
    for flavor in Flavor::FORMATS {
        let (functions, seconds, text_size) = Project::new(flavor, types)?.release()?;
        let functions = functions.div_ceil(types).to_string();
        let seconds = format!("{seconds:.2}");
        let cells = [flavor.name().to_owned(), functions, seconds, report::thousands(text_size)];
        text += &(report::line(cells) + "\n");
    }
    text += &format!("\n<sub>{}</sub>\n", machine::line());
    add("formats", "What each format costs", text, write)
}

/// Prints a section, and writes it if asked to.
fn add(name: &'static str, heading: &str, section: String, write: bool) -> io::Result<()> {
    println!("{section}");
    let difference = rows::difference(rows::BENCHMARKS, heading, &section);
    if write {
        let mut document = Document::open(Profile::Default)?;
        document.set(name, section);
        document.write()?;
    }
    rows::agree(difference.as_slice()).map_err(io::Error::other)
}

fn run(quick: bool, once: bool, write: bool) -> io::Result<()> {
    let types = if quick { 20 } else { 200 };
    let rounds = if quick || once { 1 } else { 3 };
    let mut projects = Vec::new();
    for flavor in Flavor::ALL {
        projects.push(Project::new(flavor, types)?);
    }
    let mut best: Vec<Option<Figures>> = vec![None; projects.len()];
    for round in 0..rounds {
        for (project, best) in projects.iter().zip(&mut best) {
            let figures = project.measure(round)?;
            *best = Some(best.map_or(figures, |best| best.least(figures)));
        }
    }
    let figures: Vec<Figures> = best.into_iter().flatten().collect();
    let section = section(types, &figures);
    add("compile", "Building", section, write)
}

fn section(types: usize, figures: &[Figures]) -> String {
    let mut text = format!(
        "## Building\n\nA crate of {types} derived types (nine structs, then an enum; each holds the one before) that saves and \
         loads them in three formats. Every tenth is registered as a trait object, with serde a variant of an enum. *Clean* is the crate alone, its dependencies are built already; *all* is with \
         them; *change* is after a member of one type got another type. Seconds, the least of some rounds, one \
         after the other. Text is the code of the program, its libraries included, in bytes. Functions are those \
         that the crate instantiates, for each type.\n\n"
    );
    text += &report::head(1, &rows::BUILDING);
    for (flavor, figures) in Flavor::ALL.iter().zip(figures) {
        let seconds = figures.seconds().map(|seconds| format!("{seconds:.2}"));
        let text_sizes = figures.text.map(report::thousands);
        let functions = figures.functions.map(|count| count.div_ceil(types).to_string());
        let cells = [flavor.name().to_owned()].into_iter().chain(seconds);
        let cells = cells.chain(text_sizes).chain(functions);
        text += &(report::line(cells) + "\n");
    }
    let targets = report::targets("building", &targets(figures));
    format!("{text}\n{targets}\n<sub>{}</sub>\n", machine::line())
}

/// About as good as serde.
fn targets(figures: &[Figures]) -> Vec<Target> {
    let place = |wanted: Flavor| Flavor::ALL.iter().position(|&flavor| flavor == wanted);
    let of = |flavor: Flavor| place(flavor).and_then(|place| figures.get(place));
    let (Some(ours), Some(serde)) = (of(Flavor::Ours), of(Flavor::Serde)) else {
        return Vec::new();
    };
    let ([all, clean, change, release @ ..], theirs) = (ours.seconds(), serde.seconds());
    let times = [
        ("debug, all", 1.0, all, theirs[0]),
        ("debug, clean", 1.0, clean, theirs[1]),
        ("debug, change", 1.3, change, theirs[2]),
        ("release, all", 1.5, release[0], theirs[3]),
        ("release, clean", 1.5, release[1], theirs[4]),
        ("release, change", 1.3, release[2], theirs[5]),
        ("debug, text", 1.3, ours.text[0] as f64, serde.text[0] as f64),
        ("release, text", 1.3, ours.text[1] as f64, serde.text[1] as f64),
    ];
    let ratio =
        |(what, limit, ours, theirs)| Target::ratio(what, Some(ours), limit, Some(theirs), "serde");
    times.into_iter().filter_map(ratio).collect()
}
