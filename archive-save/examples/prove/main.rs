//! Tries to break saves, many times: `cargo run --release -p archive-save --example prove -- 50000`.
//! `docs/RELIABILITY.md` has what it printed.

mod full;
mod mount;
mod power;
mod processes;
#[path = "../../tests/proof/mod.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod proof;
mod read_only;
#[path = "../../tests/saved_worlds.rs"]
mod saved_worlds;

use std::path::Path;
use std::time::Instant;

use archive::save::System;
use proof::calls::{self, Place};

/// One row of the table: what was done, how often, and what came of it.
struct Row {
    what: String,
    runs: String,
    result: String,
}

impl Row {
    fn new(what: impl Into<String>, runs: impl ToString, result: impl Into<String>) -> Row {
        Row { what: what.into(), runs: runs.to_string(), result: result.into() }
    }
}

type Rows = Result<Vec<Row>, String>;

/// Returns a new folder.
fn folder() -> Result<tempfile::TempDir, String> {
    tempfile::tempdir().map_err(|error| error.to_string())
}

/// Lets each call of the system fail, in a real folder.
fn calls() -> Rows {
    let place = || {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_owned();
        Place::new(System, &path, folder)
    };
    let tally = calls::all(&calls::CODES, &place)?;
    let calls = tally.calls.iter().map(|(name, count)| format!("{name} {count}"));
    let calls = calls.collect::<Vec<_>>().join(", ");
    let result = format!("0 bad: {} errors with path and cause ({calls})", tally.errors);
    let what = "calls that fail, each as `EIO`, `EACCES` and `ENOSPC`";
    Ok(vec![Row::new(what, tally.calls.values().sum::<u64>(), result)])
}

/// Runs all parts, and prints each row as soon as it is known.
fn prove(count: u64) -> Result<(), String> {
    let start = Instant::now();
    println!("| what | runs | result |\n|---|---|---|");
    let parts: [&dyn Fn() -> Rows; 7] = [
        &|| power::saves(count),
        &|| power::moves((count / 10).max(1_000)),
        &|| processes::kills(count / 50),
        &|| processes::together(count / 50),
        &calls,
        &full::rows,
        &read_only::rows,
    ];
    for part in parts {
        for Row { what, runs, result } in part()? {
            println!("| {what} | {runs} | {result} |");
        }
    }
    println!("\n{:.0?}", start.elapsed());
    Ok(())
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // The processes that are killed, and the two at the same time.
        ["save", folder] => proof::killed_saver::save_until_killed(Path::new(folder)),
        ["together", folder, who, count] => {
            proof::together::save_all(Path::new(folder), number(who)?, number(count)?)
        }
        [] => prove(50_000),
        [count] => prove(number(count)?),
        _ => Err("usage: prove [NUMBER OF POWER CUTS]".into()),
    }
}
