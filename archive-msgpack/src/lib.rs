//! MessagePack for `archive`: compact, with named members, and read by everybody.
//!
//! - [`Encoder`] writes every value in the smallest form that the format has for it: what
//!   `rmp_serde::to_vec_named` writes, where both can say it.
//! - [`Decoder`] pulls values from the bytes in the order in which the types ask for them. While
//!   that is the order of the file, finding a member is one comparison of bytes; otherwise the
//!   object is walked over once and its keys are looked up. No tree is ever built.
//!
//! Maps are maps with keys of any type, bytes are `bin`, floats keep every bit. What MessagePack does
//! not know is said with what it knows: integers of more than 64 bits are text, pointers are objects
//! with `$id` and `$value`. Structs and struct variants are also read from arrays, as
//! `rmp_serde::to_vec` writes them.
//!
//! Reading takes time in proportion to the input, whatever the order and number of keys, and
//! reserves no memory for what the input only announces.

mod backend;
mod cursor;
mod decoder;
mod encoder;
mod ext;
mod fields;
mod frame;
mod header;
mod keys;
mod map;
mod message;
mod number;
mod object;
mod pointer;
mod scalar;
mod spans;
mod walk;

pub use backend::*;
pub use decoder::Decoder;
pub use encoder::Encoder;
