//! JSON for `archive`: readable text, byte for byte equal to the output of `serde_json` for every
//! value that both can write.
//!
//! - [`Encoder`] writes text directly into one buffer: compact, pretty or canonical.
//! - [`Decoder`] reports to derived types which member comes next in the file, so the order of
//!   members costs nothing. Hand-written functions request members in their own order. While that
//!   is the order of the file, finding a member takes one comparison of bytes; otherwise the
//!   decoder scans the object once and searches for members among its keys. It never builds a tree.
//!
//! Values that JSON cannot express are written with types that it has. Floats that are not finite
//! are written as the texts `"NaN"`, `"inf"` and `"-inf"`, bytes are arrays of numbers, and
//! pointers are objects with `$id` and `$value`. 128-bit integers are written as plain digits, and
//! are also read from text.
//!
//! Reading follows the grammar (RFC 8259) strictly, even in skipped values, unless the options are
//! [`relaxed`](archive_core::Options::relaxed). It takes time linear in the size of the input, with
//! any order and number of keys.

mod backend;
mod cursor;
mod decimal;
mod decoder;
mod digits;
mod encoder;
mod escape;
mod keys;
mod lines;
mod members;
mod message;
mod number;
mod object;
mod pointer;
mod put;
mod quotes;
mod scalar;
mod skip;
mod skip_simple;
mod source;
mod spans;
mod text_style;
mod window;

#[doc(inline)]
pub use archive_core::Indent;
pub use backend::*;
pub use decoder::Decoder;
pub use encoder::Encoder;
pub use source::Slice;
pub use window::Window;
