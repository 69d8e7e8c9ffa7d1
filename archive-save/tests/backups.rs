//! Backups, loads from backups, and damaged files in quarantine.

use std::io;
use std::path::{Path, PathBuf};

use archive::save::SaveFile;
use archive::save::testing::PowerCuts;
use archive::{ErrorKind, Format};

use crate::folding_names::Folding;
use crate::proof::power_cuts;

fn paths(system: &PowerCuts) -> Vec<String> {
    system.paths().iter().map(|path| path.display().to_string()).collect()
}

fn damage(system: &PowerCuts, path: &str) {
    let mut bytes = system.get(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    system.put(path, bytes);
}

#[test]
fn generations_are_kept() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "s/a.sav").backups(2);
    for number in 0..5 {
        file.save(&number, Format::Json).unwrap();
    }
    assert_eq!(paths(&system), ["s/a.sav", "s/a.sav.1", "s/a.sav.2"]);
    let load = |path| SaveFile::over(system.clone(), path).load::<i32>().unwrap().value;
    assert_eq!(["s/a.sav", "s/a.sav.1", "s/a.sav.2"].map(load), [4, 3, 2]);
}

/// A number that does not limit anything.
#[test]
fn all_backups() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav").backups(usize::MAX);
    for number in 0..7 {
        file.save(&number, Format::Json).unwrap();
        // As if it had been interrupted.
        system.put("a.sav.new", "no save");
        assert_eq!(file.load::<i32>().unwrap().value, number);
    }
    assert_eq!(paths(&system).len(), 7);
}

#[test]
fn no_backups() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav").backups(0);
    file.save(&1, Format::Json).unwrap();
    file.save(&2, Format::Json).unwrap();
    assert_eq!(paths(&system), ["a.sav"]);
}

#[test]
fn the_newest_good_one_is_loaded_and_the_damaged_ones_are_quarantined() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav").backups(3);
    for number in 0..4 {
        file.save(&number, Format::Binary).unwrap();
    }
    damage(&system, "a.sav");
    damage(&system, "a.sav.1");
    let (main, first) = (system.get("a.sav").unwrap(), system.get("a.sav.1").unwrap());

    let loaded = file.load::<i32>().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (1, Some(2)));
    let asides: Vec<_> = loaded.damaged.iter().map(|damaged| damaged.aside.clone()).collect();
    let expected = ["a.sav.damaged", "a.sav.1.damaged"].map(|path| Some(PathBuf::from(path)));
    assert_eq!(asides, expected);
    assert!(loaded.damaged.iter().all(|damaged| damaged.error.kind() == ErrorKind::Syntax));
    assert_eq!(system.get("a.sav.damaged").unwrap(), main);
    assert_eq!(system.get("a.sav.1.damaged").unwrap(), first);

    // It says so until the next save, and good files are kept.
    assert_eq!(file.load::<i32>().unwrap().fell_back, Some(2));
    file.save(&7, Format::Binary).unwrap();
    let loaded = file.load::<i32>().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (7, None));
    assert!(paths(&system).contains(&"a.sav.2".into()));
}

#[test]
fn a_damaged_save_is_quarantined_by_the_next_save_too() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav").backups(1);
    file.save(&1, Format::Binary).unwrap();
    file.save(&2, Format::Binary).unwrap();
    for count in 1..4 {
        let mut bytes = system.get("a.sav").unwrap();
        bytes.pop();
        system.put("a.sav", bytes.clone());
        file.save(&3, Format::Binary).unwrap();
        let ending = if count == 1 { String::new() } else { format!("-{count}") };
        assert_eq!(system.get(format!("a.sav.damaged{ending}")).unwrap(), bytes);
        assert_eq!(SaveFile::over(system.clone(), "a.sav.1").load::<i32>().unwrap().value, 1);
    }
}

#[test]
fn nothing_good_is_the_error_of_the_newest() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav");
    let error = file.load::<i32>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(error.message(), "there is no save a.sav");
    assert!(!file.exists().unwrap());

    file.save(&1, Format::Binary).unwrap();
    file.save(&2, Format::Binary).unwrap();
    damage(&system, "a.sav");
    damage(&system, "a.sav.1");
    let error = file.load::<i32>().unwrap_err();
    assert!(error.message().starts_with("a.sav is damaged: "), "{error}");
    // They are the only files, and are kept in place.
    assert_eq!(paths(&system), ["a.sav", "a.sav.1"]);
    assert!(file.exists().unwrap());
}

/// A value that the types refuse is not damage: an older save would lose the player's progress.
#[test]
fn other_types_do_not_fall_back() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav");
    file.save(&1, Format::Binary).unwrap();
    file.save("text", Format::Binary).unwrap();
    assert_eq!(file.load::<i32>().unwrap_err().kind(), ErrorKind::WrongType);
    assert_eq!(file.load::<String>().unwrap().value, "text");

    let newer = SaveFile::over(system.clone(), "a.sav").game_version(4);
    newer.save(&2, Format::Binary).unwrap();
    let older = SaveFile::over(system.clone(), "a.sav").game_version(3);
    let error = older.load::<i32>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
    assert_eq!(error.message(), "a.sav was saved by version 4 of the game, and this is version 3");
    assert_eq!(older.meta().unwrap().game_version, 4);
    newer.game_version(5).load::<i32>().unwrap();
    let error = older.game("skirmish").load::<i32>().unwrap_err();
    assert_eq!(error.message(), r#"a.sav is a save without the name of a game, not of "skirmish""#);
}

#[test]
fn plain_text_remains_plain() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "settings.json").backups(2);
    file.save(&vec![1, 2], Format::Json).unwrap();
    assert_eq!(system.get("settings.json").unwrap(), b"[1,2]");
    file.save(&vec![3], Format::Json).unwrap();
    assert_eq!(system.get("settings.json.1").unwrap(), b"[1,2]");
    assert_eq!(file.load::<Vec<i32>>().unwrap().value, [3]);
    assert_eq!(file.meta().unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(file.save(&1, Format::Binary).unwrap_err().kind(), ErrorKind::Unsupported);

    // Someone edits it, and forgets a bracket.
    system.put("settings.json", "[3");
    let loaded = file.load::<Vec<i32>>().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (vec![1, 2], Some(1)));
    assert_eq!(system.get("settings.json.damaged").unwrap(), b"[3");
}

/// A drive that cuts each save does not fill up with damaged files.
#[test]
fn the_last_five_damaged_files_are_kept() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav");
    let mut damaged = Vec::new();
    for number in 0..30 {
        file.save(&number, Format::Json).unwrap();
        let mut bytes = system.get("a.sav").unwrap();
        bytes.pop();
        damaged.push(bytes.clone());
        system.put("a.sav", bytes);
    }
    system.take_calls();
    file.save(&30, Format::Json).unwrap();
    let calls = system.take_calls().len();
    assert!(calls < 40, "{calls} calls");
    for (number, expected) in damaged[25..].iter().enumerate() {
        let ending = if number == 0 { String::new() } else { format!("-{}", number + 1) };
        let found = system.get(format!("a.sav.damaged{ending}")).unwrap();
        assert_eq!(found, *expected, "{number}");
    }
    assert_eq!(system.paths().len(), 6, "{:?}", system.paths());
}

/// A file that cannot be moved gets no second name, which would push out older files in quarantine.
#[test]
fn a_file_that_cannot_be_quarantined_gets_no_other_name() {
    let system = Folding::plain();
    let file = SaveFile::over(system.clone(), "a.sav");
    for number in 0..2 {
        file.save(&number, Format::Binary).unwrap();
    }
    damage(&system.inner, "a.sav");
    system.inner.put("a.sav.damaged", "an older one");
    let before = paths(&system.inner);
    system.on(|call, path| match call {
        "remove" if path == Path::new("a.sav") => Err(io::ErrorKind::PermissionDenied.into()),
        _ => Ok(()),
    });
    for _ in 0..6 {
        let loaded = file.load::<i32>().unwrap();
        assert_eq!((loaded.value, &loaded.damaged[0].aside), (0, &None));
    }
    assert_eq!(paths(&system.inner), before);
    assert_eq!(system.inner.get("a.sav.damaged").unwrap(), b"an older one");
}
