//! The error for a value in a block that exceeds a limit: the same one as if it were visited piece
//! by piece.
// Why: docs/decisions/binary.md#limits-count-the-same-in-a-block-as-item-by-item

use super::counting::exceeded;
use crate::model::block_size::Asked;
use crate::model::error::Error;
use crate::model::shape::{Class, Member, Shape, each_member};
use crate::state::options::Limits;

/// Returns the error for the first part of a value that does not fit. `room` is the number of
/// levels that are still allowed, and `left` the number of elements.
pub(super) fn limit_error(value: Asked, room: usize, left: u64, limits: &Limits) -> Error {
    let mut left = left;
    // Called only for values that do not fit; this error is a fallback.
    first(value, room, &mut left, limits).unwrap_or_else(|| Error::too_nested(limits.nesting()))
}

/// Like [`limit_error`]. Parts that fit are subtracted from `left`.
fn first(value: Asked, room: usize, left: &mut u64, limits: &Limits) -> Option<Error> {
    let size = match value {
        Asked::Class(class) => class.size,
        Asked::Shape(shape) => shape.block_size(),
    }?;
    if size.levels <= room && size.elements <= *left {
        *left -= size.elements;
        return None;
    }
    let Some(room) = room.checked_sub(1) else { return Some(Error::too_nested(limits.nesting())) };
    match value {
        Asked::Class(class) => {
            in_members(class, room, left, limits).map(|error| error.in_class(class))
        }
        Asked::Shape(Shape::Class(class)) => first(Asked::Class(class), room + 1, left, limits),
        Asked::Shape(Shape::Array(item, len, _, _)) => {
            items(*len, left, limits).or_else(|| in_array(item.get(), *len, room, left, limits))
        }
        Asked::Shape(Shape::Tuple(parts, _, _)) => items(parts.len(), left, limits).or_else(|| {
            parts.iter().enumerate().find_map(|(index, part)| {
                first(Asked::Shape(part.get()), room, left, limits)
                    .map(|error| error.in_item(index))
            })
        }),
        Asked::Shape(_) => None,
    }
}

/// Returns the error for the first of `len` items that exceeds a limit.
fn items(len: usize, left: &mut u64, limits: &Limits) -> Option<Error> {
    match left.checked_sub(len as u64) {
        Some(rest) => {
            *left = rest;
            None
        }
        None => Some(exceeded(limits).in_item(*left as usize)),
    }
}

fn in_array(
    item: &'static Shape,
    len: usize,
    room: usize,
    left: &mut u64,
    limits: &Limits,
) -> Option<Error> {
    let size = item.block_size()?;
    // All items that fit are alike.
    let fitting = if size.levels > room { 0 } else { left.checked_div(size.elements)? };
    *left -= fitting * size.elements;
    let index = fitting as usize;
    let error = first(Asked::Shape(item), room, left, limits).filter(|_| index < len)?;
    Some(error.in_item(index))
}

fn in_members(class: &Class, room: usize, left: &mut u64, limits: &Limits) -> Option<Error> {
    let mut refuse = |member: &'static Member, shape: &'static Shape| match first(
        Asked::Shape(shape),
        room,
        left,
        limits,
    ) {
        Some(error) => Err(error.in_member(member.name)),
        None => Ok(()),
    };
    each_member(class.members?, &mut refuse).err()
}
