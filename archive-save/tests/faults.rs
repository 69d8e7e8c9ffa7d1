//! Each call fails once: the old save stays whole, and the error names the file and the cause.

use std::io;

use archive::save::SaveFile;
use archive::save::testing::{Call, PowerCuts};
use archive::{ErrorKind, Format};

use crate::worlds::{World, world};

fn file(system: &PowerCuts) -> SaveFile {
    SaveFile::over(system.clone(), "saves/quick.sav").backups(2)
}

/// A file system with four saves.
fn system() -> PowerCuts {
    let system = PowerCuts::new();
    for tick in 0..4 {
        file(&system).save(&world(tick, 10), Format::Binary).unwrap();
    }
    system.settle();
    system.take_calls();
    system
}

#[test]
fn each_call_of_a_save_fails_once() {
    let calls = {
        let system = system();
        file(&system).save(&world(9, 10), Format::Binary).unwrap();
        system.take_calls()
    };
    assert!(calls.len() > 10, "{calls:?}");
    for (number, call) in calls.iter().enumerate() {
        let system = system();
        system.fail_at(number as u64, io::ErrorKind::StorageFull);
        let result = file(&system).save(&world(9, 10), Format::Binary);
        // Without the old metadata the save has no parent, and nothing else is lost.
        let is_peek = matches!(call, Call::Open(_) | Call::Read(_));
        assert_eq!(result.is_ok(), is_peek, "{call:?}");
        if let Err(error) = result {
            assert_eq!(error.kind(), ErrorKind::Io, "{call:?}");
            assert!(error.message().starts_with("cannot "), "{error}");
            assert!(error.message().contains("saves"), "{error}");
            let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref());
            assert_eq!(cause.map(io::Error::kind), Some(io::ErrorKind::StorageFull));
        }
        let is_replaced = is_peek || matches!(call, Call::SyncFolder(_));
        let loaded = file(&system).load::<World>().unwrap();
        assert!(loaded.is_newest(), "{call:?}");
        assert_eq!(loaded.value.tick, if is_replaced { 9 } else { 3 }, "{call:?}");
        assert!(!system.paths().iter().any(|path| path.ends_with("quick.sav.new")), "{call:?}");
        // The next save works.
        file(&system).save(&world(10, 10), Format::Binary).unwrap();
        assert_eq!(file(&system).load::<World>().unwrap().value.tick, 10);
    }
}

/// A read that fails is no damage: nothing is put aside, and the next load works.
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

/// The file of another save is left alone if the value cannot be saved.
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
