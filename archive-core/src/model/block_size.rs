//! [`BlockSize`]: the sizes of values in blocks.

use super::error::Error;
use super::shape::{Class, Member, Shape};

/// The size of a value in a [block](crate::block), which follows from its type.
///
/// The limits of [`Options`](crate::Options) count a value in a block as if it were visited piece
/// by piece. A value that exceeds a limit is saved and loaded piece by piece, which finds the part
/// that exceeds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// The number of bytes.
    pub bytes: usize,
    /// The largest number of objects, arrays and tuples that are open at the same time in the
    /// value.
    pub levels: usize,
    /// The number of items of all its arrays and tuples together.
    pub elements: u64,
}

impl BlockSize {
    /// Returns the size of a number or a truth value of `bytes` bytes.
    pub const fn number(bytes: usize) -> Self {
        BlockSize { bytes, levels: 0, elements: 0 }
    }

    /// Returns the size that a shape claims, unless no value can have that size: a hand-written
    /// shape may claim anything.
    pub(crate) const fn believed(claimed: Option<Self>) -> Option<Self> {
        const MAX_SIZE: usize = 1 << 31;
        match claimed {
            Some(BlockSize { bytes, levels, .. })
                if bytes > 0 && bytes <= MAX_SIZE && levels <= MAX_SIZE =>
            {
                claimed
            }
            _ => None,
        }
    }

    /// Returns the size with an array or tuple of `items` items around it.
    const fn inside(self, items: usize) -> Option<Self> {
        let Some(elements) = self.elements.checked_add(items as u64) else { return None };
        Some(BlockSize { levels: self.levels + 1, elements, ..self })
    }

    /// Returns the size of both values together.
    const fn and(self, next: Self) -> Option<Self> {
        let (Some(bytes), Some(elements)) =
            (self.bytes.checked_add(next.bytes), self.elements.checked_add(next.elements))
        else {
            return None;
        };
        let levels = if self.levels < next.levels { next.levels } else { self.levels };
        Some(BlockSize { bytes, levels, elements })
    }

    /// Returns the number of elements inside `count` values.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn elements_in(self, count: usize) -> u64 {
        if self.elements == 0 { 0 } else { (count as u64).saturating_mul(self.elements) }
    }

    /// Returns the size of each value in a list, which is a level around it.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn in_list(self) -> Self {
        BlockSize { levels: self.levels.saturating_add(1), ..self }
    }

    /// Returns the number of elements of a list of `count` values, including the values themselves.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn elements_of(self, count: u64) -> u64 {
        count.saturating_mul(self.elements.saturating_add(1))
    }
}

/// Returns the size of a class whose members have these shapes. Returns `None` if one of them has
/// no size, or if all of them together take no bytes.
pub const fn class_size(shapes: &[&Shape]) -> Option<BlockSize> {
    sum(shapes, &[], 0)
}

/// Like [`class_size`], for members that may be flattened.
pub const fn members_size(shapes: &[&Shape], members: &[Member]) -> Option<BlockSize> {
    sum(shapes, members, 0)
}

/// Returns the size of a tuple of items of these shapes, under the conditions of [`class_size`].
pub const fn tuple_size(shapes: &[&Shape]) -> Option<BlockSize> {
    sum(shapes, &[], shapes.len())
}

const fn sum(shapes: &[&Shape], members: &[Member], items: usize) -> Option<BlockSize> {
    let mut total = BlockSize::number(0);
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

/// Returns the size of an array of `len` values of one shape.
pub const fn array_size(item: &Shape, len: usize) -> Option<BlockSize> {
    let Some(size) = item.block_size() else { return None };
    match (size.bytes.checked_mul(len), size.elements.checked_mul(len as u64)) {
        (Some(bytes), Some(elements)) if len > 0 => {
            BlockSize { bytes, elements, ..size }.inside(len)
        }
        _ => None,
    }
}

/// Returns the size of the members of a class that is flattened into another, which removes one
/// level.
const fn flattened(class: Option<BlockSize>) -> Option<BlockSize> {
    match class {
        Some(size) => Some(BlockSize { levels: size.levels.saturating_sub(1), ..size }),
        None => None,
    }
}

/// The type of value that a block is requested for.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// An object.
    Class(&'static Class),
    /// An array or a tuple.
    Shape(&'static Shape),
}

impl Asked {
    /// Adds the class of the object to the error, if the value is an object.
    #[doc(hidden)]
    #[cold]
    pub fn in_class(self, error: Error) -> Error {
        match self {
            Asked::Class(class) => error.in_class(class),
            Asked::Shape(_) => error,
        }
    }
}
