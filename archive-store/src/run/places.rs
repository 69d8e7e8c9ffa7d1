//! Where in a world an object is: paths that continue from row to row.

use archive_core::{Error, Options, Result};
use std::cell::Cell;
use std::rc::Rc;

use super::{Kind, Run};
use crate::class::Class;
use crate::row::Row;
use crate::store::Inner;

/// Adds the class and the key of a row to an error.
#[cold]
pub(crate) fn in_row(class: &Class, key: u64, error: Error) -> Error {
    let kind = error.kind();
    let (id, inner) = (format!("{} {key}", class.name), error.to_string());
    Error::with_source(kind, if inner.is_empty() { id } else { format!("{id}: {inner}") }, error)
}

/// Returns the place in the error with which [`Kind::Locate`] ends.
fn place(error: &Error) -> String {
    let (path, message) = (error.path(), error.message());
    match (path.is_empty(), message.is_empty()) {
        (false, false) => format!("{path}: {message}"),
        (true, _) => message.to_owned(),
        (_, true) => path.to_owned(),
    }
}

impl Run {
    /// Ends a search for the owners of an object if this is the one. A pool, and an object without
    /// a key, has the key 0.
    pub(crate) fn locate(&self, of: &Class, of_key: u64, is_pool: bool) -> Result {
        let Kind::Locate { class, key, skip, single } = &self.kind else { return Ok(()) };
        if *class == 0 {
            of.uses(of_key);
        }
        if *class == 0 || of_key == 0 && !is_pool {
            return Ok(());
        }
        let is_it = match (*key, of_key) {
            _ if *class != of.id => false,
            (0, 0) => true,
            (0, _) => !single.replace(true),
            (key, of_key) => key == of_key,
        };
        if !is_it {
            return Ok(());
        }
        match skip.get().checked_sub(1) {
            None => Err(Error::custom("")),
            Some(left) => {
                skip.set(left);
                Ok(())
            }
        }
    }

    /// Visits the row of an object while searching for another one.
    pub(crate) fn search_row<T: Row>(
        &self,
        class: &Class,
        key: u64,
        value: &T,
        options: &Options<'_>,
    ) -> Result {
        let found = self.encode(class, value, options);
        let found = found.map(|row| self.buffers.borrow_mut().push(row));
        found
            .map_err(|error| Error::custom(format_args!("{} {key}: {}", class.name, place(&error))))
    }
}

/// Notes the keys of the objects of a world, so that none is assigned again.
pub(crate) fn note_keys<T: Row>(
    store: &Rc<Inner>,
    root: &T,
    root_key: u64,
    options: &Options<'_>,
) -> Result {
    let (skip, single) = (Cell::new(0), Cell::new(false));
    visit_owners(store, Kind::Locate { class: 0, key: 0, skip, single }, root, root_key, options)
}

/// Visits all objects of a world.
fn visit_owners<T: Row>(
    store: &Rc<Inner>,
    kind: Kind,
    root: &T,
    root_key: u64,
    options: &Options<'_>,
) -> Result {
    let run = Run::new(store, kind);
    let options = run.options(options);
    let class = store.classes.of::<T>()?;
    run.locate(&class, root_key, false)?;
    run.encode(&class, root, &options)?;
    run.visit_shared(&options)
}

/// Adds to the error of a collision the two places where the object is.
#[cold]
pub(crate) fn name_both<T: Row>(
    store: &Rc<Inner>,
    root: &T,
    root_key: u64,
    error: Error,
    options: &Options<'_>,
) -> Error {
    let Some((class, key)) = store.collision.take() else { return error };
    let find = |skip| {
        let (skip, single) = (Cell::new(skip), Cell::new(false));
        let found =
            visit_owners(store, Kind::Locate { class, key, skip, single }, root, root_key, options);
        found.err().map(|error| place(&error))
    };
    let (Some(first), Some(second)) = (find(0), find(1)) else { return error };
    let Some(class) = store.classes.by_id(class) else { return error };
    let message = match key {
        0 => format!(
            "the class `{}` has two owners, `{first}` and `{second}`: a pool has all objects of its \
             class",
            class.name
        ),
        _ => format!("two objects have the key `{} {key}`: `{first}` and `{second}`", class.name),
    };
    Error::new(error.kind(), message)
}
