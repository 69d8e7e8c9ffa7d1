//! The laws of syncs, by search: devices that play offline, sync in any order, lose answers and have wrong clocks.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use archive::save::testing::PowerCuts;
use archive::save::{Meta, Saves, Slot};
use archive::{ErrorKind, Format, Result};
use archive_cloud::{Cloud, Divergence, Synced};
use archive_test_support::search;
use proptest::prelude::*;

use crate::faulty_store::{Fault, Faulty};
use crate::made_saves::History;
use crate::sync_steps::{DEVICES, Keep, Meanwhile, Step, steps};

/// The devices, the store, and what is known.
struct World {
    store: Faulty,
    /// Without faults.
    truth: Cloud,
    cloud: Cloud,
    devices: Vec<Saves>,
    /// The save that the game of each device has in memory.
    memory: [Option<u64>; DEVICES],
    history: History,
    names: u32,
}

impl World {
    fn new() -> World {
        let store = Faulty::new();
        let cloud = |store: &dyn Fn() -> Result<Cloud>| store().unwrap().retry(3, Duration::ZERO);
        let device = |number| {
            let saves = Saves::over(PowerCuts::new(), "saves").unwrap();
            saves.device(format!("device {number}")).backups(2)
        };
        World {
            truth: cloud(&|| Cloud::over(store.store.clone())),
            cloud: cloud(&|| Cloud::over(store.clone())),
            store,
            devices: (0..DEVICES).map(device).collect(),
            memory: [None; DEVICES],
            history: History::default(),
            names: 0,
        }
    }

    fn slot(&self, device: usize) -> Slot {
        self.devices[device].slot("campaign").unwrap()
    }

    fn local(&self, device: usize) -> Option<Meta> {
        self.slot(device).save_file().read_bytes().unwrap().map(|(meta, _)| meta)
    }

    fn stored(&self) -> Option<Meta> {
        self.truth.meta("campaign").unwrap()
    }

    fn play(&mut self, device: usize, loads: bool, date: u32) {
        let slot =
            self.slot(device).created(SystemTime::UNIX_EPOCH + Duration::from_secs(date.into()));
        if (loads || self.memory[device].is_none()) && self.local(device).is_some() {
            let loaded = slot.load::<u32>().unwrap();
            self.memory[device] = Some(loaded.meta.lineage.id());
        }
        let made = slot.save(&date, Format::Binary).unwrap().lineage.id();
        self.history.make(made, self.memory[device]);
        self.memory[device] = Some(made);
    }

    fn delete(&mut self, device: usize) {
        if let Some(meta) = self.local(device) {
            self.devices[device].delete("campaign").unwrap();
            self.history.delete(meta.lineage.id());
            self.memory[device] = None;
        }
    }

    fn remove(&mut self) {
        if let Some(meta) = self.stored() {
            self.truth.remove("campaign").unwrap();
            self.history.delete(meta.lineage.id());
        }
    }

    fn sync(&mut self, device: usize, keep: Keep, faults: &[Option<Fault>], meanwhile: Meanwhile) {
        self.store.faults.plan(faults.iter().copied());
        let (before, slot) = (self.local(device), self.slot(device));
        let done = Arc::new(Mutex::new(None));
        let player = match meanwhile {
            Meanwhile::Syncs(other) => other,
            Meanwhile::Plays | Meanwhile::Nothing => device,
        };
        if !matches!(meanwhile, Meanwhile::Nothing) {
            let (slot, truth, done) = (self.slot(player), self.truth.clone(), done.clone());
            self.store.faults.meanwhile(move || {
                let before = slot.load::<u32>().ok().map(|it| it.meta.lineage.id());
                let made = slot.save(&7, Format::Binary).unwrap().lineage.id();
                *done.lock().unwrap() = Some((made, before));
                if player != device {
                    truth.sync(&slot).unwrap();
                }
            });
        }
        let answer = self.cloud.sync(&slot);
        let done = done.lock().unwrap().take();
        if let Some((made, before)) = done {
            self.history.make(made, before);
            self.memory[player] = Some(made);
        }
        self.store.faults.meanwhile(|| ());
        if done.is_none() {
            self.check(device, before.as_ref(), &answer);
        } else {
            self.check_meanwhile(device, &answer);
        }
        if let Ok(Synced::Diverged(both)) = answer {
            self.resolve(device, &both, keep);
        }
        self.store.faults.plan([]);
    }

    fn resolve(&mut self, device: usize, both: &Divergence, keep: Keep) {
        let slot = self.slot(device);
        let answer = match keep {
            Keep::Neither => return,
            Keep::Mine => self.cloud.keep_mine(&slot, both),
            Keep::Theirs => self.cloud.keep_theirs(&slot, both),
            Keep::Both => {
                self.names += 1;
                let other = self.devices[device].slot(&format!("other {}", self.names)).unwrap();
                self.cloud.keep_both(&slot, both, &other)
            }
        };
        let (mine, theirs) = (both.mine.lineage.id(), both.theirs.lineage.id());
        let now = self.local(device).unwrap().lineage.id();
        self.history.resolve(now, mine, theirs);
        // The game has in memory what was kept.
        if now != mine && self.memory[device] == Some(mine) && !matches!(keep, Keep::Theirs) {
            self.memory[device] = Some(now);
        }
        match answer {
            Ok(Synced::Diverged(again)) => {
                assert!(!self.history.closure(now).contains(&again.theirs.lineage.id()));
                assert!(self.history.have_diverged(&again.mine.lineage, &again.theirs.lineage));
            }
            Ok(_) => assert_eq!(self.stored().unwrap().lineage.id(), now),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Io, "{error}");
                self.decide_again(device, both, keep);
            }
        }
    }

    /// After an error the player decides for the other side. It is done, or refused.
    fn decide_again(&mut self, device: usize, both: &Divergence, keep: Keep) {
        self.store.faults.plan([]);
        let (slot, before) = (self.slot(device), self.local(device).unwrap().lineage.id());
        let answer = match keep {
            Keep::Mine => self.cloud.keep_theirs(&slot, both),
            _ => self.cloud.keep_mine(&slot, both),
        };
        let (mine, theirs) = (both.mine.lineage.id(), both.theirs.lineage.id());
        let now = self.local(device).unwrap().lineage.id();
        if now != before {
            self.history.resolve(now, mine, theirs);
            if self.memory[device] == Some(mine) && !matches!(keep, Keep::Mine) {
                self.memory[device] = Some(now);
            }
        }
        match answer {
            Ok(Synced::Diverged(again)) => {
                assert!(self.history.have_diverged(&again.mine.lineage, &again.theirs.lineage));
            }
            Ok(_) => {
                let stored = self.stored().unwrap().lineage;
                let kept = if keep == Keep::Mine { theirs } else { mine };
                assert_eq!((stored.id(), stored.parent()), (now, kept), "the other side is stored");
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Conflict, "{error}"),
        }
    }

    /// The answer of a sync is true.
    fn check(&self, device: usize, before: Option<&Meta>, answer: &Result<Synced>) {
        let (now, stored) = (self.local(device), self.stored());
        match answer {
            Ok(Synced::Equal) => assert_eq!(now.as_ref(), before),
            Ok(Synced::Downloaded) => {
                let now = self.history.closure(now.as_ref().unwrap().lineage.id());
                assert!(before.is_none_or(|before| now.contains(&before.lineage.id())));
            }
            Ok(Synced::Created | Synced::Uploaded) => assert_eq!(now.as_ref(), before),
            Ok(Synced::Diverged(both)) => {
                assert_eq!((Some(&both.mine), Some(&both.theirs)), (before, stored.as_ref()));
                assert!(self.history.have_diverged(&both.mine.lineage, &both.theirs.lineage));
                return;
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Io, "{error}");
                return;
            }
        }
        assert_eq!(now, stored);
    }

    /// The answer is true, although the game has saved or another device has synced meanwhile.
    fn check_meanwhile(&self, device: usize, answer: &Result<Synced>) {
        match answer {
            Ok(Synced::Diverged(both)) => {
                assert!(self.history.have_diverged(&both.mine.lineage, &both.theirs.lineage));
            }
            Ok(_) => {
                let now = self.local(device).map(|now| self.history.closure(now.lineage.id()));
                let stored = self.stored().map(|stored| stored.lineage.id());
                assert!(stored.is_none_or(|stored| now.is_some_and(|now| now.contains(&stored))));
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Io, "{error}"),
        }
    }

    /// Each save of the player is in the store or on a device, or another save there continues it.
    fn nothing_is_lost(&self) {
        let stored = self.truth.list().unwrap();
        let stored = stored.iter().map(|save| save.meta.as_ref().unwrap().lineage.id());
        let slots = self.devices.iter().flat_map(|saves| saves.list().unwrap());
        let slots = slots.map(|slot| slot.meta().lineage.id());
        let lost = self.history.lost(stored.chain(slots));
        assert!(lost.is_empty(), "{lost:?} of {:?}", self.history);
    }

    /// All devices sync, the player decides, and all sync again.
    fn converge(&mut self) {
        for device in (0..DEVICES).chain(0..DEVICES) {
            let keep = if device == 1 { Keep::Theirs } else { Keep::Mine };
            self.sync(device, keep, &[], Meanwhile::Nothing);
        }
        let mut last: Option<Vec<_>> = None;
        for saves in self.devices.iter().chain(&self.devices) {
            for (name, answer) in self.cloud.sync_all(saves).unwrap() {
                let answer = answer.unwrap();
                assert!(!matches!(answer, Synced::Diverged(_)), "{name}");
            }
        }
        for saves in &self.devices {
            let mut slots: Vec<_> = saves.list().unwrap();
            slots.sort_by(|first, second| first.name().cmp(second.name()));
            let slots = slots.iter().map(|slot| (slot.name().to_owned(), slot.meta().clone()));
            let slots: Vec<_> = slots.collect();
            assert_eq!(last.get_or_insert_with(|| slots.clone()), &slots);
        }
    }
}

proptest! {
    #![proptest_config(search::config(1_000))]

    #[test]
    fn no_save_is_lost_and_all_devices_converge(steps in steps()) {
        let mut world = World::new();
        for step in &steps {
            match step {
                Step::Play { device, loads, date } => world.play(*device, *loads, *date),
                Step::Sync { device, keep, faults, meanwhile } => {
                    world.sync(*device, *keep, faults, *meanwhile);
                }
                Step::Delete(device) => world.delete(*device),
                Step::Remove => world.remove(),
            }
            world.nothing_is_lost();
        }
        world.converge();
        world.nothing_is_lost();
    }
}
