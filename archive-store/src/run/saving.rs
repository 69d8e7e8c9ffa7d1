//! Writing rows.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use archive_core::{Error, ErrorKind, Options, Result};

use super::places::in_row;
use super::{Kind, Run};
use crate::class::{Class, put_version};
use crate::known::RowState;
use crate::last_save::{LastSave, Moment, hash};
use crate::layout;
use crate::report::Saved;
use crate::row::Row;
use crate::shared::{Queued, address};
use crate::storage::Changes;

/// A save.
pub(crate) struct Save {
    pub(crate) mode: Mode,
    pub(crate) now: Moment,
    /// Whether an object would replace the row of another that this save does not visit.
    pub(crate) takes_over: Cell<bool>,
    /// Whether some rows hold data that was not loaded. Objects to which only such data refers must
    /// be kept.
    pub(crate) keeps: Cell<bool>,
    pub(crate) changes: RefCell<Changes>,
    pub(crate) saved: Cell<Saved>,
    /// The targets of links.
    pub(crate) links: RefCell<Vec<Rc<dyn Queued>>>,
    /// The addresses of objects outside of the store that have the key of an object in it. Links to
    /// them are saved as [`Link::NONE`](crate::Link::NONE).
    pub(crate) foreign: RefCell<HashSet<usize>>,
}

/// Which objects a save visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The marked objects.
    Marked,
    /// All objects: the store has the rows of another world.
    Every,
    /// All objects. Rows without an object are deleted.
    All,
}

impl Save {
    pub(crate) fn new(mode: Mode, now: Moment, foreign: HashSet<usize>) -> Self {
        Save {
            mode,
            now,
            takes_over: Cell::new(false),
            keeps: Cell::new(false),
            changes: RefCell::default(),
            saved: Cell::default(),
            links: RefCell::default(),
            foreign: RefCell::new(foreign),
        }
    }

    fn count(&self, count: impl FnOnce(&mut Saved)) {
        let mut saved = self.saved.get();
        count(&mut saved);
        self.saved.set(saved);
    }

    /// Deletes a row.
    pub(crate) fn delete(&self, class: &Class, key: u64) {
        self.changes.borrow_mut().delete(&layout::row(class.id, key));
        class.seen.borrow_mut().deleted += 1;
        self.count(|saved| saved.deleted += 1);
    }

    /// Whether a save deletes a row whose object it did not visit.
    pub(crate) fn deletes(&self, row: RowState) -> bool {
        match row {
            RowState::Of(_) => true,
            RowState::Unclaimed => self.mode == Mode::All,
            RowState::Absent | RowState::Refused => false,
        }
    }

    /// Aborts a save that would overwrite the row of an object it does not visit. Nothing is
    /// written. The caller then saves all objects, which finds duplicate keys.
    #[cold]
    pub(crate) fn take_over(&self) {
        self.takes_over.set(true);
    }
}

/// Returns the error for an object that would replace a row that was not loaded.
#[cold]
fn not_loaded(class: &Class, key: u64, row: RowState) -> Error {
    let what = match row {
        RowState::Refused => "could not be loaded: no other object can have its key",
        _ => "was not loaded: `attach` its owner, or delete it by `save_all` or `clear`",
    };
    let message = format_args!("the store has `{} {key}`, which {what}", class.name);
    Error::new(ErrorKind::DuplicateMember, message)
}

impl Run {
    /// Writes the row of an object if the object changed: if it is marked, or if its bytes differ.
    /// Bytes are compared for roots, and in saves that visit all objects.
    #[inline]
    pub(crate) fn save_row<T: Row>(
        &self,
        save: &Save,
        class: &Class,
        (key, row, value, last_save): (u64, RowState, &T, &LastSave),
        compares: bool,
        options: &Options<'_>,
    ) -> Result {
        let is_mine = last_save.is_of(save.now, row);
        if is_mine && !compares && !last_save.is_changed() {
            save.count(|saved| saved.unchanged += 1);
            return Ok(());
        }
        match row {
            _ if is_mine => {}
            RowState::Absent => class.seen.borrow_mut().added += 1,
            RowState::Of(number) if self.store.world_of(number) != self.root.get() => {
                return Err(self.belongs_elsewhere(class, key, self.store.world_of(number)));
            }
            RowState::Of(_) if save.mode == Mode::Marked => {
                save.take_over();
                return Ok(());
            }
            RowState::Unclaimed if save.mode == Mode::All => {}
            RowState::Of(_) => {}
            RowState::Unclaimed | RowState::Refused => return Err(not_loaded(class, key, row)),
        }
        self.write_row(save, class, (key, is_mine, value, last_save), options)
    }

    fn write_row<T: Row>(
        &self,
        save: &Save,
        class: &Class,
        (key, is_mine, value, last_save): (u64, bool, &T, &LastSave),
        options: &Options<'_>,
    ) -> Result {
        let in_row = |error| in_row(class, key, error);
        if is_mine && last_save.is_unfit() && self.is_as_loaded(class, value, last_save, options) {
            // The row is kept. Objects that it owns are saved if they have a key: the row cannot
            // refer to the others.
            let outer = self.keyless.replace(true);
            let visited = self.encode(class, value, options).map_err(in_row);
            self.keyless.set(outer);
            self.buffers.borrow_mut().push(visited?);
            last_save.is_unchanged();
            save.keeps.set(true);
            save.count(|saved| saved.unchanged += 1);
            return Ok(());
        }
        let row = self.encode(class, value, options).map_err(in_row)?;
        let hash = hash(&row);
        if is_mine && !last_save.is_unfit() && last_save.has(hash) {
            last_save.is_unchanged();
            save.count(|saved| saved.unchanged += 1);
        } else {
            save.changes.borrow_mut().put(&layout::row(class.id, key), &row);
            last_save.set(save.now, hash);
            save.count(|saved| {
                saved.written += 1;
                saved.bytes += row.len() as u64;
            });
        }
        self.buffers.borrow_mut().push(row);
        Ok(())
    }

    /// Finds links to an object outside of the worlds of the store that has the key of an object in
    /// it. It was saved to another store, or a failed save gave it the key. The save then
    /// [takes over](Save::take_over), and the next attempt saves such links as
    /// [`Link::NONE`](crate::Link::NONE).
    pub(crate) fn check_links(&self, save: &Save) {
        let links = save.links.take();
        let elsewhere = |object: &&Rc<dyn Queued>| {
            !self.queue.has_met(object) && object.has_key_of_another(self, save.now)
        };
        let mut foreign = links.iter().filter(elsewhere).map(address).peekable();
        if foreign.peek().is_none() {
            return;
        }
        // A save of marked objects does not visit every object of the world.
        if save.mode != Mode::Marked {
            save.foreign.borrow_mut().extend(foreign);
        }
        save.take_over();
    }

    /// Whether an object is unchanged since it was loaded from a row that has more.
    #[cold]
    fn is_as_loaded<T: Row>(
        &self,
        class: &Class,
        value: &T,
        last_save: &LastSave,
        options: &Options<'_>,
    ) -> bool {
        let (skip, single) = (Cell::new(0), Cell::new(false));
        let look = Run::new(&self.store, Kind::Locate { class: 0, key: 0, skip, single });
        let row = look.encode(class, value, &look.options(options));
        match row {
            Ok(row) => last_save.has(hash(&row)),
            Err(_) => last_save.has(LastSave::UNKNOWN),
        }
    }

    /// Returns the row of an object, in one of the buffers of the run.
    pub(super) fn encode<T: Row>(
        &self,
        class: &Class,
        value: &T,
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        let mut row = self.buffers.borrow_mut().pop().unwrap_or_default();
        row.clear();
        put_version(&mut row, class.current::<T>()?.number);
        let mut writer = class.writer.take().unwrap_or_default();
        let written = self.deeper(|| writer.append(&mut row, value, options));
        class.writer.replace(Some(writer));
        written.map(|()| row)
    }

    /// Writes an object outside of a pool, at its place in its owner. `is_root` is `true` for a
    /// root.
    pub(crate) fn save_single<T: Row>(
        &self,
        class: &Class,
        (key, value, last_save): (u64, &T, &LastSave),
        is_root: bool,
        options: &Options<'_>,
    ) -> Result {
        let save = match &self.kind {
            Kind::Save(save) => save,
            Kind::Locate { .. } => {
                self.locate(class, key, false)?;
                return self.search_row(class, key, value, options);
            }
            _ => return Ok(()),
        };
        if key == u64::MAX {
            let message = format_args!("no object of a store has the key {key}");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        if key == 0 {
            return Ok(());
        }
        class.uses(key);
        self.meet(class, key)?;
        let compares = is_root || save.mode != Mode::Marked;
        self.save_row(save, class, (key, class.row(key), value, last_save), compares, options)
    }
}
