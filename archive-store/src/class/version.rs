//! [`Version`]: the types that rows were written with.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use archive_binary::rows::{Reader, RowTypes};
use archive_core::Result;

use super::Class;
use crate::layout::damaged;
use crate::row::Row;

/// The types that some rows of a class were written with.
pub(crate) struct Version {
    pub(crate) number: u32,
    pub(super) bytes: Vec<u8>,
    pub(super) stored: Cell<bool>,
    types: RowTypes,
    /// Boxed, because each row takes it out.
    reader: RefCell<Option<Box<Reader>>>,
    matches: OnceCell<bool>,
}

impl Version {
    pub(super) fn new(number: u32, types: RowTypes, bytes: Vec<u8>, stored: bool) -> Rc<Self> {
        let (stored, reader, matches) = (Cell::new(stored), RefCell::default(), OnceCell::new());
        Rc::new(Version { number, bytes, stored, types, reader, matches })
    }

    /// Whether these are the types of the program.
    pub(crate) fn matches<T: Row>(&self) -> bool {
        let is_same = || RowTypes::of::<T>().is_ok_and(|types| types.to_bytes() == self.bytes);
        *self.matches.get_or_init(|| self.types.matches::<T>() || is_same())
    }

    /// Returns the types.
    pub(crate) fn types(&self) -> &RowTypes {
        &self.types
    }

    /// Reads a row. `read` may read the rows that it owns.
    #[inline]
    pub(crate) fn read<R>(&self, read: impl FnOnce(&mut Reader) -> R) -> R {
        let reader = self.reader.take();
        let mut reader = reader.unwrap_or_else(|| Box::new(Reader::new(&self.types)));
        let done = read(&mut reader);
        self.reader.replace(Some(reader));
        done
    }
}

impl Class {
    /// Returns the types of all versions, in the order of their numbers.
    pub(crate) fn all_types(&self) -> Vec<RowTypes> {
        self.versions.borrow().values().map(|version| version.types().clone()).collect()
    }

    /// Returns the index of a version among [`all_types`](Class::all_types).
    pub(crate) fn index_of(&self, version: &Version) -> usize {
        self.versions.borrow().range(..version.number).count()
    }
}

/// Splits a row into the number of its types and its content.
pub(super) fn split(row: &[u8]) -> Result<(u32, &[u8])> {
    match row {
        [u8::MAX, a, b, c, d, content @ ..] => Ok((u32::from_be_bytes([*a, *b, *c, *d]), content)),
        [version, content @ ..] if *version < u8::MAX => Ok(((*version).into(), content)),
        _ => Err(damaged("a row ends before its content")),
    }
}

/// Appends the version number of the types of a row: one byte below 255.
pub(crate) fn put_version(out: &mut Vec<u8>, number: u32) {
    match u8::try_from(number) {
        Ok(byte) if byte < u8::MAX => out.push(byte),
        _ => {
            out.push(u8::MAX);
            out.extend_from_slice(&number.to_be_bytes());
        }
    }
}
