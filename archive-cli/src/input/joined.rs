//! Files of many values that are presented as one value: object stores and collections of packed
//! objects.

use std::path::Path;

use archive::bins;
use archive::format::{Encoder, ValueDecoder};
use archive::shape::Shape;
use archive::store::Store;
use archive::store::storage::Redb;
use archive::{Format, Result};

use super::{bins_format, options};
use crate::pump::Out;
use crate::walk_path::Open;

/// Returns the rows of an object store as MessagePack.
pub fn rows(path: &Path) -> Result<Vec<u8>> {
    joined(|to| pump_rows(path, to))
}

/// Writes an object store: an object with a member for each class, which has a member for each row.
pub fn pump_rows<E: Encoder + ?Sized>(path: &Path, to: &mut E) -> Result {
    let store = Store::over_with(Redb::open_read_only(path)?, &options())?;
    pump_store(&store, to)
}

/// Returns whether an open object store has these rows, as [`rows`] returns them.
pub fn has_rows(store: &Store, rows: &[u8]) -> Result<bool> {
    Ok(joined(|to| pump_store(store, to))? == rows)
}

fn pump_store<E: Encoder + ?Sized>(store: &Store, to: &mut E) -> Result {
    let mut outer = Out::new(to);
    outer.begin(Open::Members(None))?;
    for class in store.classes() {
        outer.place.member(&class.name);
        outer.begin(Open::Members(None))?;
        for row in store.values(&class.name) {
            let (key, value) = row?;
            outer.place.member(&key.to_string());
            outer.pump(&mut ValueDecoder::owned(value))?;
        }
        outer.end()?;
    }
    outer.end()
}

/// Returns a collection of packed objects as MessagePack.
///
/// # Errors
/// The error of the first damaged object.
pub fn objects(bytes: &[u8]) -> Result<Vec<u8>> {
    joined(|to| pump_objects(bytes, to))
}

/// Writes a collection of packed objects: a sequence of them.
///
/// # Errors
/// The error of the first damaged object, and errors of the output.
pub fn pump_objects<E: Encoder + ?Sized>(bytes: &[u8], to: &mut E) -> Result {
    let mut outer = Out::new(to);
    outer.begin(Open::Items(None))?;
    let mut objects = bins::Collection::read_with(bytes, &options());
    loop {
        let start = objects.offset();
        let Some(object) = objects.next() else { break };
        drop(object?);
        outer.place.next_item();
        let mut decoder =
            bins_format().erased().decoder(&bytes[start..objects.offset()], &options())?;
        decoder.decoder().begin_root(&Shape::Any)?;
        outer.pump(decoder.decoder())?;
    }
    outer.end()
}

/// Returns whether the bytes are several packed objects, one after another.
pub fn is_collection(bytes: &[u8]) -> bool {
    bins::Header::read(bytes).is_ok_and(|header| (header.size as usize) < bytes.len())
}

/// Returns the output of a function as MessagePack.
fn joined(write: impl FnOnce(&mut dyn Encoder) -> Result) -> Result<Vec<u8>> {
    let mut encoder = Format::MessagePack.erased().encoder(&options(), None);
    encoder.encoder().begin_root(&Shape::Any)?;
    write(encoder.encoder())?;
    encoder.encoder().end_root()?;
    encoder.finish()
}
