//! Saves on another thread: order, progress, results.

use archive::save::testing::Call;
use archive::save::{FileSystem, Outcome, Phase, Saves};
use archive::{Archive, ErrorKind, Format, Options, Result, Serialize};

use crate::proof::{native, power_cuts};
use crate::slow_values::{Gate, Slow, busy};

fn saves() -> Saves {
    Saves::over(power_cuts(), "saves").unwrap()
}

fn is_saved(outcome: Result<Outcome>) -> bool {
    matches!(outcome.unwrap(), Outcome::Saved(_))
}

#[test]
fn a_save_in_the_background_is_the_same_save() {
    let saves = saves();
    let value = vec![1.5_f64; 100_000];
    let slot = saves.slot("a").unwrap().title("one");
    let job = slot.save_in_background(&value, Format::Binary).unwrap();
    let meta = job.wait().unwrap().saved().unwrap();
    assert_eq!(meta.title, "one");
    let loaded = slot.load::<Vec<f64>>().unwrap();
    assert_eq!((loaded.value, loaded.meta), (value.clone(), meta));

    let job = slot.save_clone_in_background(&value, Format::MessagePack).unwrap();
    assert!(is_saved(job.wait()));
    assert_eq!(slot.load::<Vec<f64>>().unwrap().value, value);
    let options = || Options::new().pretty(true);
    let job = slot.save_clone_in_background_with(&value, Format::Json, options).unwrap();
    let length = Format::Json.to_vec_with(&value, &options()).unwrap().len() as u64;
    while !job.is_done() {
        std::thread::yield_now();
    }
    let progress = job.progress();
    assert_eq!((progress.phase, progress.bytes, progress.total), (Phase::Done, length, length));
}

#[test]
fn a_second_save_queues_and_a_third_replaces_it() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let (slot, other) = (saves.slot("a").unwrap(), saves.slot("b").unwrap());
    let gate = Gate::default();
    let first = slot.save_clone_in_background(&Slow(1, gate.clone()), Format::Json).unwrap();
    while first.progress().phase == Phase::Queued {
        std::thread::yield_now();
    }
    let second = slot.save_in_background(&2, Format::Json).unwrap();
    let beside = other.save_in_background(&9, Format::Json).unwrap();
    assert_eq!(second.progress().phase, Phase::Queued);
    let third = slot.save_in_background(&3, Format::Json).unwrap();
    // The second is made if the third fails.
    assert!(![&first, &second, &third, &beside].iter().any(|job| job.is_done()));
    gate.open();
    assert_eq!(second.wait().unwrap(), Outcome::Replaced);
    let [first, third, beside] = [first, third, beside].map(|job| job.wait().unwrap().saved());
    assert!(beside.is_some());
    // The third one replaced the second one in the queue.
    let calls = system.take_calls();
    let replaced = calls.iter().filter_map(|call| match call {
        Call::Rename(_, path) => path.to_str().filter(|path| path.ends_with(".sav")),
        _ => None,
    });
    assert!(replaced.eq(["saves/a.sav", "saves/a.sav", "saves/b.sav"].map(native)));
    assert_eq!(first.unwrap().lineage.id(), third.unwrap().lineage.parent());
    assert_eq!(slot.load::<i32>().unwrap().value, 3);
}

/// The date is that of the world, not of the busy thread.
#[test]
fn a_save_is_dated_when_the_game_calls_for_it() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let (a, b) = (saves.slot("a").unwrap(), saves.slot("b").unwrap());
    let gate = Gate::default();
    let now = system.now();
    let first = a.save_clone_in_background(&Slow(1, gate.clone()), Format::Json).unwrap();
    while first.progress().phase == Phase::Queued {
        std::thread::yield_now();
    }
    // The clock advances with each call.
    saves.list().unwrap();
    let (earlier, queued) = (system.now(), b.save_in_background(&2, Format::Json).unwrap());
    saves.list().unwrap();
    saves.slot("c").unwrap().save(&3, Format::Json).unwrap();
    gate.open();
    let [first, queued] = [first, queued].map(|job| job.wait().unwrap().saved().unwrap().created);
    assert_eq!([first, queued], [now, earlier]);
    let listed = saves.list().unwrap();
    let listed: Vec<_> = listed.iter().map(|slot| slot.name()).collect();
    assert_eq!(listed, ["c", "b", "a"]);
}

#[test]
fn saves_are_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Saves>();
    is_shared::<archive::save::Slot>();
    is_shared::<archive::save::SaveFile>();
    is_shared::<archive::save::Job>();
}

#[test]
fn dropping_saves_waits() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let gate = Gate::default();
    let slot = saves.slot("a").unwrap();
    let jobs: Vec<_> = (0..3)
        .map(|number| {
            let slot = saves.slot(&format!("slot {number}")).unwrap();
            slot.save_clone_in_background(&Slow(number, gate.clone()), Format::Json).unwrap()
        })
        .collect();
    let opener = std::thread::spawn(move || gate.open());
    drop(saves);
    assert!(jobs.iter().all(|job| job.is_done()));
    assert!(jobs.into_iter().all(|job| is_saved(job.wait())));
    assert_eq!(system.paths().len(), 3);
    opener.join().unwrap();
    let error = slot.save_in_background(&1, Format::Json).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    // Without the thread, saving still works.
    slot.save(&1, Format::Json).unwrap();
}

#[test]
fn cancelled_saves_leave_the_old_one() {
    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let slot = saves.slot("a").unwrap();
    slot.save(&0, Format::Json).unwrap();
    let gate = Gate::default();
    let running = slot.save_clone_in_background(&Slow(1, gate.clone()), Format::Json).unwrap();
    while running.progress().phase == Phase::Queued {
        std::thread::yield_now();
    }
    let queued = slot.save_in_background(&2, Format::Json).unwrap();
    running.cancel();
    queued.cancel();
    gate.open();
    assert_eq!(running.wait().unwrap(), Outcome::Cancelled);
    assert_eq!(queued.wait().unwrap(), Outcome::Cancelled);
    assert_eq!(slot.load::<i32>().unwrap().value, 0);
    assert_eq!(system.paths().len(), 1, "{:?}", system.paths());

    let job = slot.save_in_background(&3, Format::Json).unwrap();
    while !job.is_done() {
        std::thread::yield_now();
    }
    job.cancel();
    assert!(is_saved(job.wait()));
}

#[test]
fn a_save_here_comes_after_those_in_the_background() {
    let saves = saves();
    let slot = saves.slot("a").unwrap();
    // The queued one is replaced, unless it begins before this save.
    let is_replaced = |_| {
        let (running, gate) = busy(&saves);
        let queued = slot.save_in_background(&2, Format::Json).unwrap();
        let opener = std::thread::spawn(move || gate.open());
        slot.save(&3, Format::Json).unwrap();
        assert!(running.is_done() && queued.is_done());
        assert_eq!(slot.load::<i32>().unwrap().value, 3);
        opener.join().unwrap();
        queued.wait().unwrap() == Outcome::Replaced
    };
    assert!((0..1_000).any(is_replaced));
}

#[test]
fn errors_and_panics_come_from_wait() {
    #[derive(Clone, Default)]
    struct Panics;
    impl Serialize for Panics {
        fn serialize<A: Archive>(&mut self, _: &mut A) -> Result {
            panic!("on purpose")
        }
    }
    archive::save_by_clone!(Panics);

    let system = power_cuts();
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let slot = saves.slot("a").unwrap();
    system.fail_at(0, std::io::ErrorKind::StorageFull);
    let error = slot.save_in_background(&1, Format::Json).unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    let error = slot.save_clone_in_background(&Panics, Format::Json).unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Custom);
    assert!(is_saved(slot.save_in_background(&2, Format::Json).unwrap().wait()));
}

/// Each autosave is a slot of its own. All of them share one target in the queue, so that they do
/// not fill the memory.
#[test]
fn a_later_autosave_replaces_the_queued_one() {
    let saves = saves().autosaves(2);
    let autosave = || saves.autosave().unwrap();
    let gate = Gate::default();
    let slow = Slow(1, gate.clone());
    let first = autosave().save_clone_in_background(&slow, Format::Json).unwrap();
    while first.progress().phase == Phase::Queued {
        std::thread::yield_now();
    }
    let slot = saves.slot("campaign").unwrap();
    let beside = slot.save_in_background(&9, Format::Json).unwrap();
    let jobs: Vec<_> = (2..9)
        .map(|number| autosave().save_in_background(&number, Format::Json).unwrap())
        .collect();
    let are_done: Vec<_> = jobs.iter().map(|job| job.is_done()).collect();
    gate.open();
    // If any of them fails, the one before it is saved.
    assert_eq!(are_done, [false; 7]);
    for job in jobs.into_iter().take(6) {
        assert_eq!(job.wait().unwrap(), Outcome::Replaced);
    }
    assert!(is_saved(first.wait()) && is_saved(beside.wait()));
    // One that is saved here replaces it, too.
    let gate = Gate::default();
    let slow = Slow(9, gate.clone());
    let running = slot.save_clone_in_background(&slow, Format::Json).unwrap();
    while running.progress().phase == Phase::Queued {
        std::thread::yield_now();
    }
    let queued = autosave().save_in_background(&10, Format::Json).unwrap();
    let kept = slot.save_in_background(&11, Format::Json).unwrap();
    autosave().save(&12, Format::Json).unwrap();
    assert_eq!(queued.wait().unwrap(), Outcome::Replaced);
    gate.open();
    assert!(is_saved(running.wait()) && is_saved(kept.wait()));
    // A replaced autosave has taken no number.
    assert_eq!(names(&saves), ["autosave 2", "autosave 3", "campaign"]);
}

fn names(saves: &Saves) -> Vec<String> {
    let mut names: Vec<_> =
        saves.list().unwrap().iter().map(|slot| slot.name().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn autosaves_in_the_background_are_pruned() {
    let saves = saves().autosaves(2);
    for number in 1..6 {
        let job = saves.autosave().unwrap().save_in_background(&number, Format::Json).unwrap();
        assert!(is_saved(job.wait()));
    }
    assert_eq!(names(&saves), ["autosave 4", "autosave 5"]);
}
