//! The queue of saves: nothing in it is lost to a save that fails, and no thread waits for itself.

use std::sync::{Arc, Mutex, mpsc};

use archive::save::{Job, Outcome, Saves};
use archive::{Archive, Error, ErrorKind, Format, Options, Result, Serialize, Value};

use crate::proof::{native, power_cuts};
use crate::slow_values::{Gate, busy, ends};

#[derive(Clone, Default)]
pub struct Fails;
impl Serialize for Fails {
    fn serialize<A: Archive>(&mut self, _: &mut A) -> Result {
        Err(Error::custom("on purpose"))
    }
}
archive::save_by_clone!(Fails);

fn saves() -> Saves {
    Saves::over(power_cuts(), "saves").unwrap()
}

fn load(saves: &Saves) -> Value {
    saves.slot("a").unwrap().load::<Value>().unwrap().value
}

fn push(saves: &Saves, number: i32) -> Job {
    saves.slot("a").unwrap().save_in_background(&number, Format::Json).unwrap()
}

#[test]
fn a_queued_save_is_made_if_a_save_here_fails() {
    let saves = saves();
    let (_first, gate) = busy(&saves);
    let second = push(&saves, 2);
    let opener = std::thread::spawn(move || gate.open());
    saves.slot("a").unwrap().save(&mut Fails, Format::Json).unwrap_err();
    opener.join().unwrap();
    assert!(second.wait().unwrap().saved().is_some());
    assert_eq!(load(&saves), Value::from(2));
}

#[test]
fn a_queued_save_is_made_if_a_later_one_is_cancelled_or_fails() {
    let saves = saves();
    let (_first, gate) = busy(&saves);
    let (second, third) = (push(&saves, 2), push(&saves, 3));
    third.cancel();
    gate.open();
    assert_eq!(third.wait().unwrap(), Outcome::Cancelled);
    assert!(second.wait().unwrap().saved().is_some());
    assert_eq!(load(&saves), Value::from(2));

    let (_first, gate) = busy(&saves);
    let second = push(&saves, 4);
    let slot = saves.slot("a").unwrap();
    let third = slot.save_clone_in_background(&Fails, Format::Json).unwrap();
    gate.open();
    third.wait().unwrap_err();
    assert!(second.wait().unwrap().saved().is_some());
    assert_eq!(load(&saves), Value::from(4));
}

/// Only the last two values are kept. The jobs of the others report the results of those.
#[test]
fn replaced_is_reported_only_if_a_newer_save_exists() {
    let saves = saves();
    for (cancelled, expected) in [(0, 5), (1, 4), (2, 1)] {
        let (_first, gate) = busy(&saves);
        let jobs: Vec<Job> = (2..6).map(|number| push(&saves, number)).collect();
        jobs.iter().rev().take(cancelled).for_each(Job::cancel);
        gate.open();
        let outcomes: Vec<_> = jobs.into_iter().map(Job::wait).collect();
        for outcome in &outcomes[..2] {
            match outcome {
                Ok(outcome) => assert_eq!((outcome, expected > 1), (&Outcome::Replaced, true)),
                Err(error) => assert_eq!((error.kind(), expected), (ErrorKind::Custom, 1)),
            }
        }
        let found = load(&saves);
        let found = found.get("number").cloned().unwrap_or(found);
        assert_eq!(found, Value::from(expected), "{outcomes:?}");
    }
}

/// A save that is cancelled in the queue does not push out the previous one.
#[test]
fn a_cancelled_save_does_not_count_as_an_older_one() {
    let saves = saves();
    let (_first, gate) = busy(&saves);
    let jobs: Vec<Job> = (2..5)
        .map(|number| {
            let job = push(&saves, number);
            if number > 2 {
                job.cancel();
            }
            job
        })
        .collect();
    gate.open();
    let saved: Vec<bool> =
        jobs.into_iter().map(|job| job.wait().unwrap().saved().is_some()).collect();
    assert_eq!(saved, [true, false, false]);
    assert_eq!(load(&saves), Value::from(2));
}

/// A value that uses the queue when it is dropped.
#[test]
fn values_are_dropped_while_the_queue_is_free() {
    #[derive(Clone)]
    struct Notes(Arc<Saves>);
    impl Drop for Notes {
        fn drop(&mut self) {
            _ = self.0.slot("b").unwrap().load::<i32>();
        }
    }
    impl Serialize for Notes {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("x", &mut 1)
        }
    }
    archive::save_by_clone!(Notes);
    ends(|| {
        let saves = Arc::new(saves());
        let (_first, gate) = busy(&saves);
        let notes = Notes(saves.clone());
        let slot = saves.slot("a").unwrap();
        _ = slot.save_clone_in_background(&notes, Format::Json).unwrap();
        let jobs = [2, 3, 4].map(|number| push(&saves, number));
        gate.open();
        jobs.into_iter().for_each(|job| _ = job.wait().unwrap());
        std::mem::forget(notes);
    });
}

#[test]
fn loads_and_saves_on_the_thread_of_the_saves_wait_for_none() {
    let job = ends(|| {
        let saves = Arc::new(saves());
        let (slot, other, all) =
            (saves.slot("a").unwrap(), saves.slot("a").unwrap(), saves.clone());
        let options = move || {
            _ = other.load::<i32>();
            _ = all.load_newest::<i32>();
            other.save(&0, Format::Json).unwrap();
            Options::new()
        };
        let job = slot.save_clone_in_background_with(&1, Format::Json, options).unwrap();
        job.wait()
    });
    assert!(job.unwrap().saved().is_some());
}

/// The last owner of `Saves` is the value that is being saved.
#[test]
fn saves_are_dropped_on_their_own_thread() {
    #[derive(Clone)]
    struct Game(#[allow(dead_code)] Arc<Mutex<Option<Saves>>>, Gate);
    impl Serialize for Game {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            if ar.is_saving() {
                self.1.pass();
            }
            ar.serialize("x", &mut 1)
        }
    }
    archive::save_by_clone!(Game);
    let outcome = ends(|| {
        let saves = saves();
        let slot = saves.slot("a").unwrap();
        let game = Game(Arc::new(Mutex::new(Some(saves))), Gate::default());
        let job = slot.save_clone_in_background(&game, Format::Json).unwrap();
        let gate = game.1.clone();
        drop(game);
        gate.open();
        job.wait()
    });
    assert!(outcome.unwrap().saved().is_some());
}

/// The value of the first one is dropped, and the other two are tried.
#[test]
fn a_replaced_job_reports_why_the_later_ones_failed() {
    let saves = saves();
    let (_first, gate) = busy(&saves);
    let slot = saves.slot("a").unwrap();
    let save = || slot.save_clone_in_background(&Fails, Format::Json).unwrap();
    let jobs = [save(), save(), save()];
    gate.open();
    let errors = jobs.map(|job| job.wait().unwrap_err().to_string());
    let own = &*native("saves/a.sav: on purpose");
    let first = format!("a later save took its place in the queue and failed: {own}");
    assert_eq!(errors, [&*first, own, own]);
}

/// A value that waits for a save when it is saved.
struct Waits(Option<Job>, Option<Error>);

impl Serialize for Waits {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.1 = self.0.take().and_then(|job| job.wait().err());
        ar.serialize("x", &mut 1)
    }
}

#[test]
fn a_value_cannot_wait_for_a_later_save() {
    let errors = ends(|| {
        let saves = saves();
        let (slot, other) = (saves.slot("a").unwrap(), saves.slot("b").unwrap());
        let (send, receive) = mpsc::channel();
        let options = move || {
            let job = other.save_in_background(&2, Format::Json).unwrap();
            send.send(job.wait().unwrap_err()).unwrap();
            Options::new()
        };
        let job = slot.save_clone_in_background_with(&1, Format::Json, options).unwrap();
        assert!(job.wait().unwrap().saved().is_some());
        let in_background = receive.recv().unwrap();

        // A save on this thread blocks the queued one.
        let (_first, gate) = busy(&saves);
        let slot = saves.slot("b").unwrap();
        let mut waits = Waits(Some(slot.save_in_background(&2, Format::Json).unwrap()), None);
        slot.save(&mut waits, Format::Json).unwrap();
        gate.open();
        [in_background, waits.1.unwrap()]
    });
    for error in errors {
        let expected = "a value that is being saved cannot wait for a later save";
        assert_eq!((error.kind(), error.message()), (ErrorKind::Unsupported, expected));
    }
}

/// The save of another slot, which another thread runs.
#[test]
fn a_value_waits_for_the_save_of_another_slot() {
    let error = ends(|| {
        let saves = saves();
        let job = saves.slot("b").unwrap().save_in_background(&2, Format::Json).unwrap();
        let mut waits = Waits(Some(job), None);
        saves.slot("a").unwrap().save(&mut waits, Format::Json).unwrap();
        assert_eq!(saves.slot("b").unwrap().load::<i32>().unwrap().value, 2);
        waits.1
    });
    assert!(error.is_none());
}

/// The payload of the panic panics when it is dropped.
#[test]
fn a_panic_with_any_payload_ends_the_job() {
    struct Payload;
    impl Drop for Payload {
        fn drop(&mut self) {
            panic!("on purpose")
        }
    }
    let outcomes = ends(|| {
        let saves = saves();
        let slot = saves.slot("a").unwrap();
        let options = || std::panic::panic_any(Payload);
        let job = slot.save_clone_in_background_with(&1, Format::Json, options).unwrap();
        [job.wait(), push(&saves, 2).wait()]
    });
    assert_eq!(outcomes[0].as_ref().unwrap_err().kind(), ErrorKind::Custom);
    assert!(outcomes[1].is_ok());
}
