//! Disks that are full or fail, at every step.

use archive::ErrorKind;
use archive::store::storage::{Changes, Redb, Storage};

use super::disk::{Disk, Faults};
use super::{Rows, filled, put, rows};

/// A commit that needs more space than the file has.
fn large() -> Changes {
    let mut changes = Changes::new();
    changes.put(b"large", &[7; 100_000]);
    changes.delete(&3_u32.to_be_bytes());
    changes
}

fn with_large(rows: &Rows) -> Rows {
    let mut rows = rows.clone();
    rows.insert(b"large".to_vec(), vec![7; 100_000]);
    rows.remove(&3_u32.to_be_bytes()[..]);
    rows
}

#[test]
fn a_disk_is_full_at_each_step_of_a_commit() {
    for full_at in 1.. {
        let disk = Disk::default();
        let storage = filled(Redb::with_backend(disk.clone(), "campaign.store").unwrap(), 100);
        let before = rows(&storage).unwrap();
        disk.set_faults(Faults { full_at: Some(full_at), ..Faults::default() });
        let Err(error) = storage.commit(&large()) else {
            assert!(full_at > 5, "there are few steps in a commit");
            return;
        };
        assert_eq!(error.kind(), ErrorKind::Io);
        let words =
            "campaign.store cannot be written: the disk is full. Free some space and try again";
        assert_eq!(error.message(), words);

        // While it is full, there is an error or the previous state.
        match rows(&storage) {
            Ok(found) => assert!(found == before, "step {full_at}"),
            Err(error) => assert!(error.message().contains("the disk is full"), "{error}"),
        }
        disk.set_faults(Faults::default());
        assert!(rows(&storage).unwrap() == before, "step {full_at}: a commit that failed is there");
        storage.commit(&large()).unwrap();
        assert!(rows(&storage).unwrap() == with_large(&before), "step {full_at}");
        storage.check().unwrap();
        drop(storage);
        let storage = Redb::with_backend(disk, "campaign.store").unwrap();
        assert!(rows(&storage).unwrap() == with_large(&before), "step {full_at}");
    }
}

#[test]
fn a_disk_is_full_when_a_store_is_created_or_compacted() {
    for full_at in 1.. {
        let disk = Disk::default();
        disk.set_faults(Faults { full_at: Some(full_at), ..Faults::default() });
        let Err(error) = Redb::with_backend(disk.clone(), "campaign.store") else {
            assert!(full_at > 3, "there are few steps");
            break;
        };
        assert!(error.message().contains("the disk is full"), "{error}");
        disk.set_faults(Faults::default());
        let storage = filled(Redb::with_backend(disk, "campaign.store").unwrap(), 10);
        assert_eq!(rows(&storage).unwrap().len(), 10);
    }
    for full_at in 1..40 {
        let disk = Disk::default();
        let storage = filled(Redb::with_backend(disk.clone(), "campaign.store").unwrap(), 3000);
        let mut changes = Changes::new();
        (0..2900_u32).for_each(|number| changes.delete(&number.to_be_bytes()));
        storage.commit(&changes).unwrap();
        disk.set_faults(Faults { full_at: Some(full_at), ..Faults::default() });
        let done = storage.compact();
        assert!(done.is_err() || full_at > 5, "there are few steps");
        disk.set_faults(Faults::default());
        assert_eq!(rows(&storage).unwrap().len(), 100);
        storage.compact().unwrap();
        storage.check().unwrap();
        assert_eq!(rows(&storage).unwrap().len(), 100);
    }
}

#[test]
fn a_sync_fails_at_each_step_of_a_commit() {
    for sync_fails_at in 1..12 {
        let disk = Disk::default();
        let storage = filled(Redb::with_backend(disk.clone(), "campaign.store").unwrap(), 100);
        let before = rows(&storage).unwrap();
        disk.set_faults(Faults { sync_fails_at: Some(sync_fails_at), ..Faults::default() });
        let expected = match storage.commit(&large()) {
            Ok(()) => with_large(&before),
            Err(error) => {
                assert_eq!(error.message(), "campaign.store: the disk failed");
                before
            }
        };
        assert!(rows(&storage).unwrap() == expected, "step {sync_fails_at}");
        put(&storage, b"next", b"one").unwrap();
        assert_eq!(rows(&storage).unwrap().len(), expected.len() + 1);
    }
}
