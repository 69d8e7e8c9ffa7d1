//! Loads in the background: progress, errors and cancelling.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use archive::save::testing::{Layer, PowerCuts};
use archive::save::{
    Compression, File, FileSystem, LoadJob, Outcome, Phase, Progress, SaveFile, Saves,
};
use archive::{Archive, ErrorKind, Format, Options, Result, Serialize};

use crate::proof::power_cuts;
use crate::saved_worlds::{World, world};

/// A file system that blocks each read until a permission is sent, once it is closed.
#[derive(Clone)]
struct Gate {
    system: PowerCuts,
    permits: Arc<Mutex<Option<Receiver<()>>>>,
}

impl Gate {
    fn new() -> Gate {
        Gate { system: power_cuts(), permits: Arc::default() }
    }

    /// Closes it. Each read takes one permission. It opens again when the sender is dropped.
    fn close(&self) -> SyncSender<()> {
        let (sender, receiver) = sync_channel(0);
        *self.permits.lock().unwrap() = Some(receiver);
        sender
    }
}

struct Waiting<'g>(Box<dyn File + 'g>, &'g Gate);

impl File for Waiting<'_> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.append(bytes)
    }
    fn sync(&mut self) -> io::Result<()> {
        self.0.sync()
    }
    fn length(&mut self) -> io::Result<u64> {
        self.0.length()
    }
    fn read(&mut self, from: u64, len: u64) -> io::Result<Vec<u8>> {
        if let Some(permits) = &*self.1.permits.lock().unwrap() {
            _ = permits.recv();
        }
        self.0.read(from, len)
    }
}

impl Layer for Gate {
    type Below = PowerCuts;

    fn below(&self) -> &PowerCuts {
        &self.system
    }
    fn open_file(&self, path: &Path) -> io::Result<Box<dyn File + '_>> {
        Ok(Box::new(Waiting(self.system.open(path)?, self)))
    }
}

/// A file of several mebibytes, which is read in several parts.
fn file(gate: &Gate) -> SaveFile {
    let file = SaveFile::over(gate.clone(), "a.sav").compression(Compression::None);
    file.save(&vec![7_u8; 5 << 20], Format::Json).unwrap();
    file
}

/// Permits one read, and waits until its progress is visible. Returns `None` at the end.
fn step<T>(job: &LoadJob<T>, permits: &SyncSender<()>) -> Option<Progress> {
    let before = job.progress();
    permits.send(()).ok()?;
    loop {
        let now = job.progress();
        match now.phase {
            Phase::Done | Phase::Decoding => return None,
            _ if now != before => return Some(now),
            _ => std::thread::yield_now(),
        }
    }
}

#[test]
fn a_load_reports_its_progress() {
    let gate = Gate::new();
    let file = file(&gate);
    let permits = gate.close();
    let job = file.load_in_background::<Vec<u8>>().unwrap();
    assert_eq!((job.progress().phase, job.progress().fraction()), (Phase::Queued, 0.0));
    let len = gate.system.get("a.sav").unwrap().len() as u64;
    let mut seen = Vec::new();
    // The first bytes, and the last ones, which do not change the progress.
    seen.extend(step(&job, &permits));
    permits.send(()).unwrap();
    while let Some(progress) = step(&job, &permits) {
        assert_eq!((progress.phase, progress.total), (Phase::Reading, len));
        seen.push(progress);
    }
    drop(permits);
    assert!(seen.len() > 5, "{seen:?}");
    assert!(seen.is_sorted_by(|before, after| before.fraction() < after.fraction()), "{seen:?}");
    assert!(seen.iter().all(|progress| (0.0..1.0).contains(&progress.fraction())));
    let loaded = job.wait().unwrap().unwrap();
    assert_eq!((loaded.value.len(), loaded.path.to_str()), (5 << 20, Some("a.sav")));
    // The process continues the save that it has loaded.
    let meta = file.save(&1, Format::Json).unwrap();
    assert_eq!(meta.lineage.parent(), loaded.meta.lineage.id());
}

#[test]
fn a_cancelled_or_dropped_load_stops_reading() {
    for is_dropped in [false, true] {
        let gate = Gate::new();
        let file = file(&gate);
        let permits = gate.close();
        let job = file.load_in_background::<Vec<u8>>().unwrap();
        step(&job, &permits).unwrap();
        gate.system.take_calls();
        if is_dropped {
            drop(job);
            drop(permits);
        } else {
            job.cancel();
            drop(permits);
            assert!(job.wait().unwrap().is_none());
        }
        // Its thread keeps the file system until it ends.
        drop(file);
        while Arc::strong_count(&gate.permits) > 1 {
            std::thread::yield_now();
        }
        // The pending read.
        let calls = gate.system.take_calls();
        assert!(calls.len() <= 1, "{calls:?} after it ended, {is_dropped}");
        assert_eq!(gate.system.paths().len(), 1);
        let file = SaveFile::over(gate, "a.sav");
        assert_eq!(file.load::<Vec<u8>>().unwrap().value.len(), 5 << 20);
    }
}

#[test]
fn errors_come_from_wait() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav").backups(0);
    let fails = || file.load_in_background::<World>().unwrap().wait().unwrap_err();
    assert_eq!((fails().kind(), fails().message()), (ErrorKind::Io, "there is no save a.sav"));
    file.save("text", Format::Binary).unwrap();
    assert_eq!((fails().kind(), fails().file()), (ErrorKind::WrongType, Some("a.sav")));
    let bytes = system.get("a.sav").unwrap();
    system.put("a.sav", &bytes[1..]);
    assert_eq!(fails().kind(), ErrorKind::Syntax);
    let options = || Options::new().strict(true);
    let job = file.load_in_background_with::<World>(options).unwrap();
    assert_eq!(job.wait().unwrap_err().kind(), ErrorKind::Syntax);
}

#[test]
fn a_damaged_file_falls_back() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav");
    file.save(&world(1, 9), Format::Binary).unwrap();
    file.save(&world(2, 9), Format::Binary).unwrap();
    let mut bytes = system.get("a.sav").unwrap();
    let at = bytes.len() - 40;
    bytes[at] ^= 1;
    system.put("a.sav", bytes);
    let loaded = file.load_in_background::<World>().unwrap().wait().unwrap().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (world(1, 9), Some(1)));
    assert!(loaded.damaged[0].aside.is_some());
}

/// A body that is decoded here: with comments if the options allow them, from a backup if the file is
/// damaged, and the next save continues what was loaded.
#[test]
fn a_body_is_decoded_on_this_thread() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let slot = saves.slot("a").unwrap();
    slot.save(&world(1, 9), Format::Binary).unwrap();
    slot.save(&world(2, 9), Format::MessagePack).unwrap();
    let decode = || {
        let job = slot.load_body_in_background::<World>().unwrap();
        let loaded = job.wait().unwrap().unwrap();
        assert_eq!(loaded.slot.as_deref(), Some("a"));
        let (format, body) = &loaded.value;
        assert_eq!(loaded.meta.format, format.name());
        (format.from_slice::<World>(body).unwrap(), loaded)
    };
    let (value, loaded) = decode();
    assert_eq!((value, loaded.fell_back), (world(2, 9), None));
    let meta = slot.save(&world(3, 9), Format::Binary).unwrap();
    assert_eq!(meta.lineage.parent(), loaded.meta.lineage.id());

    let path = slot.path();
    let mut bytes = system.get(path).unwrap();
    let at = bytes.len() - 40;
    bytes[at] ^= 1;
    system.put(path, bytes);
    let (value, loaded) = decode();
    assert_eq!((value, loaded.fell_back), (world(2, 9), Some(1)));

    let file = SaveFile::over(system.clone(), "plain.json");
    system.put("plain.json", b"[1] // a note".to_vec());
    let relaxed = || Options::new().relaxed(true);
    let job = file.load_body_in_background_with::<Vec<u8>>(relaxed).unwrap();
    assert_eq!(job.wait().unwrap().unwrap().value.1, b"[1] // a note");
}

/// The load of a slot comes after the saves of it.
#[test]
fn a_slot_is_loaded_after_it_is_saved() {
    let saves = Saves::over(power_cuts(), "saves").unwrap();
    let slot = saves.slot("a").unwrap();
    slot.save(&world(1, 3), Format::Binary).unwrap();
    for tick in 2..20 {
        let saved = slot.save_in_background(&world(tick, 300), Format::Json).unwrap();
        let loaded = slot.load_in_background::<World>().unwrap().wait().unwrap().unwrap();
        assert_eq!((loaded.value.tick, loaded.slot.as_deref()), (tick, Some("a")));
        assert!(matches!(saved.wait().unwrap(), Outcome::Saved(_)));
    }
}

#[derive(Debug, Default)]
struct Panics;

impl Serialize for Panics {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        assert!(!ar.is_loading(), "on purpose");
        Ok(())
    }
}
archive::blank!(Panics);

#[test]
fn a_panic_is_an_error() {
    let file = SaveFile::over(power_cuts(), "a.sav");
    file.save(&mut Panics, Format::Json).unwrap();
    let error = file.load_in_background::<Panics>().unwrap().wait().unwrap_err();
    assert_eq!(error.message(), "the value panicked while it was loaded");
}
