//! Objects whose keys are not those of saves, and folders with many objects.

use std::sync::Arc;

use archive::{ErrorKind, Format, Result};
use archive_cloud::object_store::memory::InMemory;
use archive_cloud::object_store::path::Path;
use archive_cloud::object_store::{ObjectStore, ObjectStoreExt};
use archive_cloud::{Cloud, Listed, Synced};

use crate::devices::Device;
use crate::s3_server::Server;

/// Returns the names of the saves that can be read, and the errors of the others.
fn split(listed: Vec<Listed>) -> (Vec<String>, Vec<archive::Error>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for save in listed {
        match save.meta {
            Ok(_) => good.push(save.name),
            Err(error) => bad.push(error),
        }
    }
    (good, bad)
}

/// The key of a save encodes its name in one way. Another key is an error of that object alone.
#[test]
fn a_key_that_no_name_has_is_an_error() -> Result {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let cloud = Cloud::over(store.clone())?;
    let device = Device::new("desktop", &cloud);
    device.play(1);
    device.sync();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let bytes = std::fs::read(device.slot().path()).unwrap();
    for key in ["%63ampaign.sav", "é.sav", ".sav", "%FF.sav", "notes.txt", "campaign.sav.1"] {
        let key = Path::parse(key).unwrap();
        let put = store.put(&key, bytes.clone().into());
        runtime.block_on(put).unwrap();
    }
    // A slot cannot have this name.
    cloud.put(" spaces ", bytes)?;
    let (good, bad) = split(cloud.list()?);
    assert_eq!(good, [" spaces ", "campaign"]);
    let expected = ["%63ampaign.sav", "%FF.sav", ".sav", "é.sav"];
    assert_eq!(bad.len(), expected.len());
    for (error, key) in bad.iter().zip(expected) {
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let message = format!("the object `{key}` in InMemory has a key that no save has");
        assert_eq!(error.message(), message);
    }
    let laptop = Device::new("laptop", &cloud);
    let mut errors = Vec::new();
    for (name, answer) in cloud.sync_all(&laptop.saves)? {
        match answer {
            Ok(answer) => assert_eq!((&*name, answer), ("campaign", Synced::Downloaded)),
            Err(error) => errors.push((name, error)),
        }
    }
    let (name, error) = &errors[0];
    assert_eq!((&**name, error.kind()), (" spaces ", ErrorKind::Unsupported));
    assert_eq!(error.message(), "the save ` spaces ` in InMemory has a name that no slot can have");
    assert!(errors[1..].iter().map(|(name, _)| &**name).eq(expected));
    Ok(())
}

/// `object_store` does not parse some keys. The other saves are listed and synced.
#[test]
fn a_malformed_key_does_not_hide_the_others() -> Result {
    let Some(server) = Server::get() else { return Ok(()) };
    let cloud = server.cloud("malformed");
    let device = Device::new("desktop", &cloud);
    let names = ["!", "a", "b", "campaign", "z"];
    for name in names {
        device.saves.slot(name)?.save(name, Format::Binary)?;
    }
    cloud.sync_all(&device.saves)?;
    let malformed = ["/b.sav", "/c.sav", "./b.sav", "a%7Fb.sav", "a%7Fc.sav"];
    for key in malformed {
        server.put("malformed", &format!("players/ann/{key}"));
    }
    let (good, bad) = split(cloud.list()?);
    assert_eq!(good, names);
    let bad: Vec<_> = bad.iter().map(|error| error.message()).collect();
    assert_eq!(
        bad,
        [
            "the object `players/ann/./` in s3://malformed has a key that no save has",
            "the object `players/ann//` in s3://malformed has a key that no save has",
            "the object `players/ann/a\\u{7f}b.sav` in s3://malformed has a key that no save has",
            "the object `players/ann/a\\u{7f}c.sav` in s3://malformed has a key that no save has",
        ]
    );
    let laptop = Device::new("laptop", &cloud);
    let answers = cloud.sync_all(&laptop.saves)?;
    assert_eq!(answers.len(), names.len() + bad.len());
    let good = answers.iter().filter(|(_, answer)| matches!(answer, Ok(Synced::Downloaded)));
    assert!(good.map(|(name, _)| &**name).eq(names));
    Ok(())
}

/// S3 lists 1,000 keys in an answer.
#[test]
fn more_than_a_thousand_objects_are_listed() -> Result {
    let Some(server) = Server::get() else { return Ok(()) };
    let cloud = server.cloud("many");
    let device = Device::new("desktop", &cloud);
    for name in ["a", "m", "z"] {
        device.saves.slot(name)?.save(name, Format::Binary)?;
    }
    cloud.sync_all(&device.saves)?;
    for number in 0..1_050 {
        server.put("many", &format!("players/ann/n{number:04}"));
    }
    // A malformed key on the second page.
    server.put("many", "players/ann/n1040%7F.sav");
    let (good, bad) = split(cloud.list()?);
    assert_eq!((good, bad.len()), (vec!["a".to_owned(), "m".to_owned(), "z".to_owned()], 1));
    Ok(())
}

/// The thumbnails of a list have a limit together.
#[test]
fn a_list_has_bounded_thumbnails() -> Result {
    let cloud = Cloud::over(InMemory::new())?;
    let device = Device::new("desktop", &cloud);
    for name in ["a", "b", "c", "d", "e"] {
        let slot = device.saves.slot(name)?.thumbnail(vec![7; 15 << 20]);
        slot.save(&1, Format::Binary)?;
        cloud.sync(&slot)?;
    }
    let lengths = cloud.list()?.into_iter().map(|save| save.meta.unwrap().thumbnail.len());
    assert!(lengths.eq([15 << 20, 15 << 20, 15 << 20, 15 << 20, 0]));
    assert_eq!(cloud.meta("e")?.unwrap().thumbnail.len(), 15 << 20);
    Ok(())
}
