//! Two devices of one player, step by step.

use archive::{ErrorKind, Result};
use archive_cloud::object_store::memory::InMemory;
use archive_cloud::{Cloud, Synced};

use crate::devices::Device;

fn devices() -> (Device, Device) {
    let cloud = Cloud::over(InMemory::new()).unwrap().folder("players/ann");
    (Device::new("desktop", &cloud), Device::new("laptop", &cloud))
}

#[test]
fn one_device_after_the_other() {
    let (desktop, laptop) = devices();
    assert_eq!(desktop.sync(), Synced::Equal);
    desktop.play(1);
    assert_eq!(desktop.sync(), Synced::Created);
    assert_eq!(desktop.sync(), Synced::Equal);
    assert_eq!(laptop.sync(), Synced::Downloaded);
    assert_eq!(laptop.value(), 1);
    laptop.play(2);
    assert_eq!(laptop.sync(), Synced::Uploaded);
    assert_eq!(desktop.sync(), Synced::Downloaded);
    assert_eq!(desktop.value(), 2);
    // The replaced file is a backup.
    std::fs::remove_file(desktop.slot().path()).unwrap();
    let loaded = desktop.slot().load::<u64>().unwrap();
    assert_eq!((loaded.value, loaded.fell_back), (1, Some(1)));
}

/// Two devices that were both played, with 2 and 3.
fn diverged() -> (Device, Device) {
    let (desktop, laptop) = devices();
    desktop.play(1);
    desktop.sync();
    laptop.sync();
    desktop.play(2);
    desktop.sync();
    laptop.play(3);
    (desktop, laptop)
}

#[test]
fn a_divergence_is_an_answer() {
    let (desktop, laptop) = diverged();
    for _ in 0..2 {
        let both = laptop.diverged();
        assert_eq!(both.mine.lineage.device(), "laptop");
        assert_eq!(both.theirs.lineage.device(), "desktop");
    }
    assert_eq!((desktop.sync(), desktop.value(), laptop.value()), (Synced::Equal, 2, 3));
}

#[test]
fn mine_is_kept() -> Result {
    let (desktop, laptop) = diverged();
    let both = laptop.diverged();
    assert_eq!(laptop.cloud.keep_mine(&laptop.slot(), &both)?, Synced::Uploaded);
    assert_eq!(laptop.cloud.keep_mine(&laptop.slot(), &both)?, Synced::Equal);
    assert_eq!(desktop.sync(), Synced::Downloaded);
    assert_eq!((desktop.value(), laptop.value()), (3, 3));
    // The game plays on without loading, since it has what was kept.
    laptop.slot().save(&4, archive::Format::Binary)?;
    assert_eq!(laptop.sync(), Synced::Uploaded);
    Ok(())
}

#[test]
fn theirs_is_kept() -> Result {
    let (desktop, laptop) = diverged();
    let both = laptop.diverged();
    assert_eq!(laptop.cloud.keep_theirs(&laptop.slot(), &both)?, Synced::Uploaded);
    assert_eq!(desktop.sync(), Synced::Downloaded);
    assert_eq!((desktop.value(), laptop.value()), (2, 2));
    laptop.play(4);
    assert_eq!(laptop.sync(), Synced::Uploaded);
    // A game that saves without loading what was kept has diverged.
    desktop.slot().save(&5, archive::Format::Binary)?;
    desktop.diverged();
    Ok(())
}

/// The side that was rejected is a backup, even on a device that keeps none.
#[test]
fn the_rejected_side_is_kept_without_backups() -> Result {
    let (_desktop, laptop) = diverged();
    let file = laptop.slot().save_file().backups(0);
    let both = laptop.diverged();
    let answer = laptop.cloud.keep_theirs(("campaign", &file), &both)?;
    assert_eq!((answer, laptop.value()), (Synced::Uploaded, 2));
    let backup = laptop.slot().path().with_extension("sav.1");
    assert_eq!(archive::save::SaveFile::new(backup).load::<u64>()?.value, 3);
    Ok(())
}

#[test]
fn both_are_kept() -> Result {
    let (desktop, laptop) = diverged();
    let both = laptop.diverged();
    let other = laptop.saves.slot("campaign of the desktop")?;
    assert_eq!(laptop.cloud.keep_both(&laptop.slot(), &both, &other)?, Synced::Uploaded);
    assert_eq!((laptop.value(), other.load::<u64>()?.value), (3, 2));
    for (name, answer) in desktop.cloud.sync_all(&desktop.saves)? {
        assert_eq!(answer?, Synced::Downloaded, "{name}");
    }
    assert_eq!(desktop.saves.slot("campaign of the desktop")?.load::<u64>()?.value, 2);
    // The other slot has another save.
    let (_, laptop) = diverged();
    let both = laptop.diverged();
    let other = laptop.saves.slot("other")?;
    other.save(&0, archive::Format::Binary)?;
    let error = laptop.cloud.keep_both(&laptop.slot(), &both, &other).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!((laptop.value(), other.load::<u64>()?.value), (3, 0));
    Ok(())
}

/// A side that has changed since the player decided is not replaced.
#[test]
fn what_the_player_has_not_seen_diverges_again() -> Result {
    let (desktop, laptop) = diverged();
    let both = laptop.diverged();
    desktop.play(4);
    desktop.sync();
    for _ in 0..2 {
        // `keep_mine` first: then the local save continues what the player has seen.
        let Synced::Diverged(again) = laptop.cloud.keep_mine(&laptop.slot(), &both)? else {
            panic!("4 was not seen")
        };
        assert_eq!(again.theirs.lineage.parent(), both.theirs.lineage.id());
    }
    assert!(matches!(laptop.cloud.keep_theirs(&laptop.slot(), &both)?, Synced::Diverged(_)));
    let both = laptop.diverged();
    laptop.play(5);
    assert!(matches!(laptop.cloud.keep_theirs(&laptop.slot(), &both)?, Synced::Diverged(_)));
    assert_eq!((desktop.value(), laptop.value()), (4, 5));
    Ok(())
}
