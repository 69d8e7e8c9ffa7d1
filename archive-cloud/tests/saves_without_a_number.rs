//! Saves made in a browser have no number, so nothing is known of them: an error of that save alone.

use archive::{Error, ErrorKind, Result};
use archive_cloud::object_store::memory::InMemory;
use archive_cloud::object_store::path::Path;
use archive_cloud::object_store::{ObjectStore, ObjectStoreExt};
use archive_cloud::{Cloud, Synced};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::devices::Device;

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Returns the same save without a number, with valid checksums.
fn without_number(mut bytes: Vec<u8>) -> Vec<u8> {
    let at = bytes.windows(6).position(|it| it == b"\"id\":\"").unwrap() + 6;
    bytes[at..at + 16].fill(b'0');
    let sections: usize = (0..3).map(|part| u32_at(&bytes, 12 + 4 * part)).sum();
    let seed = u64::from_le_bytes(bytes[24..32].try_into().unwrap());
    let mut at = 32 + sections;
    let seed = xxh3_64_with_seed(&bytes[32..at], seed);
    bytes[at..at + 8].copy_from_slice(&seed.to_le_bytes());
    at += 8;
    let tail = bytes.len() - 32;
    let mut number = 0;
    while at < tail {
        let end = at + 12 + u32_at(&bytes, at + 4);
        let sum = xxh3_64_with_seed(&bytes[at..end], seed.wrapping_add(number));
        bytes[end..end + 8].copy_from_slice(&sum.to_le_bytes());
        (at, number) = (end + 8, number + 1);
    }
    let sum = xxh3_64_with_seed(&bytes[tail..tail + 24], seed);
    bytes[tail + 24..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn is_refused(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.message().ends_with("has no lineage, so it cannot be synced"), "{error}");
}

#[test]
fn a_save_without_a_number_is_not_synced() -> Result {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let cloud = Cloud::over(store.clone())?;
    let device = Device::new("desktop", &cloud);
    device.play(1);
    let good = std::fs::read(device.slot().path()).unwrap();
    let odd = without_number(good.clone());
    assert_eq!(archive::save::SaveFile::verify_bytes(&odd)?.lineage.id(), 0);
    is_refused(&cloud.put("campaign", odd.clone()).unwrap_err());
    // Here, with and without a save in the store.
    for _ in 0..2 {
        std::fs::write(device.slot().path(), &odd).unwrap();
        is_refused(&cloud.sync(&device.slot()).unwrap_err());
        std::fs::write(device.slot().path(), &good).unwrap();
        device.sync();
    }
    // In the store.
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(store.put(&Path::from("campaign.sav"), odd.into())).unwrap();
    is_refused(&cloud.sync(&device.slot()).unwrap_err());
    is_refused(&cloud.put("campaign", good.clone()).unwrap_err());
    assert!(std::fs::read(device.slot().path()).unwrap() == good);
    // The other saves are synced.
    device.saves.slot("other")?.save(&2, archive::Format::Binary)?;
    let answers = cloud.sync_all(&device.saves)?;
    assert_eq!(answers.len(), 2);
    is_refused(answers[0].1.as_ref().unwrap_err());
    assert_eq!(answers[1].1.as_ref().unwrap(), &Synced::Created);
    Ok(())
}
