//! The newest save of all slots: which file is loaded, skipped, or moved to quarantine.

use std::path::{Path, PathBuf};

use archive::save::testing::PowerCuts;
use archive::save::{Saves, SlotState};
use archive::{ErrorKind, Format};

use crate::proof::{native, power_cuts};

fn saves(system: &PowerCuts) -> Saves {
    Saves::over(system.clone(), "saves").unwrap().game("skirmish").game_version(3)
}

fn damage(system: &PowerCuts, name: &str) -> PathBuf {
    let path = Path::new("saves").join(name);
    let mut bytes = system.get(&path).unwrap();
    let middle = bytes.len() - 40;
    bytes[middle] ^= 1;
    system.put(&path, bytes);
    path
}

#[test]
fn the_newest_of_all_slots_is_loaded() {
    let saves = saves(&power_cuts());
    assert!(saves.load_newest::<i32>().unwrap().is_none());
    for (number, name) in ["a", "c", "b"].iter().enumerate() {
        saves.slot(name).unwrap().save(&number, Format::Json).unwrap();
    }
    let loaded = saves.load_newest::<usize>().unwrap().unwrap();
    assert_eq!((loaded.value, loaded.slot.as_deref()), (2, Some("b")));
    assert_eq!(loaded.path, Path::new("saves/b.sav"));
    assert_eq!(loaded.meta, *saves.slot("b").unwrap().meta());
    assert!(loaded.is_newest() && loaded.damaged.is_empty() && loaded.skipped.is_empty());
    // It waits for saves in the background.
    drop(saves.slot("a").unwrap().save_in_background(&9, Format::Json).unwrap());
    assert_eq!(saves.load_newest::<i32>().unwrap().unwrap().value, 9);
}

/// Each autosave is one file, so that there is no backup beside it.
#[test]
fn damaged_slots_are_skipped_and_quarantined() {
    let system = power_cuts();
    let saves = saves(&system).autosaves(9);
    for number in 1..5 {
        saves.autosave().unwrap().save(&number, Format::Binary).unwrap();
    }
    system.put("saves/lost.sav", "no save");
    let damaged = ["autosave 4.sav", "autosave 3.sav"].map(|name| damage(&system, name));
    let loaded = saves.load_newest::<i32>().unwrap().unwrap();
    assert_eq!((loaded.value, loaded.slot.as_deref()), (2, Some("autosave 2")));
    assert_eq!(loaded.fell_back, None);
    let lost = PathBuf::from("saves/lost.sav");
    assert!(
        loaded.damaged.iter().map(|damaged| &damaged.path).eq([&lost].into_iter().chain(&damaged))
    );
    for damaged in &loaded.damaged {
        let aside = damaged.path.with_extension("sav.damaged");
        assert_eq!(damaged.error.kind(), ErrorKind::Syntax);
        assert_eq!(damaged.aside.as_ref(), Some(&aside));
        assert!(system.get(&aside).is_ok() && system.get(&damaged.path).is_err());
    }
    // They are no longer slots, and it reports this once.
    let loaded = saves.load_newest::<i32>().unwrap().unwrap();
    assert_eq!((loaded.value, loaded.damaged.len()), (2, 0));
}

#[test]
fn a_slot_falls_back_to_its_backup_first() {
    let system = power_cuts();
    let saves = saves(&system);
    saves.slot("b").unwrap().save(&1, Format::Binary).unwrap();
    for number in 2..4 {
        saves.slot("a").unwrap().save(&number, Format::Binary).unwrap();
    }
    damage(&system, "a.sav");
    let loaded = saves.load_newest::<i32>().unwrap().unwrap();
    assert_eq!((loaded.value, loaded.slot.as_deref(), loaded.fell_back), (2, Some("a"), Some(1)));
    assert_eq!(loaded.path, Path::new("saves/a.sav.1"));
    assert_eq!(loaded.damaged[0].aside.as_deref(), Some(Path::new("saves/a.sav.damaged")));
}

#[test]
fn saves_of_others_are_skipped_and_reported() {
    let system = power_cuts();
    let saves = saves(&system);
    let chess = Saves::over(system.clone(), "saves").unwrap().game("chess");
    chess.slot("chess").unwrap().save(&1, Format::Binary).unwrap();
    assert!(saves.load_newest::<i32>().unwrap().is_none());
    let newer = Saves::over(system.clone(), "saves").unwrap().game("skirmish").game_version(4);
    newer.slot("newer").unwrap().save(&1, Format::Binary).unwrap();
    let error = saves.load_newest::<i32>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
    assert!(
        error.message().starts_with(&native("saves/newer.sav was saved by version 4")),
        "{error}"
    );

    saves.slot("mine").unwrap().save(&7, Format::Binary).unwrap();
    newer.slot("newest").unwrap().save(&1, Format::Binary).unwrap();
    chess.slot("chess").unwrap().save(&1, Format::Binary).unwrap();
    let loaded = saves.load_newest::<i32>().unwrap().unwrap();
    let skipped: Vec<_> = loaded.skipped.iter().map(|slot| (slot.name(), slot.state())).collect();
    assert_eq!((loaded.value, loaded.slot.as_deref()), (7, Some("mine")));
    let expected = [("chess", SlotState::OtherGame), ("newest", SlotState::NewerGame)];
    assert_eq!(skipped, expected);
}

#[test]
fn without_a_good_save_it_is_an_error_and_files_are_kept() {
    let system = power_cuts();
    let saves = saves(&system);
    saves.slot("a").unwrap().save(&1, Format::Binary).unwrap();
    saves.slot("b").unwrap().save(&1, Format::Binary).unwrap();
    damage(&system, "a.sav");
    damage(&system, "b.sav");
    let before = system.paths();
    let error = saves.load_newest::<i32>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    let start = native("no save in saves can be loaded: saves/b.sav is damaged: ");
    assert!(error.message().starts_with(&start), "{error}");
    assert_eq!(system.paths(), before);
}

/// An older save would hide it.
#[test]
fn other_errors_do_not_load_an_older_save() {
    let system = power_cuts();
    let saves = saves(&system);
    saves.slot("a").unwrap().save(&1, Format::Binary).unwrap();
    saves.slot("b").unwrap().save("text", Format::Binary).unwrap();
    let error = saves.load_newest::<i32>().unwrap_err();
    assert_eq!((error.kind(), error.file()), (ErrorKind::WrongType, Some(&*native("saves/b.sav"))));
    // The list of the folder, and then the first file.
    system.fail_at(1, std::io::ErrorKind::PermissionDenied);
    let listed = saves.list().unwrap();
    assert_eq!((listed[0].name(), listed[0].state()), ("a", SlotState::Unreadable));
    saves.slot("b").unwrap().save(&2, Format::Binary).unwrap();
    system.take_calls();
    for call in 0..9 {
        system.fail_at(call, std::io::ErrorKind::PermissionDenied);
        let error = saves.load_newest::<i32>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.message().contains("permission denied"), "{call}: {error}");
    }
    assert_eq!(saves.load_newest::<i32>().unwrap().unwrap().value, 2);
}

/// The older build reports why it stops. It does not report damage in a file that it may not load.
#[test]
fn a_damaged_save_whose_backup_is_of_a_newer_version_is_one_of_a_newer_version() {
    let system = power_cuts();
    let newer = saves(&system).game_version(4);
    for number in 0..2 {
        newer.slot("a").unwrap().save(&number, Format::Binary).unwrap();
    }
    damage(&system, "a.sav");
    let bytes = system.get("saves/a.sav").unwrap();
    system.put("saves/a.sav", &bytes[1..]);
    let saves = saves(&system);
    let slot = saves.slot("a").unwrap();
    assert_eq!(slot.state(), SlotState::NewerGame);
    assert_eq!(slot.load::<i32>().unwrap_err().kind(), ErrorKind::NewerVersion);
    let error = saves.load_newest::<i32>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion, "{error}");
}
