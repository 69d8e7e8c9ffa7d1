//! Shapes: descriptions of types, known at compile time or created at run time.
//!
//! Shapes are used by formats that store types together with their data (such as the class table of
//! the binary format), by tools and by error messages. A shape refers to other shapes through
//! [`ShapeOf`], so recursive types are possible, and a shape is computed only when it is needed.
// Why: docs/decisions/shapes-and-descriptions.md#a-shape-is-a-constant-or-data

mod about;
mod class;
mod enums;
mod in_error;
mod own;
mod points;
mod type_names;

use std::fmt;
use std::sync::OnceLock;

pub use about::{About, Arguments, Facts, Field, Property, TypeInfo};
pub use class::{Absence, Class, Member, each_member};
pub use enums::{ClassOf, Enum, Payload, Tag, Variant};
pub(crate) use own::{HEAP, POINTER, SET, SOME};
pub use own::{OBJECT, VARIANT};
pub use points::may_point;
pub use type_names::{NameOf, plain_name};

use crate::model::block_size::BlockSize;
pub use crate::model::members::Token;

/// A reference from one [`Shape`] to another: a function that returns the shape of a type, which
/// makes recursive types possible, or data, for shapes that are created at run time. Shapes created
/// at run time are never freed, because formats cache facts about a shape by its address.
#[derive(Clone, Copy)]
pub enum ShapeOf {
    /// The shape of a type, and the type.
    Type(fn() -> &'static Shape, &'static TypeInfo),
    /// A shape created at run time. It may be set after others refer to it; until then it is
    /// [`Shape::Any`].
    Data(&'static OnceLock<Shape>),
}

/// The description of the type takes no space: a `ShapeOf` is two words with or without it.
const _: () = assert!(size_of::<ShapeOf>() == 2 * size_of::<usize>());

impl ShapeOf {
    /// Returns the shape.
    #[inline]
    pub fn get(&self) -> &'static Shape {
        match self {
            ShapeOf::Type(shape, _) => shape(),
            ShapeOf::Data(shape) => shape.get().unwrap_or(&Shape::Any),
        }
    }

    /// Refers to a shape that does not belong to a type of the program.
    pub const fn untyped(shape: fn() -> &'static Shape) -> ShapeOf {
        ShapeOf::Type(shape, TypeInfo::UNKNOWN)
    }

    /// Returns the type in memory.
    pub fn info(&self) -> &'static TypeInfo {
        match self {
            ShapeOf::Type(_, info) => info,
            ShapeOf::Data(_) => TypeInfo::UNKNOWN,
        }
    }
}

impl fmt::Debug for ShapeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The shape may contain itself.
        f.write_str("ShapeOf(..)")
    }
}

/// The scalar types that every format knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names say it
pub enum Primitive {
    Unit,
    Bool,
    U8,
    U16,
    U32,
    U64,
    U128,
    I8,
    I16,
    I32,
    I64,
    I128,
    F32,
    F64,
    Char,
    Str,
    Bytes,
}

impl Primitive {
    /// Returns the name of the type in Rust (`String` for `Str`; `bytes` for `Bytes`).
    pub const fn name(self) -> &'static str {
        match self {
            Primitive::Unit => "()",
            Primitive::Bool => "bool",
            Primitive::U8 => "u8",
            Primitive::U16 => "u16",
            Primitive::U32 => "u32",
            Primitive::U64 => "u64",
            Primitive::U128 => "u128",
            Primitive::I8 => "i8",
            Primitive::I16 => "i16",
            Primitive::I32 => "i32",
            Primitive::I64 => "i64",
            Primitive::I128 => "i128",
            Primitive::F32 => "f32",
            Primitive::F64 => "f64",
            Primitive::Char => "char",
            Primitive::Str => "String",
            Primitive::Bytes => "bytes",
        }
    }

    /// Returns the size of a value in a [block](crate::block) in bytes, or `None` if blocks cannot
    /// contain values of the type.
    pub const fn block_size(self) -> Option<usize> {
        Some(match self {
            Primitive::Bool | Primitive::U8 | Primitive::I8 => 1,
            Primitive::U16 | Primitive::I16 => 2,
            Primitive::U32 | Primitive::I32 | Primitive::F32 => 4,
            Primitive::U64 | Primitive::I64 | Primitive::F64 => 8,
            Primitive::U128 | Primitive::I128 => 16,
            Primitive::Unit | Primitive::Char | Primitive::Str | Primitive::Bytes => return None,
        })
    }
}

/// Distinguishes types whose shapes are otherwise equal: a [set](std::collections::BTreeSet) has
/// the shape of a `Vec` but is not one. Empty if the shape alone is enough. It does not repeat the
/// names of [`Class`]es and members.
///
/// It makes packets of `binary::fingerprint` of different types differ. Other formats ignore it, so
/// a value of one type loads as another type of equal shape.
pub type Meaning = &'static str;

/// The description of a type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// A scalar.
    Primitive(Primitive, Meaning),
    /// Any number of items of one shape.
    Seq(ShapeOf, Meaning),
    /// A fixed number of items of one shape, and their [`block_size`](Shape::block_size) together.
    Array(ShapeOf, usize, Option<BlockSize>, Meaning),
    /// A fixed number of items, each of its own shape, and their [`block_size`](Shape::block_size)
    /// together.
    Tuple(&'static [ShapeOf], Option<BlockSize>, Meaning),
    /// Pairs of a key and a value.
    Map(ShapeOf, ShapeOf),
    /// Null or a value.
    Option(ShapeOf),
    /// An object with named members.
    Class(&'static Class),
    /// One of several named variants.
    Enum(&'static Enum),
    /// A tracked pointer to an object of the given shape; [`Shape::Any`] for a trait object.
    Pointer(ShapeOf),
    /// A weak pointer to an object of the given shape; [`Shape::Any`] for a trait object. The
    /// object is never stored with it.
    Weak(ShapeOf),
    /// An owned trait object: a registered type id and a value.
    Dyn,
    /// A value of any type, which is self-describing in the data.
    Any,
}

impl Shape {
    /// Returns whether every value of that shape has a name when it is the key of a map. Only some
    /// values of options and of enums with payloads have names, so these do not count.
    pub(crate) const fn has_name(&self) -> bool {
        match self {
            Shape::Primitive(primitive, _) => {
                !matches!(primitive, Primitive::Unit | Primitive::Bytes)
            }
            Shape::Enum(info) => info.is_plain(),
            _ => false,
        }
    }

    /// Returns whether values are self-describing in the data: [`Shape::Any`].
    #[inline]
    pub const fn is_any(&self) -> bool {
        matches!(self, Shape::Any)
    }

    /// Returns the meaning of values beyond their shape.
    pub const fn meaning(&self) -> Meaning {
        match self {
            Shape::Primitive(_, meaning)
            | Shape::Seq(_, meaning)
            | Shape::Array(_, _, _, meaning)
            | Shape::Tuple(_, _, meaning) => meaning,
            Shape::Class(class) => class.meaning,
            _ => "",
        }
    }

    /// Returns the shape with another meaning. Does not change a class, which has a meaning of its
    /// own.
    #[must_use]
    pub const fn with_meaning(self, meaning: Meaning) -> Shape {
        match self {
            Shape::Primitive(primitive, _) => Shape::Primitive(primitive, meaning),
            Shape::Seq(item, _) => Shape::Seq(item, meaning),
            Shape::Array(item, len, size, _) => Shape::Array(item, len, size, meaning),
            Shape::Tuple(items, size, _) => Shape::Tuple(items, size, meaning),
            other => other,
        }
    }

    /// Returns the size of a value in a [block](crate::block), if the value consists only of a
    /// fixed number of truth values and numbers.
    pub const fn block_size(&self) -> Option<BlockSize> {
        match self {
            Shape::Primitive(primitive, _) => match primitive.block_size() {
                Some(bytes) => Some(BlockSize::number(bytes)),
                None => None,
            },
            Shape::Array(_, _, size, _) | Shape::Tuple(_, size, _) => BlockSize::believed(*size),
            Shape::Class(class) => class.block_size(),
            _ => None,
        }
    }
}
