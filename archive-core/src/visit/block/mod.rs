//! Blocks: the bytes of values of fixed size, without anything between them.
//!
//! A value that consists only of truth values and numbers always takes the same number of bytes
//! ([`Shape::block_size`](crate::Shape::block_size)). A format that can store such values unchanged
//! provides room for a whole block of them ([`Encoder::block`](crate::Encoder::block),
//! [`Decoder::block`](crate::Decoder::block)). The functions of the types then run on the block
//! without any branches, and a loop over a vector becomes little more than a copy.
//!
//! A truth value takes one byte, 0 or 1. An integer takes as many bytes as its type, in two's
//! complement, lowest byte first. A float is IEEE 754, lowest byte first. The items of an array or
//! a tuple and the members of a class follow each other.
// Why: docs/decisions/binary.md#a-block-is-a-value-whose-size-follows-from-its-type

pub(super) mod loading;
pub mod raw;
pub(super) mod saving;

pub use crate::model::block_size::{Asked, BlockSize, array_size, class_size, tuple_size};
pub use loading::{BlockLoading, Found, LoadBlocks, load};
pub use raw::Raw;
pub use saving::{BlockSaving, SaveBlocks, reserve, save};
