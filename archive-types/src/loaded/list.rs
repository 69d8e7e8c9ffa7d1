//! Loads lists, and changes the item that a path leads to.

use archive_core::path::ListChange;
use archive_core::{Archive, Body, BodyFacts, Result};

use super::Loaded;
use crate::plan::Plan;
use crate::saved::{Nothing, route};
use crate::slot::Slot;

pub(super) struct LoadedItems<'a> {
    pub(super) slots: &'a mut Vec<Slot>,
    /// The type of the items.
    pub(super) plan: &'static Plan,
}

impl Body for LoadedItems<'_> {
    const FACTS: BodyFacts = BodyFacts::items(None, false);

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(route) = route(ar) {
            let change = route.list_change();
            return match route.index() {
                Some(index) => self.change(change, index, ar),
                None => Ok(()),
            };
        }
        let hint = ar.size_hint();
        let (session, options) = ar.parts_mut();
        let room = session.reserve(hint, size_of::<Slot>(), options);
        self.slots.reserve(room.saturating_sub(self.slots.len()));
        let mut item = Next { slots: self.slots, at: 0, plan: self.plan };
        let mut index = 0;
        while ar.item(index, &mut item)? {
            index += 1;
        }
        let len = item.at;
        self.slots.truncate(len);
        ar.session_mut().filled(room, len, size_of::<Slot>());
        Ok(())
    }
}

impl LoadedItems<'_> {
    #[cold]
    fn change<A: Archive>(
        &mut self,
        change: Option<ListChange>,
        index: usize,
        ar: &mut A,
    ) -> Result {
        let (slots, plan) = (&mut *self.slots, self.plan);
        let len = slots.len();
        match change {
            None if index < len => ar.item(index, &mut Next { slots, at: index, plan }).map(drop),
            Some(ListChange::Insert) if index <= len => {
                let done = ar.item(index, &mut Next { slots, at: len, plan });
                if done.is_err() {
                    // The archive may refuse an item after it was loaded.
                    slots.truncate(len);
                }
                done?;
                if slots.len() > len {
                    slots[index..].rotate_right(1);
                }
                Ok(())
            }
            Some(ListChange::Move(to)) if index < len && to < len => {
                ar.item(index, &mut Nothing)?;
                let slot = slots.remove(index);
                slots.insert(to, slot);
                Ok(())
            }
            Some(ListChange::Remove) if index < len => {
                ar.item(index, &mut Nothing)?;
                slots.remove(index);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Blank values of more bytes count against the memory of a load: a few bytes of a file may make many of
/// them.
const LARGE: usize = 8 * 1024;

/// The next item: over the one that is there, or after all of them.
struct Next<'a> {
    slots: &'a mut Vec<Slot>,
    at: usize,
    plan: &'static Plan,
}

impl Body for Next<'_> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (slots, at, plan) = (&mut *self.slots, self.at, self.plan);
        if at < slots.len() {
            over(&mut slots[at], plan, ar)?;
        } else {
            let size = plan.size();
            if size > LARGE {
                ar.session_mut().hold(size)?;
            }
            slots.push(plan.blank());
            let loaded = Loaded { slot: &mut slots[at], plan }.run(ar);
            if loaded.is_err() {
                slots.truncate(at);
                return loaded;
            }
        }
        self.at += 1;
        Ok(())
    }
}

/// Loads over an old value. Nothing of it remains, unless it is changed in place.
pub(super) fn over<A: Archive>(slot: &mut Slot, plan: &'static Plan, ar: &mut A) -> Result {
    if ar.guide().is_some() {
        return Loaded { slot, plan }.run(ar);
    }
    let mut new = plan.blank();
    Loaded { slot: &mut new, plan }.run(ar)?;
    *slot = new;
    Ok(())
}
