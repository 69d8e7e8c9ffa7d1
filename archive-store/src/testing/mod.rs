//! What authors of engines run over their [`Storage`].

mod laws;

use std::panic::Location;

use crate::storage::Storage;

/// Checks that an engine keeps the promises of [`Storage`], and panics if it does not.
///
/// `open` opens the storage with that name, as `Box` or `Rc`. The first time a name is passed the
/// storage is empty. It is dropped before its name is passed again: then it has the rows that were
/// committed.
///
/// What only a loss of power shows is not checked here: atomicity and durability.
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
/// // The rows of this one would end with it.
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
