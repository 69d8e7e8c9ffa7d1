//! JSON for `archive`: readable text, byte for byte what `serde_json` writes where both can say it.
//!
//! - [`Encoder`] writes text directly into one buffer, compact, pretty or canonical.
//! - [`Decoder`] tells derived types which member comes next in the file, so that their order costs
//!   nothing. Functions written by hand ask for members in their own order: while that is the order
//!   of the file, finding one is one comparison of bytes; otherwise the object is walked over once
//!   and its keys are looked up. No tree is ever built.
//!
//! What JSON does not know is said with what it knows: floats that are no numbers are the texts
//! `"NaN"`, `"inf"` and `"-inf"`, bytes are arrays of numbers, pointers are objects with `$id` and
//! `$value`. Integers of sixteen bytes are plain digits, and are also read from text.
//!
//! Reading is strict about the grammar (RFC 8259), also in parts that are skipped, unless the options
//! are [`relaxed`](archive_core::Options::relaxed), and linear in
//! the size of the input, whatever the order and number of keys.

mod backend;
mod cursor;
mod decimal;
mod decoder;
mod digits;
mod encoder;
mod escape;
mod keys;
mod layout;
mod lines;
mod members;
mod message;
mod number;
mod object;
mod pointer;
mod put;
mod quotes;
mod scalar;
mod source;
mod spans;
mod walk;
mod window;

pub use backend::*;
pub use decoder::Decoder;
pub use encoder::Encoder;
pub use source::Slice;
pub use window::Window;
