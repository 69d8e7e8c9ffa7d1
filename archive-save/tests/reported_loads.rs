//! Loads with a report, over an existing value, and of values that the types refuse.

use std::cell::Cell;

use archive::error::Position;
use archive::save::{SaveFile, Saves};
use archive::{ErrorKind, Format, Options, Serialize};

use crate::proof::{native, power_cuts};

/// A value of an older program.
#[derive(Default, Serialize)]
struct Old {
    tick: u64,
    mood: String,
    hp: [u16; 2],
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct New {
    tick: u64,
    seed: u64,
    #[archive(default = [1, 1])]
    hp: [u8; 2],
}

fn old(hp: u16) -> Old {
    Old { tick: 7, mood: "calm".into(), hp: [9, hp] }
}

#[test]
fn the_error_of_a_value_names_the_file_first() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    for format in [Format::Json, Format::Binary, Format::MessagePack] {
        let slot = saves.slot("a").unwrap();
        slot.save(&old(300), format).unwrap();
        let bytes = format.to_vec(&old(300)).unwrap();
        let own = format.from_slice::<New>(&bytes).unwrap_err();
        let error = slot.load::<New>().unwrap_err();
        assert_eq!(error.to_string(), format!("{}: {own}", native("saves/a.sav")));
        assert_eq!(error.file(), Some(&*native("saves/a.sav")));
        assert_eq!((error.kind(), error.path()), (own.kind(), own.path()));
        assert_eq!((error.position(), error.message()), (own.position(), own.message()));
        assert_ne!(error.position(), None::<Position>);
    }
    let plain = SaveFile::over(system, "settings.json");
    plain.save(&old(300), Format::Json).unwrap();
    let error = plain.load::<New>().unwrap_err();
    assert!(error.to_string().starts_with("settings.json: hp[1]: 300 does not fit u8 at line 1"));
}

#[test]
fn a_value_that_cannot_be_saved_names_the_file_first() {
    #[derive(Default, Serialize)]
    struct Locked(std::rc::Rc<std::cell::RefCell<u32>>);

    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let value = Locked::default();
    let _guard = value.0.borrow_mut();
    let slot = saves.slot("a").unwrap();
    let errors = [
        slot.save(&value, Format::Binary).unwrap_err(),
        slot.save_in_background(&value, Format::Binary).unwrap_err(),
        SaveFile::over(system, native("saves/a.json")).save(&value, Format::Json).unwrap_err(),
    ];
    for (error, file) in errors.iter().zip(["a.sav: ", "a.sav: ", "a.json: "]) {
        assert_eq!(error.kind(), ErrorKind::Borrowed);
        assert!(error.to_string().starts_with(&native(&format!("saves/{file}"))), "{error}");
    }
}

#[test]
fn a_report_lists_the_differences() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let slot = saves.slot("a").unwrap();
    slot.save(&old(3), Format::Binary).unwrap();
    let report = Cell::default();
    let options = Options::new().report(&report);
    let loaded = slot.load_with::<New>(&options).unwrap();
    assert_eq!(loaded.value, New { tick: 7, seed: 0, hp: [9, 3] });
    assert_eq!((loaded.slot.as_deref(), loaded.meta), (Some("a"), slot_meta(&saves)));
    let noted = report.take();
    assert!(noted.absent().eq(["seed"]) && noted.unknown().eq(["mood"]));

    slot.save(&old(300), Format::Binary).unwrap();
    assert_eq!(slot.load_with::<New>(&options).unwrap_err().kind(), ErrorKind::OutOfRange);
    let options = options.keep_going(true);
    let loaded = slot.load_with::<New>(&options).unwrap();
    assert_eq!((loaded.value.tick, loaded.fell_back), (7, None));
    assert_eq!(report.take().errors()[0].path(), "hp[1]");
    let file = SaveFile::over(system, "saves/a.sav");
    file.load_with::<New>(&options).unwrap();
    assert_eq!(report.take().errors().len(), 1);
}

fn slot_meta(saves: &Saves) -> archive::save::Meta {
    saves.slot("a").unwrap().meta().clone()
}

#[test]
fn a_load_into_a_value() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let slot = saves.slot("a").unwrap();
    slot.save(&old(3), Format::Binary).unwrap();
    let mut value = New { tick: 1, seed: 5, hp: [0, 0] };
    let loaded = slot.load_into(&mut value).unwrap();
    assert_eq!((value, loaded.meta), (New { tick: 7, seed: 5, hp: [9, 3] }, slot_meta(&saves)));
    let strict = Options::new().strict(true);
    let error = slot.load_into_with(&mut New::default(), &strict).unwrap_err();
    assert_eq!(error.file(), Some(&*native("saves/a.sav")));
}

/// The damaged file changes nothing in the value into which the backup is loaded.
#[test]
fn a_load_into_a_value_that_falls_back() {
    let system = power_cuts();
    let settings = SaveFile::over(system.clone(), "settings.json");
    settings.save(&old(3), Format::Json).unwrap();
    settings.save(&old(4), Format::Json).unwrap();
    system.put("settings.json", r#"{"tick":8,"seed":6,"hp":[1,2]"#);
    let mut value = New { tick: 1, seed: 5, hp: [0, 0] };
    let loaded = settings.load_into(&mut value).unwrap();
    assert_eq!(loaded.fell_back, Some(1));
    assert_eq!(value, New { tick: 7, seed: 5, hp: [9, 3] });
}
