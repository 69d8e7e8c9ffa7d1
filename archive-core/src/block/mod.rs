//! Blocks: values of a size that their type tells, as bytes without anything between them.
//!
//! A value made of nothing but truth values and numbers takes the same number of bytes whatever it
//! is ([`Shape::block_size`]). A format that is ready to hold such values as they are gives room for
//! a whole block of them ([`Encoder::block`](crate::Encoder::block),
//! [`Decoder::block`](crate::Decoder::block)); the functions of the types then run on the block, where
//! nothing is left to decide, and a loop over a vector becomes little more than a copy.
//!
//! Truth values take one byte, 0 or 1; integers as many as they have, in two's complement, the lowest
//! first; floats are IEEE 754 and lie the same way. An array, a tuple or the members of a class stand
//! one behind the other.

mod loading;
pub mod raw;
mod saving;

pub use loading::{Asked, BlockLoading, Found, LoadBlocks, load};
pub use raw::Raw;
pub use saving::{BlockSaving, SaveBlocks, reserve, save};

use crate::shape::Shape;

/// The size of values of these shapes together: nothing if one of them has none, or if they have
/// none of them any bytes.
pub const fn block_size(shapes: &[&Shape]) -> Option<usize> {
    let mut total: usize = 0;
    let mut i = 0;
    while i < shapes.len() {
        total = match shapes[i].block_size() {
            Some(size) => match total.checked_add(size) {
                Some(total) => total,
                None => return None,
            },
            None => return None,
        };
        i += 1;
    }
    if total == 0 { None } else { Some(total) }
}

/// The size of so many values of one shape.
pub const fn array_size(item: &Shape, len: usize) -> Option<usize> {
    match item.block_size() {
        Some(size) if len > 0 => size.checked_mul(len),
        _ => None,
    }
}
