//! [`Links`]: the objects that the references in the data of an [`Unknown`] denote.
// Why: docs/decisions/pointers.md#unknown-objects-refer-to-objects

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock, Weak};

use super::Unknown;
use super::held::{self, Held};
use crate::model::error::{Error, ErrorKind, Result};
use crate::visit::object::Handle;
use crate::visit::session::{LoadTable, References};

/// Objects of unknown types to which no pointer of the program refers.
pub(super) type Untyped = HashMap<u64, Arc<RwLock<Unknown>>>;

/// The objects that the references in the data of one [`Unknown`] and its clones denote.
pub(crate) struct Links {
    /// The key under which the thread that loaded them holds objects of the program's types.
    key: u64,
    /// The id of the object with this data, if it was loaded without a type.
    owner: Option<u64>,
    references: References,
    targets: RwLock<HashMap<u64, Target>>,
}

/// The object that a reference denotes.
struct Target {
    /// Whether it is an object of the program's types: see [`held`].
    typed: bool,
    /// The object as an [`Unknown`], built from the file alone. For an object of the program's
    /// types, it exists only if the object may leave the thread.
    untyped: Option<Pointer>,
}

enum Pointer {
    Strong(Arc<RwLock<Unknown>>),
    Weak(Weak<RwLock<Unknown>>),
}

impl Pointer {
    fn object(&self) -> Option<Arc<RwLock<Unknown>>> {
        match self {
            Pointer::Strong(object) => Some(object.clone()),
            Pointer::Weak(object) => object.upgrade(),
        }
    }
}

impl Links {
    pub(crate) fn new(owner: Option<u64>, references: References) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let key = NEXT.fetch_add(1, Ordering::Relaxed);
        Links { key, owner, references, targets: RwLock::default() }
    }

    /// Returns whether the data is a copy of an object of the program's types. Such a copy is only
    /// used if objects of these types cannot be reached, so it does not refer to any of them.
    pub(crate) fn are_of_copy(&self, loaded: &mut LoadTable) -> bool {
        self.owner.is_some_and(|id| loaded.get(id).is_some())
    }

    /// Returns the ids of the objects that are held.
    pub(crate) fn strong(&self) -> impl Iterator<Item = u64> {
        self.references.iter().filter(|(_, strong)| **strong).map(|(id, _)| *id)
    }

    /// Resolves the references to the objects that a load created. Calls `open` with the ids of the
    /// references that may still be resolved to objects of the program's types, and whether they
    /// denote nothing yet.
    pub(crate) fn complete(
        self: &Arc<Self>,
        loaded: &mut LoadTable,
        untyped: &Untyped,
        open: &mut dyn FnMut(u64, bool),
    ) {
        let mut targets = HashMap::new();
        let mut typed = HashMap::new();
        let is_of_copy = self.are_of_copy(loaded);
        if let Some(owner) = self.owner.filter(|_| !is_of_copy) {
            open(owner, false);
        }
        for (&id, &strong) in &self.references {
            // An object that is still being built is resolved at the end of the root.
            let object = loaded.get(id).filter(|_| !is_of_copy).and_then(|entry| {
                let weak = entry.handle.downgrade()?;
                Some(if strong { Held::Strong(entry.handle.clone()) } else { Held::Weak(weak) })
            });
            let copy = untyped.get(&id).map(|object| match strong {
                true => Pointer::Strong(object.clone()),
                false => Pointer::Weak(Arc::downgrade(object)),
            });
            if object.is_none() && !is_of_copy {
                open(id, copy.is_none());
            }
            targets.insert(id, Target { typed: object.is_some(), untyped: copy });
            typed.extend(object.map(|object| (id, object)));
        }
        held::hold(self.key, self, typed);
        let old = std::mem::replace(&mut *write(&self.targets), targets);
        held::drop_iteratively(old);
    }

    /// Returns the object that the references with this id denote; `None` if it no longer exists
    /// and no reference kept it alive.
    ///
    /// # Errors
    /// Returns an error if the object cannot be reached from this thread.
    pub(crate) fn find(&self, id: u64) -> Result<Option<Handle>> {
        let targets = self.targets.read().unwrap_or_else(|e| e.into_inner());
        let target = targets.get(&id);
        if target.is_some_and(|target| target.typed) {
            match held::find(self.key, id) {
                Some(Held::Strong(handle)) => return Ok(Some(handle)),
                Some(Held::Weak(weak)) => return Ok(weak.upgrade()),
                None => {}
            }
        }
        match target.and_then(|target| target.untyped.as_ref()?.object()) {
            Some(object) => Ok(Some(Handle::Arc(object))),
            None if self.references.get(&id) == Some(&true) => Err(out_of_reach(id)),
            None => Ok(None),
        }
    }

    /// Returns the object with that id, if the program does not know its type.
    pub(super) fn untyped(&self, id: u64) -> Option<Arc<RwLock<Unknown>>> {
        let targets = self.targets.read().unwrap_or_else(|e| e.into_inner());
        targets.get(&id).filter(|target| !target.typed)?.untyped.as_ref()?.object()
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        held::release(self.key);
        held::drop_iteratively(std::mem::take(&mut *write(&self.targets)));
    }
}

fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(|e| e.into_inner())
}

#[cold]
fn out_of_reach(id: u64) -> Error {
    Error::new(
        ErrorKind::BadPointer,
        format_args!(
            "an object of an unknown type refers to object {id} of the file it was loaded from, \
             which only the thread that loaded it can reach"
        ),
    )
}
