//! Loads enums.

use archive_core::{Archive, Body, Options, Result, Variants};

use super::{Loaded, LoadedMembers, LoadedTuple};
use crate::plan::{Carries, EnumPlan};
use crate::slot::{Slot, wrong};

/// A variant of an enum, which may have a tag.
pub(super) struct LoadedVariant<'a, const TAG: bool> {
    pub(super) index: &'a mut u32,
    pub(super) payload: &'a mut Option<Box<Slot>>,
    pub(super) of: &'static EnumPlan,
}

impl<const TAG: bool> Variants for LoadedVariant<'_, TAG> {
    const TAGGED: bool = TAG;

    fn current(&self) -> usize {
        *self.index as usize
    }
    fn select(&mut self, index: usize, _: &Options<'_>) -> Result {
        self.of.info.variant(index)?;
        let Slot::Variant(index, payload) = self.of.blank(index) else { return Err(wrong()) };
        (*self.index, *self.payload) = (index, payload);
        Ok(())
    }
    fn select_other(&mut self, name: &str, options: &Options<'_>) -> bool {
        let Some((other, keeps)) = self.of.other() else { return false };
        if self.select(other, options).is_err() {
            return false;
        }
        if keeps {
            *self.payload = Some(Box::new(Slot::Str(name.to_owned())));
        }
        true
    }
    fn other_name(&self) -> Option<&str> {
        match (self.payload.as_deref(), self.of.other()) {
            (Some(Slot::Str(name)), Some((other, true))) if other == self.current() => Some(name),
            _ => None,
        }
    }
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        match (self.of.carries(self.current())?, self.payload.as_deref_mut()) {
            (Carries::Nothing, _) => Ok(()),
            (Carries::One(plan), Some(slot)) => Loaded { slot, plan: plan.get() }.run(ar),
            (Carries::Several(items, shape), Some(Slot::Items(slots))) => {
                ar.seq(shape, slots.len(), &mut LoadedTuple(slots, items))
            }
            (Carries::Members(of), Some(Slot::Items(slots))) => {
                ar.object(of.class, &mut LoadedMembers(slots, of.members))
            }
            _ => Err(wrong()),
        }
    }
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        match (self.of.joined(self.current())?, self.payload.as_deref_mut()) {
            (Some(members), Some(Slot::Items(slots))) => LoadedMembers(slots, members).run(ar),
            _ => Ok(()),
        }
    }
}
