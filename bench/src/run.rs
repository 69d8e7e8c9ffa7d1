//! The program of `cargo bench`.
// Why: docs/decisions/limits-and-unsafe.md#benchmarks-run-all-contestants-in-turn

use std::process::Command;
use std::{io, thread};

use crate::document::{self, Document};
use crate::machine::Profile;
use crate::measure::Plan;
use crate::results::Results;
use crate::workload::{self, Workload};
use crate::{chart, growth, machine, memory, report, rows};

const HELP: &str = "\
Times the formats of archive beside other libraries. Writes docs/BENCHMARKS.md if it was built with
Cargo's default profile (--profile default-release), and docs/BENCHMARKS_TUNED.md otherwise.

cargo bench                       everything; growth and memory only in the default profile
cargo bench -- log mesh           these parts: log, mesh, minecraft_savedata, mk48, world, growth, memory
cargo bench -- --quick            fewer rounds
cargo bench -- --only binary      only contestants with that in their names, for a profiler; only prints
cargo bench -- --no-write         only prints";

/// `fory` follows weak pointers where it first finds them, recursively, through half of the world.
pub(crate) const STACK: usize = 4 << 30;

/// The arguments.
struct Arguments {
    quick: bool,
    write: bool,
    only: Option<String>,
    names: Vec<String>,
}

impl Arguments {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Arguments { quick: false, write: true, only: None, names: Vec::new() };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => parsed.quick = true,
                "--no-write" => parsed.write = false,
                "--only" => {
                    parsed.only = Some(arguments.next().ok_or("--only what?")?);
                    parsed.write = false;
                }
                "--bench" => {} // says cargo
                name if parts().any(|part| part == name) => parsed.names.push(argument),
                _ => return Err(format!("{argument:?} is not known\n\n{HELP}")),
            }
        }
        Ok(parsed)
    }

    fn has(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|other| other == name)
    }

    fn plan(&self) -> Plan {
        if self.quick { Plan::QUICK } else { Plan::FULL }
    }
}

fn parts() -> impl Iterator<Item = &'static str> {
    workload::ALL.into_iter().map(|workload| workload.name).chain(["growth", "memory"])
}

/// Measures the requested workloads. `peak` is the program that measures memory.
///
/// # Errors
/// A message.
pub fn main(arguments: impl Iterator<Item = String>, peak: &str) -> Result<(), String> {
    let arguments = Arguments::parse(arguments)?;
    let peak = peak.to_owned();
    let measure = move || {
        pin();
        run(&arguments, &peak).map_err(|error| error.to_string())
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(measure);
    let ended = thread.map_err(|error| error.to_string())?.join();
    ended.unwrap_or_else(|_| Err("the measurement panicked".to_owned()))
}

/// Pins the process to one core: the last one, because the first one is the busiest.
pub(crate) fn pin() {
    let last = core_affinity::get_core_ids().and_then(|cores| cores.last().copied());
    if !last.is_some_and(core_affinity::set_for_current) {
        eprintln!("not pinned to a core");
    }
}

fn run(arguments: &Arguments, peak: &str) -> io::Result<()> {
    let profile = Profile::of(peak);
    let page = if profile == Profile::Default { rows::BENCHMARKS } else { rows::TUNED };
    let mut document = Document::open(profile)?;
    let mut differences = Vec::new();
    let mut add = |name: &'static str, title: String, body: String| {
        println!("## {title}\n\n{body}");
        let quick = if arguments.quick { " Quick run." } else { "" };
        let machine = machine::line_of(profile);
        // A quick run has fewer sizes.
        if arguments.only.is_none() && !(arguments.quick && name == "growth") {
            differences.extend(rows::difference(page, &title, &body));
        }
        document.set(name, format!("## {title}\n\n{body}\n<sub>{machine}{quick}</sub>\n"));
    };
    for workload in workload::ALL.into_iter().filter(|workload| arguments.has(workload.name)) {
        let mut entries = (workload.entries)();
        if let Some(only) = &arguments.only {
            entries.retain(|entry| entry.name.contains(only));
        }
        let results = Results::of(entries, arguments.plan());
        if arguments.write && profile == Profile::Default {
            document::write_chart(workload.name, &chart::svg(workload.name, &results))?;
        }
        add(workload.name, workload.name.to_owned(), section(&workload, &results));
    }
    let has = |name| arguments.has(name) && (profile == Profile::Default || !arguments.write);
    if has("growth") {
        add("growth", "Growth".to_owned(), growth::section(arguments.quick));
    }
    if has("memory") {
        let output = Command::new(peak).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        add("memory", "Peak memory".to_owned(), memory::section(&text));
    }
    if arguments.write {
        document.write()?;
    }
    rows::agree(&differences).map_err(io::Error::other)
}

fn section(workload: &Workload, results: &Results) -> String {
    format!(
        "{}\n\n{}\n![{name}: time against size](bench/{name}.svg)\n\n{}",
        workload.about,
        report::table(results),
        report::targets(workload.name, &(workload.targets)(results)),
        name = workload.name,
    )
}
