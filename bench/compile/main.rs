//! How long a crate of 200 derived types takes to build, clean and after a change, and how large the
//! program gets: with ours, and with serde's derive, `serde_json` and `postcard`.
//!
//! `cargo run --release --bin compile` writes its section of `docs/BENCHMARKS.md`; `-- --no-write` only
//! prints it, `-- --once` takes one round, `-- --quick` fewer types, too.

mod build;
mod generate;

use std::process::ExitCode;
use std::{env, io};

use archive_bench::document::Document;
use archive_bench::report;
use archive_bench::targets::Target;

use build::{Figures, Project};
use generate::Flavor;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    match run(has("--quick"), has("--once"), !has("--no-write")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
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
    println!("{section}");
    if write {
        let mut document = Document::open()?;
        document.set("compile", section);
        document.write()?;
    }
    Ok(())
}

fn section(types: usize, figures: &[Figures]) -> String {
    let mut text = format!(
        "## Building\n\nA crate of {types} derived types (nine structs, then an enum; each holds the one before) that saves and \
         loads them in every format. *Clean* is the crate alone, its dependencies are built already; *all* is with \
         them; *change* is after a member of one type got another type. Seconds, the least of some rounds, one \
         after the other. Text is the code of the program, its libraries included, in bytes.\n\n"
    );
    let columns = [
        "",
        "debug, all",
        "debug, clean",
        "debug, change",
        "release, all",
        "release, clean",
        "release, change",
        "debug, text",
        "release, text",
    ];
    text += &report::head(1, &columns);
    for (flavor, figures) in Flavor::ALL.iter().zip(figures) {
        let seconds = figures.seconds().map(|seconds| format!("{seconds:.2}"));
        let text_sizes = figures.text.map(report::thousands);
        let cells = [flavor.name().to_owned()].into_iter().chain(seconds).chain(text_sizes);
        text += &(report::line(cells) + "\n");
    }
    text + "\n" + &report::targets("building", &targets(figures))
}

/// No worse than serde.
fn targets(figures: &[Figures]) -> Vec<Target> {
    let place = |wanted: Flavor| Flavor::ALL.iter().position(|&flavor| flavor == wanted);
    let of = |flavor: Flavor| place(flavor).and_then(|place| figures.get(place));
    let (Some(ours), Some(serde)) = (of(Flavor::AllFormats), of(Flavor::Serde)) else {
        return Vec::new();
    };
    let names = [
        "debug, all",
        "debug, clean",
        "debug, change",
        "release, all",
        "release, clean",
        "release, change",
    ];
    let times = names.into_iter().zip(ours.seconds().into_iter().zip(serde.seconds()));
    let sizes = ["debug, text", "release, text"].into_iter().zip(
        ours.text.into_iter().zip(serde.text).map(|(ours, serde)| (ours as f64, serde as f64)),
    );
    let target = |(what, (ours, theirs)): (&str, (f64, f64))| {
        Target::ratio(what, Some(ours), 1.0, Some(theirs), "serde")
    };
    times.chain(sizes).filter_map(target).collect()
}
