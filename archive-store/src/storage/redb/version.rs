//! The version of the file format of redb, and whether it is damaged.

use redb::{DatabaseError, StorageBackend, StorageError};
use xxhash_rust::xxh3::xxh3_128;

use super::failure::Failure;

/// The offsets of the two commit slots of a file. Each begins with the version, and ends with a
/// checksum of the bytes before it.
const SLOTS: [usize; 2] = [64, 192];
const SLOT: usize = 128;
const SUM: usize = 16;
/// The version that this program reads.
const VERSION: u8 = 3;

/// Returns why a database was not opened. redb reports an unknown version before it looks at the
/// checksum. If no slot with another version has a valid checksum, the file is damaged.
pub(super) fn failure(error: DatabaseError, file: &dyn StorageBackend) -> Failure {
    let is_about_versions = match &error {
        DatabaseError::UpgradeRequired(_) => true,
        DatabaseError::Storage(StorageError::Corrupted(words)) => words.contains("format version"),
        _ => false,
    };
    match wrong_version(file) {
        Some(version) if is_about_versions => Failure::Damaged(format!(
            "its header has the version {version} of the file format of redb and a wrong checksum"
        )),
        _ => error.into(),
    }
}

/// Returns a version whose slot has a wrong checksum. `None` if the file cannot be read.
fn wrong_version(file: &dyn StorageBackend) -> Option<u8> {
    let mut header = [0; SLOTS[1] + SLOT];
    file.read(0, &mut header).ok()?;
    let mut wrong = None;
    for slot in SLOTS.map(|start| &header[start..start + SLOT]) {
        let (content, sum) = slot.split_at(SLOT - SUM);
        if content[0] == VERSION {
            continue;
        }
        if xxh3_128(content).to_le_bytes() == sum {
            return None;
        }
        wrong = Some(content[0]);
    }
    wrong
}
