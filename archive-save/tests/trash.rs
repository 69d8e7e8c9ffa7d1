//! The trash: the restored slot is the one that was deleted under that name.

use archive::Format;
use archive::save::testing::{Call, PowerCuts};
use archive::save::{Saves, Slot};

use crate::proof::power_cuts;

fn saves(system: &PowerCuts) -> Saves {
    Saves::over(system.clone(), "saves").unwrap()
}

/// Saves to a slot, and deletes it.
fn delete(saves: &Saves, name: &str, number: i32) {
    saves.slot(name).unwrap().save(&number, Format::Json).unwrap();
    saves.delete(name).unwrap();
}

fn value(slot: archive::Result<Slot>) -> i32 {
    slot.unwrap().load::<i32>().unwrap().value
}

#[test]
fn the_last_slot_of_a_name_that_was_deleted_is_restored() {
    let saves = saves(&power_cuts());
    for number in 1..4 {
        delete(&saves, "a", number);
    }
    // Not the second one that was called `a`.
    delete(&saves, "a 2", 9);
    let trash = saves.trash().unwrap();
    assert_eq!(value(trash.slot("a 2")), 9);
    assert_eq!(value(saves.restore("a 2")), 9);
    assert_eq!(value(saves.restore("a")), 3);
    saves.rename("a", "b").unwrap();
    // The last one of the remaining ones.
    assert_eq!(value(saves.restore("a")), 2);
    saves.restore("a").unwrap_err();
    saves.delete("a").unwrap();
    assert_eq!(value(saves.restore("a")), 2);
    saves.rename("a", "c").unwrap();
    assert_eq!(value(saves.restore("a")), 1);
    saves.rename("a", "d").unwrap();
    assert!(saves.trash().unwrap().list().unwrap().is_empty());
    saves.restore("a").unwrap_err();
}

#[test]
fn all_that_is_listed_in_the_trash_can_be_restored() {
    let names =
        ["a".repeat(220), "д".repeat(36), "con".into(), "Boss".into(), "a 2".into(), "x@2".into()];
    for is_reversed in [false, true] {
        let saves = saves(&power_cuts());
        for name in &names {
            for number in 0..3 {
                delete(&saves, name, number);
            }
        }
        let mut listed = saves.trash().unwrap().list().unwrap();
        assert_eq!(listed.len(), 3 * names.len());
        if is_reversed {
            listed.reverse();
        }
        for slot in listed {
            assert!(!slot.name().contains('%'), "{}", slot.name());
            let expected = slot.load::<i32>().unwrap().value;
            assert_eq!(value(saves.restore(slot.name())), expected, "{}", slot.name());
        }
    }
}

/// A file that a player copied into the folder is restored under its name.
#[test]
fn a_file_of_another_name_comes_back() {
    let system = power_cuts();
    let saves = saves(&system);
    saves.slot("x").unwrap().save(&1, Format::Json).unwrap();
    let long = "д".repeat(80);
    for name in ["Boss Fight", "x@2", "50%", &long] {
        system.put(format!("saves/{name}.sav"), system.get("saves/x.sav").unwrap());
        saves.delete(name).unwrap();
        assert_eq!(value(saves.trash().unwrap().slot(name)), 1, "{name}");
        let slot = saves.restore(name).unwrap();
        assert!(name.starts_with(slot.name()), "{name}");
    }
}

#[test]
fn the_trash_is_emptied_of_all_by_few_calls() {
    let system = power_cuts();
    let saves = saves(&system);
    for number in 0..50 {
        delete(&saves, &format!("slot {}", number % 30), number);
    }
    // The power was cut while the trash was emptied.
    for left in ["b.sav.damaged", "c.sav.new", "d.sav.1"] {
        system.put(format!("saves/trash/{left}"), "left");
    }
    system.put("saves/trash/notes.txt", "no slot");
    system.take_calls();
    saves.empty_trash().unwrap();
    let lists = system.take_calls().iter().filter(|call| matches!(call, Call::List(_))).count();
    assert!(lists <= 2, "{lists}");
    assert_eq!(system.paths(), ["saves/trash/notes.txt"].map(std::path::PathBuf::from));
}
