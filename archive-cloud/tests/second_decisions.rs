//! A player who decides again, after an error or with what was already decided.

use std::sync::mpsc;
use std::time::Duration;

use archive::save::SaveFile;
use archive::{ErrorKind, Format, Result};
use archive_cloud::{Cloud, Divergence, Synced};

use crate::devices::Device;
use crate::faulty_store::{Fault, Faulty};

/// More calls than a decision makes.
const CALLS: usize = 12;

/// A laptop with 3, a store with 2, and what was found.
struct World {
    store: Faulty,
    /// Without faults.
    truth: Cloud,
    laptop: Device,
    both: Divergence,
}

impl World {
    fn new() -> World {
        let store = Faulty::new();
        let cloud = Cloud::over(store.clone()).unwrap().retry(1, Duration::ZERO);
        let truth = Cloud::over(store.store.clone()).unwrap();
        let (desktop, laptop) = (Device::new("desktop", &truth), Device::new("laptop", &cloud));
        desktop.play(2);
        desktop.sync();
        laptop.play(3);
        let both = laptop.diverged();
        World { store, truth, laptop, both }
    }

    fn decide(&self, keep: Keep) -> Result<Synced> {
        let (slot, cloud, both) = (self.laptop.slot(), &self.laptop.cloud, &self.both);
        match keep {
            Keep::Mine => cloud.keep_mine(&slot, both),
            Keep::Theirs => cloud.keep_theirs(&slot, both),
            Keep::Both => cloud.keep_both(&slot, both, &self.laptop.saves.slot("other").unwrap()),
        }
    }

    /// Returns the value of a save in the store.
    fn stored(&self, name: &str) -> Option<u64> {
        let bytes = self.truth.get(name).unwrap()?;
        Some(SaveFile::new("stored").from_bytes(&bytes).unwrap().value)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Keep {
    Mine,
    Theirs,
    Both,
}

const ALL: [Keep; 3] = [Keep::Mine, Keep::Theirs, Keep::Both];

impl Keep {
    /// Returns the value that the store has afterwards.
    fn value(self) -> u64 {
        if self == Keep::Theirs { 2 } else { 3 }
    }
}

/// The first decision fails at any call. The second one is done as it says, or refused.
#[test]
fn a_second_decision_uploads_no_rejected_side() {
    let mut refused = 0;
    for first in ALL {
        for second in ALL {
            for call in 0..CALLS {
                let world = World::new();
                world.store.faults.plan((0..=call).map(|at| (at == call).then_some(Fault::Fails)));
                let failed = world.decide(first).is_err();
                world.store.faults.plan([]);
                let before = world.stored("campaign").unwrap();
                let what = format!("{first:?}, {second:?}, call {call}");
                match world.decide(second) {
                    Ok(_) if failed || first.value() == second.value() => {
                        assert_eq!(world.stored("campaign"), Some(second.value()), "{what}");
                        assert_eq!(world.laptop.value(), second.value(), "{what}");
                    }
                    Ok(answer) => panic!("{what}: {answer:?}"),
                    Err(error) => {
                        refused += 1;
                        assert_eq!(error.kind(), ErrorKind::Conflict, "{what}: {error}");
                        assert_ne!(first.value(), second.value(), "{what}");
                        assert_eq!(world.stored("campaign"), Some(before), "{what}");
                    }
                }
                // Both sides are there in any case, or the player has rejected one.
                if first == Keep::Both && second == Keep::Both {
                    assert_eq!(world.stored("other"), Some(2), "{what}");
                }
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn the_message_says_to_sync_again() {
    let world = World::new();
    world.decide(Keep::Theirs).unwrap();
    let error = world.decide(Keep::Mine).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    let message = error.message();
    assert!(
        message.ends_with("has changed since the two sides were compared: sync again"),
        "{message}"
    );
    assert_eq!((world.stored("campaign"), world.laptop.value()), (Some(2), 2));
}

/// The store has no save any more, so the other side cannot be kept. The local one is not uploaded.
#[test]
fn theirs_was_removed() {
    let world = World::new();
    world.truth.remove("campaign").unwrap();
    for keep in [Keep::Theirs, Keep::Both] {
        assert_eq!(world.decide(keep).unwrap_err().kind(), ErrorKind::Conflict);
        assert_eq!((world.stored("campaign"), world.laptop.value()), (None, 3));
    }
}

/// The store has another save than the player has seen: a new answer.
#[test]
fn theirs_was_replaced() -> Result {
    for keep in ALL {
        let world = World::new();
        let desktop = Device::new("desktop", &world.truth);
        desktop.sync();
        desktop.play(4);
        desktop.sync();
        let Synced::Diverged(again) = world.decide(keep)? else { panic!("4 was not seen") };
        assert_eq!(again.theirs.lineage.parent(), world.both.theirs.lineage.id());
        assert_eq!((world.stored("campaign"), world.stored("other")), (Some(4), None));
        assert_eq!(world.laptop.value(), 3);
    }
    Ok(())
}

/// Another thread decides meanwhile.
#[test]
fn two_decisions_at_once() {
    for (first, second) in [(Keep::Theirs, Keep::Mine), (Keep::Mine, Keep::Theirs)] {
        for call in 0..CALLS {
            let world = World::new();
            let (slot, truth, both) =
                (world.laptop.slot(), world.truth.clone(), world.both.clone());
            let (send, receive) = mpsc::channel();
            world.store.faults.meanwhile(move || {
                let answer = match second {
                    Keep::Mine => truth.keep_mine(&slot, &both),
                    _ => truth.keep_theirs(&slot, &both),
                };
                send.send(answer).unwrap();
            });
            world.store.faults.plan((0..=call).map(|at| (at == call).then_some(Fault::Meanwhile)));
            let answers = [(first, Some(world.decide(first))), (second, receive.try_recv().ok())];
            // The side of an answer without an error is stored. The other answer is a conflict.
            for (keep, answer) in answers {
                match answer {
                    Some(Ok(_)) => {
                        assert_eq!(world.stored("campaign"), Some(keep.value()), "{keep:?} {call}")
                    }
                    Some(Err(error)) => assert_eq!(error.kind(), ErrorKind::Conflict, "{error}"),
                    None => {}
                }
            }
        }
    }
}

/// Another device has a save of the second name.
#[test]
fn the_second_name_is_taken() -> Result {
    let world = World::new();
    let phone = Device::new("phone", &world.truth);
    phone.saves.slot("other")?.save(&9_u64, Format::Binary)?;
    phone.cloud.sync(&phone.saves.slot("other")?)?;
    let error = world.decide(Keep::Both).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(
        error.message(),
        "the save `other` in InMemory is another save: keep both under another name"
            .replace("InMemory", "a faulty store")
    );
    assert_eq!((world.stored("campaign"), world.stored("other")), (Some(2), Some(9)));
    assert_eq!(world.laptop.value(), 3);
    assert!(!world.laptop.saves.slot("other")?.path().exists());
    // With a free name it works.
    let free = world.laptop.saves.slot("free")?;
    world.laptop.cloud.keep_both(&world.laptop.slot(), &world.both, &free)?;
    assert_eq!((world.stored("campaign"), world.stored("free")), (Some(3), Some(2)));
    // The name of the slot itself is taken, too.
    let world = World::new();
    let slot = world.laptop.slot();
    let same = SaveFile::new(slot.path().with_file_name("same.sav"));
    let answer = world.laptop.cloud.keep_both(&slot, &world.both, ("campaign", &same));
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Conflict);
    assert_eq!((world.stored("campaign"), world.laptop.value()), (Some(2), 3));
    Ok(())
}

/// Another device takes the second name meanwhile.
#[test]
fn the_second_name_is_taken_meanwhile() -> Result {
    for call in 0..CALLS {
        let world = World::new();
        let phone = Device::new("phone", &world.truth);
        let slot = phone.saves.slot("other")?;
        slot.save(&9_u64, Format::Binary)?;
        let (truth, other) = (world.truth.clone(), slot);
        world.store.faults.meanwhile(move || _ = truth.sync(&other).unwrap());
        world.store.faults.plan((0..=call).map(|at| (at == call).then_some(Fault::Meanwhile)));
        match world.decide(Keep::Both) {
            Ok(_) => {
                assert_eq!((world.stored("campaign"), world.stored("other")), (Some(3), Some(2)))
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Conflict, "call {call}: {error}");
                assert_eq!((world.stored("campaign"), world.stored("other")), (Some(2), Some(9)));
                assert_eq!(world.laptop.value(), 3);
            }
        }
    }
    Ok(())
}
