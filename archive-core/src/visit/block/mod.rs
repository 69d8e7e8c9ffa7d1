//! Blocks: the bytes of values of fixed size, without anything between them.
//!
//! A value that consists of truth values and numbers only always takes the same number of bytes
//! ([`Shape::block_size`](crate::Shape::block_size)). A format that can store such values as they
//! are provides room for a whole block of them ([`Encoder::block`](crate::Encoder::block),
//! [`Decoder::block`](crate::Decoder::block)). The functions of the types then run on the block,
//! where there is nothing left to decide, and a loop over a vector becomes little more than a copy.
//!
//! A truth value takes one byte, 0 or 1. An integer takes as many bytes as its type, in two's
//! complement, lowest byte first. A float is IEEE 754, lowest byte first. The items of an array or
//! a tuple and the members of a class follow each other.

mod loading;
pub mod raw;
mod saving;

pub use crate::model::size::{Asked, Size, array_size, class_size, tuple_size};
pub use loading::{BlockLoading, Found, LoadBlocks, LoadIn, load};
pub use raw::Raw;
pub use saving::{BlockSaving, SaveBlocks, SaveIn, reserve, save};

use crate::visit::body::Body;

/// Functions that save and load bodies in blocks. They are constants that exist only for bodies
/// with a [size](Body::BLOCK): the compiler instantiates every function that is called, even if the
/// call is known never to be reached.
pub trait InBlock: Body + Sized {
    /// The size, and the function that saves the body.
    const SAVE: Option<(Size, SaveIn<Self>)> = match Self::BLOCK {
        Some(size) => Some((size, saving::save_in::<Self>)),
        None => None,
    };
    /// The size, and the function that loads the body.
    const LOAD: Option<(Size, LoadIn<Self>)> = match Self::BLOCK {
        Some(size) => Some((size, loading::load_in::<Self>)),
        None => None,
    };
}

impl<B: Body> InBlock for B {}
