//! Autosaves: none replaces another one, and no other file is removed.

use std::collections::BTreeSet;
use std::sync::Arc;

use archive::Format;
use archive::save::testing::PowerCuts;
use archive::save::{FileSystem, SaveFile, Saves, Slot};

use crate::proof::failing_system::Failing;
use crate::proof::power_cuts;

fn saves(system: &PowerCuts) -> Saves {
    Saves::over(system.clone(), "saves").unwrap()
}

fn autosave(saves: &Saves, number: i32) -> Slot {
    let slot = saves.autosave().unwrap();
    slot.save(&number, Format::Json).unwrap();
    slot
}

fn names(saves: &Saves) -> BTreeSet<String> {
    saves.list().unwrap().iter().map(|slot| slot.name().to_owned()).collect()
}

fn value(slot: &Slot) -> i32 {
    slot.load::<i32>().unwrap().value
}

/// Cuts the file of a slot.
fn damage(system: &PowerCuts, slot: &Slot) {
    let bytes = system.get(slot.path()).unwrap();
    system.put(slot.path(), &bytes[..bytes.len() - 1]);
}

#[test]
fn autosaves_of_other_games_and_newer_versions_are_kept() {
    let system = power_cuts();
    let game = |name: &str, version| saves(&system).game(name).game_version(version);
    for (name, version) in [("chess", 1), ("go", 2), ("go", 1)] {
        for number in 0..5 {
            autosave(&game(name, version), number);
        }
    }
    let listed = game("go", 2).list().unwrap();
    let count = |name, version| {
        let metas = listed.iter().map(|slot| slot.meta());
        metas.filter(|meta| meta.game == name && meta.game_version == version).count()
    };
    assert_eq!([count("chess", 1), count("go", 2), count("go", 1)], [3, 3, 3]);
    // The new version removes those of the old one as well.
    autosave(&game("go", 2), 6);
    assert_eq!(game("go", 2).list().unwrap().len(), 6);
}

#[test]
fn the_newest_autosave_is_kept() {
    let saves = saves(&power_cuts()).autosaves(1);
    let first = saves.autosave().unwrap();
    autosave(&saves, 1);
    first.save(&2, Format::Json).unwrap();
    assert_eq!(value(&first), 2);
    // An autosave that is kept has its number from its first save.
    let saves = saves.autosaves(3);
    let kept = autosave(&saves, 3);
    let name = kept.name().to_owned();
    for number in 4..9 {
        kept.save(&number, Format::Json).unwrap();
        assert_eq!((value(&kept), kept.name()), (number, &*name));
        assert_eq!(saves.slot(&name).unwrap().load::<i32>().unwrap().value, number);
        autosave(&saves, 0);
    }
    for _ in 0..4 {
        autosave(&saves, 0);
    }
    assert!(kept.load::<i32>().is_err(), "it is the oldest");
    kept.save(&9, Format::Json).unwrap();
    assert_eq!(value(&kept), 9);
}

#[test]
fn slots_of_the_player_are_kept() {
    let system = power_cuts();
    let saves = saves(&system).autosaves(1);
    let own = ["autosave 007", "autosave +3", "autosave 2", "autosave 0", "autosave"];
    for name in own {
        saves.slot(name).unwrap().save(&0, Format::Json).unwrap();
    }
    // An autosave that the player has copied or saved to is a slot of the player.
    let first = autosave(&saves, 1);
    assert_eq!(first.name(), "autosave 3");
    saves.copy("autosave 3", "autosave 5").unwrap();
    saves.rename("autosave 3", "autosave 4").unwrap();
    let saved_to = autosave(&saves, 2);
    saves.slot(saved_to.name()).unwrap().save(&3, Format::Json).unwrap();
    for number in 0..3 {
        autosave(&saves, number);
    }
    let names = names(&saves);
    assert!(own.iter().all(|name| names.contains(*name)), "{names:?}");
    assert!(["autosave 4", "autosave 5", saved_to.name()].iter().all(|name| names.contains(*name)));
    assert_eq!(names.len(), own.len() + 4, "{names:?}");
}

#[test]
fn the_largest_numbers_are_not_numbers_of_autosaves() {
    let system = power_cuts();
    let saves = saves(&system).backups(0);
    let own = [u64::MAX, 10_u64.pow(18), 10_u64.pow(18) - 1].map(|last| format!("autosave {last}"));
    for (count, name) in own.iter().enumerate() {
        saves.slot(name).unwrap().title("of the player").save(&0, Format::Json).unwrap();
        for number in 0..2 {
            autosave(&saves, number);
        }
        let listed = saves.list().unwrap();
        let of_player = listed.iter().filter(|slot| slot.meta().title == "of the player").count();
        assert_eq!(of_player, count + 1);
        assert!(listed.len() >= count + 3);
        // They are autosaves, and not too many of them.
        let autosaves = listed.iter().filter(|slot| slot.is_autosave()).count();
        assert_eq!(autosaves, (2 * (count + 1)).min(3));
    }
}

/// A restored autosave is not newer than later ones.
#[test]
fn numbers_in_the_trash_are_not_given_again() {
    let system = power_cuts();
    let saves = saves(&system).autosaves(5);
    for number in 1..4 {
        autosave(&saves, number);
    }
    saves.delete("autosave 3").unwrap();
    saves.delete("autosave 2").unwrap();
    assert_eq!(autosave(&saves, 4).name(), "autosave 4");
    saves.restore("autosave 3").unwrap();
    assert_eq!(saves.load_newest::<i32>().unwrap().unwrap().value, 4);
}

#[test]
fn two_autosaves_are_never_one_file() {
    let system = power_cuts();
    let (first, second) = (saves(&system).backups(0), saves(&system).backups(0));
    let (a, b) = (first.autosave().unwrap(), second.autosave().unwrap());
    a.save(&1, Format::Json).unwrap();
    b.save(&2, Format::Json).unwrap();
    assert_eq!((a.name(), b.name()), ("autosave 1", "autosave 2"));
    assert_eq!((value(&a), value(&b)), (1, 2));

    // Another process takes the number at the last moment.
    let failing = Failing::new(Arc::new(system.clone()));
    let saves = Saves::over(failing.clone(), "saves").unwrap();
    let slot = saves.autosave().unwrap();
    failing.before_lock(move || _ = autosave(&first, 3));
    slot.save(&4, Format::Json).unwrap();
    assert_eq!((slot.name(), value(&slot)), ("autosave 4", 4));
    assert_eq!(saves.slot("autosave 3").unwrap().load::<i32>().unwrap().value, 3);
}

#[test]
fn threads_do_not_share_autosaves() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Saves::in_folder(folder.path()).unwrap().autosaves(100);
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let saves = open();
            std::thread::spawn(move || {
                for number in 0..8 {
                    let number = 100 * thread + number;
                    let slot = saves.autosave().unwrap();
                    let job = slot.save_in_background(&number, Format::Json).unwrap();
                    job.wait().unwrap().saved().unwrap();
                    assert_eq!(value(&slot), number);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let values: BTreeSet<i32> = open().list().unwrap().iter().map(value).collect();
    assert_eq!(values.len(), 32);
}

/// A load of the slot, also by its name, waits for the queued autosave.
#[test]
fn a_load_waits_for_autosaves() {
    let saves = saves(&power_cuts());
    for number in 1..20 {
        let slot = saves.autosave().unwrap();
        let again = saves.slot(slot.name()).unwrap();
        _ = slot.save_in_background(&number, Format::Json).unwrap();
        assert_eq!((value(&again), value(&slot)), (number, number));
    }
}

/// Backups and damaged files are removed with an autosave.
#[test]
fn nothing_is_left_of_an_autosave() {
    let system = power_cuts();
    let saves = saves(&system).autosaves(1);
    for number in 0..5 {
        let slot = autosave(&saves, number);
        slot.save(&number, Format::Json).unwrap();
        damage(&system, &slot);
        assert_eq!(slot.load::<i32>().unwrap().fell_back, Some(1));
    }
    // That of the last one: a backup, and a file that was damaged.
    assert_eq!(system.paths().len(), 2, "{:?}", system.paths());
    let slot = autosave(&saves, 9);
    assert_eq!(system.paths(), [slot.path()]);
}

/// Whether a save is an autosave is stored in the file. Other saves store nothing.
#[test]
fn a_save_records_that_it_is_an_autosave() {
    let system = power_cuts();
    let saves = saves(&system);
    let slot = autosave(&saves, 1);
    let meta = SaveFile::over(system.clone(), slot.path()).meta().unwrap();
    assert_eq!(meta.autosave, Some(1));
    let has_mark = |path: &std::path::Path| {
        system.get(path).unwrap().windows(8).any(|bytes| bytes == b"autosave")
    };
    assert!(has_mark(slot.path()));
    let slot = saves.slot("a").unwrap();
    assert_eq!(slot.save(&1, Format::Json).unwrap().autosave, None);
    assert!(!has_mark(slot.path()));
    assert!(system.exists(slot.path()).unwrap());
}
