//! Tests for authors of a [`Storage`].

mod laws;

use std::panic::Location;

use crate::storage::Storage;

/// Checks that an engine keeps the promises of [`Storage`], and panics if it does not.
///
/// `open` opens the storage with that name. For a new name it returns an empty storage. The storage
/// is dropped before its name is passed again, and then it has the committed rows.
///
/// Atomicity and durability are not checked, because only a loss of power would show them.
///
/// ```
/// use std::collections::HashMap;
/// use std::rc::Rc;
///
/// use archive::store::storage::{Memory, Redb};
/// use archive::store::testing::conformance;
///
/// let folder = tempfile::tempdir().unwrap();
/// conformance(|name| Box::new(Redb::open(folder.path().join(name)).unwrap()));
///
/// // The rows of a `Memory` would be dropped with it.
/// let mut kept = HashMap::<String, Rc<Memory>>::new();
/// conformance(|name| Box::new(kept.entry(name.into()).or_default().clone()));
/// ```
#[track_caller]
pub fn conformance(mut open: impl FnMut(&str) -> Box<dyn Storage>) {
    let caller = Location::caller();
    for (name, law) in laws::ALL {
        println!("{caller}: {name}");
        law(&mut |file| open(&format!("{name}-{file}").replace(' ', "-")));
    }
}
