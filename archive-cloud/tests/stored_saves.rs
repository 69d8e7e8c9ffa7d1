//! What is in a store: names, ranges, and stores that cannot replace an object.

use archive::save::SaveFile;
use archive::{ErrorKind, Format, Result};
use archive_cloud::object_store::local::LocalFileSystem;
use archive_cloud::object_store::memory::InMemory;
use archive_cloud::{Cloud, Synced};

use crate::devices::Device;
use crate::faulty_store::Faulty;

#[test]
fn metadata_are_two_ranges() -> Result {
    let store = Faulty::new();
    let cloud = Cloud::over(store.clone())?;
    let numbers: Vec<u64> = (0..100_000).map(|number: u64| number.wrapping_mul(number)).collect();
    let file = SaveFile::new("ranges").title("Before the boss");
    let small = file.to_bytes(&numbers, Format::Binary)?;
    cloud.put("large world", small)?;
    store.faults.take_counts();
    assert_eq!(cloud.meta("large world")?.unwrap().title, "Before the boss");
    assert_eq!(store.faults.take_counts(), (2, 4096 + 32));
    // A third one for a large thumbnail.
    cloud.put("picture", file.thumbnail([7; 50_000]).to_bytes(&numbers, Format::Binary)?)?;
    store.faults.take_counts();
    assert_eq!(cloud.meta("picture")?.unwrap().thumbnail, [7; 50_000]);
    let (calls, bytes) = store.faults.take_counts();
    assert!(calls == 3 && bytes < 52_000, "{calls} calls, {bytes} bytes");
    // One for a short save.
    cloud.put("short", SaveFile::new("short").to_bytes(&1, Format::Binary)?)?;
    store.faults.take_counts();
    assert!(cloud.meta("short")?.is_some());
    assert_eq!(store.faults.take_counts().0, 1);
    // A list is one call and those of its saves.
    assert_eq!(cloud.list()?.len(), 3);
    assert_eq!(store.faults.take_counts().0, 1 + 2 + 3 + 1);
    Ok(())
}

#[test]
fn any_name_is_the_name_of_an_object() -> Result {
    let cloud = Cloud::over(InMemory::new())?;
    let ann = cloud.clone().folder("players/ann");
    let device = Device::new("desktop", &ann);
    let mut names =
        ["%2f", "+boss", "..", "a/b", "con", "é и 日本", "Ann's #1 campaign?", "campaign"];
    names.sort_unstable();
    for name in names {
        device.saves.slot(name)?.save(name, Format::Binary)?;
    }
    let answers = ann.sync_all(&device.saves)?;
    assert!(answers.iter().all(|(_, answer)| matches!(answer, Ok(Synced::Created))));
    assert!(answers.iter().map(|(name, _)| &**name).eq(names));
    assert!(ann.list()?.iter().map(|save| &*save.name).eq(names));
    let laptop = Device::new("laptop", &ann);
    ann.sync_all(&laptop.saves)?;
    for name in names {
        assert_eq!(laptop.saves.slot(name)?.load::<String>()?.value, name);
        assert_eq!(ann.get(name)?, Some(std::fs::read(device.saves.slot(name)?.path()).unwrap()));
    }
    // Those of other players, and of folders above and below, are not listed.
    assert!(cloud.list()?.is_empty() && cloud.folder("players/an").list()?.is_empty());
    assert_eq!(ann.get(" ").unwrap_err().kind(), ErrorKind::Unsupported);
    ann.remove("campaign")?;
    ann.remove("campaign")?;
    assert_eq!((ann.meta("campaign")?, ann.get("campaign")?), (None, None));
    Ok(())
}

#[test]
fn autosaves_belong_to_a_device() -> Result {
    let cloud = Cloud::over(InMemory::new())?;
    let device = Device::new("desktop", &cloud);
    device.saves.autosave()?.save(&1, Format::Binary)?;
    device.play(2);
    let answers = cloud.sync_all(&device.saves)?;
    assert!(answers.iter().map(|(name, _)| &**name).eq(["campaign"]));
    Ok(())
}

#[test]
fn a_local_folder_takes_new_saves_alone() -> Result {
    let folder = tempfile::tempdir().unwrap();
    let cloud = Cloud::over(LocalFileSystem::new_with_prefix(folder.path()).unwrap())?;
    let (desktop, laptop) = (Device::new("desktop", &cloud), Device::new("laptop", &cloud));
    desktop.play(1);
    assert_eq!((desktop.sync(), laptop.sync()), (Synced::Created, Synced::Downloaded));
    desktop.play(2);
    let error = cloud.sync(&desktop.slot()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let message = error.message();
    assert!(
        message.starts_with("cannot upload the save `campaign` in LocalFileSystem("),
        "{message}"
    );
    assert!(message.ends_with("saves can be created in it and downloaded from it"), "{message}");
    Ok(())
}

#[test]
fn addresses_have_stores() -> Result {
    let folder = tempfile::tempdir().unwrap();
    let file = Cloud::open(&format!("file://{}", folder.path().display()), &[])?;
    let device = Device::new("desktop", &file);
    device.play(1);
    assert_eq!(device.sync(), Synced::Created);
    assert!(folder.path().join("campaign.sav").is_file());
    assert!(Cloud::open("memory:///", &[])?.list()?.is_empty());
    let wrong = |address: &str, options| Cloud::open(address, options).unwrap_err().to_string();
    assert!(wrong("s3://saves", &[("regoin", "x")]).contains("the option `regoin` is unknown"));
    assert!(wrong("memory:///", &[("a", "b")]).contains("the option `a` is unknown"));
    assert!(wrong("ftp://saves", &[]).starts_with("cannot open ftp://saves: "));
    assert!(wrong("saves", &[]).starts_with("cannot open saves: "));
    assert!(wrong("https://example.com/saves", &[]).contains("feature"));
    Ok(())
}

/// A save that is older than the stored one is part of it.
#[test]
fn a_put_of_an_older_save_is_equal() -> Result {
    let cloud = Cloud::over(InMemory::new())?;
    let file = SaveFile::new("older");
    let first = file.to_bytes(&1, Format::Binary)?;
    let second = file.to_bytes(&2, Format::Binary)?;
    assert_eq!(cloud.put("a", second.clone())?, Synced::Created);
    assert_eq!(cloud.put("a", first)?, Synced::Equal);
    assert_eq!(cloud.get("a")?, Some(second));
    assert_eq!(cloud.put("a", vec![1, 2, 3]).unwrap_err().kind(), ErrorKind::Syntax);
    Ok(())
}
