//! MessagePack for `archive`: compact, with named members, and read by everybody.
//!
//! - [`Encoder`] writes every value in the smallest form that the format has for it: what
//!   `rmp_serde::to_vec_named` writes, where both can say it.
//! - [`Decoder`] pulls values from the bytes. Members of derived types are told in the order of the
//!   file; others are asked for, which is one comparison of bytes while that is the order of the file,
//!   and otherwise takes one walk over the object. No tree is ever built.
//!
//! Maps are maps with keys of any type, bytes are `bin`, floats keep every bit. What MessagePack does
//! not know is said with what it knows: integers of more than 64 bits are text, pointers are objects
//! with `$id` and `$value`. Structs and struct variants are also read from arrays, as
//! `rmp_serde::to_vec` writes them.
//!
//! Reading takes time in proportion to the input, whatever the order and number of keys, and
//! reserves no memory for what the input only announces.

mod backend;
mod block;
mod cursor;
mod decoder;
mod encoder;
mod ext;
mod fields;
mod frame;
mod header;
mod keys;
mod map;
mod members;
mod message;
mod number;
mod object;
mod pointer;
mod put;
mod scalar;
mod spans;
mod walk;

pub use backend::*;
pub use decoder::Decoder;
pub use encoder::Encoder;
