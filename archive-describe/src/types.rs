//! [`Types`]: the types that a description consists of, either those of the program or those of a
//! file.
// Why: docs/decisions/shapes-and-descriptions.md#a-description-covers-any-set-of-types

use std::borrow::Cow;
use std::hash::Hash;

/// Types that refer to each other.
pub trait Types {
    /// Represents a type.
    type Type: Copy;
    /// Identifies a class or an enum.
    type Key: Eq + Hash;

    /// Returns the kind of a type, without the content of classes and enums.
    fn form(&self, ty: Self::Type) -> Form<Self::Type>;
    /// Returns the key of a class or an enum.
    fn key(&self, ty: Self::Type) -> Self::Key;
    /// Returns the name of a class or an enum.
    fn name(&self, ty: Self::Type) -> String;
    /// Returns the content of a class or an enum.
    fn content(&self, ty: Self::Type) -> Content<'_, Self::Type>;

    /// Returns whether the limit for the number of requests is exceeded, so that the text must be
    /// abandoned.
    fn exhausted(&self) -> bool {
        false
    }
}

/// The kind of a type.
pub enum Form<T> {
    /// A type without components.
    Simple(&'static str),
    /// A type with type arguments: `Vec<T>`.
    Generic(&'static str, Vec<T>),
    /// A fixed number of values of one type.
    Array(T, u64),
    /// One value of each type.
    Tuple(Vec<T>),
    /// A class or an enum.
    Named,
}

/// The content of a class or an enum.
pub enum Content<'t, T> {
    /// The version and the members of a class.
    Class(u32, Members<'t, T>),
    /// The names of an enum's variants, and their payloads.
    Enum(Vec<(&'t str, Carried<'t, T>)>),
}

/// The members of a class.
pub struct Members<'t, T> {
    /// The names and types of the members.
    pub list: Vec<(Cow<'t, str>, T)>,
    /// Whether the list has all members.
    pub whole: bool,
}

/// The payload of a variant.
pub enum Carried<'t, T> {
    /// No payload.
    Nothing,
    /// A value.
    Value(T),
    /// Several values.
    Tuple(Vec<T>),
    /// Named members.
    Members(Members<'t, T>),
}
