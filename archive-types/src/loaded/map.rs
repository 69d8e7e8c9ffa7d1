//! Loads maps, and changes the entry that a path leads to.

use std::cell::RefCell;
use std::collections::BTreeMap;

use archive_core::__private::made::{check_whole, duplicate_key, load_key};
use archive_core::path::ListChange;
use archive_core::{Archive, Body, Error, ErrorKind, Options, Result, Shape};

use super::Loaded;
use super::list::over;
use crate::plan::Plan;
use crate::saved::{Nothing, Saved, route};
use crate::slot::{Key, Slot};

type Entries = BTreeMap<Key, Slot>;

/// The types of the keys and of the values.
type Plans = (&'static Plan, &'static Plan);

pub(super) fn load<A: Archive>(
    entries: &mut Entries,
    plans: Plans,
    shape: &'static Shape,
    ar: &mut A,
) -> Result {
    if let Some(route) = route(ar) {
        let Some(name) = route.name() else {
            return Err(route.refuse("an entry of a map is changed by its key, not by its index"));
        };
        let (name, change) = (name.to_string(), route.list_change());
        return change_entry(entries, plans, &name, change, ar);
    }
    if ar.guide().is_some() {
        let old = RefCell::new(std::mem::take(entries));
        let mut new = Entries::new();
        let loaded = ar.map(shape, 0, &mut LoadedEntries { old: Some(&old), new: &mut new, plans });
        // No entry comes or goes if one cannot be loaded.
        *entries = old.into_inner();
        if loaded.is_ok() {
            *entries = new;
        } else {
            entries.extend(new);
        }
        return loaded;
    }
    entries.clear();
    ar.map(shape, 0, &mut LoadedEntries { old: None, new: entries, plans })
}

struct LoadedEntries<'a> {
    /// The entries that are loaded over.
    old: Option<&'a RefCell<Entries>>,
    new: &'a mut Entries,
    plans: Plans,
}

impl Body for LoadedEntries<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (of_key, of_value) = self.plans;
        let mut index = 0;
        loop {
            let loaded = RefCell::new(None);
            let mut value = Value { old: self.old, key: &loaded, plan: of_value, slot: None };
            if !ar.entry(index, &mut KeyOf(&loaded, of_key), &mut value)? {
                return Ok(());
            }
            // The key or the value is missing only if its error went into the report.
            let value = value.slot;
            if let (Some(key), Some(value)) = (loaded.into_inner(), value) {
                let known = self.new.contains_key(&key);
                let twice = known.then(|| duplicate_key(&mut Saved { slot: &key.0, plan: of_key }));
                self.new.insert(key, value);
                if let Some(error) = twice {
                    return Err(error.in_item(index));
                }
            }
            index += 1;
        }
    }
}

/// A key, which the value after it needs.
struct KeyOf<'a>(&'a RefCell<Option<Key>>, &'static Plan);

impl Body for KeyOf<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut slot = self.1.blank();
        Loaded { slot: &mut slot, plan: self.1 }.run(ar)?;
        self.0.replace(Some(Key(slot)));
        Ok(())
    }
}

/// The value of an entry.
struct Value<'a> {
    old: Option<&'a RefCell<Entries>>,
    key: &'a RefCell<Option<Key>>,
    plan: &'static Plan,
    slot: Option<Slot>,
}

impl Body for Value<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let key = self.key.borrow();
        let old = match (self.old, key.as_ref()) {
            (Some(old), Some(key)) => old.borrow_mut().remove(key),
            _ => None,
        };
        let plan = self.plan;
        let mut slot = old.unwrap_or_else(|| plan.blank());
        let loaded = Loaded { slot: &mut slot, plan }.run(ar);
        // An entry that is loaded over is there after an error too.
        if loaded.is_ok() || self.old.is_some() {
            self.slot = Some(slot);
        }
        loaded
    }
}

/// Returns the key that a name in a path denotes.
pub(crate) fn key_of(name: &str, plan: &'static Plan, options: &Options<'_>) -> Result<Key> {
    let mut slot = plan.blank();
    load_key(name, &mut Loaded { slot: &mut slot, plan }, options)?;
    Ok(Key(slot))
}

fn change_entry<A: Archive>(
    entries: &mut Entries,
    (of_key, plan): Plans,
    name: &str,
    change: Option<ListChange>,
    ar: &mut A,
) -> Result {
    let key = key_of(name, of_key, ar.options()).map_err(|error| error.in_member(name))?;
    match (entries.get_mut(&key), change) {
        (Some(slot), None) => ar.slot(name, &Shape::Any, &mut Over(slot, plan)),
        (Some(_), Some(ListChange::Remove)) => {
            ar.slot(name, &Shape::Any, &mut Nothing)?;
            entries.remove(&key);
            Ok(())
        }
        (Some(_), Some(ListChange::Insert)) => {
            Err(Error::new(ErrorKind::DuplicateMember, "duplicate map key").in_member(name))
        }
        (None, Some(ListChange::Insert)) => {
            let mut slot = plan.blank();
            let mut done = false;
            ar.slot(name, &Shape::Any, &mut NewValue(&mut slot, plan, &mut done))?;
            if done {
                entries.insert(key, slot);
            }
            Ok(())
        }
        (_, Some(ListChange::Move(_))) => check_whole(ar),
        (None, None | Some(ListChange::Remove)) => Ok(()),
    }
}

struct Over<'a>(&'a mut Slot, &'static Plan);

impl Body for Over<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        over(self.0, self.1, ar)
    }
}

/// The value of an entry that is inserted, and whether it was loaded.
struct NewValue<'a>(&'a mut Slot, &'static Plan, &'a mut bool);

impl Body for NewValue<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        Loaded { slot: self.0, plan: self.1 }.run(ar)?;
        *self.2 = true;
        Ok(())
    }
}

impl Saved<'_> {
    /// Saves the entry of a key that a path leads to. Returns `None` if no path does.
    pub(crate) fn save_entry<A: Archive>(&self, ar: &mut A) -> Option<Result> {
        let name = route(ar)?.name()?.to_string();
        let (Slot::Map(entries), crate::plan::Form::Map(key, value, _)) =
            (self.slot, &self.plan.form)
        else {
            return None;
        };
        let key = key_of(&name, key.get(), ar.options());
        let Some(slot) = key.ok().and_then(|key| entries.get(&key)) else { return Some(Ok(())) };
        Some(ar.slot(&name, &Shape::Any, &mut Saved { slot, plan: value.get() }))
    }
}
