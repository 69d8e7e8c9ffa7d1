//! Loses power, and kills processes, many times: `cargo run --release -p archive-store --example
//! power_loss -- 50000`. `docs/RELIABILITY.md` has what it printed.

#[path = "../tests/storage/commit_histories.rs"]
mod commit_histories;
#[path = "../tests/storage/disk.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod disk;
#[path = "../tests/storage/killed_writer.rs"]
mod killed_writer;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use archive::store::storage::Storage;

use commit_histories::Seen;
use disk::{Faults, Random};

type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

/// Reads all rows.
fn rows(storage: &dyn Storage) -> archive::Result<Rows> {
    let mut rows = Rows::new();
    storage.scan(&[], &[], &mut |key, value| {
        rows.insert(key.to_vec(), value.to_vec());
        Ok(true)
    })?;
    Ok(rows)
}

/// Runs histories, and returns how many found a bad state.
fn histories(count: u64, faults: Faults) -> u64 {
    let (start, mut seen, mut bad) = (Instant::now(), Seen::default(), 0);
    for seed in 0..count {
        if let Err(error) = commit_histories::run(seed, faults, &mut seen) {
            bad += 1;
            if bad == 1 {
                println!("the first, history {seed}: {error}");
            }
        }
    }
    println!("{count} histories in {:.0?}: {seen:?}; bad: {bad}", start.elapsed());
    bad
}

fn kills(count: u64) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("killed.store");
    let (start, mut random, mut generation) = (Instant::now(), Random(1), 0);
    for _ in 0..count {
        let mut child = Command::new(std::env::current_exe().map_err(|error| error.to_string())?);
        child.arg("commit").arg(&path);
        generation = killed_writer::kill_once(&mut child, &path, generation, &mut random)?;
    }
    println!(
        "{count} processes killed in {:.0?}, after {generation} commits; bad: 0",
        start.elapsed()
    );
    Ok(())
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, path] = &*arguments
        && command == "commit"
    {
        killed_writer::commit_until_killed(Path::new(path));
    }
    let count = arguments.first().map_or(Ok(50_000), |count| count.parse());
    let count: u64 = count.map_err(|error| format!("the number of histories: {error}"))?;
    // Without syncs files are damaged, and redb panics on those. The panics are errors here.
    std::panic::set_hook(Box::new(|_| {}));
    println!("power is lost:");
    if histories(count, Faults::default()) > 0 {
        return Err("a bad state".into());
    }
    println!("power is lost, and each seventh sync does nothing:");
    if histories(count / 10, Faults { drops_sync: Some(7), ..Faults::default() }) == 0 {
        return Err("this finds nothing".into());
    }
    kills(count / 50)
}
