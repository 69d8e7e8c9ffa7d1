//! What objects of unknown types hold of the program's own objects.
//!
//! A pointer to an object of any type can be neither sent to another thread nor shared with one, but
//! [`Unknown`](super::Unknown) can, since it stands behind `dyn Trait + Send + Sync` as well. So the
//! pointers stay with the thread that loaded them, each as long as there is somebody to whom it
//! belongs.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::Links;
use crate::pointer::{Handle, WeakHandle};

/// A pointer to an object of the program's types.
#[derive(Clone)]
pub(super) enum Held {
    /// It holds its object.
    Strong(Handle),
    /// It does not.
    Weak(WeakHandle),
}

/// The objects of one who has links.
struct Owner {
    /// To see whether it still is.
    links: Weak<Links>,
    /// By id.
    objects: HashMap<u64, Held>,
}

#[derive(Default)]
struct Table {
    /// By the key of the links.
    owners: RefCell<HashMap<u64, Owner>>,
    /// How many owners there may be before it is looked who still is.
    enough: Cell<usize>,
    dying: RefCell<Vec<Box<dyn Any>>>,
    buries: Cell<bool>,
}

thread_local! {
    static TABLE: Table = Table::default();
}

/// Holds objects for links, instead of those held before.
pub(super) fn hold(key: u64, links: &Arc<Links>, objects: HashMap<u64, Held>) {
    let owner = Owner { links: Arc::downgrade(links), objects };
    bury(with(|table| {
        let mut owners = table.owners.borrow_mut();
        if owner.objects.is_empty() { owners.remove(&key) } else { owners.insert(key, owner) }
    }));
}

/// An object that is held for links, if it was this thread that loaded them.
pub(super) fn find(key: u64, id: u64) -> Option<Held> {
    with(|table| table.owners.borrow().get(&key)?.objects.get(&id).cloned()).flatten()
}

/// Holds nothing any more for links. If another thread loaded them, that is left to its [`sweep`].
pub(super) fn release(key: u64) {
    bury(with(|table| table.owners.borrow_mut().remove(&key)));
}

/// Releases what is held for links that other threads dropped, once there is twice as much as the last
/// time: so a thread that has many pays little for each.
pub(crate) fn sweep() {
    bury(with(|table| {
        let mut owners = table.owners.borrow_mut();
        if owners.len() <= table.enough.get() {
            return Vec::new();
        }
        let dead = owners.extract_if(|_, owner| owner.links.strong_count() == 0).collect();
        table.enough.set(owners.len() * 2);
        dead
    }));
}

/// Drops what objects of unknown types held: one after the other, however they hold each other.
pub(super) fn bury(dying: impl Any) {
    let dying: Box<dyn Any> = Box::new(dying);
    with(|table| {
        table.dying.borrow_mut().push(dying);
        if table.buries.replace(true) {
            return;
        }
        let _burial = Burial(&table.buries);
        while let Some(next) = { table.dying.borrow_mut().pop() } {
            drop(next);
        }
    });
}

/// Ends the burial, also if something panics on the way.
struct Burial<'a>(&'a Cell<bool>);

impl Drop for Burial<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// Looks at the table; nothing if the thread is ending and has none any more.
fn with<R>(look: impl FnOnce(&Table) -> R) -> Option<R> {
    TABLE.try_with(look).ok()
}
