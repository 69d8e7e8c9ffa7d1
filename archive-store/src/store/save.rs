//! Saving a world.

use std::collections::HashSet;
use std::rc::Rc;

use archive_core::{Error, ErrorKind, Options, Result};

use super::{Store, World};
use crate::class::Class;
use crate::known::RowState;
use crate::layout;
use crate::report::Saved;
use crate::row::Row;
use crate::run::{Kind, Mode, Run, Save, name_both, note_keys};
use crate::shared::Queued;
use crate::storage::{Change, Changes};

impl Store {
    /// Writes the rows of objects that were marked as changed and deletes those of objects that
    /// were removed from pools, in one transaction. When it returns, they are durable.
    ///
    /// What a row holds is not visited if it is not written: of a `Persistent` that is not marked,
    /// neither the changes nor the loss of objects that it owns are seen. Mutable access marks, so
    /// only changes through cells and [`unmarked`](crate::Persistent::unmarked) are left to
    /// [`save_all`](Store::save_all). If the world is another than the one that the rows are of, such
    /// as an undo copy, or if the last save failed, all objects are visited.
    ///
    /// Rows that were not loaded are neither deleted nor replaced.
    ///
    /// # Errors
    /// Those of the values and of the storage. The storage is as before then, and the next save
    /// writes the same rows. [`ErrorKind::DuplicateMember`] if two objects have one key, or an object
    /// has that of a row that was not loaded; [`ErrorKind::Custom`] while there are rows to load;
    /// [`ErrorKind::Unsupported`] with [`target_version`](Options::target_version).
    pub fn save<T: Row>(&self, root: &T) -> Result<Saved> {
        self.save_with(root, &self.0.options)
    }

    /// As [`save`](Store::save), with other options than those of the store.
    ///
    /// # Errors
    /// As [`save`](Store::save).
    pub fn save_with<T: Row>(&self, root: &T, options: &Options<'_>) -> Result<Saved> {
        self.save_world(1, root, Mode::Marked, options)
    }

    /// Encodes all objects and writes the rows that differ from those in the store, marked or not.
    /// Deletes the rows that nothing owns: neither an object of this world, nor one of the other worlds
    /// that the store was given. Rows that the program [could not load](crate::Loaded::unfit) stay, and
    /// while there are some, so do the rows of single objects, which they may own.
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
        self.save_world(1, root, Mode::All, options)
    }

    /// As [`save`](Store::save), for an object with another key than 1: one of several worlds.
    ///
    /// # Errors
    /// As [`save`](Store::save).
    pub fn save_key<T: Row>(&self, key: u64, root: &T, options: &Options<'_>) -> Result<Saved> {
        self.save_world(key, root, Mode::Marked, options)
    }

    /// As [`save_all`](Store::save_all), for an object with another key than 1: one of several
    /// worlds.
    ///
    /// # Errors
    /// As [`save`](Store::save).
    pub fn save_all_key<T: Row>(&self, key: u64, root: &T, options: &Options<'_>) -> Result<Saved> {
        self.save_world(key, root, Mode::All, options)
    }

    fn save_world<T: Row>(
        &self,
        key: u64,
        root: &T,
        mut mode: Mode,
        options: &Options<'_>,
    ) -> Result<Saved> {
        self.check_loaded()?;
        if !options.settings().targets().is_empty() {
            let message = "a store has the program's own versions of types: `target_version` is for \
                           files";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let _busy = self.0.begin()?;
        let class = self.0.classes.of::<T>()?;
        let world = self.0.world(class.id, key);
        let changed = world.changed.take();
        let owners: Vec<_> =
            self.0.classes.all().into_iter().map(|class| (class.owner.get(), class)).collect();
        // A save that failed has noted of objects that they are saved, and of shared ones that were
        // changed. One that panics has failed.
        let failures = self.0.failures.get();
        if world.failures.get() != failures && mode == Mode::Marked {
            mode = Mode::Every;
        }
        self.0.failures.set(failures.wrapping_add(1));
        let mut foreign = HashSet::new();
        let saved = loop {
            let now = self.0.now.get();
            let run = Run::new(&self.0, Kind::Save(Save::new(mode, now, foreign)));
            let Kind::Save(save) = &run.kind else { unreachable!("it is a save") };
            let saved = self.commit((&run, save), &world, (&class, root), &changed, options);
            self.0.now.set(now.next());
            self.0.classes.see_nothing();
            if !save.takes_over.get() {
                break saved;
            }
            foreign = save.foreign.take();
            mode = if mode == Mode::All { mode } else { Mode::Every };
        };
        if saved.is_ok() {
            self.0.failures.set(failures);
            world.failures.set(failures);
        } else {
            owners.into_iter().for_each(|(owner, class)| class.owner.set(owner));
            self.0.classes.all().iter().for_each(|class| class.changes_failed());
        }
        saved.map_err(|error| name_both(&self.0, root, key, error, options))
    }

    /// Writes what the objects changed, unless the save [takes over](Save::take_over).
    fn commit<T: Row>(
        &self,
        (run, save): (&Rc<Run>, &Save),
        world: &World,
        (class, root): (&Class, &T),
        changed: &[Rc<dyn Queued>],
        options: &Options<'_>,
    ) -> Result<Saved> {
        let key = world.id.1;
        run.begin_root(class, world);
        if class.row(key) == RowState::Absent {
            // What fails here fails below.
            let _ = note_keys(&self.0, root, key, options);
        }
        let options = run.options(options);
        run.save_single(class, (key, root, &world.mark), true, &options)?;
        if save.mode == Mode::Marked {
            changed.iter().for_each(|object| run.visit_later(object.clone()));
        }
        run.visit_shared(&options)?;
        run.check_links(save);
        if save.takes_over.get() {
            return Ok(Saved::default());
        }
        let classes = self.0.classes.all();
        if save.mode == Mode::All {
            self.sweep(run, save, &classes);
        }
        let mut changes = save.changes.take();
        classes.iter().for_each(|class| class.count_rows());
        classes.iter().for_each(|class| class.put_changes(&mut changes));
        if !changes.is_empty() {
            self.0.storage.commit(&changes)?;
        }
        self.is_stored(&changes, RowState::Of(save.now.number), &classes);
        Ok(save.saved.get())
    }

    /// Notes which rows the storage has now.
    fn is_stored(&self, changes: &Changes, saved: RowState, classes: &[Rc<Class>]) {
        let mut class: Option<&Rc<Class>> = None;
        for change in changes.iter() {
            let (key, state) = match change {
                Change::Put(key, _) => (key, saved),
                Change::Delete(key) => (key, RowState::Absent),
            };
            let Some((id, key)) = layout::row_of(key) else { continue };
            if class.is_none_or(|class| class.id != id) {
                class = classes.iter().find(|class| class.id == id);
            }
            if let Some(class) = class {
                class.known.borrow_mut().set(key, state);
            }
        }
        for class in classes {
            class.changes_are_stored();
            if class.seen.borrow().pool {
                class.pool.set(saved);
            }
        }
    }

    /// Deletes the rows that the world did not have. Pools have deleted theirs.
    fn sweep(&self, run: &Run, save: &Save, classes: &[Rc<Class>]) {
        // A row that stays although its object is blank may own others.
        if save.keeps.get() || classes.iter().any(|class| class.known.borrow().has_refused()) {
            return;
        }
        for class in classes.iter().filter(|class| run.may_own(class)) {
            let gone: Vec<u64> = {
                let (seen, known) = (class.seen.borrow(), class.known.borrow());
                if seen.pool || known.len() + seen.added == seen.keys.len() {
                    continue;
                }
                let is_gone = |key, row| save.deletes(row) && !seen.keys.contains(key);
                known.iter().filter(|(key, row)| is_gone(*key, *row)).map(|(key, _)| key).collect()
            };
            gone.into_iter().for_each(|key| save.delete(class, key));
        }
    }

    /// Deletes all rows, for a new game in an old store. What is saved next is written whole. Pools of
    /// a new world assign keys from the first one on.
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
            class.has_no_rows();
            class.put_changes(&mut changes);
        }
        let done = if changes.is_empty() { Ok(()) } else { self.0.storage.commit(&changes) };
        if let Err(error) = done {
            classes.iter().for_each(|class| class.changes_failed());
            return Err(error);
        }
        classes.iter().for_each(|class| class.changes_are_stored());
        self.0.forget_world();
        self.0.is_loading.set(false);
        Ok(saved)
    }
}
