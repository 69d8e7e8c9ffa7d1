//! [`Types`]: the types that a description is made of, be they those of the program or of a file.

use std::borrow::Cow;
use std::hash::Hash;

/// Types that refer to each other.
pub trait Types {
    /// Stands for a type.
    type Type: Copy;
    /// The same for whatever is one class or enum.
    type Key: Eq + Hash;

    /// What a type is, apart from the content of classes and enums.
    fn form(&self, ty: Self::Type) -> Form<Self::Type>;
    /// Tells a class or an enum from others.
    fn key(&self, ty: Self::Type) -> Self::Key;
    /// What a class or an enum is called.
    fn name(&self, ty: Self::Type) -> String;
    /// What a class or an enum consists of.
    fn content(&self, ty: Self::Type) -> Content<'_, Self::Type>;

    /// Whether so much was asked already that no text shall be made any more.
    fn exhausted(&self) -> bool {
        false
    }
}

/// What a type is.
pub enum Form<T> {
    /// A type without components.
    Simple(&'static str),
    /// A type of others: `Vec<T>`.
    Generic(&'static str, Vec<T>),
    /// So many of one type.
    Array(T, u64),
    /// One of each type.
    Tuple(Vec<T>),
    /// A class or an enum.
    Named,
}

/// What a class or an enum consists of.
pub enum Content<'t, T> {
    /// A class: its version and its members.
    Class(u32, Members<'t, T>),
    /// An enum: names of variants and what they carry.
    Enum(Vec<(&'t str, Carried<'t, T>)>),
}

/// The members of a class.
pub struct Members<'t, T> {
    /// Names and types.
    pub list: Vec<(Cow<'t, str>, T)>,
    /// Whether these are all.
    pub whole: bool,
}

/// What a variant carries.
pub enum Carried<'t, T> {
    /// Nothing.
    Nothing,
    /// A value.
    Value(T),
    /// Several values.
    Tuple(Vec<T>),
    /// Named members.
    Members(Members<'t, T>),
}
