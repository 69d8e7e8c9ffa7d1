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
    /// Writes the rows of objects that are marked as changed, and deletes the rows of objects that
    /// were removed from pools, in one transaction. When `save` returns, the changes are durable.
    ///
    /// An object that is not marked is not visited, nor are the objects that it owns. Mutable
    /// access marks an object, so only changes through cells and
    /// [`unmarked`](crate::Persistent::unmarked) need [`save_all`](Store::save_all). All objects
    /// are visited if the rows are those of another world, for example because this one is an undo
    /// copy, or if the last save failed.
    ///
    /// Rows that were not loaded are neither deleted nor replaced.
    ///
    /// # Errors
    /// After an error the storage is unchanged, and the next save writes the same rows.
    /// [`ErrorKind::DuplicateMember`] if two objects have the same key, or an object has the key of
    /// a row that was not loaded; [`ErrorKind::Custom`] while there are rows to load;
    /// [`ErrorKind::Unsupported`] with [`target_version`](Options::target_version); and errors of
    /// the values and of the storage.
    pub fn save<T: Row>(&self, root: &T) -> Result<Saved> {
        self.save_with(root, &self.0.options)
    }

    /// As [`save`](Store::save), with other options than those of the store.
    pub fn save_with<T: Row>(&self, root: &T, options: &Options<'_>) -> Result<Saved> {
        self.save_world(1, root, Mode::Marked, options)
    }

    /// Encodes all objects, marked or not, and writes the rows that differ from those in the store.
    /// Deletes the rows without an owner in this world or in another world that the store knows.
    /// Rows that the program [could not load](crate::Loaded::unfit) are kept. While there are any,
    /// the rows of all single objects are kept too, because such a row may own them.
    pub fn save_all<T: Row>(&self, root: &T) -> Result<Saved> {
        self.save_all_with(root, &self.0.options)
    }

    /// As [`save_all`](Store::save_all), with other options than those of the store.
    pub fn save_all_with<T: Row>(&self, root: &T, options: &Options<'_>) -> Result<Saved> {
        self.save_world(1, root, Mode::All, options)
    }

    /// As [`save`](Store::save), for an object with another key than 1: one of several worlds.
    pub fn save_key<T: Row>(&self, key: u64, root: &T, options: &Options<'_>) -> Result<Saved> {
        self.save_world(key, root, Mode::Marked, options)
    }

    /// As [`save_all`](Store::save_all), for an object with another key than 1: one of several
    /// worlds.
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
        // A failed save has marked objects as saved, and has cleared the list of changed shared
        // objects. A save that panics has failed.
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

    /// Writes the changes, unless the save [takes over](Save::take_over).
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
            // An error here occurs again below.
            let _ = note_keys(&self.0, root, key, options);
        }
        let options = run.options(options);
        run.save_single(class, (key, root, &world.last_save), true, &options)?;
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
            self.0.commit(&mut changes)?;
        }
        self.is_stored(&changes, RowState::Of(save.now.number), &classes);
        Ok(save.saved.get())
    }

    /// Notes the new rows of the storage.
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

    /// Deletes the rows without an object in the world. Pools have deleted their own.
    fn sweep(&self, run: &Run, save: &Save, classes: &[Rc<Class>]) {
        // A row that is kept although its object is blank may own others.
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

    /// Deletes all rows, for a new game in an old store. The next save writes all objects. Pools of
    /// a new world assign keys from the first one on. Snapshots stay as they are.
    pub fn clear(&self) -> Result<Saved> {
        let _busy = self.0.begin()?;
        let mut changes = Changes::new();
        let mut saved = Saved::default();
        let classes = self.0.classes.all();
        for class in &classes {
            let (from, to) = layout::all_rows(class.id);
            self.0.storage.keys(&from, &to, &mut |key| {
                changes.delete(key);
                saved.deleted += 1;
                Ok(true)
            })?;
            class.will_have(0);
            class.put_changes(&mut changes);
        }
        let done = if changes.is_empty() { Ok(()) } else { self.0.commit(&mut changes) };
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
