//! Saves in one folder run one after the other, and block nobody longer than they write.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, mpsc};

use archive::save::testing::{Layer, PowerCuts};
use archive::save::{FileSystem, SaveFile};
use archive::{Archive, Format, Result, Serialize};

use crate::proof::failing_system::Failing;
use crate::proof::power_cuts;

/// A value that saves a part of itself to a file of its own.
#[derive(Default)]
struct Regions(PathBuf);

impl Serialize for Regions {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.is_saving() {
            SaveFile::new(self.0.join("region.sav")).save(&1, Format::Json)?;
        }
        ar.serialize("regions", &mut 1)
    }
}
archive::blank!(Regions);

#[test]
fn a_value_is_encoded_before_its_folder_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let mut regions = Regions(folder.path().to_owned());
    SaveFile::new(folder.path().join("a.sav")).save(&mut regions, Format::Json).unwrap();
}

/// The file system has no locks of its own.
#[test]
fn threads_that_save_to_one_file_do_not_mix() {
    let system = power_cuts();
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let file = SaveFile::over(system.clone(), "a.sav").backups(2);
            scope.spawn(move || {
                for number in 0..50 {
                    file.save(&vec![thread * 50 + number; 20_000], Format::Binary).unwrap();
                    let loaded = file.load::<Vec<u64>>().unwrap();
                    assert!(loaded.is_newest() && loaded.damaged.is_empty());
                    assert!(loaded.value.iter().all(|number| *number == loaded.value[0]));
                }
            });
        }
    });
    assert_eq!(system.paths(), ["a.sav", "a.sav.1", "a.sav.2"].map(PathBuf::from));
}

/// The file is still being written, so a load must not remove it.
#[test]
fn a_load_does_not_interrupt_a_save() {
    let system = power_cuts();
    let failing = Failing::new(Arc::new(system.clone()));
    let file = SaveFile::over(failing.clone(), "of a load/a.sav");
    file.save(&1, Format::Json).unwrap();
    let ((enter, entered), (open, opened)) = (mpsc::channel(), mpsc::channel());
    failing.before_lock(move || {
        enter.send(()).unwrap();
        opened.recv().unwrap();
    });
    std::thread::scope(|scope| {
        let saved = scope.spawn(|| file.save(&2, Format::Json).map(drop));
        entered.recv().unwrap();
        system.put("of a load/a.sav.new", "half of it");
        assert_eq!(file.load::<i32>().unwrap().value, 1);
        assert!(system.get("of a load/a.sav.new").is_ok());
        open.send(()).unwrap();
        saved.join().unwrap().unwrap();
    });
    assert_eq!(file.load::<i32>().unwrap().value, 2);
}

/// Another process saves there for a long time.
#[test]
fn a_load_of_a_good_file_does_not_lock() {
    let folder = tempfile::tempdir().unwrap();
    let file = SaveFile::new(folder.path().join("a.sav"));
    file.save(&1, Format::Json).unwrap();
    let new = folder.path().join("a.sav.new");
    std::fs::write(&new, "half of it").unwrap();
    let lock = archive::save::System.try_lock(folder.path()).unwrap();
    let error = archive::save::System.try_lock(folder.path()).map(drop).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(file.load::<i32>().unwrap().value, 1);
    assert!(new.exists());
    drop(lock);
    assert_eq!(file.load::<i32>().unwrap().value, 1);
    assert!(!new.exists());
}

/// If there is nothing to load, nothing is locked.
#[test]
fn a_load_of_nothing_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let error = SaveFile::new(folder.path().join("a.sav")).load::<i32>().unwrap_err();
    assert!(error.message().starts_with("there is no save "), "{error}");
    let saves = archive::save::Saves::in_folder(folder.path()).unwrap();
    saves.slot("a").unwrap().load::<i32>().unwrap_err();
    assert!(saves.load_newest::<i32>().unwrap().is_none());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// On Windows, a file that other processes read is not replaced.
struct Read {
    system: PowerCuts,
    /// The number of calls for which another process has a file open.
    calls: AtomicU32,
}

impl Layer for Read {
    type Below = PowerCuts;

    fn below(&self) -> &PowerCuts {
        &self.system
    }
    fn around<T>(
        &self,
        call: &'static str,
        _: &[&Path],
        mut make: impl FnMut() -> io::Result<T>,
    ) -> io::Result<T> {
        let count = |calls: u32| calls.checked_sub(1);
        match call {
            "rename" if self.calls.fetch_update(Relaxed, Relaxed, count).is_ok() => {
                Err(io::ErrorKind::ResourceBusy.into())
            }
            _ => make(),
        }
    }
}

#[test]
fn a_save_replaces_a_file_once_other_processes_close_it() {
    let system = power_cuts();
    SaveFile::over(system.clone(), "a.sav").save(&0, Format::Json).unwrap();
    for (number, calls) in [0, 1, 40, 400, u32::MAX].into_iter().enumerate() {
        let layer = Read { system: system.clone(), calls: AtomicU32::new(calls) };
        let saved = SaveFile::over(layer, "a.sav").save(&(number + 1), Format::Json);
        assert_eq!(saved.is_ok(), calls < u32::MAX, "{saved:?}");
        let loaded = SaveFile::over(system.clone(), "a.sav").load::<usize>().unwrap();
        assert!(loaded.value == (number + 1).min(4) && loaded.is_newest());
    }
}
