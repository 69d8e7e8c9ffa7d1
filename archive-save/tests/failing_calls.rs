//! Each system call fails once: the old save is kept, and the error names the file and the cause.

use std::io;
use std::path::Path;
use std::sync::Arc;

use archive::save::testing::PowerCuts;
use archive::save::{FileSystem, SaveFile};
use archive::{ErrorKind, Format};

use crate::proof::calls::{self, Place};
use crate::proof::failing_system::Failing;
use crate::proof::files_of_a_save::numbered;
use crate::proof::full_disk;
use crate::proof::power_cuts;
use crate::saved_worlds::{World, world};

fn file(system: &PowerCuts) -> SaveFile {
    SaveFile::over(system.clone(), "saves/quick.sav").backups(2)
}

/// A file system with four saves.
fn system() -> PowerCuts {
    let system = power_cuts();
    for tick in 0..4 {
        file(&system).save(&world(tick, 10), Format::Binary).unwrap();
    }
    system.settle();
    system.take_calls();
    system
}

#[test]
fn each_call_fails_once() {
    let place = || Place::new(power_cuts(), Path::new("saves"), ());
    let tally = calls::all(&calls::CODES[..2], &place).unwrap();
    let count = tally.calls.values().sum::<u64>();
    assert!(tally.errors > 300 && count > tally.errors && tally.calls.len() == 16, "{tally:?}");
}

/// A virus scanner or a sync client has the file open for a moment, during each call: the save
/// succeeds.
#[test]
fn each_call_finds_the_file_in_use_once() {
    let place = || Place::new(power_cuts(), Path::new("saves"), ());
    // `EBUSY`, and a sharing violation.
    let tally = calls::all(&[if cfg!(windows) { 32 } else { 16 }], &place).unwrap();
    let count = tally.calls.values().sum::<u64>();
    // A failed write may have written a part, so it is not repeated.
    let written = tally.calls["write"] + tally.calls["sync"];
    assert!(tally.errors <= written && count > 300, "{tally:?}");
}

#[test]
fn a_disk_without_room() {
    let system = Failing::new(Arc::new(power_cuts()));
    let path = Path::new("saves/a.sav");
    for tick in 7..10 {
        SaveFile::over(system.clone(), path)
            .backups(3)
            .save(&numbered(tick), Format::Binary)
            .unwrap();
    }
    let shared: Arc<dyn FileSystem> = Arc::new(system.clone());
    let mut set_room = |room: u64| system.set_room(Some(room as usize * 4_096));
    full_disk::saves(&shared, path, &mut full_disk::Seen::default(), &mut set_room).unwrap();
}

/// A failed read is not damage: no file is moved, and the next load works.
#[test]
fn each_call_of_a_load_fails_once() {
    for number in 0..2 {
        let system = system();
        let before = system.paths();
        system.fail_at(number, io::ErrorKind::PermissionDenied);
        let error = file(&system).load::<World>().unwrap_err();
        assert_eq!(error.message(), "cannot read saves/quick.sav: permission denied");
        assert_eq!(system.paths(), before);
        assert_eq!(file(&system).load::<World>().unwrap().value.tick, 3);
    }
}

/// The file of another save is not changed if the value cannot be saved.
#[test]
fn a_value_that_fails() {
    use archive::Serialize;

    #[derive(Default, Serialize)]
    struct Locked(std::cell::RefCell<u32>);

    let system = system();
    let before = system.paths();
    let value = std::rc::Rc::new(std::cell::RefCell::new(Locked::default()));
    let guard = value.borrow_mut();
    let error = file(&system).save(&value, Format::Binary).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Borrowed);
    drop(guard);
    assert_eq!(system.paths(), before);
    assert_eq!(file(&system).load::<World>().unwrap().value.tick, 3);
}
