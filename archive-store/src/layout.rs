//! The keys of a store in its [`Storage`](crate::storage::Storage), and what is stored under them.
//! `docs/formats/object_store.md` describes them byte by byte.

use archive_core::{Error, ErrorKind, Result};

/// The key of the header.
pub(crate) const HEADER: &[u8] = &[0];
const CLASSES: u8 = 1;
const TYPES: u8 = 2;
const ROWS: u8 = 3;
const SNAPSHOTS: u8 = 4;
const KEPT: u8 = 5;

const MAGIC: &[u8] = b"archive.store";
const VERSION: u8 = 1;
/// The version of a store with snapshots. A program that does not know them must not save to it.
const WITH_SNAPSHOTS: u8 = 2;

/// Returns the value of the header.
pub(crate) fn header(has_snapshots: bool) -> Vec<u8> {
    [MAGIC, &[if has_snapshots { WITH_SNAPSHOTS } else { VERSION }]].concat()
}

/// Reads the value of the header. Returns whether the store may have snapshots.
///
/// # Errors
/// If the storage is not a store, or is a store of a newer version.
pub(crate) fn read_header(found: &[u8]) -> Result<bool> {
    match found.strip_prefix(MAGIC) {
        Some([VERSION]) => Ok(false),
        Some([WITH_SNAPSHOTS]) => Ok(true),
        Some([version]) => Err(Error::new(
            ErrorKind::Unsupported,
            format_args!(
                "the store has version {version}; this program reads versions {VERSION} and \
                 {WITH_SNAPSHOTS}"
            ),
        )),
        _ => Err(damaged("the header is malformed")),
    }
}

/// Returns the error for a storage with rows and without a header.
pub(crate) fn no_header() -> Error {
    Error::new(ErrorKind::Syntax, "the storage is not a store: it has rows but no header")
}

/// Returns the key of a class.
pub(crate) fn class(name: &str) -> Vec<u8> {
    [&[CLASSES], name.as_bytes()].concat()
}

/// Returns the first key of all classes, and the end of their keys.
pub(crate) fn all_classes() -> ([u8; 1], [u8; 1]) {
    ([CLASSES], [CLASSES + 1])
}

/// Returns whether this is the key of a class.
pub(crate) fn is_class(key: &[u8]) -> bool {
    key.first() == Some(&CLASSES)
}

/// Returns the name of a class.
pub(crate) fn class_name(key: &[u8]) -> Result<&str> {
    let name = key.get(1..).and_then(|name| std::str::from_utf8(name).ok());
    name.ok_or_else(|| damaged("the name of a class is not UTF-8"))
}

/// The record of a class, stored in addition to its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) id: u32,
    /// The number from which the keys of new objects are assigned.
    pub(crate) next: u64,
    /// How many rows there are.
    pub(crate) rows: u64,
}

impl Record {
    pub(crate) fn to_bytes(self) -> [u8; 20] {
        let mut bytes = [0; 20];
        bytes[..4].copy_from_slice(&self.id.to_be_bytes());
        bytes[4..12].copy_from_slice(&self.next.to_be_bytes());
        bytes[12..].copy_from_slice(&self.rows.to_be_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let bytes: &[u8; 20] =
            bytes.try_into().map_err(|_| damaged("malformed record of a class: wrong length"))?;
        let word = |at: usize| u64::from_be_bytes(std::array::from_fn(|i| bytes[at + i]));
        let id = u32::from_be_bytes(std::array::from_fn(|i| bytes[i]));
        Ok(Record { id, next: word(4), rows: word(12) })
    }
}

/// Returns the key of the types that rows of a class were written with.
pub(crate) fn types(class: u32, version: u32) -> [u8; 9] {
    let mut key = [TYPES; 9];
    key[1..5].copy_from_slice(&class.to_be_bytes());
    key[5..].copy_from_slice(&version.to_be_bytes());
    key
}

/// Returns the version number in a key of types.
pub(crate) fn version(key: &[u8]) -> Result<u32> {
    match key.get(5..).and_then(|version| version.try_into().ok()) {
        Some(version) => Ok(u32::from_be_bytes(version)),
        None => Err(damaged("malformed key of a type record: wrong length")),
    }
}

/// Returns the first key of all types of a class, and the end of their keys.
pub(crate) fn all_types(class: u32) -> ([u8; 5], [u8; 5]) {
    range(TYPES, class)
}

/// Returns the key of a row.
pub(crate) fn row(class: u32, key: u64) -> [u8; 13] {
    let mut out = [ROWS; 13];
    out[1..5].copy_from_slice(&class.to_be_bytes());
    out[5..].copy_from_slice(&key.to_be_bytes());
    out
}

/// Returns the class and the key of the object, if this is the key of a row.
pub(crate) fn row_of(key: &[u8]) -> Option<(u32, u64)> {
    let [ROWS, class @ ..] = key else { return None };
    let (class, key) = class.split_first_chunk()?;
    Some((u32::from_be_bytes(*class), u64::from_be_bytes(key.try_into().ok()?)))
}

/// Returns the key of the object in the key of a row.
pub(crate) fn row_key(key: &[u8]) -> Result<u64> {
    match key.get(5..).and_then(|key| key.try_into().ok()) {
        Some(key) => Ok(u64::from_be_bytes(key)),
        None => Err(damaged("malformed key of a row: wrong length")),
    }
}

/// Returns the first key of all rows of a class, and the end of their keys.
pub(crate) fn all_rows(class: u32) -> ([u8; 5], [u8; 5]) {
    range(ROWS, class)
}

/// The first key of the rows of all classes, and the end of their keys.
pub(crate) const ROW_KEYS: (&[u8], &[u8]) = (&[ROWS], &[ROWS + 1]);

/// The first key of all snapshots, and the end of their keys.
pub(crate) const SNAPSHOT_KEYS: (&[u8], &[u8]) = (&[SNAPSHOTS], &[SNAPSHOTS + 1]);

/// The first key of the kept rows of all snapshots, and the end of their keys.
pub(crate) const KEPT_KEYS: (&[u8], &[u8]) = (&[KEPT], &[KEPT + 1]);

/// Returns the key of a snapshot.
pub(crate) fn snapshot(number: u32) -> [u8; 5] {
    range(SNAPSHOTS, number).0
}

/// Returns the number of the snapshot in the key of a snapshot or of a kept row.
pub(crate) fn snapshot_number(key: &[u8]) -> Result<u32> {
    let number = key.get(1..).and_then(|rest| rest.first_chunk());
    match number.map(|number| u32::from_be_bytes(*number)) {
        Some(number) if number != 0 && number != u32::MAX => Ok(number),
        _ => Err(damaged("the key of a snapshot has no valid number")),
    }
}

/// Returns the key under which the value of a row is kept for a snapshot.
pub(crate) fn kept(number: u32, row: &[u8]) -> Vec<u8> {
    [&range(KEPT, number).0, row.get(1..).unwrap_or_default()].concat()
}

/// Returns the first key of all kept rows of a snapshot, and the end of their keys.
pub(crate) fn all_kept(number: u32) -> ([u8; 5], [u8; 5]) {
    range(KEPT, number)
}

/// Returns the key of the row that is kept under a key.
pub(crate) fn row_of_kept(key: &[u8]) -> Vec<u8> {
    [&[ROWS], key.get(5..).unwrap_or_default()].concat()
}

/// Returns the value of a row from the value that is kept for it. `None` if there was no row.
pub(crate) fn kept_value(kept: &[u8]) -> Result<Option<&[u8]>> {
    match kept {
        [0] => Ok(None),
        [1, row @ ..] => Ok(Some(row)),
        _ => Err(damaged("malformed row of a snapshot")),
    }
}

/// Returns the value to keep for a row.
pub(crate) fn put_kept(out: &mut Vec<u8>, row: Option<&[u8]>) {
    out.clear();
    out.push(row.is_some().into());
    out.extend_from_slice(row.unwrap_or_default());
}

fn range(kind: u8, number: u32) -> ([u8; 5], [u8; 5]) {
    let [a, b, c, d] = number.to_be_bytes();
    // Numbers are below `u32::MAX`: `Classes::read` and `snapshot_number` refuse that one.
    let [e, f, g, h] = number.saturating_add(1).to_be_bytes();
    ([kind, a, b, c, d], [kind, e, f, g, h])
}

#[cold]
pub(crate) fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::Syntax, format_args!("the store is damaged: {what}"))
}
