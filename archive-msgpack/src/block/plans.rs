//! [`Plans`]: the plans of the types in a file.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use archive_core::Shape;
use archive_core::shape::Class;

use super::Plan;

thread_local! {
    /// Caches the plans of types for all files of a thread, since there are many files with few
    /// types. The key is the address of the shape or of the class.
    static KNOWN: RefCell<HashMap<usize, Option<Arc<Plan>>>> = RefCell::default();
}

/// The plans that were used last.
#[derive(Default)]
pub(crate) struct Plans {
    last: [(usize, Option<Arc<Plan>>); Self::SLOTS],
}

/// The index of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot(usize);

impl Plans {
    const BITS: u32 = 5;
    const SLOTS: usize = 1 << Self::BITS;

    /// Returns the plan of a shape, if it has one.
    #[inline]
    pub(crate) fn of(&mut self, shape: &'static Shape) -> Option<Slot> {
        match shape {
            Shape::Class(class) => self.of_class(class),
            _ => self.find(std::ptr::from_ref(shape).addr(), || Plan::new(shape)),
        }
    }

    /// Returns the plan of a class, if it has one.
    #[inline]
    pub(crate) fn of_class(&mut self, class: &'static Class) -> Option<Slot> {
        self.find(std::ptr::from_ref(class).addr(), || Plan::of_class(class))
    }

    #[inline]
    fn find(&mut self, key: usize, make: impl FnOnce() -> Option<Plan>) -> Option<Slot> {
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let first = (mixed >> (64 - Self::BITS)) as usize;
        let slot = if self.last[first].0 == key { first } else { self.find_near(first, key, make) };
        self.last[slot].1.is_some().then_some(Slot(slot))
    }

    /// Searches the next slots, for types that share their first slot.
    #[inline(never)]
    fn find_near(
        &mut self,
        first: usize,
        key: usize,
        make: impl FnOnce() -> Option<Plan>,
    ) -> usize {
        const NEAR: usize = 4;
        let near = || (first..first + NEAR).map(|slot| slot % Self::SLOTS);
        if let Some(slot) = near().find(|slot| self.last[*slot].0 == key) {
            return slot;
        }
        let slot = near().find(|slot| self.last[*slot].0 == 0).unwrap_or(first);
        self.last[slot] = (key, known(key, make));
        slot
    }

    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Option<&Plan> {
        self.last[slot.0 % Self::SLOTS].1.as_deref()
    }
}

#[inline(never)]
fn known(key: usize, make: impl FnOnce() -> Option<Plan>) -> Option<Arc<Plan>> {
    // While a thread ends, its cache no longer exists.
    let known = KNOWN.try_with(|known| known.borrow().get(&key).cloned());
    known.ok().flatten().unwrap_or_else(|| {
        let new = make().map(Arc::new);
        let _ = KNOWN.try_with(|known| known.borrow_mut().insert(key, new.clone()));
        new
    })
}

impl fmt::Debug for Plans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plans")
    }
}

#[cfg(test)]
mod tests {
    use archive_core::Serialize;

    use super::{Plan, Plans};

    /// More types than there are slots, so that they replace each other.
    #[test]
    fn types_that_share_slots_keep_their_plans() {
        let mut plans = Plans::default();
        for key in (1..=100).chain(1..=100).chain((1..=6).cycle().take(60)) {
            let has_one = key % 2 == 1;
            let make = || if has_one { Plan::new(<[f32; 2]>::SHAPE) } else { None };
            let slot = plans.find(key, make);
            assert_eq!(slot.is_some(), has_one, "{key}");
            assert_eq!(slot.and_then(|slot| plans.get(slot)).is_some(), has_one, "{key}");
        }
    }
}
