//! MessagePack for `archive`: compact, with named members, and readable by many programs.
//!
//! - [`Encoder`] writes every value in its smallest form. The bytes equal those of
//!   `rmp_serde::to_vec_named` for every value that both can write.
//! - [`Decoder`] pulls values from the bytes. Members of derived types are reported in file order.
//!   Other functions request members. While they do so in the order of the file, finding a member
//!   takes one comparison of bytes; otherwise it takes one scan of the object. The decoder never
//!   builds a tree.
//!
//! Maps have keys of any type, bytes are `bin`, and floats keep every bit. Values that MessagePack
//! cannot express are written with types that it has: integers of more than 64 bits are text,
//! pointers are objects with `$id` and `$value`. Structs and struct variants are also read from
//! arrays, as `rmp_serde::to_vec` writes them.
//!
//! Reading takes time linear in the size of the input, with any order and number of keys. It
//! reserves no memory for lengths that the input declares but does not contain.

mod backend;
mod block;
mod cursor;
mod decoder;
mod detect;
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
mod pieces;
mod pointer;
mod put;
mod scalar;
mod spans;
mod walk;

pub use backend::*;
pub use decoder::Decoder;
pub use encoder::Encoder;
