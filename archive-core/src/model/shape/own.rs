//! The classes of objects that do not belong to a type of the program, and the names of sequences.

use super::Class;

/// The class of objects whose members are data: those of trees, and maps with names as keys.
pub static OBJECT: Class = Class::data("object");
/// The class of the object that a variant with a payload is stored as.
pub static VARIANT: Class = Class::data("variant");
/// The class of the object that wraps a value which is itself null.
pub(crate) static SOME: Class = Class::data("some");
/// The class of the object that a pointer is stored as.
pub(crate) static POINTER: Class = Class::data("pointer");

/// The name of sets in messages, which are stored as sequences.
pub(crate) const SET: &str = "a set";
/// The name of heaps in messages, which are stored as sequences.
pub(crate) const HEAP: &str = "a heap";
