//! Which save a save continues.

use std::io;

use archive::save::testing::Call;
use archive::save::{Relation, SaveFile, Saves, relation};
use archive::{Format, Options};

use crate::proof::power_cuts;

/// A sync client brings a save of the laptop while the game runs. The game saves its own state.
#[test]
fn a_save_does_not_continue_a_save_that_was_never_loaded() {
    let (system, laptop) = (power_cuts(), power_cuts());
    let here = SaveFile::over(system.clone(), "a.sav").device("desktop");
    let first = here.save(&1, Format::Json).unwrap();
    laptop.put("a.sav", system.get("a.sav").unwrap());
    let theirs = SaveFile::over(laptop.clone(), "a.sav").device("laptop");
    let theirs = theirs.save(&100, Format::Json).unwrap();
    system.put("a.sav", laptop.get("a.sav").unwrap());
    let mine = here.save(&2, Format::Json).unwrap();
    assert_eq!(relation(&mine.lineage, &theirs.lineage), Relation::Diverged);
    assert_eq!(relation(&mine.lineage, &first.lineage), Relation::Ahead);

    // Once it is loaded, it is continued.
    system.put("a.sav", laptop.get("a.sav").unwrap());
    here.load::<i32>().unwrap();
    let next = here.save(&101, Format::Json).unwrap();
    assert_eq!(relation(&next.lineage, &theirs.lineage), Relation::Ahead);
    assert_eq!(relation(&next.lineage, &mine.lineage), Relation::Diverged);
}

/// An older save is put there while the game runs.
#[test]
fn a_save_over_an_older_one_continues_only_that() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav");
    file.save(&1, Format::Json).unwrap();
    let second = file.save(&2, Format::Json).unwrap();
    let bytes = system.get("a.sav").unwrap();
    let third = file.save(&3, Format::Json).unwrap();
    system.put("a.sav", bytes);
    let other = file.save(&4, Format::Json).unwrap();
    assert_eq!(relation(&third.lineage, &other.lineage), Relation::Diverged);
    assert_eq!(relation(&other.lineage, &second.lineage), Relation::Ahead);
}

#[test]
fn a_save_after_a_fall_back_does_not_continue_the_damaged_one() {
    let damaged = || {
        let system = power_cuts();
        let file = SaveFile::over(system.clone(), "a.sav");
        file.save(&1, Format::Json).unwrap();
        let newest = file.save(&2, Format::Json).unwrap();
        let mut bytes = system.get("a.sav").unwrap();
        *bytes.iter_mut().nth_back(32 + 8).unwrap() ^= 1;
        system.put("a.sav", bytes);
        system.take_calls();
        (system, file, newest)
    };
    let (system, file, _) = damaged();
    file.load::<i32>().unwrap();
    let is_aside = |call: &Call| matches!(call, Call::Link(..));
    let aside = system.take_calls().iter().position(is_aside).unwrap();

    // It cannot be renamed, as in a folder that is read-only.
    let (system, file, newest) = damaged();
    let names = system.paths();
    system.fail_at(aside as u64, io::ErrorKind::PermissionDenied);
    let loaded = file.load::<i32>().unwrap();
    assert_eq!((loaded.fell_back, &loaded.damaged[0].aside), (Some(1), &None));
    assert_eq!(system.paths(), names);
    let mine = file.save(&10, Format::Json).unwrap();
    assert_eq!(relation(&mine.lineage, &newest.lineage), Relation::Diverged);
    assert_eq!(relation(&mine.lineage, &loaded.meta.lineage), Relation::Ahead);
}

/// A save remembers 64 runs. A failed one is not a run.
#[test]
fn saves_that_fail_are_not_remembered() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav");
    let first = file.save(&1, Format::Json).unwrap();
    let mut last = first.clone();
    for number in 0..65 {
        system.take_calls();
        system.fail_at(6, io::ErrorKind::StorageFull);
        file.save(&0, Format::Json).unwrap_err();
        system.take_calls();
        last = file.save(&number, Format::Json).unwrap();
    }
    assert_eq!(relation(&last.lineage, &first.lineage), Relation::Ahead);
    assert_eq!(last.lineage.counter(), 66);
}

#[test]
fn of_plain_text_nothing_is_known() {
    let system = power_cuts();
    let load = |path: &str, value: i32| {
        let file = SaveFile::over(system.clone(), path);
        file.save(&value, Format::Json).unwrap();
        file.load::<i32>().unwrap().meta
    };
    let (first, second) = (load("a.json", 1), load("b.json", 2));
    assert_eq!(relation(&first.lineage, &second.lineage), Relation::Diverged);
}

/// The next save continues the save of the laptop, whichever function loaded it.
#[test]
fn a_save_continues_any_loaded_save() {
    let loads: [fn(&Saves); 4] = [
        |saves| drop(saves.slot("a").unwrap().load::<i32>().unwrap()),
        |saves| drop(saves.slot("a").unwrap().load_with::<i32>(&Options::new()).unwrap()),
        |saves| drop(saves.slot("a").unwrap().load_into(&mut 0).unwrap()),
        |saves| drop(saves.load_newest::<i32>().unwrap().unwrap()),
    ];
    for (at, load) in loads.iter().enumerate() {
        let (system, laptop) = (power_cuts(), power_cuts());
        let here = Saves::over(system.clone(), format!("saves {at}")).unwrap();
        let slot = here.slot("a").unwrap();
        slot.save(&1, Format::Json).unwrap();
        let path = slot.path();
        laptop.put(path, system.get(path).unwrap());
        let theirs = SaveFile::over(laptop.clone(), path).save(&2, Format::Json).unwrap();
        system.put(path, laptop.get(path).unwrap());
        load(&here);
        let next = slot.save(&3, Format::Json).unwrap();
        assert_eq!(relation(&next.lineage, &theirs.lineage), Relation::Ahead, "{at}");
    }
}
