//! A real server of S3.

use archive::{ErrorKind, Format, Result};
use archive_cloud::Synced;

use crate::devices::Device;
use crate::s3_server::Server;

#[test]
fn two_devices_sync_over_s3() -> Result {
    let Some(server) = Server::get() else { return Ok(()) };
    let cloud = server.cloud("devices");
    let (desktop, laptop) = (Device::new("desktop", &cloud), Device::new("laptop", &cloud));
    desktop.play(1);
    assert_eq!((desktop.sync(), desktop.sync()), (Synced::Created, Synced::Equal));
    assert_eq!(laptop.sync(), Synced::Downloaded);
    laptop.play(2);
    assert_eq!((laptop.sync(), desktop.sync()), (Synced::Uploaded, Synced::Downloaded));
    desktop.play(3);
    laptop.play(4);
    assert_eq!(desktop.sync(), Synced::Uploaded);
    let both = laptop.diverged();
    let other = laptop.saves.slot("é / и")?;
    assert_eq!(cloud.keep_both(&laptop.slot(), &both, &other)?, Synced::Uploaded);
    let answers = cloud.sync_all(&desktop.saves)?;
    assert!(answers.iter().all(|(_, answer)| matches!(answer, Ok(Synced::Downloaded))));
    assert_eq!((desktop.value(), desktop.saves.slot("é / и")?.load::<u64>()?.value), (4, 3));
    let listed = cloud.list()?;
    assert!(listed.iter().map(|save| &*save.name).eq(["campaign", "é / и"]));
    assert!(listed.iter().all(|save| save.meta.is_ok()));
    cloud.remove("campaign")?;
    assert!(cloud.meta("campaign")?.is_none() && cloud.get("campaign")?.is_none());
    Ok(())
}

#[test]
fn large_saves_and_pictures_over_s3() -> Result {
    let Some(server) = Server::get() else { return Ok(()) };
    let cloud = server.cloud("large");
    let (desktop, laptop) = (Device::new("desktop", &cloud), Device::new("laptop", &cloud));
    let numbers: Vec<u64> = (0..500_000).map(|number: u64| number.wrapping_mul(number)).collect();
    desktop.slot().thumbnail(vec![5; 100_000]).save(&numbers, Format::Binary)?;
    assert_eq!((desktop.sync(), laptop.sync()), (Synced::Created, Synced::Downloaded));
    assert_eq!(cloud.meta("campaign")?.unwrap().thumbnail, vec![5; 100_000]);
    assert!(laptop.slot().load::<Vec<u64>>()?.value == numbers);
    Ok(())
}

#[test]
fn eight_threads_count_to_160_over_s3() {
    let Some(server) = Server::get() else { return };
    let races = crate::counting::eight_threads(&server.cloud("counter"));
    println!("another thread was faster {races} times");
}

#[test]
fn a_bucket_that_does_not_exist_is_an_error() {
    let Some(server) = Server::get() else { return };
    let cloud = server.open("absent", "test");
    let device = Device::new("desktop", &cloud);
    let absent = |error: archive::Error, action: &str| {
        assert_eq!(error.kind(), ErrorKind::NotFound);
        let rest = "in s3://absent: the store has no such bucket or folder";
        let message = error.message();
        assert!(message.starts_with(action) && message.ends_with(rest), "{message}");
    };
    let read = "cannot read the save `campaign`";
    // Without a local save, too.
    for _ in 0..2 {
        absent(cloud.sync(&device.slot()).unwrap_err(), read);
        absent(cloud.meta("campaign").unwrap_err(), read);
        absent(cloud.get("campaign").unwrap_err(), read);
        device.play(1);
    }
    let bytes = device.slot().save_file().read_bytes().unwrap().unwrap().1;
    absent(cloud.put("campaign", bytes).unwrap_err(), read);
    let error = cloud.list().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    assert_eq!(cloud.sync_all(&device.saves).unwrap_err().kind(), ErrorKind::NotFound);
}
