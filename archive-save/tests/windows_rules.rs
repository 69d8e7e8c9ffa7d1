//! The rules of Windows: all tests over file systems in memory run with them as well, and tests of
//! Windows alone.

use std::process::Command;

use archive::save::testing::PowerCuts;
use archive::save::{SaveFile, Saves};
use archive::{ErrorKind, Format};

use crate::proof::RULES;

/// The tests that use only the real file system, and this one.
const SKIPPED: [&str; 6] = [
    "golden_saves::",
    "processes::",
    "real_disk::",
    "special_files::",
    "taken_names::",
    "windows_rules::",
];

/// Each test runs again in a process of its own, so that none is left out.
#[test]
fn all_tests_pass_with_the_rules_of_windows() {
    let mut tests = Command::new(std::env::current_exe().unwrap());
    tests.env(RULES, "windows").arg("--quiet");
    let output = tests.args(SKIPPED.iter().flat_map(|name| ["--skip", name])).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

/// A player write-protects a save. It is not replaced, and the attempt leaves nothing harmful.
#[test]
fn a_read_only_save_is_neither_replaced_nor_lost() {
    let system = PowerCuts::windows();
    let file = SaveFile::over(system.clone(), "a.sav").backups(2);
    for number in 0..3 {
        file.save(&number, Format::Json).unwrap();
    }
    system.set_read_only("A.SAV", true).unwrap();
    for _ in 0..3 {
        let error = file.save(&9, Format::Json).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.message().ends_with(": Permission denied"), "{error}");
        let loaded = file.load::<i32>().unwrap();
        assert!(loaded.value == 2 && loaded.is_newest() && loaded.damaged.is_empty());
    }
    system.set_read_only("a.sav", false).unwrap();
    file.save(&3, Format::Json).unwrap();
    assert_eq!(file.load::<i32>().unwrap().value, 3);
    let paths: Vec<_> = system.paths().iter().map(|path| path.display().to_string()).collect();
    assert_eq!(paths, ["a.sav", "a.sav.1", "a.sav.2"]);
}

/// A write-protected backup is not pushed out by others, and the save succeeds.
#[test]
fn a_read_only_backup_does_not_stop_a_save() {
    let system = PowerCuts::windows();
    let file = SaveFile::over(system.clone(), "a.sav").backups(1);
    for number in 0..2 {
        file.save(&number, Format::Json).unwrap();
    }
    system.set_read_only("a.sav.1", true).unwrap();
    file.save(&2, Format::Json).unwrap();
    let loaded = file.load::<i32>().unwrap();
    assert!(loaded.value == 2 && loaded.is_newest());
    system.set_read_only("a.sav.1", false).unwrap();
    file.save(&3, Format::Json).unwrap();
    assert_eq!(file.load::<i32>().unwrap().value, 3);
}

/// No slot has a name that Windows reserves or cuts, or that differs from another one only in case.
#[test]
fn slots_are_files_of_their_own() {
    let system = PowerCuts::windows();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let names = [
        "con",
        "CON",
        "nul",
        "aux",
        "prn",
        "com1",
        "Com1",
        "lpt9",
        "com\u{b9}",
        "conin$",
        "con.txt",
        "nul.",
        "nul .",
        "a",
        "A",
        "a.",
        "a..",
        "a:b",
        "a/b",
        "a\\b",
        "a<b",
        "a?",
        "a*",
        "a|b",
        "a\"b",
        "\u{1}",
        "\u{e4}",
        "\u{c4}",
        "..",
        ".",
    ];
    for (number, name) in names.iter().enumerate() {
        saves.slot(name).unwrap().save(&number, Format::Json).unwrap();
    }
    for (number, name) in names.iter().enumerate() {
        assert_eq!(saves.slot(name).unwrap().load::<usize>().unwrap().value, number, "{name:?}");
    }
    assert_eq!(saves.list().unwrap().len(), names.len());
    assert_eq!(system.paths().len(), names.len());
}

/// The error of an invalid file name says so.
#[test]
fn a_path_that_windows_reserves_is_refused() {
    for (path, words) in [
        ("saves/nul.sav", "not a regular file"),
        ("com1.sav", "not a regular file"),
        ("a?.sav", "Invalid file name"),
    ] {
        let file = SaveFile::over(PowerCuts::windows(), path);
        let error = file.save(&1, Format::Json).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.message().contains(path) && error.message().contains(words), "{error}");
    }
}
