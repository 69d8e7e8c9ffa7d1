//! The page `docs/BENCHMARKS_JSON.md`.

use std::path::Path;
use std::{fs, io};

use super::contest::{CONTESTANTS, MEASURES, Times};
use crate::targets::Target;
use crate::{machine, reasons, report, rows};

const ABOUT: &str = "\
# Benchmarks of JSON

Written by `bench/pages`, never by hand.

All contestants run in one process, in turn, round after round, on one core; a figure is the least of all rounds,
as a **ratio to `serde_json`** (derived, with `float_roundtrip`). All load the same text into values that own what they
have, and drop them: as it was written, with the members of all objects in another order, and with members that the
type does not have in front of every third. *In place* is a load of ours into a value of the same shape, beside the load
of `serde_json`, which has none. *Pretty per byte* is how long a byte of the pretty text takes beside a byte of the
compact one, both of the same contestant. A contestant that does not load what it should is left out of that column. `simd-json`
changes its input, so its loads begin with a copy. A run of less than 10 ms is made once before
it is timed. Differences under 10 % are noise.

`log` to `mk48` are those of [the other page][benchmarks]. `twitter`, `citm_catalog` and `canada` are the files
that JSON parsers are commonly measured with, in full typed models. `world` is the game of `skirmish/` with 20,000 units: ours
holds its pointers, the rivals the same data with indices in their place.

[benchmarks]: BENCHMARKS.md
";

/// The page, as far as it was measured.
#[derive(Default)]
pub struct Page {
    body: String,
    differences: Vec<String>,
    targets: Vec<(String, Target)>,
}

impl Page {
    /// Adds what was measured with a value, and prints it.
    pub fn add(&mut self, name: &str, times: &Times) {
        let mut table = report::head(1, &rows::json());
        for (who, row) in CONTESTANTS.iter().zip(times) {
            let cells = (0..MEASURES.len()).map(|what| {
                let ratio = row[what].zip(base(times, what)).map(|(time, base)| time / base);
                ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"))
            });
            table += &(report::line([(*who).to_owned()].into_iter().chain(cells)) + "\n");
        }
        println!("## {name}\n\n{table}");
        self.differences.extend(rows::difference(rows::JSON, name, &table));
        self.body += &format!("\n## {name}\n\n{table}");
        self.targets.extend(targets(times).into_iter().map(|target| (name.to_owned(), target)));
    }

    /// Ends the page, and writes it if requested.
    ///
    /// # Errors
    /// Those of the file, and rows that differ from the expected ones.
    pub fn end(mut self, all: bool, write: bool) -> io::Result<()> {
        let mut targets = report::head(5, &rows::TARGETS);
        for (of, target) in &self.targets {
            let cells = [of, &target.what, &target.asked, &target.found, &target.verdict()];
            targets += &(report::line(cells) + "\n");
        }
        if all {
            self.differences.extend(rows::difference(rows::JSON, "Targets", &targets));
        }
        if write && all {
            self.write(&targets)?;
        }
        rows::agree(&self.differences).map_err(io::Error::other)
    }

    fn write(&self, targets: &str) -> io::Result<()> {
        let met = self.targets.iter().filter(|(_, target)| target.is_met()).count();
        let (_, missed) = report::collect_targets(targets);
        let text = format!(
            "{ABOUT}{}\n## Targets\n\n{met} of {} are met.\n\n{targets}\nWhy targets are missed:\n\n{}\n<sub>{} {}</sub>\n",
            self.body,
            self.targets.len(),
            reasons::of_json(&missed),
            machine::line_of(machine::Profile::Tuned),
            machine::versions_of(&["nanoserde", "serde_json", "simd-json", "sonic-rs"]).trim(),
        );
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        fs::write(docs.join(rows::JSON), text)
    }
}

/// The reference of a measure: the time of `serde_json`; for loads in place, its load. The last one
/// is a ratio.
fn base(times: &Times, what: usize) -> Option<f64> {
    match MEASURES[what] {
        "in place" => times[1][0],
        "pretty per byte" => Some(1.0),
        _ => times[1][what],
    }
}

fn targets(times: &Times) -> Vec<Target> {
    let limits = [
        ("load", 0.75),
        ("other order", 0.9),
        ("unknown members", 0.85),
        ("in place", 0.5),
        ("save", 0.8),
    ];
    let measure = |name: &str| MEASURES.iter().position(|other| *other == name).unwrap_or(0);
    let ratios = limits.into_iter().filter_map(|(name, limit)| {
        let what = measure(name);
        Target::ratio(name, times[0][what], limit, base(times, what), "serde_json")
    });
    let fastest = times[1..].iter().filter_map(|row| row[0]).min_by(f64::total_cmp);
    let than_all = Target::ratio("load", times[0][0], 1.0, fastest, "the fastest");
    let reader = Target::ratio(
        "from a reader",
        times[0][measure("from a reader")],
        1.2,
        times[0][0],
        "`from_slice`",
    );
    ratios.chain(than_all).chain(reader).collect()
}
