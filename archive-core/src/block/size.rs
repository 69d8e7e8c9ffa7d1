//! [`Size`]: how large values in blocks are.

use super::Asked;
use crate::error::Error;
use crate::shape::{Class, Member, Shape, each_member};

/// What a value in a [block](crate::block) comes to, which follows from its type.
///
/// The limits of [`Options`](crate::Options) count a value in a block as they count one that is visited
/// piece by piece: what has no room in a block is loaded and saved piece by piece, and it shows where the
/// limit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many bytes it takes.
    pub bytes: usize,
    /// How many objects, arrays and tuples are open in it at a time, at most.
    pub levels: usize,
    /// How many items all its arrays and tuples have together.
    pub elements: u64,
}

impl Size {
    /// The size of a number, or of a truth value.
    pub const fn number(bytes: usize) -> Self {
        Size { bytes, levels: 0, elements: 0 }
    }

    /// The size that a shape claims, unless nothing is of that size: whoever writes a shape by hand may
    /// claim anything.
    pub(crate) const fn believed(claimed: Option<Self>) -> Option<Self> {
        const MOST: usize = 1 << 31;
        match claimed {
            Some(Size { bytes, levels, .. }) if bytes > 0 && bytes <= MOST && levels <= MOST => {
                claimed
            }
            _ => None,
        }
    }

    /// The size with something around it that is open as well, and has so many items itself.
    const fn inside(self, items: usize) -> Option<Self> {
        let Some(elements) = self.elements.checked_add(items as u64) else { return None };
        Some(Size { levels: self.levels + 1, elements, ..self })
    }

    /// The size of both, one behind the other.
    const fn and(self, next: Self) -> Option<Self> {
        let (Some(bytes), Some(elements)) =
            (self.bytes.checked_add(next.bytes), self.elements.checked_add(next.elements))
        else {
            return None;
        };
        let levels = if self.levels < next.levels { next.levels } else { self.levels };
        Some(Size { bytes, levels, elements })
    }

    /// The elements of a list of so many values, the values included.
    pub(crate) const fn elements_of(self, count: u64) -> u64 {
        count.saturating_mul(self.elements.saturating_add(1))
    }
}

/// The size of a class whose members have these shapes: nothing if one of them has none, or if they
/// have none of them any bytes.
pub const fn class_size(shapes: &[&Shape]) -> Option<Size> {
    sum(shapes, &[], 0)
}

/// As [`class_size`], of members of which some are flattened.
pub(crate) const fn members_size(shapes: &[&Shape], members: &[Member]) -> Option<Size> {
    sum(shapes, members, 0)
}

/// The size of a tuple of items of these shapes, as [`class_size`].
pub const fn tuple_size(shapes: &[&Shape]) -> Option<Size> {
    sum(shapes, &[], shapes.len())
}

const fn sum(shapes: &[&Shape], members: &[Member], items: usize) -> Option<Size> {
    let mut total = Size::number(0);
    let mut i = 0;
    while i < shapes.len() {
        let size = if i < members.len() && members[i].flatten {
            flattened(shapes[i].block_size())
        } else {
            shapes[i].block_size()
        };
        total = match size {
            Some(size) => match total.and(size) {
                Some(total) => total,
                None => return None,
            },
            None => return None,
        };
        i += 1;
    }
    if total.bytes == 0 { None } else { total.inside(items) }
}

/// The size of an array of so many values of one shape.
pub const fn array_size(item: &Shape, len: usize) -> Option<Size> {
    let Some(size) = item.block_size() else { return None };
    match (size.bytes.checked_mul(len), size.elements.checked_mul(len as u64)) {
        (Some(bytes), Some(elements)) if len > 0 => Size { bytes, elements, ..size }.inside(len),
        _ => None,
    }
}

/// The size of the members of a class that are flattened into another, where the class is not open.
const fn flattened(class: Option<Size>) -> Option<Size> {
    match class {
        Some(size) => Some(Size { levels: size.levels.saturating_sub(1), ..size }),
        None => None,
    }
}

/// The error for the first value in this one for which there is no room, if there is room for so many
/// levels.
pub(crate) fn too_deep(value: Asked, room: usize, limit: usize) -> Error {
    let error = Error::too_deep(limit);
    let Some(room) = room.checked_sub(1) else { return error };
    match value {
        Asked::Class(class) => member_too_deep(class, room, limit).unwrap_or(error).in_class(class),
        Asked::Shape(Shape::Class(class)) => too_deep(Asked::Class(class), room + 1, limit),
        Asked::Shape(Shape::Array(item, ..)) => {
            too_deep(Asked::Shape(item()), room, limit).in_item(0)
        }
        Asked::Shape(Shape::Tuple(items, _)) => {
            let deep = |item: &fn() -> &'static Shape| levels(item().block_size()) > room;
            match items.iter().position(deep) {
                Some(index) => too_deep(Asked::Shape(items[index]()), room, limit).in_item(index),
                None => error,
            }
        }
        Asked::Shape(_) => error,
    }
}

fn member_too_deep(class: &Class, room: usize, limit: usize) -> Option<Error> {
    each_member(class.members?, &mut |member, shape| match levels(shape.block_size()) > room {
        true => Err(too_deep(Asked::Shape(shape), room, limit).in_member(member.name)),
        false => Ok(()),
    })
    .err()
}

fn levels(size: Option<Size>) -> usize {
    size.map_or(0, |size| size.levels)
}
