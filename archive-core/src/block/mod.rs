//! Blocks: values of a size that their type tells, as bytes without anything between them.
//!
//! A value made of nothing but truth values and numbers takes the same number of bytes whatever it
//! is ([`Shape::block_size`](crate::Shape::block_size)). A format that is ready to hold such values as
//! they are gives room for a whole block of them ([`Encoder::block`](crate::Encoder::block),
//! [`Decoder::block`](crate::Decoder::block)); the functions of the types then run on the block, where
//! nothing is left to decide, and a loop over a vector becomes little more than a copy.
//!
//! Truth values take one byte, 0 or 1; integers as many as they have, in two's complement, the lowest
//! first; floats are IEEE 754 and lie the same way. An array, a tuple or the members of a class stand
//! one after the other.

mod loading;
pub mod raw;
mod saving;
mod size;

pub use loading::{Asked, BlockLoading, Found, LoadBlocks, LoadIn, load};
pub use raw::Raw;
pub use saving::{BlockSaving, SaveBlocks, SaveIn, reserve, save};
pub use size::{Size, array_size, class_size, tuple_size};

use crate::archive::Body;

/// Bodies in blocks. The functions are constants, which there are for bodies of a [size](Body::BLOCK) alone: the compiler
/// goes through all that a function calls, even where it is known that it is never called itself.
pub trait InBlock: Body + Sized {
    /// The size, and what saves the body.
    const SAVE: Option<(Size, SaveIn<Self>)> = match Self::BLOCK {
        Some(size) => Some((size, saving::save_in::<Self>)),
        None => None,
    };
    /// The size, and what loads the body.
    const LOAD: Option<(Size, LoadIn<Self>)> = match Self::BLOCK {
        Some(size) => Some((size, loading::load_in::<Self>)),
        None => None,
    };
}

impl<B: Body> InBlock for B {}
pub(crate) use size::{members_size, misfit};
