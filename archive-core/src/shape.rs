//! Shapes: what a type looks like, known at compile time, or made at run time.
//!
//! Formats that write types beside their data (the class table of the binary format), tools and
//! error messages read them. A shape refers to other shapes by [`ShapeOf`], so that recursive
//! types are no trouble and nothing is computed before somebody asks.

mod points;

pub use points::may_point;

use std::fmt;
use std::sync::OnceLock;

use crate::Serialize;
use crate::block::Size;
use crate::error::{Error, Result};
pub use crate::members::Token;
use crate::options::Options;

/// Where a [`Shape`] has another one: a function that gives the shape of a type, so that recursive types are no
/// trouble; or data, for shapes that are made at run time. Those are never freed, since what formats know of a
/// shape they remember by its address.
#[derive(Clone, Copy)]
pub enum ShapeOf {
    /// The shape of a type.
    Type(fn() -> &'static Shape),
    /// One that is made at run time. It may be set after others refer to it; until then it is [`Shape::Any`].
    Data(&'static OnceLock<Shape>),
}

impl ShapeOf {
    /// The shape.
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
        // The shape may have itself as a part.
        f.write_str("ShapeOf(..)")
    }
}

/// The shape of `T`, as a constant.
pub const fn shape_of<T: Serialize + ?Sized>() -> ShapeOf {
    ShapeOf::Type(shape::<T>)
}

// A function and no closure, which would be two functions for each type.
fn shape<T: Serialize + ?Sized>() -> &'static Shape {
    T::SHAPE
}

/// The full path of a type, where a constant cannot have it.
#[derive(Clone, Copy, Debug)]
pub enum NameOf {
    /// The name of a type: [`std::any::type_name`].
    Type(fn() -> &'static str),
    /// A name.
    Data(&'static str),
}

impl NameOf {
    /// The name.
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
    /// The name Rust gives the type (`Str` is `String`, `Bytes` is `bytes`).
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

    /// How many bytes a value takes in a [block](crate::block), if it can stand in one.
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

/// What values mean, where other types look the same: a [set](std::collections::BTreeSet) looks like a
/// `Vec` and is none. Empty where a shape says it all. Names of [`Class`]es and of members are not
/// repeated in it.
///
/// It keeps packets of `binary::fingerprint` apart. No other format heeds it, so what looks the same
/// loads as one another.
pub type Meaning = &'static str;

/// What a type looks like.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A scalar.
    Primitive(Primitive, Meaning),
    /// Any number of items of one shape.
    Seq(ShapeOf, Meaning),
    /// Exactly so many items of one shape, and their [`block_size`](Shape::block_size) together.
    Array(ShapeOf, usize, Option<Size>, Meaning),
    /// Items of differing shapes, fixed in number, and their [`block_size`](Shape::block_size)
    /// together.
    Tuple(&'static [ShapeOf], Option<Size>, Meaning),
    /// Key and value pairs.
    Map(ShapeOf, ShapeOf),
    /// Nothing or a value.
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
    /// Anything, described in the data itself.
    Any,
}

impl Shape {
    /// Whether values describe themselves in the data: [`Shape::Any`].
    #[inline]
    pub const fn is_any(&self) -> bool {
        matches!(self, Shape::Any)
    }

    /// What values mean beyond what they look like.
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

    /// The shape with another meaning; a class has its own.
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

    /// How large a value is in a [block](crate::block), if it is made of nothing but truth values and
    /// numbers, and of a fixed number of them.
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
    /// The members in the order in which they are written, where that is known at compile time
    /// (derived types); `None` for a hand-written function, which may branch.
    pub members: Option<&'static [Member]>,
    /// The [`block_size`](Shape::block_size) of the members together.
    pub size: Option<Size>,
    /// What objects mean beyond their members.
    pub meaning: Meaning,
}

impl Class {
    /// [`size`](Class::size), if there can be a value of that size.
    pub const fn block_size(&self) -> Option<Size> {
        Size::believed(self.size)
    }

    /// The name to show and to store: the explicit one or the last segment of the type's path,
    /// without generic arguments' paths.
    pub fn name(&self) -> &'static str {
        if self.name.is_empty() { short_name(self.type_name.get()) } else { self.name }
    }
}

/// The last path segment of a type name, generic arguments included as they stand.
pub(crate) fn short_name(full: &'static str) -> &'static str {
    let head = full.find(['<', '(', '[']).unwrap_or(full.len());
    match full[..head].rfind("::") {
        Some(at) => &full[at + 2..],
        None => full,
    }
}

/// A type's name without spaces and paths, those of its arguments included: `Spawn<Orc>`.
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
    /// Names it had in older files.
    pub aliases: &'static [&'static str],
    /// What it looks like.
    pub shape: ShapeOf,
    /// Whether the members of this member's class stand in the place of the member itself
    /// (`flatten`).
    pub flatten: bool,
    /// The class, if the member is a base of this class (`base`).
    pub base: Option<&'static Class>,
    /// Whether a value starts without a default of its own, so that a trait object in this member is
    /// a mere placeholder until it is loaded.
    pub placeholder: bool,
    /// Whether it is left out where it has its default (`skip_if_default`).
    pub skip_if_default: bool,
    /// What an absent member means.
    pub absence: Absence,
    /// The name as text formats write it.
    pub token: Token,
}

/// What it means that a file does not have a [`Member`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The field keeps its value; under [`Options::complete`] it is an error.
    Keeps,
    /// The field has a default of its own (`default`, `skip_if_default`): never an error.
    Defaults,
    /// Always an error (`required`).
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

/// The lists of members that are open, the innermost first.
struct Open<'a>(&'static [Member], Option<&'a Open<'a>>);

/// Calls `visit` with each member and its shape, with those of flattened members in their place. A
/// flattened member is visited itself if its members are not known.
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
    // A shape by hand may say that a class is flattened into itself.
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
    /// How formats without tables write it other than as one member of the variant's name
    /// (`tag`).
    pub tag: Option<&'static Tag>,
}

/// Where the name of a variant stands as a member of an object.
#[derive(Debug)]
pub struct Tag {
    /// The member that has the name of the variant.
    pub name: &'static str,
    /// The member that has what the variant carries; without one, the members of that stand beside
    /// the tag.
    pub content: Option<&'static str>,
    /// The object, for each variant.
    pub classes: &'static [fn() -> &'static Class],
    /// The object of a variant that the enum does not know.
    pub class: Class,
}

impl Tag {
    /// The object in which the variant of that index stands.
    pub(crate) fn class_of(&'static self, index: Option<usize>) -> &'static Class {
        index.and_then(|index| self.classes.get(index)).map_or(&self.class, |class| class())
    }
}

impl Enum {
    /// The name to show and to store.
    pub fn name(&self) -> &'static str {
        if self.name.is_empty() { short_name(self.type_name.get()) } else { self.name }
    }

    /// Whether no variant carries anything.
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

    /// The variant of that index.
    ///
    /// # Errors
    /// If there is none: an enum by hand may say that it is of any.
    #[doc(hidden)]
    #[inline]
    pub fn variant(&'static self, index: usize) -> Result<&'static Variant> {
        self.variants.get(index).ok_or_else(|| self.no_variant(index))
    }

    #[cold]
    fn no_variant(&self, index: usize) -> Error {
        Error::custom(format_args!("`{}` has no variant {index}", self.name()))
    }

    /// The index of the variant of that name or alias.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.variants
            .iter()
            .position(|v| v.name == name)
            .or_else(|| self.variants.iter().position(|v| v.aliases.contains(&name)))
    }
}

impl Member {
    /// Whether nothing but a placeholder stands for a trait object, which has no default to fall back
    /// to.
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
    /// Names it had in older files.
    pub aliases: &'static [&'static str],
    /// Whether names that no variant has become it (`other`).
    pub other: bool,
    /// What it carries.
    pub payload: Payload,
}

/// What a [`Variant`] carries.
#[derive(Debug)]
pub enum Payload {
    /// Nothing: the variant is its name.
    Unit,
    /// One value, as it is.
    Newtype(ShapeOf),
    /// Several values: an array.
    Tuple(&'static [ShapeOf]),
    /// Named members: an object.
    Struct(&'static Class),
}
