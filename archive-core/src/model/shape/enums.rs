//! The description of an enum.

use std::fmt;

use super::type_names::short_name;
use super::{Class, NameOf, Shape, ShapeOf};
use crate::model::error::{Error, Result};

/// An enum.
#[derive(Debug)]
#[non_exhaustive]
pub struct Enum {
    /// [`Serialize::NAME`](crate::Serialize::NAME), or empty for the type's own name.
    pub name: &'static str,
    /// The full path of the type, for messages.
    pub type_name: NameOf,
    /// The variants in the order of their declaration.
    pub variants: &'static [Variant],
    /// The form in which formats without class tables write the enum, if that is not an object with
    /// one member named after the variant (`tag`).
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
    /// The class of the object, for each variant.
    pub classes: &'static [ClassOf],
    /// The class of the object for a variant that the enum does not know.
    pub class: Class,
}

/// The class of an object.
#[derive(Clone, Copy, Debug)]
pub enum ClassOf {
    /// The class of a type. A constant cannot refer to it, because types contain each other.
    Type(fn() -> &'static Class),
    /// A class that is made at run time.
    Data(&'static Class),
}

impl Tag {
    /// Returns the class of the object for the variant with that index.
    pub(crate) fn class_of(&'static self, index: Option<usize>) -> &'static Class {
        match index.and_then(|index| self.classes.get(index)) {
            Some(ClassOf::Type(class)) => class(),
            Some(ClassOf::Data(class)) => class,
            None => &self.class,
        }
    }
}

impl Enum {
    /// Describes an enum whose values are stored as an object with one member, named after the
    /// variant, or as the name of the variant alone.
    pub const fn new(name: &'static str, type_name: NameOf, variants: &'static [Variant]) -> Self {
        Enum { name, type_name, variants, tag: None }
    }

    /// Sets the member whose value is the name of the variant.
    #[must_use]
    pub const fn with_tag(mut self, tag: Option<&'static Tag>) -> Self {
        self.tag = tag;
        self
    }

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

    /// Returns the variant with that index.
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

    /// Returns the index of the variant with that name or alias.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.variants
            .iter()
            .position(|v| v.name == name)
            .or_else(|| self.variants.iter().position(|v| v.aliases.contains(&name)))
    }
}

/// A variant of an [`Enum`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Variant {
    /// The name in the file.
    pub name: &'static str,
    /// The names of the variant in older files.
    pub aliases: &'static [&'static str],
    /// Whether unknown variant names load as this variant (`other`).
    pub other: bool,
    /// The doc comment.
    pub doc: &'static str,
    /// The data that the variant carries.
    pub payload: Payload,
}

impl Variant {
    /// Describes a variant without aliases.
    pub const fn new(name: &'static str, payload: Payload) -> Self {
        Variant { name, aliases: &[], other: false, doc: "", payload }
    }

    /// Sets the names of the variant in older files.
    #[must_use]
    pub const fn with_aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Sets the doc comment.
    #[must_use]
    pub const fn with_doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Makes this the variant for all names that the enum does not have.
    #[must_use]
    pub const fn for_others(mut self) -> Self {
        self.other = true;
        self
    }
}

/// The variant as declared, for messages: `Attack(u32)`, `Walk { to, speed }`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        match &self.payload {
            Payload::Unit => Ok(()),
            Payload::Newtype(value) => write!(f, "({})", value_name(value)),
            Payload::Tuple(values) => {
                let names: Vec<_> = values.iter().map(value_name).collect();
                write!(f, "({})", names.join(", "))
            }
            Payload::Struct(class) => {
                let names = class.members.unwrap_or_default().iter().map(|member| member.name);
                write!(f, " {{ {} }}", names.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Returns the name of a type in a variant, or `_` if the type has no name.
fn value_name(shape: &ShapeOf) -> &'static str {
    match shape.get() {
        Shape::Primitive(primitive, _) => primitive.name(),
        Shape::Class(class) => class.name(),
        Shape::Enum(info) => info.name(),
        _ => "_",
    }
}

/// The data that a [`Variant`] carries.
#[derive(Debug)]
pub enum Payload {
    /// No data: the variant is stored as its name.
    Unit,
    /// One value, stored by itself.
    Newtype(ShapeOf),
    /// Several values, stored as an array.
    Tuple(&'static [ShapeOf]),
    /// Named members, stored as an object.
    Struct(&'static Class),
}
