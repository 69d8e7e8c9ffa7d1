//! Devices of a player, each with a folder of saves.

use std::sync::Arc;

use archive::Format;
use archive::save::{Saves, Slot};
use archive_cloud::{Cloud, Divergence, Synced};
use tempfile::TempDir;

/// A device with a folder.
pub struct Device {
    pub saves: Arc<Saves>,
    pub cloud: Cloud,
    _folder: TempDir,
}

impl Device {
    pub fn new(name: &str, cloud: &Cloud) -> Device {
        let folder = tempfile::tempdir().unwrap();
        let saves = Saves::in_folder(folder.path()).unwrap().device(name).backups(3);
        Device { saves: Arc::new(saves), cloud: cloud.clone(), _folder: folder }
    }

    pub fn slot(&self) -> Slot {
        self.saves.slot("campaign").unwrap()
    }

    /// Loads the save, and saves another value.
    pub fn play(&self, value: u64) {
        let slot = self.slot();
        if slot.state() != archive::save::SlotState::Empty {
            slot.load::<u64>().unwrap();
        }
        slot.save(&value, Format::Binary).unwrap();
    }

    pub fn sync(&self) -> Synced {
        self.cloud.sync(&self.slot()).unwrap()
    }

    pub fn diverged(&self) -> Divergence {
        match self.sync() {
            Synced::Diverged(both) => *both,
            other => panic!("{other:?} instead of a divergence"),
        }
    }

    pub fn value(&self) -> u64 {
        self.slot().load::<u64>().unwrap().value
    }
}
