//! Drops objects one by one.
// Why: docs/decisions/pointers.md#the-session-drops-objects-one-by-one

use super::census::Census;
use crate::visit::object::Retained;

/// Drops every object that nothing else holds, and then the objects that only that object held.
/// Each object is dropped while the objects that it holds are still retained, so that no drop runs
/// inside another one. Returns the remaining objects.
pub(super) fn release(census: Census) -> Vec<Retained> {
    let Census { mut retained, edges } = census;
    let mut free: Vec<u32> = Vec::new();
    let is_alone = |retained: &[Retained], id: u32| retained[id as usize - 1].count() == 1;
    free.extend((1..=retained.len() as u32).filter(|id| is_alone(&retained, *id)));
    while let Some(id) = free.pop() {
        drop(std::mem::replace(&mut retained[id as usize - 1], Retained::Nothing));
        free.extend(edges.from(id).filter(|held| is_alone(&retained, *held)));
    }
    retained
}
