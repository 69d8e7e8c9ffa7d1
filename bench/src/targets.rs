//! [`Target`]: a goal, and whether it is reached.

use crate::entry::Operation::{self, InPlace, Load, Save};
use crate::peer::ours::{
    BINARY, BINARY_ROOT, COLUMNS, ERASED, JSON, JSON_ROOT, MSGPACK, PLAYED, RUN_TIME, TO_VEC,
};
use crate::results::{Results, Row};
use crate::workload::mesh;

/// A goal, and the measured value.
#[derive(Clone, Debug)]
pub struct Target {
    /// What is measured.
    pub what: String,
    /// The goal.
    pub asked: String,
    /// The measured value.
    pub found: String,
    /// The ratio of the two; up to 1 is reached.
    pub excess: f64,
}

impl Target {
    /// A measure that may be at most this multiple of another one.
    pub fn ratio(
        what: &str,
        ours: Option<f64>,
        limit: f64,
        than: Option<f64>,
        whose: &str,
    ) -> Option<Target> {
        let ratio = ours? / than?;
        Some(Target {
            what: what.to_owned(),
            asked: format!("≤ {limit} × {whose}"),
            found: format!("{} ×", digits(ratio, limit)),
            excess: ratio / limit,
        })
    }

    /// Whether it is reached.
    pub fn is_met(&self) -> bool {
        self.excess <= 1.0
    }

    /// In words.
    pub fn verdict(&self) -> String {
        match self.is_met() {
            true => "met".to_owned(),
            false if self.excess.is_infinite() => "**not met**".to_owned(),
            false => format!("**not met**, {} × too much", digits(self.excess, 1.0)),
        }
    }
}

/// A ratio, with more digits where it is close to its limit.
fn digits(ratio: f64, limit: f64) -> String {
    if (ratio / limit - 1.0).abs() < 0.005 { format!("{ratio:.4}") } else { format!("{ratio:.2}") }
}

/// The targets of workloads of mixed values; loading in place may take that share of the time that
/// the fastest rival takes to load.
pub fn general(results: &Results, in_place: f64) -> Vec<Target> {
    let mut all: Vec<Target> =
        [(Save, "save", 1.15), (Load, "load", 1.15), (InPlace, "in place", in_place)]
            .into_iter()
            .filter_map(|(operation, what, limit)| {
                let (row, time) = results.fastest(operation)?;
                let whose = match operation {
                    InPlace => format!("the fastest load ({})", row.name),
                    _ => format!("the fastest ({})", row.name),
                };
                Target::ratio(what, results.time(BINARY, operation), limit, Some(time), &whose)
            })
            .collect();
    all.extend(size(results, 1.0, results.size("postcard").map(|size| size as f64), "postcard"));
    all.extend(dominated(results));
    all.extend(ways(results, [2.0, 1.4]));
    all.extend(messagepack(results));
    all
}

/// The targets of a workload that is one block of memory.
pub fn block(results: &Results) -> Vec<Target> {
    let targets =
        [(Save, "save"), (Load, "load"), (InPlace, "in place")].map(|(operation, what)| {
            let time = |name| results.time(name, operation);
            Target::ratio(what, time(BINARY), 1.1, time("memcpy"), "memcpy")
        });
    let mut all: Vec<Target> = targets.into_iter().flatten().collect();
    all.extend(size(results, 1.01, Some(mesh::PAYLOAD as f64), "the payload"));
    all.extend(dominated(results));
    all.extend(ways(results, [2.0, 1.4]));
    all.extend(messagepack(results));
    all
}

/// The targets of the world.
pub fn world(results: &Results) -> Vec<Target> {
    const INDICES: &str = "indices in postcard";
    let mut all = Vec::new();
    for (name, save, load) in [("fory", 0.5, 0.65), (INDICES, 1.0, 1.7)] {
        for (operation, what, limit) in [(Save, "save", save), (Load, "load", load)] {
            let time = |name| results.time(name, operation);
            all.extend(Target::ratio(what, time(BINARY), limit, time(name), name));
        }
    }
    let time = |operation| results.time(BINARY, operation);
    all.extend(Target::ratio("in place", time(InPlace), 1.1, time(Load), "its load and drop"));
    let (played, fresh) = (results.time(PLAYED, Save), results.time("fory", Save));
    all.extend(Target::ratio(
        "save of the played world",
        played,
        1.3,
        fresh,
        "fory (a fresh world)",
    ));
    all.extend(size(results, 1.5, results.size(INDICES).map(|size| size as f64), INDICES));
    all.extend(dominated(results));
    all.extend(ways(results, [1.3, 1.3]));
    all
}

/// The target of a hand-written `serialize`.
pub fn handwritten(results: &Results, name: &str) -> Vec<Target> {
    let targets = [(Save, "save"), (Load, "load")].map(|(operation, what)| {
        let time = |name| results.time(name, operation);
        let what = format!("`serialize` by hand, {what}");
        Target::ratio(&what, time(name), 1.3, time(BINARY), "the derived one")
    });
    targets.into_iter().flatten().collect()
}

/// The target of a class that got a member.
pub fn newer(results: &Results, name: &str) -> Option<Target> {
    let time = |name| results.time(name, Load);
    Target::ratio("one member added, load", time(name), 1.5, time(BINARY), "the equal layout")
}

/// The targets of columns, beside the rival that writes columns. `newer` is the load of a class that got
/// a member.
pub fn columns(results: &Results, newer: Option<&str>) -> Vec<Target> {
    const RIVAL: &str = "bitcode";
    let time = |name, operation| results.time(name, operation);
    let size = |name| results.size(name).map(|size| size as f64);
    let ratio = |what, ours, limit, than, whose| Target::ratio(what, ours, limit, than, whose);
    let (save, load) = (time(COLUMNS, Save), time(COLUMNS, Load));
    let newer = newer.and_then(|name| time(name, Load));
    let targets = [
        ratio("`columns`, save", save, 1.2, time(RIVAL, Save), RIVAL),
        ratio("`columns`, load", load, 1.05, time(RIVAL, Load), RIVAL),
        ratio("`columns`, size", size(COLUMNS), 1.02, size(RIVAL), RIVAL),
        ratio("`columns`, one member added, load", newer, 1.3, load, "the equal layout"),
    ];
    targets.into_iter().flatten().collect()
}

fn size(results: &Results, limit: f64, than: Option<f64>, whose: &str) -> Option<Target> {
    let ours = results.size(BINARY).map(|size| size as f64);
    Target::ratio("size", ours, limit, than, whose)
}

/// No rival that writes row by row is both faster and smaller.
fn dominated(results: &Results) -> Option<Target> {
    let ours = results.row(BINARY)?;
    let smaller = |row: &&Row| match (row.size, ours.size) {
        (Some(theirs), Some(ours)) => theirs.plain < ours.plain,
        _ => false,
    };
    let faster = |row: &Row, operation: Operation| row.time(operation) < ours.time(operation);
    let better = |operation, what: &str| {
        let rows = results.row_wise().filter(smaller).filter(|row| faster(row, operation));
        let names: Vec<&str> = rows.map(|row| row.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
    };
    let found: Vec<String> =
        [better(Save, "save"), better(Load, "load")].into_iter().flatten().collect();
    Some(Target {
        what: "row-wise rivals both faster and smaller".to_owned(),
        asked: "none".to_owned(),
        excess: if found.is_empty() { 0.0 } else { f64::INFINITY },
        found: if found.is_empty() { "none".to_owned() } else { found.join("; ") },
    })
}

/// MessagePack beside `rmp-serde`, both with names.
#[cfg(feature = "rmp-serde")]
fn messagepack(results: &Results) -> Vec<Target> {
    use crate::peer::rmp_serde::NAMED;
    let targets = [(Save, "MessagePack, save"), (Load, "MessagePack, load")];
    let targets = targets.map(|(operation, what)| {
        let time = |name| results.time(name, operation);
        Target::ratio(what, time(MSGPACK), 1.0, time(NAMED), "`rmp-serde` with names")
    });
    targets.into_iter().flatten().collect()
}

/// Nothing, without MessagePack.
#[cfg(not(feature = "rmp-serde"))]
fn messagepack(_: &Results) -> Vec<Target> {
    let _ = MSGPACK;
    Vec::new()
}

/// The other ways to use a format, beside one root in a format that is known when compiling.
fn ways(results: &Results, erased: [f64; 2]) -> Vec<Target> {
    let mut all = Vec::new();
    for (name, limits, than, whose) in [
        (RUN_TIME, [1.05, 1.05], BINARY, "static use"),
        (ERASED, erased, BINARY, "static use"),
        (BINARY_ROOT, [1.1, 1.1], TO_VEC, "one root in a new vector"),
        (JSON_ROOT, [1.1, 1.1], JSON, "one root"),
    ] {
        for ((operation, what), limit) in [(Save, "save"), (Load, "load")].into_iter().zip(limits) {
            let time = |name| results.time(name, operation);
            let what = format!("{name}, {what}");
            all.extend(Target::ratio(&what, time(name), limit, time(than), whose));
        }
    }
    all
}
