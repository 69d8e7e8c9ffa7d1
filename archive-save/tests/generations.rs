//! No save is lost to one that fails, is interrupted, or is damaged.

use std::io;
use std::path::Path;

use archive::Format;
use archive::save::testing::{Call, PowerCuts};
use archive::save::{FileSystem, SaveFile, Saves};

use crate::folding_names::Folding;
use crate::proof::power_cuts;

const FILES: [&str; 4] = ["a.sav", "a.sav.1", "a.sav.2", "a.sav.3"];

fn file(system: &PowerCuts) -> SaveFile {
    SaveFile::over(system.clone(), "a.sav").backups(3)
}

/// A file system with the saves 1 to 4.
fn system() -> PowerCuts {
    let system = power_cuts();
    for number in 1..=4 {
        file(&system).save(&number, Format::Json).unwrap();
    }
    system.settle();
    system.take_calls();
    system
}

/// Returns the number in an intact file. Nothing is changed.
fn number(system: &PowerCuts, path: impl AsRef<Path>) -> Option<i32> {
    let copy = power_cuts();
    copy.put("copy.sav", system.get(path).ok()?);
    let file = SaveFile::over(copy, "copy.sav");
    file.verify().ok()?;
    file.load::<i32>().ok().map(|loaded| loaded.value)
}

fn numbers(system: &PowerCuts) -> [Option<i32>; 4] {
    FILES.map(|path| number(system, path))
}

/// Returns how many calls come before the first one of that kind in a save.
fn calls_before(is_it: impl Fn(&Call) -> bool) -> u64 {
    let system = system();
    file(&system).save(&5, Format::Json).unwrap();
    system.take_calls().iter().position(is_it).unwrap() as u64
}

/// Returns the calls that move backups once the new save is in its place, by how many come before them.
fn shifts() -> Vec<u64> {
    let system = system();
    file(&system).save(&5, Format::Json).unwrap();
    let calls = system.take_calls();
    let swap = calls.iter().position(is_swap).unwrap();
    let is_shift = |call: &Call| matches!(call, Call::Rename(..) | Call::SyncFolder(..));
    // The first one is the sync of the new file's name.
    let shifts = calls.iter().enumerate().skip(swap + 1).filter(|(_, call)| is_shift(call));
    shifts.skip(1).map(|(at, _)| at as u64).collect()
}

fn is_swap(call: &Call) -> bool {
    matches!(call, Call::Rename(from, _) if from == Path::new("a.sav.new"))
}

#[test]
fn failed_saves_do_not_use_up_backups() {
    let system = system();
    for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::StorageFull] {
        for call in [calls_before(is_swap), calls_before(|call| matches!(call, Call::Link(..)))] {
            system.take_calls();
            system.fail_at(call, kind);
            file(&system).save(&9, Format::Json).unwrap_err();
            assert_eq!(numbers(&system), [4, 3, 2, 1].map(Some));
            assert_eq!(system.paths().len(), 4, "{:?}", system.paths());
        }
    }
}

#[test]
fn a_backup_is_replaced_only_after_the_new_save_exists() {
    let backup = calls_before(
        |call| matches!(call, Call::Rename(_, to) if to.to_str().unwrap().contains(".sav.")),
    );
    assert!(calls_before(is_swap) < backup);
}

/// The save is there, so it is `Ok`. The old file becomes a backup before the next save, or by a load.
#[test]
fn a_failed_backup_is_made_later() {
    assert_eq!(shifts().len(), 5);
    for shift in shifts() {
        let system = system();
        system.fail_at(shift, io::ErrorKind::PermissionDenied);
        file(&system).save(&5, Format::Json).unwrap();
        assert_eq!(number(&system, "a.sav.old"), Some(4), "call {shift}");
        assert_eq!(file(&system).load::<i32>().unwrap().value, 5);
        assert_eq!(numbers(&system), [5, 4, 3, 2].map(Some), "call {shift}");

        let system = self::system();
        system.fail_at(shift, io::ErrorKind::PermissionDenied);
        file(&system).save(&5, Format::Json).unwrap();
        file(&system).save(&6, Format::Json).unwrap();
        assert_eq!(numbers(&system), [6, 5, 4, 3].map(Some), "call {shift}");
    }
}

/// A load by a program that keeps fewer backups does not replace any.
#[test]
fn a_load_with_fewer_backups_leaves_the_old_file_to_the_next_save() {
    let system = system();
    system.fail_at(shifts()[0], io::ErrorKind::PermissionDenied);
    file(&system).save(&5, Format::Json).unwrap();
    assert_eq!(SaveFile::over(system.clone(), "a.sav").load::<i32>().unwrap().value, 5);
    assert_eq!(number(&system, "a.sav.old"), Some(4));
    file(&system).save(&6, Format::Json).unwrap();
    assert_eq!(numbers(&system), [6, 5, 4, 3].map(Some));
}

/// It is newer than the first backup.
#[test]
fn a_load_that_leaves_the_old_file_falls_back_to_it() {
    let system = system();
    system.fail_at(shifts()[0], io::ErrorKind::PermissionDenied);
    file(&system).save(&5, Format::Json).unwrap();
    damage(&system, "a.sav");
    let loaded = SaveFile::over(system.clone(), "a.sav").load::<i32>().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (4, Some(1)));
    file(&system).save(&6, Format::Json).unwrap();
    assert_eq!(numbers(&system), [6, 4, 3, 2].map(Some));
}

/// All other files were removed.
#[test]
fn an_old_file_alone_is_a_slot() {
    let system = power_cuts();
    system.put("saves/a.sav.old", self::system().get("a.sav").unwrap());
    let saves = Saves::over(system, "saves").unwrap();
    let listed = saves.list().unwrap();
    assert_eq!((listed.len(), listed[0].name(), listed[0].falls_back()), (1, "a", Some(1)));
    assert_eq!(saves.load_newest::<i32>().unwrap().unwrap().value, 4);
}

/// In a folder that is read-only.
#[test]
fn an_old_file_that_cannot_become_a_backup_is_loaded() {
    let system = system();
    system.fail_at(shifts()[0], io::ErrorKind::PermissionDenied);
    file(&system).save(&5, Format::Json).unwrap();
    system.put("a.sav", "damaged");
    let read_only = Folding::plain();
    for path in system.paths() {
        read_only.inner.put(Path::new("saves").join(&path), system.get(&path).unwrap());
    }
    read_only.on(|call, _| match call {
        "open" | "exists" | "list" => Ok(()),
        _ => Err(io::ErrorKind::PermissionDenied.into()),
    });
    let saves = Saves::over(read_only, "saves").unwrap().backups(3);
    assert_eq!(saves.slot("a").unwrap().falls_back(), Some(1));
    let loaded = saves.load_newest::<i32>().unwrap().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (4, Some(1)));
}

/// The file exists under both names, so removing one loses nothing.
#[test]
fn a_second_name_of_the_file_is_not_a_backup() {
    for path in ["a.sav", "a.sav.1"] {
        let system = system();
        system.link(Path::new(path), Path::new("a.sav.old")).unwrap();
        file(&system).load::<i32>().unwrap();
        assert_eq!(numbers(&system), [4, 3, 2, 1].map(Some));
        assert_eq!(system.paths().len(), 4);
    }
}

#[test]
fn a_power_cut_during_a_save_loses_no_save() {
    for cut in 0..24 {
        for seed in 0..60 {
            let system = system();
            system.cut_at(cut);
            _ = file(&system).backups(4).save(&5, Format::Json);
            system.lose_power(seed << 8 | cut);
            let kept: Vec<_> =
                system.paths().iter().filter_map(|path| number(&system, path)).collect();
            let is_kept = (1..=4).all(|number| kept.contains(&number));
            assert!(is_kept, "cut {cut}, seed {seed}: {kept:?} are left");
        }
    }
}

/// Changes the last byte of the body.
fn damage(system: &PowerCuts, path: &str) {
    let mut bytes = system.get(path).unwrap();
    let at = bytes.len() - 32 - 8 - 1;
    bytes[at] ^= 1;
    system.put(path, bytes);
}

#[test]
fn a_file_with_a_damaged_body_is_not_a_backup() {
    let system = system();
    damage(&system, "a.sav");
    let damaged = system.get("a.sav").unwrap();
    file(&system).save(&5, Format::Json).unwrap();
    assert_eq!(numbers(&system), [5, 3, 2, 1].map(Some));
    assert_eq!(system.get("a.sav.damaged").unwrap(), damaged);
}

#[test]
fn text_that_is_not_json_is_not_a_backup() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "s.json");
    file.save(&vec![1], Format::Json).unwrap();
    file.save(&vec![2], Format::Json).unwrap();
    system.put("s.json", "[3");
    file.save(&vec![4], Format::Json).unwrap();
    assert_eq!(system.get("s.json.1").unwrap(), b"[1]");
    assert_eq!(system.get("s.json.damaged").unwrap(), b"[3");
    // A file that a person added is not a backup.
    system.put("s.json", "[5] // and no more");
    file.save(&vec![6], Format::Json).unwrap();
    assert_eq!(system.get("s.json.1").unwrap(), b"[5] // and no more");
}
