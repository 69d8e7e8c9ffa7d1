//! The description of an object.

use super::type_names::short_name;
use super::{Field, Meaning, NameOf, Shape, ShapeOf};
use crate::model::block_size::BlockSize;
use crate::model::members::Token;

/// A struct, or anything else that serializes as named members.
#[derive(Debug)]
#[non_exhaustive]
pub struct Class {
    /// [`Serialize::NAME`](crate::Serialize::NAME), or empty for the type's own name.
    pub name: &'static str,
    /// The full path of the type, for messages.
    pub type_name: NameOf,
    /// [`Serialize::VERSION`](crate::Serialize::VERSION).
    pub version: u32,
    /// The members in the order in which they are written, if it is known at compile time (derived
    /// types); `None` for a hand-written function, which can branch.
    pub members: Option<&'static [Member]>,
    /// The [`block_size`](Shape::block_size) of the members together.
    pub size: Option<BlockSize>,
    /// The meaning of objects beyond their members.
    pub meaning: Meaning,
}

impl Class {
    /// Describes objects of a type whose members are not known at compile time.
    pub const fn new(name: &'static str, type_name: NameOf, version: u32) -> Self {
        Class { name, type_name, version, members: None, size: None, meaning: "" }
    }

    /// Describes objects that do not belong to a type of the program, under a name for people.
    ///
    /// ```
    /// use archive::shape::Class;
    ///
    /// static ROOM: Class = Class::data("Room");
    /// assert_eq!((ROOM.name(), ROOM.version), ("Room", 0));
    /// ```
    pub const fn data(name: &'static str) -> Self {
        Class::new(name, NameOf::Data(name), 0)
    }

    /// Sets the members and their size.
    #[must_use]
    pub const fn with_members(
        mut self,
        members: Option<&'static [Member]>,
        size: Option<BlockSize>,
    ) -> Self {
        (self.members, self.size) = (members, size);
        self
    }

    /// Sets the meaning.
    #[must_use]
    pub const fn with_meaning(mut self, meaning: Meaning) -> Self {
        self.meaning = meaning;
        self
    }

    /// Returns [`size`](Class::size), if a value of that size can exist.
    pub const fn block_size(&self) -> Option<BlockSize> {
        BlockSize::believed(self.size)
    }

    /// Returns the name to show and to store: the explicit one, or else the last segment of the
    /// type's path with its generic arguments.
    pub fn name(&self) -> &'static str {
        if self.name.is_empty() { short_name(self.type_name.get()) } else { self.name }
    }
}

/// A member of a [`Class`] or of a struct variant.
#[derive(Debug)]
#[non_exhaustive]
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
    /// Whether the field starts without a default of its own. If it is a trait object, it is then
    /// only a placeholder until it is loaded.
    pub placeholder: bool,
    /// Whether the member is left out if it has its default value (`skip_if_default`).
    pub skip_if_default: bool,
    /// The effect if the file does not have the member.
    pub absence: Absence,
    /// The name as text formats write it.
    pub token: Token,
    /// The field in memory, and its description for people.
    pub field: Field,
}

/// The effect of a [`Member`] that the file does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The field keeps its value; with [`Options::complete`](crate::Options::complete) it is an error.
    Keeps,
    /// The field has a default of its own (`default`, `skip_if_default`), so it is never an error.
    Defaults,
    /// It is always an error (`required`).
    Refused,
}

/// Calls `visit` with each member and its shape. The members of a flattened member are visited in
/// its place. If they are not known, the flattened member itself is visited.
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
    // A hand-written shape may flatten a class into itself.
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

impl Member {
    /// Describes a member without aliases and attributes. An object may lack it.
    pub const fn new(name: &'static str, shape: ShapeOf) -> Self {
        Member {
            name,
            aliases: &[],
            shape,
            flatten: false,
            base: None,
            placeholder: false,
            skip_if_default: false,
            absence: Absence::Keeps,
            token: Token::new(name),
            field: Field::UNKNOWN,
        }
    }

    /// Sets the names of the member in older files.
    #[must_use]
    pub const fn with_aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Stores the members of the value in place of the member.
    #[must_use]
    pub const fn flattened(mut self) -> Self {
        self.flatten = true;
        self
    }

    /// Makes the member a base of its class; `base` is the class of the value.
    #[must_use]
    pub const fn with_base(mut self, base: Option<&'static Class>) -> Self {
        self.base = base;
        self
    }

    /// Leaves the member out if it has its default value.
    #[must_use]
    pub const fn skipped_if_default(mut self) -> Self {
        self.skip_if_default = true;
        self
    }

    /// Sets whether the field starts without a default of its own.
    #[must_use]
    pub const fn with_placeholder(mut self, placeholder: bool) -> Self {
        self.placeholder = placeholder;
        self
    }

    /// Sets the effect if the file does not have the member.
    #[must_use]
    pub const fn with_absence(mut self, absence: Absence) -> Self {
        self.absence = absence;
        self
    }

    /// Sets the field in memory.
    #[must_use]
    pub const fn with_field(mut self, field: Field) -> Self {
        self.field = field;
        self
    }

    /// Returns whether the field holds a trait object that is only a placeholder, without a
    /// default.
    pub(crate) fn is_placeholder(&self) -> bool {
        self.placeholder
            && match self.shape.get() {
                Shape::Dyn => true,
                Shape::Pointer(pointee) => pointee.get().is_any(),
                _ => false,
            }
    }
}

/// The lists of members being visited, the innermost first.
struct Open<'a>(&'static [Member], Option<&'a Open<'a>>);
