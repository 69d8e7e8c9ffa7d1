//! Properties of types that follow from their shapes.

use archive_core::shape::each_member;
use archive_core::{Class, Member, Primitive, Shape};

/// Returns all members of a class, with those of flattened ones in their place; `None` if they are
/// not known.
pub(crate) fn flat(members: &'static [Member]) -> Option<Vec<&'static Member>> {
    let mut all = Vec::with_capacity(members.len());
    let known = each_member(members, &mut |member, _| match member.flatten {
        true => Err(()),
        false => {
            all.push(member);
            Ok(())
        }
    });
    known.ok().map(|()| all)
}

/// Returns whether a value of that shape takes no bytes in formats that do not describe themselves.
pub(crate) fn takes_nothing(shape: &'static Shape) -> bool {
    // A hand-written shape may contain itself; no real type does.
    within(shape, 128)
}

fn within(shape: &'static Shape, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    match shape {
        Shape::Primitive(Primitive::Unit, _) => true,
        Shape::Array(item, len, _, _) => *len == 0 || within(item.get(), levels),
        Shape::Tuple(items, _, _) => items.iter().all(|item| within(item.get(), levels)),
        Shape::Class(Class { members: Some(members), version: 0, .. }) => {
            members.iter().all(|member| within(member.shape.get(), levels))
        }
        _ => false,
    }
}
