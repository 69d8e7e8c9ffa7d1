//! The classes of objects that are of no type of the program.

use super::{Class, NameOf};

/// The class of objects whose members are data: those of trees, and maps with names as keys.
pub static OBJECT: Class = class("object");
/// The class of the object that a variant with a payload is stored as.
pub static VARIANT: Class = class("variant");
/// The class of the object that wraps a value which is itself null.
pub(crate) static SOME: Class = class("some");
/// The class of the object that a pointer is stored as.
pub(crate) static POINTER: Class = class("pointer");

const fn class(name: &'static str) -> Class {
    Class {
        name,
        type_name: NameOf::Data(name),
        version: 0,
        members: None,
        size: None,
        meaning: "",
    }
}
