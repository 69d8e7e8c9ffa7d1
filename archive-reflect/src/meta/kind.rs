//! [`Kind`]: how tools see a type.

use std::fmt;

use archive_core::shape::Shape;

/// The kind of a type, determined by how its values are stored: a `Box<Unit>` is an object, and so
/// is a `RefCell<Unit>`; a `struct Meters(f32)` is plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A number, a truth value, a character, text, bytes, or nothing.
    Plain,
    /// Named members.
    Object,
    /// Items: of one type, or those of a tuple.
    Sequence,
    /// Keys and values.
    Map,
    /// One of several variants.
    Enum,
    /// A shared or weak pointer, or a pointer to a trait object.
    Pointer,
    /// A value or null.
    Option,
    /// Anything: `archive::Value`, and types that are not described.
    Any,
}

impl Kind {
    pub(crate) fn of(shape: &Shape) -> Kind {
        match shape {
            Shape::Primitive(..) => Kind::Plain,
            Shape::Class(_) => Kind::Object,
            Shape::Seq(..) | Shape::Array(..) | Shape::Tuple(..) => Kind::Sequence,
            Shape::Map(..) => Kind::Map,
            Shape::Enum(_) => Kind::Enum,
            Shape::Pointer(_) | Shape::Weak(_) | Shape::Dyn => Kind::Pointer,
            Shape::Option(_) => Kind::Option,
            // Also `Shape::Any`.
            _ => Kind::Any,
        }
    }
}

/// The name in small letters: `object`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Plain => "plain",
            Kind::Object => "object",
            Kind::Sequence => "sequence",
            Kind::Map => "map",
            Kind::Enum => "enum",
            Kind::Pointer => "pointer",
            Kind::Option => "option",
            Kind::Any => "any",
        })
    }
}
