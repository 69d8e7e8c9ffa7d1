//! The cost of listing the slots of a folder: system calls in proportion to the number of files,
//! not to its square.

use std::path::Path;
use std::sync::Arc;

use archive::Format;
use archive::save::testing::PowerCuts;
use archive::save::{FileSystem, SaveFile, Saves};

use crate::proof::failing_system::Failing;
use crate::proof::power_cuts;

/// A folder with many useless slots, and an older good one.
type Fill = fn(&PowerCuts, usize);
type Act = fn(&Saves);

/// Returns the cost of an action: one for each system call and for each listed name.
fn cost(fill: Fill, act: Act, count: usize) -> usize {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    saves.slot("good").unwrap().save(&1, Format::Json).unwrap();
    fill(&system, count);
    let names = system.paths().len();
    let watched = Failing::new(Arc::new(system));
    let saves = Saves::over(watched.clone(), "saves").unwrap().autosaves(1);
    watched.begin(None);
    act(&saves);
    let calls = watched.calls();
    let lists = calls.iter().filter(|call| **call == "list").count();
    calls.len() + lists * names
}

#[track_caller]
fn assert_linear(fill: Fill, act: Act) {
    let (some, twice) = (cost(fill, act, 40), cost(fill, act, 80));
    assert!(twice <= 2 * some, "{some} for 40 slots, {twice} for 80");
}

/// Returns the bytes of a good save with a late date.
fn save(number: i32) -> Vec<u8> {
    let system = power_cuts();
    // Each call is a second.
    (0..1_000).for_each(|_| drop(system.list(Path::new("saves")).unwrap()));
    SaveFile::over(system.clone(), "a.sav").save(&number, Format::Json).unwrap();
    system.get("a.sav").unwrap()
}

/// A save with a changed byte in its body: head and tail are valid.
fn damaged() -> Vec<u8> {
    let mut bytes = save(1);
    let at = bytes.len() - 36;
    bytes[at] ^= 1;
    bytes
}

fn load(saves: &Saves) {
    let loaded = saves.load_newest::<i32>().unwrap().unwrap();
    assert_eq!(loaded.slot.as_deref(), Some("good"));
    assert!(!loaded.damaged.is_empty());
}

const FILLS: [Fill; 5] = [
    |system, count| {
        (0..count).for_each(|n| system.put(format!("saves/{n}.sav"), "no save"));
    },
    |system, count| {
        (0..count).for_each(|n| system.put(format!("saves/{n}.sav"), damaged()));
    },
    // The files are missing, and the backups are useless.
    |system, count| {
        for n in 0..count {
            system.put(format!("saves/{n}.sav.1"), damaged());
            system.put(format!("saves/{n}.sav.4"), "no save");
        }
    },
    // Saves that were interrupted.
    |system, count| {
        for n in 0..count {
            system.put(format!("saves/{n}.sav"), "no save");
            system.put(format!("saves/{n}.sav.new"), "no save");
            system.put(format!("saves/{n}.sav.old"), "no save either");
            system.put(format!("saves/{n}.sav.1"), "the save before");
        }
    },
    // There were damaged files before.
    |system, count| {
        for n in 0..count {
            system.put(format!("saves/{n}.sav"), damaged());
            for ending in ["", "-2", "-3", "-4", "-5"] {
                system.put(format!("saves/{n}.sav.damaged{ending}"), "no save");
            }
        }
    },
];

/// A slot after the other, each with a backup and a copy of itself under another name.
#[test]
fn lists_of_good_slots() {
    let fill: Fill = |system, count| {
        let saves = Saves::over(system.clone(), "saves").unwrap();
        for number in 0..count {
            let slot = saves.slot(&format!("slot {number}")).unwrap();
            slot.save(&number, Format::Json).unwrap();
            slot.save(&number, Format::Json).unwrap();
            let copy = system.get(format!("saves/slot {number}.sav")).unwrap();
            system.put(format!("saves/copy {number}.sav"), copy);
        }
    };
    assert_linear(fill, |saves| drop(saves.list().unwrap()));
}

#[test]
fn lists_and_the_newest_past_damaged_slots() {
    for fill in FILLS {
        assert_linear(fill, load);
        assert_linear(fill, |saves| drop(saves.list().unwrap()));
        assert_linear(fill, |saves| drop(saves.slot("good").unwrap()));
    }
}

fn autosave(saves: &Saves) {
    saves.autosave().unwrap().save(&1, Format::Json).unwrap();
}

#[test]
fn autosaves_among_many() {
    for fill in FILLS {
        assert_linear(fill, autosave);
    }
    // Slots that the player named like autosaves.
    assert_linear(
        |system, count| {
            (0..count).for_each(|n| system.put(format!("saves/autosave {n}.sav"), save(1)));
        },
        autosave,
    );
    // Autosaves that are too many now.
    assert_linear(
        |system, count| {
            let saves = Saves::over(system.clone(), "saves").unwrap().autosaves(1_000);
            (0..count).for_each(|_| autosave(&saves));
        },
        autosave,
    );
}

#[test]
fn the_trash() {
    let fill: Fill = |system, count| {
        let saves = Saves::over(system.clone(), "saves").unwrap();
        for number in 0..count {
            saves.slot("boss").unwrap().save(&number, Format::Json).unwrap();
            saves.delete("boss").unwrap();
        }
    };
    assert_linear(fill, |saves| drop(saves.trash().unwrap().list().unwrap()));
    assert_linear(fill, |saves| drop(saves.restore("boss").unwrap()));
    assert_linear(fill, |saves| saves.delete("good").unwrap());
    assert_linear(fill, |saves| saves.empty_trash().unwrap());
}

/// The files of slots that are links are in another folder, which is listed once.
#[cfg(unix)]
#[test]
fn slots_that_are_links() {
    let cost = |count: usize, act: Act| {
        let folder = tempfile::tempdir().unwrap();
        let saves = Saves::in_folder(folder.path()).unwrap();
        saves.slot("good").unwrap().save(&1, Format::Json).unwrap();
        std::fs::create_dir(folder.path().join("real")).unwrap();
        for n in 0..count {
            let file = format!("{n}.sav");
            std::fs::write(folder.path().join("real").join(&file), "no save").unwrap();
            std::os::unix::fs::symlink(format!("real/{file}"), folder.path().join(file)).unwrap();
        }
        let watched = Failing::new(Arc::new(archive::save::System));
        let saves = Saves::over(watched.clone(), folder.path()).unwrap();
        watched.begin(None);
        act(&saves);
        let calls = watched.calls();
        calls.len() + calls.iter().filter(|call| **call == "list").count() * count
    };
    for act in [load, |saves: &Saves| drop(saves.list().unwrap())] {
        let (some, twice) = (cost(20, act), cost(40, act));
        assert!(twice <= 2 * some, "{some} for 20 slots, {twice} for 40");
    }
}

/// Names in one call cost one listing, and each as much as any other.
#[test]
fn names_are_found_with_one_listing() {
    let cost = |count: usize| {
        let names: Vec<String> = (0..count).map(|n| format!("name {n}")).collect();
        let act = |saves: &Saves| {
            let slots = saves.slots(names.iter().map(|name| &**name)).unwrap();
            assert!(
                slots.iter().zip(&names).all(|(slot, name)| slot.as_ref().unwrap().name() == *name)
            );
        };
        let (system, lists) = (Failing::new(Arc::new(power_cuts())), |system: &Failing| {
            system.calls().iter().filter(|call| **call == "list").count()
        });
        let saves = Saves::over(system.clone(), "saves").unwrap();
        system.begin(None);
        act(&saves);
        assert_eq!(lists(&system), 1);
        system.calls().len()
    };
    assert!(cost(80) <= 2 * cost(40));
    let saves = Saves::over(power_cuts(), "saves").unwrap();
    let slots = saves.slots(["a", "", " b "]).unwrap();
    assert_eq!(slots[1].as_ref().unwrap_err().kind(), archive::ErrorKind::Unsupported);
    assert_eq!((slots[0].as_ref().unwrap().name(), slots[2].as_ref().unwrap().name()), ("a", "b"));
}
