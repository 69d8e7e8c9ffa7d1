//! Objects that are not saves, or damaged: errors, and no local file changes.

use archive::save::{Saves, SlotState};
use archive::{ErrorKind, Format, Result};
use archive_cloud::object_store::memory::InMemory;
use archive_cloud::object_store::path::Path;
use archive_cloud::object_store::{ObjectStore, ObjectStoreExt};
use archive_cloud::{Cloud, Synced};
use std::sync::Arc;

use crate::devices::Device;

fn store() -> (Arc<dyn ObjectStore>, Cloud) {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let cloud = Cloud::over(store.clone()).unwrap();
    (store, cloud.retry(2, std::time::Duration::ZERO))
}

fn put(store: &dyn ObjectStore, bytes: Vec<u8>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(store.put(&Path::from("campaign.sav"), bytes.into())).unwrap();
}

/// Returns a good save that continues that of the device.
fn good(cloud: &Cloud, device: &Device) -> Vec<u8> {
    device.play(1);
    device.sync();
    let laptop = Device::new("laptop", cloud);
    laptop.sync();
    laptop.saves.slot("campaign").unwrap().load::<u64>().unwrap();
    let text = "a long text ".repeat(1_000);
    laptop.slot().thumbnail(vec![9; 10_000]).save(&text, Format::Json).unwrap();
    laptop.sync();
    std::fs::read(laptop.slot().path()).unwrap()
}

#[test]
fn no_damage_replaces_a_save() {
    let (store, cloud) = store();
    let device = Device::new("desktop", &cloud);
    let good = good(&cloud, &device);
    let mut objects = vec![Vec::new(), b"x".to_vec(), vec![0; 5_000], b"{\"a\": 1}".to_vec()];
    for at in (0..good.len()).step_by(97).chain([0, 8, 31, good.len() - 1]) {
        objects.push(good[..at].to_vec());
        let mut changed = good.clone();
        changed[at] ^= 0x20;
        objects.push(changed);
    }
    let before = std::fs::read(device.slot().path()).unwrap();
    for object in objects {
        put(&*store, object);
        let error = cloud.sync(&device.slot()).unwrap_err();
        let kinds = [ErrorKind::Syntax, ErrorKind::NewerVersion, ErrorKind::SizeLimit];
        assert!(kinds.contains(&error.kind()), "{error:?}");
        assert!(std::fs::read(device.slot().path()).unwrap() == before);
        assert!(cloud.get("campaign").is_err());
    }
    put(&*store, good);
    assert_eq!(device.sync(), Synced::Downloaded);
}

#[test]
fn messages_name_the_save_and_the_store() {
    let (store, cloud) = store();
    put(&*store, Vec::new());
    let error = cloud.meta("campaign").unwrap_err();
    assert_eq!(error.message(), "the save `campaign` in InMemory is damaged: it is empty");
    put(&*store, b"no save".to_vec());
    let error = cloud.meta("campaign").unwrap_err();
    assert_eq!(
        error.message(),
        "the save `campaign` in InMemory is damaged: it does not begin with the signature of a save file"
    );
    let listed = cloud.list().unwrap();
    assert_eq!((listed.len(), &*listed[0].name), (1, "campaign"));
    assert_eq!(listed[0].meta.as_ref().unwrap_err().kind(), ErrorKind::Syntax);
}

#[test]
fn long_saves_are_refused() -> Result {
    let (_, cloud) = store();
    let device = Device::new("desktop", &cloud);
    let good = good(&cloud, &device);
    let small = cloud.clone().max_size(good.len() as u64 - 1);
    let error = small.sync(&device.slot()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit);
    assert!(error.message().contains("the save `campaign` in InMemory has "), "{error}");
    assert_eq!(small.put("other", good.clone()).unwrap_err().kind(), ErrorKind::SizeLimit);
    assert_eq!(cloud.max_size(good.len() as u64).sync(&device.slot())?, Synced::Downloaded);
    Ok(())
}

#[test]
fn saves_of_other_games_and_newer_versions_replace_nothing() -> Result {
    let (_, cloud) = store();
    let device = Device::new("desktop", &cloud);
    let folder = tempfile::tempdir().unwrap();
    let game = |version| -> Result<Saves> {
        Ok(Saves::in_folder(folder.path())?.game("skirmish").game_version(version))
    };
    game(2)?.slot("campaign")?.save(&1, Format::Binary)?;
    cloud.sync(&game(2)?.slot("campaign")?)?;
    let path = game(2)?.slot("campaign")?.path().to_owned();
    std::fs::remove_file(&path).unwrap();
    let error = cloud.sync(&game(1)?.slot("campaign")?).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion, "{error}");
    let chess = Saves::in_folder(device.saves.folder())?.game("chess").slot("campaign")?;
    assert_eq!(cloud.sync(&chess).unwrap_err().kind(), ErrorKind::WrongType);
    assert!(!path.exists() && chess.state() == SlotState::Empty && !chess.path().exists());
    Ok(())
}

/// A damaged local file counts as its backup, and is kept under another name.
#[test]
fn a_damaged_local_file_is_replaced() {
    let (_, cloud) = store();
    let device = Device::new("desktop", &cloud);
    device.play(1);
    device.play(2);
    device.sync();
    let path = device.slot().path().to_owned();
    for backups in [true, false] {
        let mut bytes = std::fs::read(&path).unwrap();
        let body = bytes.len() - 44; // before a checksum of 8 bytes and the tail
        bytes[body] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        if !backups {
            for number in 1..4 {
                _ = std::fs::remove_file(path.with_extension(format!("sav.{number}")));
            }
        }
        assert_eq!((device.sync(), device.value()), (Synced::Downloaded, 2));
        assert!(path.with_extension("sav.damaged").exists());
    }
    // Without a stored save the damage is the answer.
    cloud.remove("campaign").unwrap();
    std::fs::write(&path, b"\xc1SAV").unwrap();
    for number in 1..4 {
        _ = std::fs::remove_file(path.with_extension(format!("sav.{number}")));
    }
    assert_eq!(cloud.sync(&device.slot()).unwrap_err().kind(), ErrorKind::Syntax);
}
