//! Stores whose conditions do not work: an error after few uploads, and no save is overwritten.

use std::time::Duration;

use archive::{ErrorKind, Result};
use archive_cloud::{Cloud, Synced};

use crate::devices::Device;
use crate::faulty_store::{Conditions, Faulty};

const ATTEMPTS: u32 = 3;

/// Two devices over one store: its first save was created without trouble, and both have it.
fn devices(conditions: Conditions) -> (Faulty, Device, Device) {
    let good = Faulty::new();
    let store = Faulty { conditions, ..good.clone() };
    let (good, cloud) = (Cloud::over(good).unwrap(), Cloud::over(store.clone()).unwrap());
    let cloud = cloud.retry(ATTEMPTS, Duration::ZERO);
    let (desktop, mut laptop) = (Device::new("desktop", &cloud), Device::new("laptop", &good));
    laptop.play(1);
    laptop.sync();
    laptop.cloud = cloud;
    store.faults.take_uploads();
    (store, desktop, laptop)
}

/// An upload is an error without a request, or after as many as there are attempts.
#[track_caller]
fn refuses_uploads(conditions: Conditions, most: u64) -> String {
    let (store, desktop, laptop) = devices(conditions);
    laptop.play(2);
    let error = laptop.cloud.sync(&laptop.slot()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    let uploads = store.faults.take_uploads().0;
    assert!(uploads <= most, "{uploads} uploads");
    let bytes = laptop.slot().save_file().read_bytes().unwrap().unwrap().1;
    let put = laptop.cloud.put("campaign", bytes).unwrap_err();
    assert_eq!((put.kind(), put.message()), (ErrorKind::Unsupported, error.message()));
    assert_eq!(laptop.value(), 2);
    drop(desktop);
    error.message().to_owned()
}

#[test]
fn weak_etags_are_those_of_a_store_without_conditions() -> Result {
    let message = refuses_uploads(Conditions::Weak, 0);
    assert!(message.contains("cannot replace an object only if it is unchanged"), "{message}");
    // Reads work.
    let (_, desktop, laptop) = devices(Conditions::Weak);
    assert_eq!((desktop.sync(), desktop.value()), (Synced::Downloaded, 1));
    assert!(laptop.cloud.get("campaign")?.is_some());
    Ok(())
}

/// A list reads a large thumbnail, and then the end: further requests.
#[test]
fn weak_etags_are_compared_by_reads() -> Result {
    let (_, _, laptop) = devices(Conditions::Weak);
    laptop.slot().thumbnail(vec![7; 50_000]).save(&1_u64, archive::Format::Binary)?;
    let bytes = laptop.slot().save_file().read_bytes()?.unwrap().1;
    laptop.cloud.put("picture", bytes)?;
    assert_eq!(laptop.cloud.meta("picture")?.unwrap().thumbnail.len(), 50_000);
    Ok(())
}

#[test]
fn a_store_without_etags_takes_new_saves_alone() {
    let message = refuses_uploads(Conditions::Nothing, 0);
    assert!(message.contains("cannot replace an object only if it is unchanged"), "{message}");
    let (_, desktop, _) = devices(Conditions::Nothing);
    assert_eq!((desktop.sync(), desktop.value()), (Synced::Downloaded, 1));
}

#[test]
fn a_store_that_refuses_every_condition_gets_few_uploads() {
    let message = refuses_uploads(Conditions::Refused, u64::from(ATTEMPTS) + 1);
    assert!(message.contains("the store refuses"), "{message}");
    // Downloads have no condition.
    let (_, desktop, laptop) = devices(Conditions::Refused);
    assert_eq!((desktop.sync(), desktop.value()), (Synced::Downloaded, 1));
    assert!(laptop.cloud.get("campaign").unwrap().is_some());
    let (store, desktop, _) = devices(Conditions::Refused);
    desktop.saves.slot("new").unwrap().save(&1_u64, archive::Format::Binary).unwrap();
    let error = desktop.cloud.sync(&desktop.saves.slot("new").unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(store.faults.take_uploads().0 <= u64::from(ATTEMPTS) + 1);
}

/// The save that is downloaded is never the one that was compared.
#[test]
fn a_store_whose_etags_differ_is_an_error() {
    let (store, desktop, laptop) = devices(Conditions::OfRanges);
    let numbers: Vec<u64> = (0..5_000).map(|number: u64| number.wrapping_mul(number)).collect();
    laptop.slot().save(&numbers, archive::Format::Binary).unwrap();
    let bytes = laptop.slot().save_file().read_bytes().unwrap().unwrap().1;
    Cloud::over(store.store.clone()).unwrap().put("campaign", bytes).unwrap();
    store.faults.take_counts();
    for error in [
        desktop.cloud.sync(&desktop.slot()).unwrap_err(),
        desktop.cloud.get("campaign").unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    }
    let (calls, _) = store.faults.take_counts();
    assert!(calls <= 2 * 3 * (u64::from(ATTEMPTS) + 1), "{calls} calls");
    assert!(!desktop.slot().path().exists());
}
