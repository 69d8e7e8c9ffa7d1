//! Saving a world.

use std::rc::Rc;

use archive_core::{Error, ErrorKind, Options, Result};

use super::Store;
use crate::class::Class;
use crate::layout;
use crate::mark::Moment;
use crate::report::Saved;
use crate::row::Row;
use crate::run::{Kind, Run, Save, name_both};
use crate::storage::Changes;

impl Store {
    /// Writes the rows of objects that were marked as changed and deletes those of objects that
    /// were removed from pools, in one transaction. When it returns, they are durable.
    ///
    /// What a row holds is not visited if it is not written: of a `Persistent` that is not marked,
    /// neither the changes nor the loss of objects that it owns are seen. Mutable access marks, so
    /// only changes through cells and [`unmarked`](crate::Persistent::unmarked) are left to
    /// [`save_all`](Store::save_all).
    ///
    /// # Errors
    /// Those of the values and of the storage. The storage is as before then, and the next save
    /// writes the same rows. [`ErrorKind::DuplicateMember`](archive_core::ErrorKind::DuplicateMember)
    /// if two objects have one key; [`ErrorKind::Unsupported`] with
    /// [`target_version`](Options::target_version).
    pub fn save<T: Row>(&self, root: &T) -> Result<Saved> {
        self.save_with(root, &self.0.options)
    }

    /// As [`save`](Store::save), with other options than those of the store.
    ///
    /// # Errors
    /// As [`save`](Store::save).
    pub fn save_with<T: Row>(&self, root: &T, options: &Options<'_>) -> Result<Saved> {
        self.save_key(1, root, false, options)
    }

    /// Encodes all objects and writes the rows that differ from those in the store, marked or not.
    /// Deletes the rows that nothing owns: neither an object of this world, nor the other worlds
    /// that the store was given.
    ///
    /// # Errors
    /// As [`save`](Store::save).
    pub fn save_all<T: Row>(&self, root: &T) -> Result<Saved> {
        self.save_all_with(root, &self.0.options)
    }

    /// As [`save_all`](Store::save_all), with other options than those of the store.
    ///
    /// # Errors
    /// As [`save`](Store::save).
    pub fn save_all_with<T: Row>(&self, root: &T, options: &Options<'_>) -> Result<Saved> {
        self.save_key(1, root, true, options)
    }

    /// As [`save`](Store::save) and, with `all`, [`save_all`](Store::save_all), for an object with
    /// another key than 1: one of several worlds.
    ///
    /// # Errors
    /// As [`save`](Store::save).
    pub fn save_key<T: Row>(
        &self,
        key: u64,
        root: &T,
        all: bool,
        options: &Options<'_>,
    ) -> Result<Saved> {
        self.is_loaded()?;
        if !options.get_targets().is_empty() {
            let message = "a store has the program's own versions of types: `target_version` is for \
                           files";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let _busy = self.0.begin()?;
        if self.0.now.get().number == 0 {
            self.0.now.set(self.0.now.get().next());
        }
        let save = || {
            let run = Run::new(&self.0, Kind::Save(Save::new(all, self.0.now.get())));
            self.commit(&run, key, root, options)
        };
        let saved = save().transpose().unwrap_or_else(|| {
            // What the objects have noted about their rows is no longer true.
            self.0.now.set(Moment::first().next());
            self.0.classes.see_nothing();
            save().map(Option::unwrap_or_default)
        });
        self.0.classes.see_nothing();
        if saved.is_err() {
            self.0.classes.all().iter().for_each(|class| class.changes_failed());
        }
        saved.map_err(|error| name_both(&self.0, root, key, error, options))
    }

    /// Returns `None` if the objects are not those that the rows are of.
    fn commit<T: Row>(
        &self,
        run: &Rc<Run>,
        key: u64,
        root: &T,
        options: &Options<'_>,
    ) -> Result<Option<Saved>> {
        let Kind::Save(save) = &run.kind else { return Ok(None) };
        let class = self.0.classes.of::<T>()?;
        run.begin_root(&class);
        class.uses(key);
        let mark = self.0.root(class.id, key);
        // The root is not marked when it is changed: it is always compared.
        mark.touch_shared();
        let options = run.options(options);
        run.save_single(&class, (key, root, &mark), &options)?;
        if !save.all {
            self.0.changed.save(run, &options)?;
        }
        if save.stale.get() {
            return Ok(None);
        }
        let classes = self.0.classes.all();
        for class in &classes {
            let (pool, new) = {
                let seen = class.seen.borrow();
                (seen.pool, seen.new)
            };
            if !pool {
                class.rows.set(class.stored_rows() + new);
                if save.all {
                    self.sweep(run, save, class)?;
                }
            }
        }
        let mut changes = save.changes.take();
        classes.iter().for_each(|class| class.put_changes(&mut changes));
        if !changes.is_empty() {
            self.0.storage.commit(&changes)?;
        }
        for class in &classes {
            class.changes_are_stored();
            if class.seen.borrow().pool {
                class.saved.set(save.now.number);
            }
        }
        self.0.changed.clear();
        self.0.now.set(save.now.next());
        Ok(Some(save.saved.get()))
    }

    /// Deletes the rows of a class that the world did not have.
    fn sweep(&self, run: &Run, save: &Save, class: &Class) -> Result {
        let seen = class.seen.borrow();
        let gone = class.rows.get().saturating_sub(seen.keys.len());
        if gone == 0 || !run.may_own(class) {
            return Ok(());
        }
        let (from, to) = layout::all_rows(class.id);
        self.0.storage.scan(&from, &to, &mut |key, _| {
            let key = layout::row_key(key)?;
            if !seen.keys.contains(key) {
                save.delete(class, key);
            }
            Ok(true)
        })?;
        class.rows.set(seen.keys.len());
        Ok(())
    }

    /// Deletes all rows, for a new game in an old store. The keys of the objects are not assigned
    /// again. What is saved next is written whole.
    ///
    /// # Errors
    /// Those of the storage.
    pub fn clear(&self) -> Result<Saved> {
        let _busy = self.0.begin()?;
        let mut changes = Changes::new();
        let mut saved = Saved::default();
        let classes = self.0.classes.all();
        for class in &classes {
            let (from, to) = layout::all_rows(class.id);
            self.0.storage.scan(&from, &to, &mut |key, _| {
                changes.delete(key);
                saved.deleted += 1;
                Ok(true)
            })?;
            class.rows.set(0);
            class.put_changes(&mut changes);
        }
        let done = if changes.is_empty() { Ok(()) } else { self.0.storage.commit(&changes) };
        if let Err(error) = done {
            classes.iter().for_each(|class| class.changes_failed());
            return Err(error);
        }
        classes.iter().for_each(|class| class.changes_are_stored());
        self.0.classes.see_nothing();
        self.0.loading.take();
        self.0.is_loading.set(false);
        // What objects have noted about their rows is no longer true.
        self.0.now.set(Moment::first().next());
        Ok(saved)
    }
}
