//! Saves of newer versions and of other games: this program neither loads nor destroys them.

use archive::save::testing::PowerCuts;
use archive::save::{FileSystem, SaveFile, Saves, SlotState};
use archive::{ErrorKind, Format};

use crate::proof::{native, power_cuts};

fn saves(system: &PowerCuts, game: &str, version: u32) -> Saves {
    let saves = Saves::over(system.clone(), "saves").unwrap();
    saves.game(game).game_version(version).autosaves(2)
}

#[test]
fn an_older_build_does_not_replace_the_save_of_a_newer_one() {
    let system = power_cuts();
    let (newer, older) = (saves(&system, "skirmish", 4), saves(&system, "skirmish", 3));
    newer.slot("a").unwrap().save(&1, Format::Binary).unwrap();
    let before = system.get("saves/a.sav").unwrap();
    let slot = older.slot("a").unwrap();
    assert_eq!(slot.state(), SlotState::NewerGame);
    let errors = [
        slot.save(&2, Format::Binary).unwrap_err(),
        slot.save_in_background(&2, Format::Binary).unwrap().wait().unwrap_err(),
        SaveFile::over(system.clone(), native("saves/a.sav"))
            .game_version(3)
            .save(&2, Format::Binary)
            .unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::NewerVersion);
        assert_eq!(
            error.to_string(),
            native(
                "saves/a.sav was saved by version 4 of the game, and this is version 3; \
                 a save would replace it: delete it, or save under another name"
            )
        );
    }
    assert_eq!(system.paths().len(), 1);
    assert_eq!(system.get("saves/a.sav").unwrap(), before);
    // Once it is deleted, the name is free, and the save is in the trash.
    older.delete("a").unwrap();
    older.slot("a").unwrap().save(&2, Format::Binary).unwrap();
    newer.slot("a").unwrap().save(&3, Format::Binary).unwrap();
}

#[test]
fn a_save_of_another_game_is_not_replaced() {
    let system = power_cuts();
    saves(&system, "chess", 0).slot("a").unwrap().save(&1, Format::Binary).unwrap();
    let slot = saves(&system, "skirmish", 3).slot("a").unwrap();
    assert_eq!(slot.state(), SlotState::OtherGame);
    let error = slot.save(&2, Format::Binary).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
    assert!(error.message().contains(r#"of the game "chess", not of "skirmish"; a save would"#));
    // Without the name of a game, everything is loaded, replaced and listed.
    let any = Saves::over(system.clone(), "saves").unwrap();
    saves(&system, "chess", 9).slot("b").unwrap().save(&1, Format::Binary).unwrap();
    for name in ["a", "b"] {
        let slot = any.slot(name).unwrap();
        assert_eq!(slot.state(), SlotState::Good);
        slot.load::<i32>().unwrap();
        slot.save(&2, Format::Binary).unwrap();
    }
}

/// The file is damaged, and its backup of the newer version would be removed next.
#[test]
fn the_backups_of_a_newer_build_are_not_replaced() {
    let system = power_cuts();
    let (newer, older) = (saves(&system, "skirmish", 4), saves(&system, "skirmish", 3));
    for number in 0..2 {
        newer.slot("a").unwrap().save(&number, Format::Binary).unwrap();
    }
    system.put("saves/a.sav", "no save");
    let error = older.slot("a").unwrap().save(&2, Format::Binary).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
    assert!(
        error.message().starts_with(&native("saves/a.sav.1 was saved by version 4")),
        "{error}"
    );
    let slot = older.slot("a").unwrap();
    assert_eq!((slot.state(), slot.falls_back()), (SlotState::NewerGame, None));
    assert_eq!(newer.slot("a").unwrap().state(), SlotState::Damaged);
}

/// It was the newest before it was damaged, and a load of the newer build puts it aside.
#[test]
fn a_damaged_save_of_a_newer_build_is_not_replaced() {
    let system = power_cuts();
    saves(&system, "skirmish", 4).slot("a").unwrap().save(&1, Format::Binary).unwrap();
    let mut bytes = system.get("saves/a.sav").unwrap();
    *bytes.iter_mut().nth_back(32 + 8).unwrap() ^= 1;
    system.put("saves/a.sav", bytes.clone());
    let slot = saves(&system, "skirmish", 3).slot("a").unwrap();
    let error = slot.save(&2, Format::Binary).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
    assert_eq!(system.get("saves/a.sav").unwrap(), bytes);
}

/// A load refuses it as well, and does not load the backup of this build.
#[test]
fn a_damaged_save_of_a_newer_build_is_not_quarantined() {
    let system = power_cuts();
    let (newer, older) = (saves(&system, "skirmish", 4), saves(&system, "skirmish", 3));
    older.slot("a").unwrap().save(&1, Format::Binary).unwrap();
    newer.slot("a").unwrap().save(&2, Format::Binary).unwrap();
    let mut bytes = system.get("saves/a.sav").unwrap();
    *bytes.iter_mut().nth_back(32 + 8).unwrap() ^= 1;
    system.put("saves/a.sav", bytes);
    let before = system.paths();
    let slot = older.slot("a").unwrap();
    assert_eq!(slot.state(), SlotState::NewerGame);
    assert_eq!(slot.load::<i32>().unwrap_err().kind(), ErrorKind::NewerVersion);
    assert_eq!(system.paths(), before);
    assert_eq!(newer.slot("a").unwrap().load::<i32>().unwrap().fell_back, Some(1));
}

/// The newer build keeps three backups, and was interrupted. This build does not rotate the
/// remaining files.
#[test]
fn files_of_an_interrupted_newer_build_are_kept() {
    let system = power_cuts();
    let newer = saves(&system, "skirmish", 4).backups(3);
    for number in 0..4 {
        newer.slot("a").unwrap().save(&number, Format::Binary).unwrap();
    }
    let last = system.get("saves/a.sav").unwrap();
    newer.slot("a").unwrap().save(&4, Format::Binary).unwrap();
    // The power was cut before the old file became a backup.
    system.put("saves/a.sav.old", last);
    for number in 1..3 {
        let later = system.get(format!("saves/a.sav.{}", number + 1)).unwrap();
        system.put(format!("saves/a.sav.{number}"), later);
    }
    let files = || -> Vec<_> {
        system.paths().into_iter().map(|path| (system.get(&path).unwrap(), path)).collect()
    };
    let before = files();
    let older = saves(&system, "skirmish", 3).backups(1);
    older.slot("a").unwrap().save(&9, Format::Binary).unwrap_err();
    assert!(files() == before);
    newer.slot("a").unwrap().save(&5, Format::Binary).unwrap();
    assert_eq!(newer.slot("a").unwrap().load::<i32>().unwrap().value, 5);
}

/// A load by the older build, which keeps one backup, does not replace any of them.
#[test]
fn a_load_does_not_rotate_backups_of_a_newer_build() {
    let system = power_cuts();
    let newer = saves(&system, "skirmish", 4).backups(3);
    for number in 0..3 {
        newer.slot("a").unwrap().save(&number, Format::Binary).unwrap();
    }
    system.settle();
    system.rename("saves/a.sav.1".as_ref(), "saves/a.sav.old".as_ref()).unwrap();
    system.rename("saves/a.sav.2".as_ref(), "saves/a.sav.1".as_ref()).unwrap();
    let before = system.paths();
    let older = saves(&system, "skirmish", 3).backups(1);
    let error = older.slot("a").unwrap().load::<i32>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
    assert_eq!(system.paths(), before);
    assert_eq!(newer.slot("a").unwrap().load::<i32>().unwrap().value, 2);
    assert!(["saves/a.sav.1", "saves/a.sav.2"].iter().all(|path| system.get(path).is_ok()));
}

/// A later version of the library has another layout.
#[test]
fn a_save_of_a_later_layout_is_not_replaced() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav");
    file.save(&1, Format::Binary).unwrap();
    let mut later = system.get("a.sav").unwrap();
    later[8] = 2;
    let sum = xxhash_rust::xxh3::xxh3_64_with_seed(&later[..24], 0);
    later[24..32].copy_from_slice(&sum.to_le_bytes());
    for path in ["a.sav", "a.sav.1"] {
        system.put(path, later.clone());
        let error = file.save(&2, Format::Binary).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NewerVersion);
        assert!(error.message().starts_with(&format!("{path} has version 2 of the layout")));
        assert!(error.message().ends_with("delete it, or save under another name"), "{error}");
        assert_eq!(system.get(path).unwrap(), later);
        // Where the newest save is gone, its backup counts.
        system.put("a.sav", "no save");
    }
}

#[test]
fn autosaves_of_others_are_neither_counted_nor_removed() {
    let system = power_cuts();
    let builds =
        [saves(&system, "skirmish", 4), saves(&system, "chess", 1), saves(&system, "skirmish", 3)];
    for build in &builds {
        for number in 0..4 {
            build.autosave().unwrap().save(&number, Format::Binary).unwrap();
        }
    }
    let slots = builds[2].list().unwrap();
    let mut states: Vec<_> = slots.iter().map(|slot| (slot.name(), slot.state())).collect();
    states.sort_by_key(|(name, _)| (name.len(), *name));
    let expected = [
        ("autosave 3", SlotState::NewerGame),
        ("autosave 4", SlotState::NewerGame),
        ("autosave 7", SlotState::OtherGame),
        ("autosave 8", SlotState::OtherGame),
        ("autosave 11", SlotState::Good),
        ("autosave 12", SlotState::Good),
    ];
    assert_eq!(states, expected);
}

#[test]
fn a_file_that_cannot_be_read_is_not_damaged() {
    let system = power_cuts();
    let saves = saves(&system, "skirmish", 3);
    for number in 0..2 {
        saves.slot("a").unwrap().save(&number, Format::Binary).unwrap();
    }
    let state = |kind| {
        // After the list of the folder.
        system.fail_at(1, kind);
        let slot = saves.slot("a").unwrap();
        (slot.state(), slot.falls_back(), slot.error().map(|error| error.to_string()))
    };
    let refused = native("cannot read saves/a.sav: permission denied");
    let found = state(std::io::ErrorKind::PermissionDenied);
    assert_eq!(found, (SlotState::Unreadable, None, Some(refused)));
    // Another program has the file open, first for a moment and then for longer.
    assert_eq!(state(std::io::ErrorKind::ResourceBusy).0, SlotState::Good);
    system.hold("saves/a.sav", 99).unwrap();
    assert_eq!(saves.slot("a").unwrap().state(), SlotState::Unreadable);
    system.settle();
    assert_eq!(saves.slot("a").unwrap().state(), SlotState::Good);
}
