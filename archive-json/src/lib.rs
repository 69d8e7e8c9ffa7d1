//! JSON for `archive`: readable text, byte for byte equal to the output of `serde_json` for every
//! value that both can write.
//!
//! - [`Encoder`] writes text directly into one buffer: compact, pretty or canonical.
//! - [`Decoder`] reports to derived types which member comes next in the file, so the order of
//!   members costs nothing. Functions written by hand request members in their own order. While
//!   that is the order of the file, finding a member takes one comparison of bytes; otherwise the
//!   decoder walks over the object once and looks members up among its keys. It never builds a
//!   tree.
//!
//! Values that JSON cannot express are written with the types that it has. Floats that are not
//! finite are the texts `"NaN"`, `"inf"` and `"-inf"`, bytes are arrays of numbers, and pointers
//! are objects with `$id` and `$value`. 128-bit integers are written as plain digits, and are also
//! read from text.
//!
//! Reading follows the grammar (RFC 8259) strictly, also in parts that are skipped, unless the
//! options are [`relaxed`](archive_core::Options::relaxed). It takes time linear in the size of the
//! input, with any order and number of keys.

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
mod skip;
mod skip_simple;
mod source;
mod spans;
mod window;

#[doc(inline)]
pub use archive_core::Indent;
pub use backend::*;
pub use decoder::Decoder;
pub use encoder::Encoder;
pub use source::Slice;
pub use window::Window;
