//! Processes that are killed, and two concurrent ones.

use std::path::Path;
use std::process::Command;

use archive_test_support::search;

use crate::proof::dice::Dice;
use crate::proof::killed_saver::{self, kill_once, save_until_killed};
use crate::proof::together;

/// The folder that the process saves in.
const FOLDER: &str = "ARCHIVE_SAVE_FOLDER";
/// Which of two processes it is.
const WHO: &str = "ARCHIVE_SAVE_WHO";
const COUNT: u64 = 30;

/// Returns a test as a process of its own.
fn child(test: &str, folder: &Path) -> Command {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture", "--test-threads=2"]).env(FOLDER, folder);
    child
}

#[test]
fn a_process_is_killed_at_any_moment() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        save_until_killed(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut dice, mut seen, mut last) = (Dice(search::seed()), killed_saver::Seen::default(), 0);
    for round in 0..search::cases(100) {
        let mut child = child("processes::a_process_is_killed_at_any_moment", folder.path());
        match kill_once(&mut child, folder.path(), last, &mut dice, &mut seen) {
            Ok(found) => last = found,
            Err(error) => panic!("round {round}: {error}"),
        }
    }
    assert!(last > 0, "nothing was ever saved");
}

#[test]
fn two_processes_save_to_one_slot() {
    if let (Some(folder), Ok(who)) = (std::env::var_os(FOLDER), std::env::var(WHO)) {
        together::save_all(Path::new(&folder), who.parse().unwrap(), COUNT).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let child = |who: u64| {
        let mut child = child("processes::two_processes_save_to_one_slot", folder.path());
        child.env(WHO, who.to_string());
        child
    };
    let loads = together::two(folder.path(), COUNT, child).unwrap();
    assert!(loads > 0);
}
