//! Loading a world over one that the program has made.

use archive_core::{Error, ErrorKind, Options, Result};

use super::Store;
use crate::known::RowState;
use crate::layout;
use crate::report::{Findings, Loaded};
use crate::row::{Row, RowId};
use crate::run::name_both;
use crate::run::{Kind, Run};

impl Store {
    /// Fills a world from its row, and the objects that it owns from their rows, while the store
    /// [is loading](Store::is_loading); otherwise it does nothing. So the same code makes a new
    /// game and a loaded game. Returns whether there was a row.
    ///
    /// Members that the row lacks, or whose stored values do not fit, keep their values. A pool
    /// then has exactly the objects of the store: objects that the program made and that were
    /// removed in the stored game are removed.
    ///
    /// # Errors
    /// Errors of the storage and of damaged rows, with the class and the key.
    /// [`ErrorKind::DuplicateMember`] if two objects have one row. After an error, open the store
    /// again.
    pub fn attach<T: Row>(&self, value: &mut T) -> Result<bool> {
        self.attach_with(value, &self.0.options)
    }

    /// As [`attach`](Store::attach), with other options than those of the store.
    pub fn attach_with<T: Row>(&self, value: &mut T, options: &Options<'_>) -> Result<bool> {
        self.attach_key(1, value, options)
    }

    /// As [`attach`](Store::attach), for an object with another key than 1: one of several worlds.
    pub fn attach_key<T: Row>(
        &self,
        key: u64,
        value: &mut T,
        options: &Options<'_>,
    ) -> Result<bool> {
        if !self.is_loading() {
            return Ok(false);
        }
        let _busy = self.0.begin()?;
        let has_failed = self.0.has_failed.replace(true);
        let run = Run::new(&self.0, Kind::Load);
        let class = self.0.classes.of::<T>()?;
        let world = self.0.world(class.id, key);
        run.begin_root(&class, &world);
        let inner = run.options(options);
        let pulled = run
            .load_root(&inner, || run.pull(&class, key, (&mut *value, &world.last_save), &inner));
        let pulled = pulled.and_then(|found| {
            // An error may have gone into the report, and its value keeps its default.
            run.failure()?;
            match self.0.collision.get() {
                Some((class, key)) => Err(run.collision_of(class, key)),
                None => Ok(found),
            }
        });
        self.0.has_failed.set(has_failed || pulled.is_err());
        self.0.now.set(self.0.now.get().next());
        pulled.map_err(|error| name_both(&self.0, value, key, error, options))
    }

    /// Ends loading, and returns the findings. Objects that the program makes from now on are new.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] if no object was loaded although the store has rows, as in the
    /// store of another program: the next `save_all` would delete them. [`clear`](Store::clear)
    /// begins a new game in such a store. Errors of the storage.
    pub fn finish_load(&self) -> Result<Loaded> {
        self.finish_load_with(&self.0.options)
    }

    /// As [`finish_load`](Store::finish_load), with the options of the `attach`.
    pub fn finish_load_with(&self, options: &Options<'_>) -> Result<Loaded> {
        let _busy = self.0.begin()?;
        self.has_loaded()?;
        let (dangling, mut omitted) =
            self.0.loading.borrow().dangling(&self.0, options, Loaded::MOST);
        let (mut unclaimed, mut rows) = (Vec::new(), 0);
        for class in self.0.classes.all() {
            let mut known = class.known.borrow_mut();
            rows += known.live();
            if !self.is_loading() || known.len() == class.stored_rows() && !known.has_unclaimed() {
                continue;
            }
            let (from, to) = layout::all_rows(class.id);
            self.0.storage.keys(&from, &to, &mut |key| {
                let key = layout::row_key(key)?;
                // After an error this runs again, and some rows are known to be unclaimed.
                if matches!(known.get(key), RowState::Absent | RowState::Unclaimed) {
                    known.set(key, RowState::Unclaimed);
                    if unclaimed.len() < Loaded::MOST {
                        unclaimed.push(RowId { class: class.name.to_string(), key });
                    } else {
                        omitted += 1;
                    }
                }
                Ok(true)
            })?;
        }
        let Findings { notes, unfit, omitted: more } = self.0.loading.take().findings;
        self.0.classes.see_nothing();
        self.0.entries.clear();
        self.0.is_loading.set(false);
        self.0.now.set(self.0.now.get().next());
        Ok(Loaded { rows, unclaimed, dangling, notes, unfit, omitted: omitted + more })
    }

    /// Returns an error if a load failed, or if there are rows and none was loaded.
    fn has_loaded(&self) -> Result {
        if self.0.has_failed.get() {
            return Err(Error::custom(
                "an `attach` has failed, so there is no world to save: try again after `begin_load`, \
                 or start a new game with `clear`",
            ));
        }
        let classes = self.0.classes.all();
        if !self.is_loading() || classes.iter().any(|class| class.known.borrow().len() > 0) {
            return Ok(());
        }
        let stored = classes.iter().filter(|class| class.stored_rows() > 0);
        let names: Vec<String> = stored.map(|class| format!("`{}`", class.name)).collect();
        let message = format_args!(
            "no object was loaded from the store, which has rows of {}: is it of another program, or \
             was a class renamed? `clear` starts a new game in it",
            names.join(", ")
        );
        Err(Error::new(ErrorKind::UnknownType, message))
    }

    /// Returns an error while there are rows to load.
    pub(super) fn check_loaded(&self) -> Result {
        if !self.is_loading() {
            return Ok(());
        }
        Err(Error::custom(
            "the store has rows that were not loaded: `attach` their owners and call \
             `finish_load`, or remove them with `clear`",
        ))
    }
}
