//! Which rows a run has visited. No row has two owners, so none is loaded twice.

use std::cell::RefCell;

use archive_core::{Error, ErrorKind, Result};
use rustc_hash::FxHashMap;

use super::{Kind, Run};
use crate::class::{Class, Seen, WorldOf};

/// The rows that were visited by a load outside of a world, or by the second load of a row, by the
/// number of the class. Without them a forged row that owns another one twice would double the time
/// of a load at each level.
#[derive(Default)]
pub(super) struct Met(RefCell<FxHashMap<u32, Seen>>);

impl Met {
    /// Notes a row, or with `None` a pool, which has all rows of the class. Returns whether it is
    /// new.
    fn is_new(&self, class: u32, key: Option<u64>) -> bool {
        let mut all = self.0.borrow_mut();
        let seen = all.entry(class).or_default();
        match key {
            Some(key) => seen.keys.insert(key) && !seen.pool,
            None => !std::mem::replace(&mut seen.pool, true) && seen.keys.len() == 0,
        }
    }

    pub(super) fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

impl Run {
    /// Notes that the current place owns an object. Returns whether the object is new.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if it is owned elsewhere too.
    pub(crate) fn meet(&self, class: &Class, key: u64) -> Result<bool> {
        self.owns(class);
        let mut seen = class.seen.borrow_mut();
        let new = seen.keys.insert(key);
        let is_single = !seen.pool;
        drop(seen);
        if self.again.get() {
            self.meet_again(class, Some(key))?;
        } else if !new || !is_single {
            return Err(self.collision(class, if is_single { key } else { 0 }));
        }
        Ok(new)
    }

    /// Notes that a pool has all objects of a class.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if some are owned elsewhere too.
    pub(crate) fn meet_pool(&self, class: &Class) -> Result {
        if !self.may_own(class) {
            let world = match class.owner.get() {
                WorldOf::One(root, key) => (root, key),
                _ => (0, 0),
            };
            return Err(self.belongs_elsewhere(class, 0, world));
        }
        self.owns(class);
        let mut seen = class.seen.borrow_mut();
        let first = !seen.pool && seen.keys.len() == 0;
        seen.pool = true;
        drop(seen);
        match self.again.get() {
            true => self.meet_again(class, None),
            false if first => Ok(()),
            false => Err(self.collision(class, 0)),
        }
    }

    /// Notes a row, or a pool, in a load outside of a world, or in the second load of a row.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if it is owned elsewhere too.
    pub(crate) fn meet_again(&self, class: &Class, key: Option<u64>) -> Result {
        if self.met.is_new(class.id, key) {
            return Ok(());
        }
        let key = key.unwrap_or(0);
        Err(match self.kind {
            // The program may read objects while it loads a world.
            Kind::Read => collides(class, key),
            _ => self.collision(class, key),
        })
    }

    /// As [`collision`](Run::collision), by the number of the class.
    #[cold]
    pub(crate) fn collision_of(&self, class: u32, key: u64) -> Error {
        match self.store.classes.by_id(class) {
            Some(class) => self.collision(&class, key),
            None => Error::new(ErrorKind::DuplicateMember, "two objects have the same key"),
        }
    }

    /// Returns the error for an object with two owners, or, with 0, for a class. The caller that
    /// has the whole world adds the places.
    #[cold]
    fn collision(&self, class: &Class, key: u64) -> Error {
        self.store.collision.set(Some((class.id, key)));
        collides(class, key)
    }
}

#[cold]
fn collides(class: &Class, key: u64) -> Error {
    let message = match key {
        0 => format!("the class `{}` has a pool and another owner", class.name),
        _ => format!("two objects have the key `{} {key}`", class.name),
    };
    Error::new(ErrorKind::DuplicateMember, message)
}
