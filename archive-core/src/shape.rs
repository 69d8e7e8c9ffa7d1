//! Shapes: descriptions of types, known at compile time or created at run time.
//!
//! Shapes are used by formats that write types beside their data (such as the class table of the
//! binary format), by tools and by error messages. A shape refers to other shapes through
//! [`ShapeOf`], so recursive types are possible, and a shape is computed only when it is needed.

mod points;

pub use points::may_point;

use std::fmt;
use std::sync::OnceLock;

use crate::Serialize;
use crate::block::Size;
use crate::error::{Error, Result};
pub use crate::members::Token;
use crate::options::Options;

/// A reference from one [`Shape`] to another: a function that returns the shape of a type, which
/// makes recursive types possible, or data, for shapes that are created at run time. Shapes created
/// at run time are never freed, because formats remember what they know about a shape by its
/// address.
#[derive(Clone, Copy)]
pub enum ShapeOf {
    /// The shape of a type.
    Type(fn() -> &'static Shape),
    /// A shape created at run time. It may be set after others refer to it; until then it is
    /// [`Shape::Any`].
    Data(&'static OnceLock<Shape>),
}

impl ShapeOf {
    /// Returns the shape.
    #[inline]
    pub fn get(&self) -> &'static Shape {
        match self {
            ShapeOf::Type(shape) => shape(),
            ShapeOf::Data(shape) => shape.get().unwrap_or(&Shape::Any),
        }
    }
}

impl fmt::Debug for ShapeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The shape may contain itself.
        f.write_str("ShapeOf(..)")
    }
}

/// Returns a reference to the shape of `T`. Can be used in constants.
pub const fn shape_of<T: Serialize + ?Sized>() -> ShapeOf {
    ShapeOf::Type(shape::<T>)
}

// A function and not a closure, which would be two functions for each type.
fn shape<T: Serialize + ?Sized>() -> &'static Shape {
    T::SHAPE
}

/// The full path of a type. A constant cannot hold [`std::any::type_name`] itself.
#[derive(Clone, Copy, Debug)]
pub enum NameOf {
    /// The name of a type: [`std::any::type_name`].
    Type(fn() -> &'static str),
    /// A fixed name.
    Data(&'static str),
}

impl NameOf {
    /// Returns the name.
    pub fn get(&self) -> &'static str {
        match self {
            NameOf::Type(name) => name(),
            NameOf::Data(name) => name,
        }
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

    /// Returns the size of a value in a [block](crate::block) in bytes, if values of the type can
    /// be in one.
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
/// the shape of a `Vec` but is not one. Empty if the shape says everything. It does not repeat the
/// names of [`Class`]es and members.
///
/// It keeps packets of `binary::fingerprint` of different types apart. Other formats ignore it, so
/// types of equal shape load as one another.
pub type Meaning = &'static str;

/// The description of a type.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A scalar.
    Primitive(Primitive, Meaning),
    /// Any number of items of one shape.
    Seq(ShapeOf, Meaning),
    /// A fixed number of items of one shape, and their [`block_size`](Shape::block_size) together.
    Array(ShapeOf, usize, Option<Size>, Meaning),
    /// A fixed number of items, each of its own shape, and their [`block_size`](Shape::block_size)
    /// together.
    Tuple(&'static [ShapeOf], Option<Size>, Meaning),
    /// Pairs of a key and a value.
    Map(ShapeOf, ShapeOf),
    /// Null or a value.
    Option(ShapeOf),
    /// An object with named members.
    Class(&'static Class),
    /// One of several named variants.
    Enum(&'static Enum),
    /// A tracked pointer to a body of the given shape; [`Shape::Any`] where the body is a trait object.
    Pointer(ShapeOf),
    /// A pointer that never carries its body, which is of the given shape or [`Shape::Any`].
    Weak(ShapeOf),
    /// An owned trait object: a registered type id and a body.
    Dyn,
    /// A value of any type, which is self-describing in the data.
    Any,
}

impl Shape {
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

    /// Returns the shape with another meaning. Does not change a class, which has its own.
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

    /// Returns the size of a value in a [block](crate::block), if the value consists of a fixed
    /// number of truth values and numbers and nothing else.
    pub const fn block_size(&self) -> Option<Size> {
        match self {
            Shape::Primitive(primitive, _) => match primitive.block_size() {
                Some(bytes) => Some(Size::number(bytes)),
                None => None,
            },
            Shape::Array(_, _, size, _) | Shape::Tuple(_, size, _) => Size::believed(*size),
            Shape::Class(class) => class.block_size(),
            _ => None,
        }
    }
}

/// A struct, or anything else that serializes as named members.
#[derive(Debug)]
pub struct Class {
    /// [`Serialize::NAME`], or empty for the type's own name.
    pub name: &'static str,
    /// The full path of the type, for messages.
    pub type_name: NameOf,
    /// [`Serialize::VERSION`].
    pub version: u32,
    /// The members in the order in which they are written, if it is known at compile time (derived
    /// types); `None` for a hand-written function, which may branch.
    pub members: Option<&'static [Member]>,
    /// The [`block_size`](Shape::block_size) of the members together.
    pub size: Option<Size>,
    /// The meaning of objects beyond their members.
    pub meaning: Meaning,
}

impl Class {
    /// Returns [`size`](Class::size), if a value of that size can exist.
    pub const fn block_size(&self) -> Option<Size> {
        Size::believed(self.size)
    }

    /// Returns the name to show and to store: the explicit one, or the last segment of the type's
    /// path with its generic arguments.
    pub fn name(&self) -> &'static str {
        if self.name.is_empty() { short_name(self.type_name.get()) } else { self.name }
    }
}

/// Returns the last path segment of a type name, with its generic arguments unchanged.
pub(crate) fn short_name(full: &'static str) -> &'static str {
    let head = full.find(['<', '(', '[']).unwrap_or(full.len());
    match full[..head].rfind("::") {
        Some(at) => &full[at + 2..],
        None => full,
    }
}

/// Returns a type's name without spaces and paths, also in its arguments: `Spawn<Orc>`.
#[doc(hidden)]
pub fn plain_name(full: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in full.chars() {
        match c {
            ':' => word.clear(),
            _ if c.is_alphanumeric() || c == '_' => word.push(c),
            ' ' => {}
            _ => {
                out.push_str(&word);
                word.clear();
                out.push(c);
            }
        }
    }
    out + &word
}

/// A member of a [`Class`] or of a struct variant.
#[derive(Debug)]
pub struct Member {
    /// The name in the file.
    pub name: &'static str,
    /// The names of the member in older files.
    pub aliases: &'static [&'static str],
    /// The shape of the value.
    pub shape: ShapeOf,
    /// Whether the members of the value's class are stored in place of the member itself
    /// (`flatten`).
    pub flatten: bool,
    /// The class of the value, if the member is a base of this class (`base`).
    pub base: Option<&'static Class>,
    /// Whether the field starts without a default of its own. A trait object in it is then only a
    /// placeholder until it is loaded.
    pub placeholder: bool,
    /// Whether the member is left out if it has its default value (`skip_if_default`).
    pub skip_if_default: bool,
    /// What an absent member means.
    pub absence: Absence,
    /// The name in the form in which text formats write it.
    pub token: Token,
}

/// The effect of a [`Member`] that the file does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The field keeps its value; with [`Options::complete`] it is an error.
    Keeps,
    /// The field has a default of its own (`default`, `skip_if_default`), so it is never an error.
    Defaults,
    /// It is always an error (`required`).
    Refused,
}

impl Absence {
    pub(crate) fn is_refused(self, options: &Options<'_>) -> bool {
        match self {
            Absence::Keeps => options.complete,
            Absence::Defaults => false,
            Absence::Refused => true,
        }
    }
}

/// The lists of members being visited, the innermost first.
struct Open<'a>(&'static [Member], Option<&'a Open<'a>>);

/// Calls `visit` with each member and its shape. The members of a flattened member are visited in
/// its place; if they are not known, the flattened member itself is.
///
/// # Errors
/// Those of `visit`.
#[doc(hidden)]
pub fn each_member<E>(
    members: &'static [Member],
    visit: &mut dyn FnMut(&'static Member, &'static Shape) -> Result<(), E>,
) -> Result<(), E> {
    within(members, None, visit)
}

fn within<E>(
    members: &'static [Member],
    outer: Option<&Open<'_>>,
    visit: &mut dyn FnMut(&'static Member, &'static Shape) -> Result<(), E>,
) -> Result<(), E> {
    // A shape written by hand may flatten a class into itself.
    let is_open = |inner: &'static [Member]| {
        let lists = std::iter::successors(outer, |open| open.1).map(|open| open.0);
        lists.chain([members]).any(|open| std::ptr::eq(open, inner))
    };
    for member in members {
        match member.shape.get() {
            Shape::Class(Class { members: Some(inner), .. })
                if member.flatten && !is_open(inner) =>
            {
                within(inner, Some(&Open(members, outer)), visit)?;
            }
            shape => visit(member, shape)?,
        }
    }
    Ok(())
}

/// An enum.
#[derive(Debug)]
pub struct Enum {
    /// [`Serialize::NAME`], or empty for the type's own name.
    pub name: &'static str,
    /// The full path of the type, for messages.
    pub type_name: NameOf,
    /// The variants in the order of their declaration.
    pub variants: &'static [Variant],
    /// The form in which formats without class tables write it, if it is not an object with one
    /// member named after the variant (`tag`).
    pub tag: Option<&'static Tag>,
}

/// The form of an enum whose variant name is the value of a member (`tag`).
#[derive(Debug)]
pub struct Tag {
    /// The member whose value is the name of the variant.
    pub name: &'static str,
    /// The member whose value is the payload of the variant. Without one, the payload's members are
    /// stored in the same object as the tag.
    pub content: Option<&'static str>,
    /// Returns the class of the object, for each variant.
    pub classes: &'static [fn() -> &'static Class],
    /// The class of the object for a variant that the enum does not know.
    pub class: Class,
}

impl Tag {
    /// Returns the class of the object for the variant of that index.
    pub(crate) fn class_of(&'static self, index: Option<usize>) -> &'static Class {
        index.and_then(|index| self.classes.get(index)).map_or(&self.class, |class| class())
    }
}

impl Enum {
    /// Returns the name to show and to store.
    pub fn name(&self) -> &'static str {
        if self.name.is_empty() { short_name(self.type_name.get()) } else { self.name }
    }

    /// Returns whether all variants are unit variants.
    pub(crate) const fn is_plain(&self) -> bool {
        let mut index = 0;
        while index < self.variants.len() {
            if !matches!(self.variants[index].payload, Payload::Unit) {
                return false;
            }
            index += 1;
        }
        true
    }

    /// Returns the variant of that index.
    ///
    /// # Errors
    /// Returns an error if there is none: a hand-written impl may return any index.
    #[doc(hidden)]
    #[inline]
    pub fn variant(&'static self, index: usize) -> Result<&'static Variant> {
        self.variants.get(index).ok_or_else(|| self.no_variant(index))
    }

    #[cold]
    fn no_variant(&self, index: usize) -> Error {
        Error::custom(format_args!("`{}` has no variant {index}", self.name()))
    }

    /// Returns the index of the variant of that name or alias.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.variants
            .iter()
            .position(|v| v.name == name)
            .or_else(|| self.variants.iter().position(|v| v.aliases.contains(&name)))
    }
}

impl Member {
    /// Returns whether the field holds a trait object that is only a placeholder, with no default
    /// to fall back to.
    pub(crate) fn is_placeholder(&self) -> bool {
        self.placeholder
            && match self.shape.get() {
                Shape::Dyn => true,
                Shape::Pointer(body) => body.get().is_any(),
                _ => false,
            }
    }
}

/// A variant of an [`Enum`].
#[derive(Debug)]
pub struct Variant {
    /// The name in the file.
    pub name: &'static str,
    /// The names of the variant in older files.
    pub aliases: &'static [&'static str],
    /// Whether unknown variant names load as this variant (`other`).
    pub other: bool,
    /// The data that the variant carries.
    pub payload: Payload,
}

/// The data that a [`Variant`] carries.
#[derive(Debug)]
pub enum Payload {
    /// No data: the variant is stored as its name.
    Unit,
    /// One value, stored as it is.
    Newtype(ShapeOf),
    /// Several values, stored as an array.
    Tuple(&'static [ShapeOf]),
    /// Named members, stored as an object.
    Struct(&'static Class),
}
