//! Writing rows.

use std::cell::{Cell, RefCell};

use archive_core::{Options, Result};

use super::places::in_row;
use super::{Kind, Owner, Run};
use crate::class::Class;
use crate::layout;
use crate::mark::{Mark, Moment, hash};
use crate::report::Saved;
use crate::row::Row;
use crate::storage::Changes;

/// A save.
pub(crate) struct Save {
    /// Whether objects that are not marked are compared with their rows.
    pub(crate) all: bool,
    pub(crate) now: Moment,
    pub(crate) changes: RefCell<Changes>,
    pub(crate) saved: Cell<Saved>,
    /// Buffers for the rows that are being written, each of which may have others inside.
    buffers: RefCell<Vec<Vec<u8>>>,
}

impl Save {
    pub(crate) fn new(all: bool, now: Moment) -> Self {
        Save {
            all,
            now,
            changes: RefCell::default(),
            saved: Cell::default(),
            buffers: RefCell::default(),
        }
    }

    pub(crate) fn count(&self, count: impl FnOnce(&mut Saved)) {
        let mut saved = self.saved.get();
        count(&mut saved);
        self.saved.set(saved);
    }

    /// Deletes a row.
    pub(crate) fn delete(&self, class: &Class, key: u64) {
        self.changes.borrow_mut().delete(&layout::row(class.id, key));
        self.count(|saved| saved.deleted += 1);
    }
}

/// Appends the number of the types that a row has: one byte below 255.
fn put_version(out: &mut Vec<u8>, number: u32) {
    match u8::try_from(number) {
        Ok(byte) if byte < u8::MAX => out.push(byte),
        _ => {
            out.push(u8::MAX);
            out.extend_from_slice(&number.to_be_bytes());
        }
    }
}

impl Run {
    /// Writes the row of an object if it changed. With `compare` an object counts as changed only
    /// if its bytes differ; otherwise if it is marked.
    #[inline]
    pub(crate) fn save_row<T: Row>(
        &self,
        save: &Save,
        class: &Class,
        (key, value, mark): (u64, &T, &Mark),
        compare: bool,
        options: &Options<'_>,
    ) -> Result {
        if !compare && mark.is_clean(save.now) {
            save.count(|saved| saved.unchanged += 1);
            return Ok(());
        }
        self.write_row(save, class, (key, value, mark), options)
    }

    fn write_row<T: Row>(
        &self,
        save: &Save,
        class: &Class,
        (key, value, mark): (u64, &T, &Mark),
        options: &Options<'_>,
    ) -> Result {
        let mut row = save.buffers.borrow_mut().pop().unwrap_or_default();
        row.clear();
        let version = class.current::<T>()?;
        put_version(&mut row, version.number);
        let mut writer = class.writer.take().unwrap_or_default();
        let outer = self.owner.replace(Some(Owner::of::<T>(class, key)));
        let written = writer.append(&mut row, value, options);
        self.owner.set(outer);
        class.writer.replace(Some(writer));
        written.map_err(|error| in_row(class, key, error))?;
        let hash = hash(&row);
        if mark.is_row(save.now, hash) {
            save.count(|saved| saved.unchanged += 1);
        } else {
            save.changes.borrow_mut().put(&layout::row(class.id, key), &row);
            save.count(|saved| {
                saved.written += 1;
                saved.bytes += row.len() as u64;
            });
        }
        mark.set(save.now, hash);
        save.buffers.borrow_mut().push(row);
        Ok(())
    }

    /// Writes an object that is no object of a pool, where its owner has it.
    pub(crate) fn save_single<T: Row>(
        &self,
        class: &Class,
        (key, value, mark): (u64, &T, &Mark),
        options: &Options<'_>,
    ) -> Result {
        let save = match &self.kind {
            Kind::Save(save) => save,
            Kind::Locate { .. } => {
                self.locate(class, key)?;
                return self.search_row(class, key, value, options);
            }
            _ => return Ok(()),
        };
        self.meet(class, key)?;
        if !mark.has_row(save.now) && !self.has_row(class, key)? {
            class.seen.borrow_mut().new += 1;
        }
        self.save_row(save, class, (key, value, mark), save.all, options)
    }

    /// Whether the storage has a row of the object.
    fn has_row(&self, class: &Class, key: u64) -> Result<bool> {
        if class.stored_rows() == 0 {
            return Ok(false);
        }
        self.store.storage.get(&layout::row(class.id, key), &mut |_| Ok(()))
    }
}
