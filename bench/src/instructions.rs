//! Instructions in place of times: exact where times are noise, and equal on every machine.
//!
//! `measured` is the function whose calls callgrind counts. The program starts itself under
//! callgrind, which writes one file for each call, in the order of the rows.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::Command;
use std::{env, fs, io};

use archive::format::Session;

use crate::entry::Operation;
use crate::peer::Group;
use crate::run::STACK;
use crate::workload::{self, Workload};

/// The argument with which the program runs under callgrind.
const COUNTED: &str = "--counted";

/// The name of [`measured`] in the program.
const MEASURED: &str = "archive_bench::instructions::measured";

/// The workloads whose values are small enough.
const NAMES: [&str; 3] = ["log", "mk48", "world"];

/// The row for what every save and load begins and ends with.
const SESSION: &str = "a session, created and dropped";

/// Counts and prints: the rows that have all words of the arguments in their names. `--before FILE`
/// compares them with an earlier output.
///
/// # Errors
/// In words.
pub fn main(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut words: Vec<String> = arguments.collect();
    if words.first().is_some_and(|word| word == COUNTED) {
        words.remove(0);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || run_all(&words));
        let ended = thread.map_err(|error| error.to_string())?.join();
        return ended.map_err(|_| "a row panicked".to_owned());
    }
    let mut before = BTreeMap::new();
    if let Some(at) = words.iter().position(|word| word == "--before") {
        words.remove(at);
        let path = words.get(at).ok_or("--before which file?")?.clone();
        words.remove(at);
        before = earlier(&fs::read_to_string(path).map_err(|error| error.to_string())?);
    }
    count(&before, &words)
}

/// Runs each operation twice, and counts the second run.
fn run_all(words: &[String]) {
    let is_asked = |row: &str| words.iter().all(|word| row.contains(word.as_str()));
    if is_asked(SESSION) {
        measured(&mut || drop(black_box(Session::new())));
        println!("{SESSION}");
    }
    for Workload { name, entries, .. } in small() {
        for mut entry in entries() {
            if !matches!(entry.group, Group::Ours | Group::Variant) {
                continue;
            }
            for (operation, run) in Operation::ALL.iter().zip(&mut entry.operations) {
                let row = format!("{name}, {}, {operation:?}", entry.name);
                let Some(run) = run.as_mut().filter(|_| is_asked(&row)) else { continue };
                run();
                measured(run);
                println!("{row}");
            }
        }
    }
}

/// Runs it. Its name is what callgrind looks for.
#[inline(never)]
fn measured(run: &mut dyn FnMut()) {
    run();
}

fn small() -> impl Iterator<Item = Workload> {
    workload::ALL.into_iter().filter(|workload| NAMES.contains(&workload.name))
}

fn count(before: &BTreeMap<String, u64>, words: &[String]) -> Result<(), String> {
    for (row, instructions) in counted(words).map_err(|error| format!("valgrind: {error}"))? {
        match before.get(&row) {
            Some(old) => {
                let change = (instructions as f64 / *old as f64 - 1.0) * 100.0;
                println!("{instructions:>12}  {change:+.2} %  {row}");
            }
            None => println!("{instructions:>12}  {row}"),
        }
    }
    Ok(())
}

/// Returns what an output said, by row.
fn earlier(output: &str) -> BTreeMap<String, u64> {
    let row = |line: &str| {
        let (count, rest) = line.trim_start().split_once("  ")?;
        let row = rest.rsplit_once("%  ").map_or(rest, |(_, row)| row);
        Some((row.to_owned(), count.parse().ok()?))
    };
    output.lines().filter_map(row).collect()
}

/// Runs this program under callgrind, and returns what it counted for each row.
fn counted(words: &[String]) -> io::Result<Vec<(String, u64)>> {
    let folder = env::temp_dir().join(format!("instructions-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let file = folder.join("calls");
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .args(["--toggle-collect", "--dump-after"].map(|option| format!("{option}={MEASURED}")))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(env::current_exe()?)
        .arg(COUNTED)
        .args(words)
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let rows = String::from_utf8_lossy(&output.stdout).into_owned();
    let counts = rows.lines().enumerate().map(|(index, row)| {
        let dump = fs::read_to_string(format!("{}.{}", file.display(), index + 1))?;
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: "));
        let total = total.and_then(|total| total.trim().parse().ok());
        let total = total.ok_or_else(|| io::Error::other("callgrind counted nothing"))?;
        Ok((row.to_owned(), total))
    });
    let counts = counts.collect();
    fs::remove_dir_all(&folder)?;
    counts
}
