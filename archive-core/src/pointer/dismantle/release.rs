//! Drops objects one by one.

use super::census::Census;
use crate::visit::object::Kept;

/// Drops every object that nothing else holds, and then those that only that object held: each
/// object is dropped while the objects it holds are still kept, so that nothing is dropped inside
/// of it. Returns the other objects.
pub(super) fn release(census: Census) -> Vec<Kept> {
    let Census { mut kept, edges } = census;
    let mut free: Vec<u32> = Vec::new();
    let is_alone = |kept: &[Kept], id: u32| kept[id as usize - 1].count() == 1;
    free.extend((1..=kept.len() as u32).filter(|id| is_alone(&kept, *id)));
    while let Some(id) = free.pop() {
        drop(std::mem::replace(&mut kept[id as usize - 1], Kept::Nothing));
        free.extend(edges.from(id).filter(|held| is_alone(&kept, *held)));
    }
    kept
}
