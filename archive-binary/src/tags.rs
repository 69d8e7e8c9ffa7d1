//! The tags of self-describing values. Each is stored before its value.

/// Ends a sequence or an object.
pub(crate) const END: u8 = 0;
/// A null.
pub(crate) const NULL: u8 = 1;
/// False.
pub(crate) const FALSE: u8 = 2;
/// True.
pub(crate) const TRUE: u8 = 3;
/// A non-negative integer: a varint of up to 128 bits.
pub(crate) const UINT: u8 = 4;
/// A negative integer n: the varint of -1 - n.
pub(crate) const NEGATIVE: u8 = 5;
/// A float of four bytes.
pub(crate) const F32: u8 = 6;
/// A float of eight bytes.
pub(crate) const F64: u8 = 7;
/// Text: its length, then UTF-8.
pub(crate) const STR: u8 = 8;
/// Bytes: their number, then the bytes.
pub(crate) const BYTES: u8 = 9;
/// A sequence: tagged values, then [`END`].
pub(crate) const SEQ: u8 = 10;
/// An object: for each member its name, stored with its length plus one, and a tagged value; then
/// [`END`].
pub(crate) const OBJECT: u8 = 11;
/// A tracked pointer: the same bytes as for a value of that type.
pub(crate) const POINTER: u8 = 12;
/// A weak pointer: the same bytes as for a value of that type.
pub(crate) const WEAK: u8 = 13;
/// An owned trait object: the same bytes as for a value of that type.
pub(crate) const DYN: u8 = 14;
