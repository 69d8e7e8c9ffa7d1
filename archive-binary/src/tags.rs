//! The tags of values that describe themselves.

/// Ends a sequence or an object.
pub(crate) const END: u8 = 0;
/// Nothing.
pub(crate) const NULL: u8 = 1;
/// False.
pub(crate) const FALSE: u8 = 2;
/// True.
pub(crate) const TRUE: u8 = 3;
/// An integer from 0 on: a varint of up to 128 bits.
pub(crate) const UINT: u8 = 4;
/// A negative integer n: the varint of -1 - n.
pub(crate) const NEGATIVE: u8 = 5;
/// A float of four bytes.
pub(crate) const F32: u8 = 6;
/// A float of eight bytes.
pub(crate) const F64: u8 = 7;
/// Text: its length, then UTF-8.
pub(crate) const STR: u8 = 8;
/// Bytes: their number, then they.
pub(crate) const BYTES: u8 = 9;
/// A sequence: tagged values, then [`END`].
pub(crate) const SEQ: u8 = 10;
/// An object: for each member its name, with the length counted from 1, and a tagged value; then
/// [`END`].
pub(crate) const OBJECT: u8 = 11;
/// A tracked pointer: what stands in a place for one.
pub(crate) const POINTER: u8 = 12;
/// A weak pointer: what stands in a place for one.
pub(crate) const WEAK: u8 = 13;
/// An owned trait object: what stands in a place for one.
pub(crate) const DYN: u8 = 14;
