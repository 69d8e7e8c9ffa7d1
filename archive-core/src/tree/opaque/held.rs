//! The objects of the program's own types that objects of unknown types hold.
//!
//! A pointer to an object of any type can neither be sent to another thread nor be shared between
//! threads. An [`Unknown`](super::Unknown) can, since it may be a `dyn Trait + Send + Sync`. The
//! pointers are therefore kept in a table of the thread that loaded them, each as long as its owner
//! exists.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::Links;
use crate::visit::object::{Handle, WeakHandle};

/// A pointer to an object of the program's types.
#[derive(Clone)]
pub(super) enum Held {
    /// A pointer that keeps its object alive.
    Strong(Handle),
    /// A pointer that does not keep its object alive.
    Weak(WeakHandle),
}

/// The objects that one set of links holds.
struct Owner {
    /// Used to check whether the links still exist.
    links: Weak<Links>,
    /// The objects by id.
    objects: HashMap<u64, Held>,
}

#[derive(Default)]
struct Table {
    /// The owners by the key of their links.
    owners: RefCell<HashMap<u64, Owner>>,
    /// The number of owners at which the next check is made whether they still exist.
    enough: Cell<usize>,
    to_drop: RefCell<Vec<Box<dyn Any>>>,
    buries: Cell<bool>,
}

thread_local! {
    static TABLE: Table = Table::default();
}

/// Holds objects for links, replacing the objects held before.
pub(super) fn hold(key: u64, links: &Arc<Links>, objects: HashMap<u64, Held>) {
    let owner = Owner { links: Arc::downgrade(links), objects };
    drop_iteratively(with(|table| {
        let mut owners = table.owners.borrow_mut();
        if owner.objects.is_empty() { owners.remove(&key) } else { owners.insert(key, owner) }
    }));
}

/// Returns an object that is held for links, if this thread loaded them.
pub(super) fn find(key: u64, id: u64) -> Option<Held> {
    with(|table| table.owners.borrow().get(&key)?.objects.get(&id).cloned()).flatten()
}

/// Releases all objects of links. If another thread loaded them, the [`sweep`] of that thread does
/// it.
pub(super) fn release(key: u64) {
    drop_iteratively(with(|table| table.owners.borrow_mut().remove(&key)));
}

/// Releases the objects of links that other threads dropped, whenever the number of owners has
/// doubled since the last time. The cost per owner therefore stays small.
pub(super) fn sweep() {
    drop_iteratively(with(|table| {
        let mut owners = table.owners.borrow_mut();
        if owners.len() <= table.enough.get() {
            return Vec::new();
        }
        let dead = owners.extract_if(|_, owner| owner.links.strong_count() == 0).collect();
        table.enough.set(owners.len() * 2);
        dead
    }));
}

/// Drops objects that objects of unknown types held. They are dropped one after the other, even if
/// they hold each other.
pub(super) fn drop_iteratively(to_drop: impl Any) {
    let to_drop: Box<dyn Any> = Box::new(to_drop);
    with(|table| {
        table.to_drop.borrow_mut().push(to_drop);
        if table.buries.replace(true) {
            return;
        }
        let _burial = DropGuard(&table.buries);
        while let Some(next) = { table.to_drop.borrow_mut().pop() } {
            drop(next);
        }
    });
}

/// Ends the iterative drop, even after a panic.
struct DropGuard<'a>(&'a Cell<bool>);

impl Drop for DropGuard<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// Calls `look` with the table. Returns `None` if the thread is ending and its table no longer
/// exists.
fn with<R>(look: impl FnOnce(&Table) -> R) -> Option<R> {
    TABLE.try_with(look).ok()
}
