//! A process is killed at any moment: the file has a whole commit, and no older one than it said.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use archive::store::storage::{Changes, Storage};
use archive_store_sqlite::Sqlite;

/// The file of the process that is killed.
const FILE: &str = "ARCHIVE_SQLITE_KILLED";
/// The rows of a commit.
const ROWS: u32 = 300;

/// Returns the generation that all rows are of, or 0.
fn generation(storage: &Sqlite) -> u32 {
    let mut found = Vec::new();
    let done = storage.scan(b"", b"", &mut |_, value| {
        found.push(u32::from_le_bytes(value[..4].try_into().unwrap()));
        Ok(true)
    });
    done.unwrap();
    assert!(found.is_empty() || found.len() == ROWS as usize, "{} rows", found.len());
    assert!(found.iter().all(|one| *one == found[0]), "rows of several commits");
    found.first().copied().unwrap_or(0)
}

/// Commits until the process is killed, and prints what is durable.
fn commit_until_killed(path: &Path) -> ! {
    let storage = Sqlite::open(path).unwrap();
    for generation in generation(&storage) + 1.. {
        let mut changes = Changes::new();
        for row in 0..ROWS {
            let mut value = generation.to_le_bytes().to_vec();
            value.resize(200, row as u8);
            changes.put(&row.to_be_bytes(), &value);
        }
        storage.commit(&changes).unwrap();
        if generation % 50 == 0 {
            storage.compact().unwrap();
        }
        println!("{generation}");
    }
    unreachable!("the process is killed before")
}

#[test]
fn a_process_is_killed_at_any_moment() {
    if let Some(path) = std::env::var_os(FILE) {
        commit_until_killed(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.sqlite");
    let mut before = 0;
    for round in 0..40_u64 {
        const TEST: &str = "killed_sqlite::a_process_is_killed_at_any_moment";
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", TEST, "--nocapture"]).env(FILE, &path).stdout(Stdio::piped());
        let mut child = child.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let printed = std::thread::spawn(move || {
            lines.map_while(Result::ok).filter_map(|line| line.parse::<u32>().ok()).last()
        });
        std::thread::sleep(Duration::from_millis(40 + round * 37 % 150));
        child.kill().unwrap();
        child.wait().unwrap();
        let said = printed.join().unwrap().unwrap_or(before);
        let storage = Sqlite::open(&path).unwrap();
        let found = generation(&storage);
        assert!(
            found == said || found == said + 1,
            "round {round}: {said} was said, {found} is there"
        );
        storage.check().unwrap();
        before = found;
    }
    assert!(before > 0, "nothing was ever committed");
}
