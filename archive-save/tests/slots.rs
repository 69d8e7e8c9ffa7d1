//! Slots: states, lists, copies, new names, the trash, autosaves.

use std::sync::Arc;
use std::time::Duration;

use archive::save::testing::PowerCuts;
use archive::save::{Relation, Saves, SlotState, relation};
use archive::{ErrorKind, Format};

use crate::proof::failing_system::Failing;
use crate::proof::{native, power_cuts};
use crate::saved_worlds::{World, world};

fn saves(system: &PowerCuts) -> Saves {
    Saves::over(system.clone(), "saves").unwrap().game("skirmish").game_version(3)
}

fn names(saves: &Saves) -> Vec<String> {
    let mut names: Vec<_> =
        saves.list().unwrap().iter().map(|slot| slot.name().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_list_reports_faults_before_a_load() {
    let system = power_cuts();
    let saves = saves(&system).types::<World>();
    let slot = |name: &str| saves.slot(name).unwrap();
    assert_eq!(slot("good").state(), SlotState::Empty);
    slot("good").title("Before the boss").save(&world(1, 2), Format::Binary).unwrap();
    slot("other").save(&vec![1, 2], Format::Json).unwrap();
    slot("damaged").save(&world(1, 2), Format::Binary).unwrap();
    slot("fallen back").save(&world(1, 2), Format::Binary).unwrap();
    slot("fallen back").title("newer").save(&world(2, 2), Format::Binary).unwrap();
    for name in ["damaged", "fallen back"] {
        let path = format!("saves/{name}.sav");
        let mut bytes = system.get(&path).unwrap();
        bytes.pop();
        system.put(path, bytes);
    }
    let newer = Saves::over(system.clone(), "saves").unwrap().game("skirmish").game_version(4);
    newer.slot("newer").unwrap().save(&world(1, 2), Format::Binary).unwrap();
    let chess = Saves::over(system.clone(), "saves").unwrap().game("chess");
    chess.slot("chess").unwrap().save(&world(1, 2), Format::Binary).unwrap();

    let mut states: Vec<_> = saves.list().unwrap();
    states.sort_by(|first, second| first.name().cmp(second.name()));
    let states: Vec<_> =
        states.iter().map(|slot| (slot.name(), slot.state(), slot.falls_back())).collect();
    let expected = [
        ("chess", SlotState::OtherGame, None),
        ("damaged", SlotState::Damaged, None),
        ("fallen back", SlotState::Damaged, Some(1)),
        ("good", SlotState::Good, None),
        ("newer", SlotState::NewerGame, None),
        ("other", SlotState::OtherTypes, None),
    ];
    assert_eq!(states, expected);
    assert_eq!(slot("good").meta().title, "Before the boss");
    assert_eq!(slot("damaged").error().unwrap().kind(), ErrorKind::Syntax);
    assert_eq!(slot("newer").load::<World>().unwrap_err().kind(), ErrorKind::NewerVersion);
    let loaded = slot("fallen back").load::<World>().unwrap();
    assert_eq!((loaded.value.tick, loaded.fell_back), (1, Some(1)));
    // The damaged file is in quarantine, and the backup is still the slot.
    assert_eq!(slot("fallen back").falls_back(), Some(1));
}

#[test]
fn the_newest_is_listed_first() {
    let system = power_cuts();
    let saves = saves(&system);
    for name in ["a", "c", "b"] {
        saves.slot(name).unwrap().save(&1, Format::Json).unwrap();
    }
    let listed = saves.list().unwrap();
    let listed: Vec<_> = listed.iter().map(|slot| slot.name()).collect();
    assert_eq!(listed, ["b", "c", "a"]);
}

#[test]
fn unreadable_saves_are_listed_first() {
    let system = power_cuts();
    let saves = saves(&system).autosaves(20);
    saves.slot("early").unwrap().save(&1, Format::Json).unwrap();
    saves.slot("first").unwrap().save(&1, Format::Json).unwrap();
    let bytes = system.get("saves/first.sav").unwrap();
    for name in ["autosave 9", "autosave 10", "autosave 2", "zoo"] {
        system.put(format!("saves/{name}.sav"), bytes.clone());
    }
    system.put("saves/lost.sav", "no save");
    let listed = saves.list().unwrap();
    let listed: Vec<_> = listed.iter().map(|slot| slot.name()).collect();
    let expected = ["lost", "autosave 10", "autosave 9", "autosave 2", "first", "zoo", "early"];
    assert_eq!(listed, expected);
}

/// A kept slot is cloned for each save.
#[test]
fn slots_are_cloned() {
    let system = power_cuts();
    let saves = saves(&system);
    let slot = saves.slot("a").unwrap().title("campaign");
    for number in 0..3 {
        let slot = slot.clone().play_time(Duration::from_secs(number));
        slot.save(&number, Format::Json).unwrap();
    }
    let meta = saves.slot("a").unwrap().meta().clone();
    assert_eq!((&*meta.title, meta.play_time), ("campaign", Duration::from_secs(2)));
    system.put("saves/b.sav", "no save");
    let damaged = saves.slot("b").unwrap().clone();
    assert_eq!(damaged.error().unwrap().kind(), ErrorKind::Syntax);
}

#[test]
fn autosaves_are_known_by_their_metadata_and_names() {
    let saves = saves(&power_cuts());
    let slot = saves.autosave().unwrap();
    assert!(slot.is_autosave() && !saves.slot(slot.name()).unwrap().is_autosave());
    slot.save(&1, Format::Json).unwrap();
    assert!(slot.clone().is_autosave());
    saves.slot("autosave 9").unwrap().save(&2, Format::Json).unwrap();
    saves.copy("autosave 1", "autosave 8").unwrap();
    saves.copy("autosave 1", "kept").unwrap();
    let listed = saves.list().unwrap();
    let autosaves: Vec<_> = listed.iter().filter(|slot| slot.is_autosave()).collect();
    assert_eq!((listed.len(), autosaves.len(), autosaves[0].name()), (4, 1, "autosave 1"));
    // What the player saves there is the player's.
    saves.slot("autosave 1").unwrap().save(&3, Format::Json).unwrap();
    assert!(!saves.slot("autosave 1").unwrap().is_autosave());
}

#[test]
fn metadata_of_all_kinds() {
    let saves = saves(&power_cuts());
    let slot = saves.slot("a").unwrap();
    assert_eq!(slot.meta().metadata::<u8>().unwrap_err().kind(), ErrorKind::MissingMember);
    let picture = vec![7_u8; 50_000];
    let written = slot
        .title("Ärger \"im\" Hafen\n")
        .play_time(Duration::from_millis(5_400_123))
        .thumbnail(picture.clone())
        .metadata(&vec![Some(1.5), None])
        .unwrap()
        .save(&1, Format::Json)
        .unwrap();
    let slot = saves.slot("a").unwrap();
    assert_eq!(*slot.meta(), written);
    assert_eq!(written.thumbnail, picture);
    assert_eq!(written.play_time, Duration::from_millis(5_400_123));
    assert_eq!(written.format, "json");
    assert_eq!((&*written.game, written.game_version), ("skirmish", 3));
    assert_eq!(written.metadata::<Vec<Option<f64>>>().unwrap(), [Some(1.5), None]);
}

#[test]
fn a_list_reads_only_heads_and_tails() {
    let system = power_cuts();
    let saves = saves(&system);
    saves.slot("large").unwrap().save(&vec![1.5_f64; 100_000], Format::Binary).unwrap();
    system.take_calls();
    assert_eq!(saves.list().unwrap().len(), 1);
    let calls: Vec<String> = system.take_calls().iter().map(|call| format!("{call:?}")).collect();
    let expected = [
        r#"List("saves")"#,
        r#"Open("saves/large.sav")"#,
        r#"Read("saves/large.sav")"#,
        r#"Read("saves/large.sav")"#,
    ]
    // As `Debug` has them.
    .map(|call| native(call).replace('\\', r"\\"));
    assert_eq!(calls, expected);
}

#[test]
fn copies_diverge() {
    let system = power_cuts();
    let saves = saves(&system);
    let first = saves.slot("a").unwrap().save(&1, Format::Json).unwrap();
    let copy = saves.copy("a", "b").unwrap();
    assert_eq!(relation(&first.lineage, &copy.meta().lineage), Relation::Equal);
    let a = saves.slot("a").unwrap().save(&2, Format::Json).unwrap();
    let b = copy.save(&3, Format::Json).unwrap();
    assert_eq!(relation(&a.lineage, &first.lineage), Relation::Ahead);
    assert_eq!(relation(&first.lineage, &b.lineage), Relation::Behind);
    assert_eq!(relation(&a.lineage, &b.lineage), Relation::Diverged);
    assert_eq!((a.lineage.counter(), b.lineage.parent()), (2, first.lineage.id()));

    let error = saves.copy("a", "b").unwrap_err();
    assert_eq!(error.message(), r#"there is already a save in the slot "b""#);
    let error = saves.copy("c", "d").unwrap_err();
    assert_eq!(error.message(), r#"there is no save in the slot "c""#);
}

/// Another process saves to the slot at the last moment.
#[test]
fn a_copy_does_not_replace_a_save_of_another_process() {
    let system = power_cuts();
    let other = saves(&system);
    other.slot("a").unwrap().save(&1, Format::Json).unwrap();
    let failing = Failing::new(Arc::new(system));
    let saves = Saves::over(failing.clone(), "saves").unwrap();
    let slot = other.slot("b").unwrap();
    failing.before_lock(move || _ = slot.save(&2, Format::Json).unwrap());
    let error = saves.copy("a", "b").unwrap_err();
    assert_eq!(error.message(), "there is already a save in the slot \"b\"");
    assert_eq!(saves.slot("b").unwrap().load::<i32>().unwrap().value, 2);
}

#[test]
fn a_slot_is_renamed_with_its_backups() {
    let system = power_cuts();
    let saves = saves(&system).backups(2);
    for number in 0..3 {
        saves.slot("a").unwrap().save(&number, Format::Json).unwrap();
    }
    let slot = saves.rename("a", "A").unwrap();
    assert_eq!((slot.name(), slot.state()), ("A", SlotState::Good));
    let paths: Vec<_> = system.paths().iter().map(|path| path.display().to_string()).collect();
    assert_eq!(paths, ["saves/+a.sav", "saves/+a.sav.1", "saves/+a.sav.2"].map(native));
    saves.slot("b").unwrap().save(&9, Format::Json).unwrap();
    assert_eq!(saves.rename("b", "A").unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(saves.slot("A").unwrap().load::<i32>().unwrap().value, 2);
}

#[test]
fn deleted_slots_are_in_the_trash() {
    let system = power_cuts();
    let saves = saves(&system);
    for number in 0..3 {
        saves.slot("a").unwrap().save(&number, Format::Json).unwrap();
        saves.slot("a").unwrap().save(&(number + 10), Format::Json).unwrap();
        saves.delete("a").unwrap();
        assert_eq!(saves.slot("a").unwrap().state(), SlotState::Empty);
    }
    assert!(saves.list().unwrap().is_empty());
    assert_eq!(names(&saves.trash().unwrap()), ["a", "a 2", "a 3"]);
    assert_eq!(system.paths().len(), 6);
    assert_eq!(saves.delete("a").unwrap_err().kind(), ErrorKind::Io);

    let slot = saves.restore("a 2").unwrap();
    assert_eq!((slot.name(), slot.load::<i32>().unwrap().value), ("a 2", 10));
    assert_eq!(saves.restore("a").unwrap().load::<i32>().unwrap().value, 12);
    let message = r#"there is already a save in the slot "a""#;
    assert_eq!(saves.restore("a").unwrap_err().message(), message);
    let message = r#"the trash has no save of the slot "b""#;
    assert_eq!(saves.restore("b").unwrap_err().message(), message);
    saves.delete("a 2").unwrap();
    saves.restore("a 3").unwrap();
    saves.empty_trash().unwrap();
    assert_eq!(names(&saves), ["a", "a 3"]);
    assert!(saves.trash().unwrap().list().unwrap().is_empty());
}

#[test]
fn the_oldest_autosaves_are_removed() {
    let system = power_cuts();
    let saves = saves(&system).autosaves(3);
    saves.slot("campaign").unwrap().save(&0, Format::Json).unwrap();
    for number in 1..12 {
        let slot = saves.autosave().unwrap();
        assert_eq!(slot.name(), format!("autosave {number}"));
        slot.save(&number, Format::Json).unwrap();
    }
    assert_eq!(names(&saves), ["autosave 10", "autosave 11", "autosave 9", "campaign"]);

    // A slot that is not saved has no number yet, and a failed save removes nothing.
    assert_eq!(saves.autosave().unwrap().name(), "autosave 12");
    let slot = saves.autosave().unwrap();
    system.fail_at(2, std::io::ErrorKind::StorageFull);
    slot.save(&13, Format::Json).unwrap_err();
    assert_eq!(names(&saves), ["autosave 10", "autosave 11", "autosave 9", "campaign"]);
    let again = Saves::over(system, "saves").unwrap();
    assert_eq!(again.autosave().unwrap().name(), "autosave 12");
}
