//! A process is killed at any moment: its last commit is there.

use std::path::Path;
use std::process::Command;

use archive_test_support::search;

use super::disk::Random;
use super::killed::{commit_for_ever, kill_once};

/// The file of the process that is killed.
const FILE: &str = "ARCHIVE_STORE_KILLED";

#[test]
fn a_process_is_killed_at_any_moment() {
    if let Some(path) = std::env::var_os(FILE) {
        commit_for_ever(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.store");
    let mut random = Random(search::seed());
    let mut generation = 0;
    for round in 0..search::cases(100) {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args([
            "--exact",
            "storage::kill::a_process_is_killed_at_any_moment",
            "--nocapture",
            "--test-threads=2",
        ]);
        child.env(FILE, &path);
        match kill_once(&mut child, &path, generation, &mut random) {
            Ok(found) => generation = found,
            Err(error) => panic!("round {round}: {error}"),
        }
    }
    assert!(generation > 0, "nothing was ever committed");
}
