//! A process is killed at any moment: its last commit is in the file.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use archive::store::storage::Redb;
use archive_test_support::search;

use super::disk::Random;
use super::killed_writer::{commit_until_killed, kill_once};

/// The file of the process that is killed.
const FILE: &str = "ARCHIVE_STORE_KILLED";

/// Returns this test as a process that commits until it is killed.
fn child(path: &Path) -> Command {
    const TEST: &str = "storage::killed_process::a_process_is_killed_at_any_moment";
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", TEST, "--nocapture", "--test-threads=2"]).env(FILE, path);
    child
}

#[test]
fn a_second_process_gets_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaign.store");
    let mut child = child(&path).stdout(Stdio::piped()).spawn().unwrap();
    // Its output has a reader until it is killed.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let printed = lines.find(|line| line == "1");
    let error = Redb::open(&path).err();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(printed.as_deref(), Some("1"), "nothing was committed");
    let message = error.expect("an error").message().to_owned();
    assert!(message.ends_with("campaign.store is open already, in this program or in another one"));
    Redb::open(&path).unwrap();
}

#[test]
fn a_process_is_killed_at_any_moment() {
    if let Some(path) = std::env::var_os(FILE) {
        commit_until_killed(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.store");
    let mut random = Random(search::seed());
    let mut generation = 0;
    for round in 0..search::cases(100) {
        match kill_once(&mut child(&path), &path, generation, &mut random) {
            Ok(found) => generation = found,
            Err(error) => panic!("round {round}: {error}"),
        }
    }
    assert!(generation > 0, "nothing was ever committed");
}
