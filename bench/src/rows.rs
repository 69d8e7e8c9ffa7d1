//! The content of the pages of measurements: their sections, rows and columns.
//!
//! The programs that measure check their output against this, and the test `pages` of the root
//! includes this file to check the pages. A row that is new in the code is new here, and the pages
//! are measured again.

/// The page of all workloads, in Cargo's default profile.
pub const BENCHMARKS: &str = "BENCHMARKS.md";
/// The page of all workloads in the tuned profile.
pub const TUNED: &str = "BENCHMARKS_TUNED.md";
/// The page of JSON.
pub const JSON: &str = "BENCHMARKS_JSON.md";
/// The page of serde's formats.
pub const SERDE: &str = "BENCHMARKS_SERDE.md";

/// The columns of a workload.
pub const WORKLOAD: [&str; 8] =
    ["", "save", "load", "in place", "size", "bytes", "after zstd", "ms: save, load, in place"];
/// The columns of targets.
pub const TARGETS: [&str; 5] = ["", "target", "asked for", "found", ""];
/// The columns of all targets.
pub const BOTH: [&str; 6] = ["", "target", "asked for", "default", "tuned", ""];
/// The columns of growth.
pub const GROWTH: [&str; 4] =
    ["units", "clone + drop, ms", "save / (clone + drop)", "load / (clone + drop)"];
/// The columns of memory.
pub const MEMORY: [&str; 6] = ["", "value", "bytes", "`to_vec`", "`to_writer`", "load"];
/// The columns of a store.
pub const STORE: [&str; 4] = ["", "ours", "other", "what the other is"];
/// The measures of a store. Those of one name differ in the other side.
pub const STORE_MEASURES: [&str; 13] = [
    "full save",
    "full save",
    "full save",
    "save of 1 %",
    "save of 1 %",
    "save of 1 %",
    "save of 1 %",
    "`save_all` of 1 %, unmarked",
    "reads of all by key",
    "`open`, `attach`, `finish_load`",
    "`attach`",
    "MB after `compact`",
    "MB after a full save",
];
/// The columns of building.
pub const BUILDING: [&str; 11] = [
    "",
    "debug, all",
    "debug, clean",
    "debug, change",
    "release, all",
    "release, clean",
    "release, change",
    "debug, text",
    "release, text",
    "debug, functions",
    "release, functions",
];
/// The columns of building with one format.
pub const FORMATS: [&str; 4] = ["", "functions for each type", "release, clean", "release, text"];
/// The measures of JSON, which name the columns.
pub const MEASURES: [&str; 8] = [
    "load",
    "other order",
    "unknown members",
    "in place",
    "from a reader",
    "save",
    "pretty",
    "pretty per byte",
];
/// The columns of serde's formats.
pub const WAYS: [&str; 5] = ["", "save", "load", "in place", "ms: save, load, in place"];

/// The columns of JSON.
pub fn json() -> Vec<&'static str> {
    [""].into_iter().chain(MEASURES).collect()
}

const OURS: [&str; 14] = [
    "archive binary",
    "archive msgpack",
    "archive blob",
    "archive json",
    "binary, `to_vec`",
    "binary, `fingerprint`",
    "binary, `bare`",
    "binary, `columns`",
    "binary, `Format` at run time",
    "binary, erased",
    "json, erased",
    "msgpack, erased",
    "binary, named root",
    "json, named root",
];
const RIVALS: [&str; 11] = [
    "bitcode",
    "wincode",
    "speedy",
    "savefile",
    "rkyv",
    "postcard",
    "bincode 2",
    "borsh",
    "rmp-serde",
    "rmp-serde, named",
    "serde_json",
];
const RECORDS: [&str; 3] = [
    "binary, `serialize` by hand",
    "binary, one member added",
    "binary, `columns`, one member added",
];
const COLUMNS: [&str; 4] =
    ["`columns`, save", "`columns`, load", "`columns`, size", "`columns`, one member added, load"];
const CLONE: &str = "clone + drop";
const JSON_VALUES: [&str; 8] =
    ["log", "mesh", "minecraft_savedata", "mk48", "twitter", "citm_catalog", "canada", "world"];
const JSON_TARGETS: [&str; 7] =
    ["load", "other order", "unknown members", "in place", "save", "load", "from a reader"];
const MEASURED: [&str; 15] = [
    "save",
    "load",
    "in place",
    "size",
    "row-wise rivals both faster and smaller",
    "binary, `Format` at run time, save",
    "binary, `Format` at run time, load",
    "binary, erased, save",
    "binary, erased, load",
    "binary, named root, save",
    "binary, named root, load",
    "json, named root, save",
    "json, named root, load",
    "MessagePack, save",
    "MessagePack, load",
];

/// A table: its heading, its columns, and what its rows begin with.
pub struct Table {
    /// The heading of the section.
    pub heading: &'static str,
    /// The columns.
    pub columns: Vec<&'static str>,
    /// The first cell of each row; of targets the first two.
    pub rows: Vec<String>,
}

fn table<R: ToString>(
    heading: &'static str,
    columns: &[&'static str],
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let rows = rows.into_iter().map(|row| row.to_string()).collect();
    Table { heading, columns: columns.to_vec(), rows }
}

fn targets(heading: &'static str, of: &str, rows: &[&str]) -> Table {
    table(heading, &TARGETS, rows.iter().map(|row| format!("{of} | {row}")))
}

/// The tables of a page, in their order.
pub fn tables(page: &str) -> Vec<Table> {
    match page {
        BENCHMARKS => workloads().into_iter().chain(measurements()).collect(),
        TUNED => workloads(),
        JSON => {
            let contestants = ["archive", "serde_json", "simd-json", "sonic-rs", "nanoserde"];
            let values = JSON_VALUES.map(|value| table(value, &json(), contestants));
            // The world has no texts of other shapes.
            let has = |value: &str, target: &str| {
                value != "world" || !["other order", "unknown members"].contains(&target)
            };
            let targets = JSON_VALUES.into_iter().flat_map(|value| {
                let targets = JSON_TARGETS.into_iter().filter(move |target| has(value, target));
                targets.map(move |target| format!("{value} | {target}"))
            });
            values.into_iter().chain([table("Targets", &TARGETS, targets)]).collect()
        }
        _ => {
            let ways = [
                "serde_json, serde's derive",
                "serde_json under `archive`",
                "`archive::json`",
                "rmp-serde named, serde's derive",
                "rmp-serde named under `archive`",
                "`archive::msgpack`",
            ];
            ["log", "mesh", "minecraft_savedata", "mk48"]
                .map(|value| table(value, &WAYS, ways))
                .into()
        }
    }
}

fn workloads() -> Vec<Table> {
    let mut all = Vec::new();
    for (name, own, floor) in [
        ("log", &RECORDS[..], &[][..]),
        ("mesh", &[], &["memcpy"]),
        ("minecraft_savedata", &[], &[]),
        ("mk48", &[], &[]),
    ] {
        let rows = OURS.iter().chain(own).chain(&RIVALS).chain(floor).chain(&[CLONE]);
        all.push(table(name, &WORKLOAD, rows));
        let by_hand =
            ["`serialize` by hand, save", "`serialize` by hand, load", "one member added, load"];
        let columns = match name {
            "mesh" => &[],
            "log" => &COLUMNS[..],
            _ => &COLUMNS[..3],
        };
        let more = if name == "log" { &by_hand[..] } else { &[] };
        all.push(targets(name, name, &[&MEASURED, more, columns].concat()));
    }
    let indices = RIVALS.map(|rival| format!("indices in {rival}"));
    let rows = OURS.iter().chain(&["binary, played world"]).map(ToString::to_string);
    let rows = rows.chain(indices).chain(["fory", CLONE].map(str::to_owned));
    all.push(table("world", &WORKLOAD, rows));
    let beside = ["save", "load", "save", "load", "in place", "save of the played world"];
    all.push(targets("world", "world", &[&beside, &MEASURED[3..13]].concat()));
    all
}

fn measurements() -> Vec<Table> {
    let mut all = Vec::new();
    all.push(table("Growth", &GROWTH, ["1,000", "10,000", "100,000", "1,000,000"]));
    all.push(targets("Growth", "growth", &["save / (clone + drop)", "load / (clone + drop)"]));
    let workloads = ["log", "mesh", "minecraft_savedata", "mk48", "world"];
    all.push(table("Peak memory", &MEMORY, workloads));
    let peaks = workloads.map(|of| ["to_vec`", "loading"].map(|what| (of, what)));
    let peaks = peaks.iter().flatten().map(|(of, what)| match *what {
        "loading" => format!("{of} | peak of loading"),
        what => format!("{of} | peak of `{what}"),
    });
    all.push(table("Peak memory", &TARGETS, peaks));
    all.push(table("Stores", &STORE, STORE_MEASURES));
    all.push(targets("Stores", "store", &STORE_MEASURES));
    let flavors = [
        "archive: JSON, binary, MessagePack",
        "serde: `serde_json`, `postcard`, `rmp-serde`",
        "the types alone",
    ];
    all.push(table("Building", &BUILDING, flavors));
    all.push(targets("Building", "building", &BUILDING[1..9]));
    let formats = ["ObjectBlob, erased", "binary", "JSON", "MessagePack"];
    all.push(table("What each format costs", &FORMATS, formats));
    all
}

/// The differences between the text of a section and its expected content; `None` if there are
/// none. The text is all of the page from the heading to the next one.
pub fn difference(page: &str, heading: &str, text: &str) -> Option<String> {
    let wanted: Vec<Table> = tables(page).into_iter().filter(|t| t.heading == heading).collect();
    let lines: Vec<&str> = text.lines().collect();
    let found = lines.split(|line| !line.starts_with('|')).filter(|table| !table.is_empty());
    let found: Vec<&[&str]> = found.collect();
    if found.len() != wanted.len() {
        return Some(format!("{heading} has {} tables, not {}", found.len(), wanted.len()));
    }
    wanted.iter().zip(found).find_map(|(wanted, found)| {
        let begin = |cells: String| format!("| {cells} |");
        let head = begin(wanted.columns.join(" | "));
        let rows: Vec<String> = wanted.rows.iter().cloned().map(begin).collect();
        if found[0] != head {
            return Some(format!("{heading} has the columns {}, not {head}", found[0]));
        }
        let found = found.get(2..).unwrap_or_default();
        let lacks = rows.iter().find(|row| !found.iter().any(|line| line.starts_with(&**row)));
        let other = found.iter().find(|line| !rows.iter().any(|row| line.starts_with(&**row)));
        match (lacks, other) {
            (Some(row), _) => Some(format!("{heading} lacks the row {row}")),
            (None, Some(line)) => Some(format!("{heading} has the row {line}, which is unknown")),
            (None, None) if found.len() != rows.len() => {
                Some(format!("{heading} has {} rows, not {}", found.len(), rows.len()))
            }
            (None, None) => None,
        }
    })
}

/// An error if there is a difference between what was measured and this file.
///
/// # Errors
/// The differences, in words.
pub fn agree(differences: &[String]) -> Result<(), String> {
    match differences {
        [] => Ok(()),
        some => Err(format!("bench/src/rows.rs says otherwise: {}", some.join("; "))),
    }
}
