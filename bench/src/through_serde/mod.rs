//! Serde's formats under our types, compared with the same formats under serde's derive and with
//! ours: the cost of going through `archive::serde_formats`. Writes `docs/BENCHMARKS_SERDE.md`.
//!
//! - `formats`: `serde_json` and `rmp-serde`, joined.
//! - `contest`: the routes from a value to a format and back.

mod contest;
mod formats;

use std::path::Path;
use std::thread;

use crate::entry::{Entry, Operation};
use crate::measure::{Plan, Times, measure};
use crate::run::{STACK, pin};
use crate::workload::{log, mesh, minecraft, mk48};
use crate::{machine, report, rows};
use contest::{WAYS, entries};

const HELP: &str = "\
Times serde's formats under our types, and writes docs/BENCHMARKS_SERDE.md.

cargo bench --bench serde --no-default-features --features through-serde            everything
    -- log mesh        these values: log, mesh, minecraft_savedata, mk48
    -- --quick         fewer rounds
    -- --no-write      only prints";

const ABOUT: &str = "\
# Benchmarks of serde's formats

Written by `bench/pages`, never by hand.

What the way through `archive::serde_formats` costs: the same value, in the same format, under serde's derive and under ours, and
in our own format beside them. All run in one process, in turn, round after round, on one core; a figure is the least of
all rounds, as a **ratio to serde's derive** in that format. All save into newly allocated memory, and load values
that own what they have. *In place* is a load of ours into a value of the same shape, beside the load of serde's derive,
which has none. Differences under 10 % are noise. The values are those of [the other page][benchmarks].

[benchmarks]: BENCHMARKS.md
";

type Value = (&'static str, fn() -> Vec<Entry>);

const VALUES: [Value; 4] = [
    ("log", || entries(log::generate())),
    ("mesh", || entries(mesh::generate())),
    ("minecraft_savedata", || entries(minecraft::generate())),
    ("mk48", || entries(mk48::generate())),
];

/// Measures the requested workloads.
///
/// # Errors
/// A message.
pub fn main(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut names, mut plan, mut write) = (Vec::new(), Plan::FULL, true);
    for argument in arguments {
        match argument.as_str() {
            "--quick" => plan = Plan::QUICK,
            "--no-write" => write = false,
            "--bench" => {} // says cargo
            name if VALUES.iter().any(|(other, _)| *other == name) => names.push(argument),
            _ => return Err(format!("{argument:?} is not known\n\n{HELP}")),
        }
    }
    let measure = move || {
        pin();
        run(&names, plan, write)
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(measure);
    let ended = thread.map_err(|error| error.to_string())?.join();
    ended.unwrap_or_else(|_| Err("the measurement panicked".to_owned()))
}

fn run(names: &[String], plan: Plan, write: bool) -> Result<(), String> {
    let (mut page, mut differences) = (ABOUT.to_owned(), Vec::new());
    for (name, entries) in VALUES {
        if !names.is_empty() && !names.iter().any(|other| other == name) {
            continue;
        }
        let table = format!("\n## {name}\n\n{}", table(&measure(&mut entries(), plan)));
        differences.extend(rows::difference(rows::SERDE, name, &table));
        println!("{}", table.trim());
        page += &table;
    }
    rows::agree(&differences)?;
    if !write || !names.is_empty() {
        return Ok(());
    }
    let versions = machine::versions_of(&["rmp-serde", "serde", "serde_json"]);
    page += &format!(
        "\n<sub>{} {}</sub>\n",
        machine::line_of(machine::Profile::Tuned),
        versions.trim()
    );
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    std::fs::write(docs.join(rows::SERDE), page).map_err(|error| error.to_string())
}

/// The ratios of all ways, and the times in milliseconds.
fn table(times: &[Times]) -> String {
    let mut table = report::head(1, &rows::WAYS);
    for (index, (way, row)) in WAYS.iter().zip(times).enumerate() {
        let base = &times[index - index % 3];
        let ratio = |operation: Operation| {
            let beside = match operation {
                Operation::InPlace => Operation::Load,
                operation => operation,
            };
            let ratio = row[operation as usize].zip(base[beside as usize]);
            ratio.map_or_else(String::new, |(time, base)| format!("{:.2}", time / base))
        };
        let [save, load, in_place] = Operation::ALL.map(ratio);
        let times = row
            .map(|time| time.map_or_else(|| "–".to_owned(), |time| format!("{:.3}", time * 1e3)));
        let times = format!("<small>{}</small>", times.join(", "));
        table += &(report::line([(*way).to_owned(), save, load, in_place, times]) + "\n");
    }
    table
}
