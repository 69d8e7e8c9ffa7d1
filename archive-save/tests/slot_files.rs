//! The files in the folder of slots: each listed name refers to the file from which it was listed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use archive::Format;
use archive::save::testing::PowerCuts;
use archive::save::{FileSystem, SaveFile, Saves, SlotState};
use archive_test_support::search;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use crate::folding_names::Folding;
use crate::proof::{is_windows, power_cuts};

fn saves(system: &PowerCuts) -> Saves {
    Saves::over(system.clone(), "saves").unwrap()
}

/// Returns the bytes of a save.
fn bytes(number: i32) -> Vec<u8> {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav").title(number.to_string());
    file.save(&number, Format::Json).unwrap();
    system.get("a.sav").unwrap()
}

/// Checks that each name is listed once, and refers to its file.
fn check_names(saves: &Saves) -> usize {
    let listed = saves.list().unwrap();
    let names: BTreeSet<_> = listed.iter().map(|slot| slot.name()).collect();
    assert_eq!(names.len(), listed.len(), "{listed:?}");
    for slot in &listed {
        let again = saves.slot(slot.name()).unwrap();
        assert_eq!(again.path(), slot.path(), "{:?}", slot.name());
        assert_eq!(again.name(), slot.name());
    }
    listed.len()
}

#[test]
fn each_listed_name_refers_to_its_file() {
    let system = power_cuts();
    let saves = saves(&system);
    saves.slot("x").unwrap().save(&1, Format::Json).unwrap();
    let names = [
        " spaced", "spaced ", "100%", "100%25", "", "A\u{308}", "X", "+x", "a.sav", "a@2", "%d0%b4",
    ];
    for name in names {
        system.put(format!("saves/{name}.sav"), bytes(1));
    }
    // On Windows `X.sav` and `x.sav` are one file.
    let count = names.len() + usize::from(!is_windows());
    assert_eq!(check_names(&saves), count);
    // A long name that no slot could have.
    let long = "д".repeat(80);
    system.put(format!("saves/{long}.sav"), bytes(1));
    assert_eq!(saves.slot(&long).unwrap().load::<i32>().unwrap().value, 1);
    assert_eq!(check_names(&saves), count + 1);
}

/// Two files of one name: an operation on one does not change the other.
#[test]
fn a_file_that_a_player_copied_is_not_the_slot_of_its_name() {
    let system = power_cuts();
    let saves = saves(&system);
    saves.slot("Ann").unwrap().title("mine").save(&1, Format::Json).unwrap();
    system.put("saves/Ann.sav", bytes(2));
    check_names(&saves);
    let listed = saves.list().unwrap();
    let friend = listed.iter().find(|slot| slot.meta().title == "2").unwrap();
    assert_eq!(friend.name(), "Ann.sav");
    saves.rename("Ann.sav", "Bob").unwrap();
    assert_eq!(saves.slot("Bob").unwrap().load::<i32>().unwrap().value, 2);
    assert_eq!(saves.slot("Ann").unwrap().load::<i32>().unwrap().value, 1);
    system.put("saves/Ann.sav", bytes(3));
    saves.delete("Ann.sav").unwrap();
    assert_eq!(saves.slot("Ann").unwrap().load::<i32>().unwrap().value, 1);
    saves.restore("Ann.sav").unwrap();
    saves.delete("Ann").unwrap();
    assert_eq!(saves.slot("Ann.sav").unwrap().load::<i32>().unwrap().value, 3);
}

/// On Windows and macOS `A.sav`, which a player has put there, is the file of the slot `a`.
#[test]
fn a_slot_is_not_empty_where_case_is_ignored() {
    let system = Folding::new(str::to_lowercase, str::to_owned);
    let saves = Saves::over(system.clone(), "saves").unwrap().backups(0);
    saves.slot("x").unwrap().save(&1, Format::Json).unwrap();
    system.inner.put("saves/A.sav", bytes(42));
    for name in ["A", "a"] {
        let slot = saves.slot(name).unwrap();
        assert_eq!((slot.state(), slot.meta().title.as_str()), (SlotState::Good, "42"), "{name}");
        saves.copy("x", name).unwrap_err();
        saves.rename("x", name).unwrap_err();
        assert_eq!(saves.slot(name).unwrap().load::<i32>().unwrap().value, 42);
    }
    check_names(&saves);
    saves.delete("a").unwrap();
    assert_eq!(check_names(&saves), 1);
    assert_eq!(saves.restore("a").unwrap().load::<i32>().unwrap().value, 42);
}

/// Names that are stored decomposed, as by old versions of macOS.
#[test]
fn a_slot_is_not_empty_where_names_are_decomposed() {
    fn nfd(name: &str) -> String {
        name.nfd().collect()
    }
    let system = Folding::new(nfd, nfd);
    let saves = Saves::over(system.clone(), "saves").unwrap();
    saves.slot("x").unwrap().save(&1, Format::Json).unwrap();
    for number in [41, 42] {
        saves.slot("が").unwrap().save(&number, Format::Json).unwrap();
    }
    let slot = saves.slot("が").unwrap();
    assert_eq!(slot.state(), SlotState::Good);
    saves.copy("x", "が").unwrap_err();
    assert_eq!(slot.load::<i32>().unwrap().value, 42);
    check_names(&saves);
    saves.rename("が", "ga").unwrap();
    assert_eq!(system.inner.paths().len(), 3, "with its backup: {:?}", system.inner.paths());
    // On a system that keeps both forms apart, such a file is the slot as well.
    let system = power_cuts();
    system.put(nfd("saves/が.sav"), bytes(7));
    let saves = self::saves(&system);
    assert_eq!(saves.slot("が").unwrap().load::<i32>().unwrap().value, 7);
    system.put("saves/が.sav", bytes(8));
    assert_eq!(check_names(&saves), 2);
}

/// A left-over file is not a slot, and blocks no name.
#[test]
fn a_damaged_file_that_is_left_blocks_no_name() {
    let system = power_cuts();
    let saves = saves(&system);
    for number in 0..2 {
        saves.slot("a").unwrap().save(&number, Format::Json).unwrap();
    }
    let bytes = system.get("saves/a.sav").unwrap();
    system.put("saves/a.sav", &bytes[..bytes.len() - 1]);
    saves.slot("a").unwrap().load::<i32>().unwrap();
    for left in ["b.sav.damaged", "b.sav.damaged-2", "b.sav.1.damaged", "b.sav.new"] {
        system.put(format!("saves/{left}"), "left");
    }
    assert_eq!(saves.slot("b").unwrap().state(), SlotState::Empty);
    assert_eq!(saves.list().unwrap().len(), 1);
    saves.rename("a", "b").unwrap();
    assert_eq!(saves.slot("b").unwrap().load::<i32>().unwrap().value, 0);
    for left in ["b.sav.damaged", "b.sav.damaged-2", "b.sav.1.damaged"] {
        assert_eq!(system.get(format!("saves/{left}")).unwrap(), b"left", "{left}");
    }
    assert!(system.get("saves/b.sav.damaged-3").is_ok());
}

/// A save between the check and the lock is not replaced.
#[test]
fn nothing_is_replaced_that_was_saved_meanwhile() {
    type Act = fn(&Saves) -> archive::Result<archive::save::Slot>;
    let acts: [Act; 3] =
        [|saves| saves.copy("x", "b"), |saves| saves.rename("x", "b"), |saves| saves.restore("b")];
    let [first, second] = [bytes(42), bytes(43)];
    for (number, act) in acts.into_iter().enumerate() {
        let system = Folding::plain();
        let saves = Saves::over(system.clone(), "saves").unwrap();
        for name in ["x", "b"] {
            saves.slot(name).unwrap().save(&1, Format::Json).unwrap();
        }
        saves.delete("b").unwrap();
        let (inner, other) = (system.inner.clone(), first.clone());
        system.on(move |call, path| {
            if call == "lock" && path == Path::new("saves") {
                inner.put("saves/b.sav", other.clone());
            }
            Ok(())
        });
        let error = act(&saves).unwrap_err();
        assert!(error.message().contains("there is already a save in the slot \"b\""), "{error}");
        assert_eq!(system.inner.get("saves/b.sav").unwrap(), first);
        // The lock of other programs does not count for this one.
        system.inner.remove(Path::new("saves/b.sav")).unwrap();
        let (inner, other) = (system.inner.clone(), second.clone());
        system.on(move |call, path: &Path| {
            if call == "link" && path.ends_with("b.sav") {
                inner.put("saves/b.sav", other.clone());
            }
            Ok(())
        });
        act(&saves).unwrap_err();
        assert_eq!(system.inner.get("saves/b.sav").unwrap(), second, "act {number}");
        let folder: Vec<PathBuf> = system.inner.paths();
        assert!(!folder.iter().any(|path| path.ends_with("b.sav.new")), "{folder:?}");
    }
}

/// Returns whether a file with that name and `.sav` is valid on Windows. Unix allows each name
/// without a separator.
fn is_of_windows(name: &str) -> bool {
    let is_forbidden = |c: char| c < ' ' || "<>:\"|?*\\/".contains(c);
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    !name.contains(is_forbidden) && !["con", "nul", "prn", "aux"].contains(&&*stem)
}

proptest! {
    #![proptest_config(search::config(1_000))]

    #[test]
    fn all_files_that_players_copy_have_names(
        files in proptest::collection::btree_set("[aA+%@ 2\u{308}が.]{0,3}(\\.sav)?|\\PC{1,3}", 1..10),
        own in proptest::collection::vec("[aA+%@ 2\u{308}が.]{1,4}", 0..6),
    ) {
        let system = power_cuts();
        let saves = saves(&system);
        for name in own {
            let Ok(slot) = saves.slot(&name) else { continue };
            slot.save(&1, Format::Json).unwrap();
        }
        // On Windows, a path is split by the rules of Windows, whichever rules the test has.
        let can_be = |file: &str| !file.contains('/') && (!cfg!(windows) || is_of_windows(file));
        for file in files.iter().filter(|file| can_be(file)) {
            let path = format!("saves/{file}.sav");
            system.put(&path, bytes(2));
            prop_assert_eq!(system.get(&path).is_ok(), !is_windows() || is_of_windows(file), "{}", path);
        }
        check_names(&saves);
        // Each slot is removed alone.
        let mut left = system.paths().len();
        while let Some(slot) = saves.list().unwrap().first() {
            saves.delete(slot.name()).unwrap();
            let here = system.paths().into_iter().filter(|path| path.parent() == Some(Path::new("saves")));
            let here = here.count();
            prop_assert!(here < left, "{:?}", slot.name());
            left = here;
        }
    }
}

/// A file has milliseconds, and a clock has more.
#[test]
fn a_save_returns_what_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = SaveFile::new(folder.path().join("a.sav"));
    for nanoseconds in [1, 1_999_999] {
        let file = file.clone().play_time(std::time::Duration::from_nanos(nanoseconds));
        let meta = file.save(&1, Format::Json).unwrap();
        assert_eq!(meta, file.meta().unwrap());
    }
}
